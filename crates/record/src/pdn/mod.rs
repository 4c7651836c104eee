//! PDN, the notation in which the draughts world exchanges games (PDN standard 3.0; A. Millett's first
//! description at mdgsoft.home.xs4all.nl/draughts/pdn.html).
//!
//! A form of exchange, only for games of checkers: players, result, rules, first position and moves. Times, output and the
//! reply that lost a game are in records alone.
//!
//! In English draughts, `GameType` 21, Black's points come first: `1-0` is won by Black (PDN 2.0, 6.1.1.1.1.5).

mod read;
mod tokens;
mod write;

use crownhead::games::checkers::Checkers;
use crownhead_bots::{Board, PositionBoard};
use std::path::Path;

pub use read::read_pdn;
pub use tokens::PdnError;
pub use write::write_pdn;

/// Whether a file of this name holds PDN.
pub fn is_pdn(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("pdn"))
}

/// The FEN of the position on a board of checkers (PDN standard 3.0); `None` in another game.
pub fn fen(board: &dyn Board) -> Option<String> {
    let board: &PositionBoard<Checkers> = board.as_any().downcast_ref()?;
    Some(board.game().position().to_fen())
}

#[cfg(test)]
mod tests;
