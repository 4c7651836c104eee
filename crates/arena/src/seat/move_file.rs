//! Two players whose moves stand in one file, a line each.
//!
//! A line is a move when its first four characters are two squares. Any other line, and an illegal
//! move, is reported and skipped: the same player stays on move.

use crate::table::{Answer, Command, Seat, TimedReply, TurnRequest};
use crownhead_board::Board;
use crownhead_record::input::{LONGEST_TYPED_LINE, LineReader};
use std::cell::RefCell;
use std::io::{self, BufRead};
use std::ops::ControlFlow;
use std::time::Duration;

/// A line that is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadLine {
    /// A move that is not legal, with the reason.
    Illegal {
        /// The move as it stands there.
        text: String,
        /// Why it is refused.
        reason: String,
    },
    /// No move at all.
    NoMove {
        /// The line.
        text: String,
    },
}

/// A file of moves, read line by line by both seats.
pub struct MoveFile<'a> {
    lines: LineReader<Box<dyn BufRead + 'a>>,
    report: Box<dyn FnMut(usize, BadLine) -> ControlFlow<()> + 'a>,
    /// What went wrong with the file.
    pub failure: Option<io::Error>,
    /// Whether a bad line has ended the reading.
    pub stopped: bool,
}

impl<'a> MoveFile<'a> {
    /// The moves in `input`; bad lines are told to `report` with their number, which says whether to read on.
    pub fn new(
        input: impl BufRead + 'a,
        report: impl FnMut(usize, BadLine) -> ControlFlow<()> + 'a,
    ) -> MoveFile<'a> {
        MoveFile {
            lines: LineReader::new(Box::new(input), LONGEST_TYPED_LINE),
            report: Box::new(report),
            failure: None,
            stopped: false,
        }
    }

    /// The number of the line that was read last, from 1.
    pub fn line(&self) -> usize {
        self.lines.line()
    }

    /// The name of the next good move, or `None` at the end.
    pub fn next_move(&mut self, board: &dyn Board) -> Option<String> {
        while !self.stopped {
            let text = self.next_line()?;
            let bad = match move_in(&text) {
                None => BadLine::NoMove { text },
                Some(named) => match board.find_move(named) {
                    Some(name) => return Some(name),
                    None => BadLine::Illegal {
                        text: named.into(),
                        reason: board.refusal(named).advice,
                    },
                },
            };
            self.stopped = (self.report)(self.lines.line(), bad).is_break();
        }
        None
    }

    /// The next line that is not blank.
    fn next_line(&mut self) -> Option<String> {
        loop {
            let read = self.lines.next_line().unwrap_or_else(|error| {
                self.failure = Some(error);
                None
            });
            let bytes = read?;
            let line = String::from_utf8_lossy(&bytes);
            if !line.trim().is_empty() {
                return Some(line.trim_end().into());
            }
        }
    }
}

/// The move that a line begins with: two squares in four characters.
fn move_in(line: &str) -> Option<&str> {
    use crownhead::board::Square;
    let (from, to) = (line.get(..2)?, line.get(2..4)?);
    (from.parse::<Square>().is_ok() && to.parse::<Square>().is_ok()).then(|| &line[..4])
}

/// A player whose moves stand in a file that is shared with the opponent.
pub struct MoveReader<'f, 'a>(pub &'f RefCell<MoveFile<'a>>);

impl Seat for MoveReader<'_, '_> {
    type Answer = Answer;

    fn ask(&mut self, turn: &TurnRequest<'_>) -> Answer {
        match self.0.borrow_mut().next_move(turn.board) {
            Some(name) => TimedReply::of_move(name, Duration::ZERO).into(),
            None => Answer::Command(Command::Quit),
        }
    }
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
