//! Positions of checkers from the command line.

use super::Failure;
use crownhead::game::Game;
use crownhead::games::checkers::{Checkers, rules};

/// The position that `--fen` gives, or else the start of the contest.
pub(super) fn from_option(fen: Option<&str>) -> Result<Checkers, Failure> {
    match fen {
        None => Ok(Checkers::start(&rules::CONTEST)),
        Some(fen) => Checkers::from_fen(fen).map_err(|error| {
            Failure::Usage(format!(
                "--fen: {error}\n\n  A FEN of draughts looks like B:W21,22,K29:B1,2,3 (who is to move, then \
                 both sides' squares by PDN number, K before a king's)"
            ))
        }),
    }
}
