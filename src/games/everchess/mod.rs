//! EverChess: eight pawns a side, and a capture keeps the turn.
//!
//! A pawn steps straight ahead to an empty square, or goes one square diagonally ahead to capture. If a
//! capture is there it must be made, even before a winning step. After a capture the same side moves again
//! at once, with a *different* pawn: one that has not moved this turn. A step ends the turn. A pawn on the
//! far row wins at once; a side that must move and cannot has lost, in the middle of a turn too.
//!
//! A move is one pawn's movement, so a turn with captures is several moves of the same side. The pawns that
//! have moved this turn are part of the position; rows show them as `M` and `m`. White has captured on d5
//! here and moves on, with any pawn but that one:
//!
//! ```text
//! 7  . p p . p p p p
//! 6  p . . . . . . .
//! 5  . . . M p . . .
//! 4  . . . . . . . .
//! 3  P P P . . . . .
//! 2  . . . P . P P P
//!    a b c d e f g h
//! ```

mod evaluate;
mod notation;
mod position;
mod refusal;
pub mod rules;

pub use position::EverChess;
