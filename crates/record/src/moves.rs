//! Files of moves: a line is a move when its first four characters are two squares.

use crate::input::LineReader;
use crownhead::board::Square;
use crownhead_board::Board;
use std::io::{self, BufRead};

/// A line of a file of moves, on a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveLine {
    /// A legal move, by its name.
    Legal(String),
    /// A move that is not legal.
    Illegal {
        /// The move as it stands there.
        text: String,
        /// Why it is refused.
        reason: String,
    },
    /// No move at all: the line.
    NoMove(String),
}

/// The next line that is not blank, as it reads on this board; `None` at the end.
///
/// # Errors
/// As for [`LineReader::next_line`].
pub fn next_move<R: BufRead>(
    lines: &mut LineReader<R>,
    board: &dyn Board,
) -> io::Result<Option<MoveLine>> {
    while let Some(line) = lines.next_line()? {
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line.is_empty() {
            continue;
        }
        let Some(text) = move_in(line) else {
            return Ok(Some(MoveLine::NoMove(line.into())));
        };
        return Ok(Some(match board.find_move(text) {
            Some(name) => MoveLine::Legal(name),
            None => MoveLine::Illegal {
                text: text.into(),
                reason: board.refusal(text).advice,
            },
        }));
    }
    Ok(None)
}

/// The move that a line begins with: two squares in four characters.
fn move_in(line: &str) -> Option<&str> {
    let (from, to) = (line.get(..2)?, line.get(2..4)?);
    (from.parse::<Square>().is_ok() && to.parse::<Square>().is_ok()).then(|| &line[..4])
}

#[cfg(test)]
mod tests {
    use super::move_in;

    #[test]
    fn a_line_is_a_move_when_its_first_four_characters_are_two_squares() {
        assert_eq!(move_in("e2e4"), Some("e2e4"));
        assert_eq!(move_in("E2E4 the king's pawn"), Some("E2E4"));
        for line in ["", "e2", "e2-e4", "e9e4", " e2e4", "# a remark", "éé2e4"] {
            assert_eq!(move_in(line), None, "{line:?}");
        }
    }
}
