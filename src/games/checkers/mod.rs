//! Checkers on 8x8 (English draughts): men that move and capture forward, kings that also go back.
//!
//! Captures are mandatory, a jump goes on for as long as it can, any of the jumps on offer may be chosen,
//! and a man that reaches the far row is crowned and stops there. Two rule books share this board; see
//! [`rules`].
//!
//! A move is a *path*: the squares it visits and the pieces it takes. Two paths with the same effect are
//! two legal moves. Here the king on D2 may take the four men in either direction, and that is all it may
//! do, because a jump is never cut short:
//!
//! ```text
//! 6  . . . . . . . .
//! 5  . . r . r . . .         D2B4D6F4D2
//! 4  . . . . . . . .         D2F4D6B4D2
//! 3  . . r . r . . .
//! 2  . . . B . . . .
//!    A B C D E F G H
//! ```

mod evaluate;
mod fen;
mod layout;
mod movegen;
mod moves;
mod notation;
mod position;
mod refusal;
pub mod rules;

pub use fen::{pdn_of_square, square_of_pdn};
pub use moves::CheckersMove;
pub use position::{Checkers, Piece};
