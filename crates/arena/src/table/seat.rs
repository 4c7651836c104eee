//! What the table asks of a seat, and what may come back.

use super::Fault;
use crownhead_bots::Board;
use crownhead_record::TurnRecord;
use std::time::Duration;

/// A player at a table.
pub trait Seat {
    /// Asks for a move. Only people's seats answer with a [command](TableCommand).
    fn ask(&mut self, turn: &TurnRequest<'_>) -> Answer;

    /// Explains why the last reply was refused, before the seat is asked again. Only where a table asks
    /// again.
    fn refused(&mut self, _reason: &str) {}
}

/// A turn as the referee puts it to a seat.
#[derive(Clone, Copy, Debug)]
pub struct TurnRequest<'a> {
    /// The game so far, with the position on the table.
    pub board: &'a dyn Board,
    /// The names of the legal moves: never empty.
    pub moves: &'a [String],
    /// How long the seat may take.
    pub limit: Duration,
}

/// What can come back from a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A move, or a failure to give one.
    Reply(TimedReply),
    /// What a person wants instead of a move.
    Command(TableCommand),
}

/// A reply, and how long it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedReply {
    /// The text of a move, one line without its end, or why there is none.
    pub reply: Result<Vec<u8>, Fault>,
    /// From the moment the turn was put to the seat to the moment of the reply.
    pub time: Duration,
}

impl TimedReply {
    /// The reply that names this move.
    pub fn of_move(name: impl Into<Vec<u8>>, time: Duration) -> TimedReply {
        TimedReply {
            reply: Ok(name.into()),
            time,
        }
    }

    /// The record of a turn of this player that was answered so.
    pub(crate) fn record(&self, player: usize) -> TurnRecord {
        let text = self.reply.as_deref().ok().map(|reply| {
            let lines = reply.split(|&byte| byte == b'\n');
            // It belongs to the end of the line: programs of Windows write it.
            let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
            let lines: Vec<String> = lines.map(|line| line.escape_ascii().to_string()).collect();
            lines.join("\n")
        });
        TurnRecord::new(player, text, self.time)
    }
}

/// What a person can want in their turn instead of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableCommand {
    /// Take back the last turns.
    Undo {
        /// How many.
        turns: usize,
    },
    /// Play again turns that were taken back.
    Redo {
        /// How many.
        turns: usize,
    },
    /// Leave the game.
    Quit,
}

impl From<TimedReply> for Answer {
    fn from(reply: TimedReply) -> Answer {
        Answer::Reply(reply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_the_reply_without_a_carriage_return_at_its_end() {
        for (reply, recorded) in [
            ("A3B4\r", "A3B4"),
            ("a\r\nb", "a\nb"),
            ("A3\rB4", "A3\\rB4"),
        ] {
            let record = TimedReply::of_move(reply, Duration::ZERO).record(0);
            assert_eq!(record.reply.as_deref(), Some(recorded));
        }
    }
}
