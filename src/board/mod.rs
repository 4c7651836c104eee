//! The nouns of an 8x8 board: [`Square`], [`Bitboard`] and [`Side`].
//!
//! Nothing here knows a game. Which squares are used and which way "forward" points is left to each game.

mod bitboard;
mod side;
mod square;

pub use bitboard::Bitboard;
pub use side::Side;
pub use square::{ParseSquareError, Square};
