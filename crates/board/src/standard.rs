//! The games of the library, compiled here once for all who play them.

use crate::{GameRules, Rules};
use crownhead::games::checkers::{self, Checkers};
use crownhead::games::chess::{self, Chess};
use crownhead::games::everchess::{self, EverChess};

/// English draughts.
pub static CHECKERS: &dyn GameRules =
    &Rules::<Checkers, checkers::Learned>::new("English draughts");

/// Eight pawns a side.
pub static EVERCHESS: &dyn GameRules =
    &Rules::<EverChess, everchess::Learned>::new("Eight pawns a side");

/// Chess by the two-player validator's rules.
pub static CHESS: &dyn GameRules =
    &Rules::<Chess, chess::PieceSquares>::new("Chess without castling, promotion and en passant");
