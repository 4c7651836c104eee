//! The nouns of an 8x8 board: [`Square`], [`Bitboard`] and [`Side`].
//!
//! Shared by all games: which squares are used and which way "forward" points is up to each game.

mod bitboard;
mod side;
mod square;

pub use bitboard::Bitboard;
pub use side::Side;
pub use square::{ParseSquareError, Square};
