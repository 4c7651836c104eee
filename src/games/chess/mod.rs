//! Two-player chess: the chess of moves typed into a file, without castling, promotion and en passant.
//!
//! Otherwise it is chess. No side may end its move with its king under attack, nor is a king ever captured;
//! a side that is mated has lost. A pawn goes two squares on its first move only, that is from the row it
//! starts on, and has no move on its far row. So what stands where and whose move it is are the whole
//! position.
//!
//! ```text
//! 8  r n b q k b n r
//! 7  p p p p p p p p
//! 6  . . . . . . . .         white starts on rows 1 and 2, in capitals
//! 5  . . . . . . . .
//! 4  . . . . . . . .         e2e4: a move is the square a piece leaves
//! 3  . . . . . . . .         and the one it goes to
//! 2  P P P P P P P P
//! 1  R N B Q K B N R
//!    a b c d e f g h
//! ```

mod attacks;
mod evaluate;
mod movegen;
mod notation;
mod piece;
mod position;
mod refusal;
pub mod rules;

pub use piece::{Piece, PieceKind};
pub use position::Chess;
