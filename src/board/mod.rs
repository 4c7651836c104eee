//! The nouns of a board: [`Square`], [`Bitboard`], [`Side`] and [`CoordinateMove`] of an 8x8 one, [`Cell`] and
//! [`BoardSize`] of any.
//!
//! Shared by all games: which squares are used and which way "forward" points is up to each game.

mod bitboard;
mod cell;
mod side;
mod square;

pub(crate) use bitboard::bits;
pub use bitboard::Bitboard;
pub use cell::{BoardSize, Cell};
pub use side::Side;
pub use square::{CoordinateMove, ParseSquareError, Square};
