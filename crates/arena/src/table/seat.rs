//! What the table asks of a seat, and what may come back.
//!
//! Each kind of seat declares what it can answer: a program gives a [`TimedReply`] and nothing else, and only
//! a seat whose type says so gives [commands](TableCommand).

use super::Fault;
use crownhead_bots::Board;
use crownhead_record::TurnRecord;
use crownhead_record::text::escaped;
use std::time::Duration;

/// A player at a table.
pub trait Seat {
    /// What this kind of player can answer: a [`TimedReply`], or for people any [`Answer`].
    type Answer: Into<Answer>;

    /// Asks for a move.
    fn ask(&mut self, turn: &TurnRequest<'_>) -> Self::Answer;

    /// Explains why the last reply was refused, before the seat is asked again. Only where a table asks
    /// again.
    fn refused(&mut self, _reason: &str) {}
}

/// A seat of any kind, as the table sees it.
pub trait Seated {
    /// [`Seat::ask`].
    fn ask_any(&mut self, turn: &TurnRequest<'_>) -> Answer;

    /// [`Seat::refused`].
    fn tell_refused(&mut self, reason: &str);
}

impl<S: Seat> Seated for S {
    fn ask_any(&mut self, turn: &TurnRequest<'_>) -> Answer {
        self.ask(turn).into()
    }

    fn tell_refused(&mut self, reason: &str) {
        self.refused(reason);
    }
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
        let lines = |reply: &[u8]| {
            reply
                .split(|&byte| byte == b'\n')
                .map(escaped)
                .collect::<Vec<_>>()
        };
        let text = self
            .reply
            .as_deref()
            .ok()
            .map(|reply| lines(reply).join("\n"));
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
