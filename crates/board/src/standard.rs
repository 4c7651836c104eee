//! The games of the library, compiled once here for all users.

use crate::{Board, GameRules, PositionBoard, Rules};
use crownhead::game::Game;
use crownhead::games::checkers::{self, Checkers};
use crownhead::games::chess::{self, Chess};
use crownhead::games::everchess::{self, EverChess};
use crownhead::PositionError;

/// English draughts.
pub static CHECKERS: &dyn GameRules = &Rules::<Checkers, checkers::Learned>::NEW;

/// Eight pawns a side.
pub static EVERCHESS: &dyn GameRules = &Rules::<EverChess, everchess::Learned>::NEW;

/// Chess by the two-player validator's rules.
pub static CHESS: &dyn GameRules = &Rules::<Chess, chess::Learned>::NEW;

/// The contest's checkers, from the position of a FEN of draughts.
///
/// # Errors
/// When the text is no such FEN.
pub fn checkers_board(fen: &str) -> Result<Box<dyn Board>, PositionError> {
    let game = Game::from_position(Checkers::from_fen(fen)?, checkers::rules::CONTEST);
    Ok(Box::new(PositionBoard {
        rules_of_game: CHECKERS,
        game,
    }))
}
