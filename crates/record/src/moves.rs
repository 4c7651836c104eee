//! Files of moves: a line is a move when its first four characters are two squares.

use crate::input::LineReader;
use crownhead::board::Square;
use crownhead_bots::Board;
use std::io::{self, BufRead};

/// A line of a file of moves, on a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveLine {
    /// A legal move, by its name.
    Legal(String),
    /// A move that is not legal.
    Illegal {
        /// The move as it is written.
        text: String,
        /// Why it is refused.
        reason: String,
    },
    /// Not a move: the line.
    NoMove(String),
}

/// The next line that is not blank, read on this board; `None` at the end.
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

/// The move at the beginning of a line: two squares in four characters.
fn move_in(line: &str) -> Option<&str> {
    let (from, to) = (line.get(..2)?, line.get(2..4)?);
    (from.parse::<Square>().is_ok() && to.parse::<Square>().is_ok()).then(|| &line[..4])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_bots::CHESS;

    #[test]
    fn a_line_is_a_move_when_its_first_four_characters_are_two_squares() {
        assert_eq!(move_in("e2e4"), Some("e2e4"));
        assert_eq!(move_in("E2E4 the king's pawn"), Some("E2E4"));
        for line in ["", "e2", "e2-e4", "e9e4", " e2e4", "# a remark", "éé2e4"] {
            assert_eq!(move_in(line), None, "{line:?}");
        }
    }

    #[test]
    fn lines_are_read_as_moves_of_the_board_and_blank_ones_are_passed_over() {
        let board = CHESS.start(CHESS.rule_books()[0]);
        let mut lines = LineReader::new(&b"\n  \nE2E4 best by test\ne2e5\n\nresigns \n"[..], 100);
        let mut next = || next_move(&mut lines, board.as_ref()).unwrap();
        assert_eq!(next(), Some(MoveLine::Legal("e2e4".into())));
        let Some(MoveLine::Illegal { text, reason }) = next() else {
            panic!("an illegal move");
        };
        assert_eq!(text, "e2e5");
        assert_eq!(reason, board.refusal("e2e5").advice);
        assert_eq!(next(), Some(MoveLine::NoMove("resigns".into())));
        assert_eq!(next(), None);
    }
}
