//! The list of games, each compiled once here for all users.
//!
//! A game is picked by its name; nothing else knows the list. A program of one's own replaces it by [`set`], before it
//! reads its arguments.

use crate::board::{Board, BoardGame};
use crate::game_of::GameOf;
use crate::position_board::PositionBoard;
use crownhead::game::Game;
use crownhead::games::checkers::{self, Checkers};
use crownhead::games::chess::Chess;
use crownhead::games::everchess::EverChess;
use crownhead::network::Network;
use crownhead::PositionError;
use std::sync::OnceLock;

/// English draughts.
pub static CHECKERS: &dyn BoardGame = &GameOf::<Checkers, Network<Checkers>>::NEW;

/// Eight pawns a side.
pub static EVERCHESS: &dyn BoardGame = &GameOf::<EverChess, Network<EverChess>>::NEW;

/// Chess by the two-player validator's rules.
pub static CHESS: &dyn BoardGame = &GameOf::<Chess, Network<Chess>>::NEW;

static OWN_GAMES: OnceLock<Vec<&'static dyn BoardGame>> = OnceLock::new();

/// Replaces the list of games, before anything is looked up in it: for a program with games of its own.
///
/// # Panics
/// When it has been called before, or there is no game.
pub fn set(games: Vec<&'static dyn BoardGame>) {
    assert!(!games.is_empty(), "expected a game");
    OWN_GAMES.set(games).expect("the list of games is set once");
}

/// The games of the library.
pub fn library() -> &'static [&'static dyn BoardGame] {
    static LIBRARY: [&dyn BoardGame; 3] = [CHECKERS, EVERCHESS, CHESS];
    &LIBRARY
}

/// All games, the default first.
pub fn all() -> &'static [&'static dyn BoardGame] {
    OWN_GAMES.get().map_or_else(library, Vec::as_slice)
}

/// The game of this name.
pub fn find(name: &str) -> Option<&'static dyn BoardGame> {
    all().iter().copied().find(|game| game.name() == name)
}

/// The default: the first of the list.
pub fn usual() -> &'static dyn BoardGame {
    all()[0]
}

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

#[cfg(test)]
mod tests {
    #[test]
    fn a_game_is_found_by_its_name() {
        for &game in super::all() {
            assert_eq!(super::find(game.name()), Some(game));
        }
        assert_eq!(super::usual().name(), "checkers");
        assert_eq!(super::find("go"), None);
    }
}
