//! Positions of checkers from the command line.

use super::Failure;
use crownhead::games::checkers::Checkers;

/// The position that `--fen` gives.
pub(super) fn from_fen(fen: &str) -> Result<Checkers, Failure> {
    Checkers::from_fen(fen).map_err(|error| {
        Failure::Usage(format!(
            "--fen: {error}\n\n  A FEN of draughts looks like B:W21,22,K29:B1,2,3 (who is to move, then \
             both sides' squares by PDN number, K before a king's)"
        ))
    })
}
