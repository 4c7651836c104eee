//! Who sits at a table.
//!
//! A [`Seat`] is shown a turn and answers with the text of a move, or with the reason why it cannot. What
//! the text is worth is said by [`judge`](crate::judge). A bot's process sees text only; a
//! [`Scripted`] seat plays a list of replies and is the referee's test double.

mod bot;
mod process;
mod scripted;

use crate::judge::Termination;
use crownhead::history::History;
use crownhead::notation::Notation;
use std::time::Duration;

pub use bot::{BotError, BotSpec, Defaults, built_ins};
pub use process::{LONGEST_REPLY, Process};
pub use scripted::Scripted;

/// A player at a table.
pub trait Seat<G: Notation> {
    /// Asks for a move.
    fn ask(&mut self, turn: &Turn<'_, G>) -> Answer;
}

/// A turn as the referee puts it to a seat.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a, G: Notation> {
    /// The game so far, with the position on the table.
    pub history: &'a History<G>,
    /// The legal moves: never empty.
    pub moves: &'a [G::Move],
    /// How long the seat may take.
    pub limit: Duration,
}

/// What came back, and how long it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// One line without its end, or why there is none.
    pub reply: Result<Vec<u8>, Fault>,
    /// From the moment the turn was put to the seat to the moment of the answer.
    pub time: Duration,
}

/// Why a seat did not answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// No answer when the time was up.
    Timeout {
        /// The limit of the turn.
        limit: Duration,
    },
    /// An answer, but after the time was up.
    Late {
        /// The limit of the turn.
        limit: Duration,
        /// When the answer was there.
        after: Duration,
    },
    /// More bytes than any reply needs, and no end of the line.
    EndlessLine {
        /// How many bytes a reply may have.
        limit: usize,
    },
    /// The bot's process has ended.
    Ended(ExitKind),
    /// The bot closed its output and runs on.
    ClosedOutput,
    /// The bot could not be started, with the reason.
    CannotStart(String),
    /// The referee's own trouble, with the reason.
    Referee(String),
    /// The referee was told to stop.
    Interrupted,
    /// A script has no more replies.
    OutOfScript,
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitKind {
    /// By itself, with this status.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl Fault {
    /// How a game ends by this fault.
    pub fn termination(&self) -> Termination {
        match self {
            Fault::Timeout { .. } | Fault::Late { .. } => Termination::Timeout,
            Fault::EndlessLine { .. } => Termination::UnreadableReply,
            Fault::Ended(ExitKind::Code(0)) => Termination::Exit,
            Fault::Ended(_) => Termination::Crash,
            Fault::ClosedOutput => Termination::ClosedOutput,
            Fault::CannotStart(_) => Termination::CannotStart,
            Fault::Referee(_) | Fault::Interrupted | Fault::OutOfScript => {
                Termination::RefereeFault
            }
        }
    }
}
