//! Openings from a file of FENs, one position a line.

use super::Opening;
use crate::record::StartRecord;
use crownhead::games::checkers::{Checkers, rules};
use crownhead::position::Position;

/// A line of a file of openings that is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct FileError {
    /// The number of the line.
    pub line: usize,
    /// What is wrong with it and what was expected.
    pub reason: String,
}

/// The openings in a file of FENs of draughts, one a line; what follows a `#`, and empty lines, are ignored.
///
/// # Errors
/// When a line is no FEN, or a position in which the game is over; or there is no opening at all.
pub fn read_fens(text: &str) -> Result<Vec<Opening>, FileError> {
    let mut openings = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let fen = content.split('#').next().unwrap_or_default().trim();
        if fen.is_empty() {
            continue;
        }
        let position = Checkers::from_fen(fen).map_err(|error| FileError {
            line,
            reason: error.to_string(),
        })?;
        if position.outcome(&rules::CONTEST).is_some() {
            return Err(FileError {
                line,
                reason: "the side to move has no legal move: expected a position to play on".into(),
            });
        }
        openings.push(Opening {
            start: Some(StartRecord::of(&position)),
            moves: Vec::new(),
        });
    }
    if openings.is_empty() {
        return Err(FileError {
            line: text.lines().count().max(1),
            reason:
                "the file ends without an opening; expected a FEN a line, such as B:W21-32:B1-12"
                    .into(),
        });
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::read_fens;
    use crownhead::games::checkers::{Checkers, rules};

    #[test]
    fn each_line_is_an_opening_and_comments_are_ignored() {
        let text = "# two positions\nB:W21-32:B1-12\n\nW:W18,K32:B11,K14  # an ending\n";
        let openings = read_fens(text).unwrap();
        let fens: Vec<String> = openings
            .iter()
            .map(|opening| {
                opening
                    .rebuild::<Checkers>(&rules::CONTEST)
                    .unwrap()
                    .position()
                    .to_fen()
            })
            .collect();
        assert_eq!(
            fens,
            [
                "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
                "W:W18,K32:B11,K14"
            ]
        );
    }

    #[test]
    fn a_broken_line_is_named_with_what_was_expected() {
        let error = |text| read_fens(text).unwrap_err().to_string();
        assert!(error("B:W21-32:B1-12\nB:W99:B1").starts_with("line 2: \"99\" is no square"));
        assert!(error("\n\nW:W20:B16,11,7").starts_with("line 3: the side to move has no"));
        assert!(error("# nothing\n").contains("without an opening"));
    }
}
