//! Who sits at a table.
//!
//! A [`Seat`] is shown a turn and answers with the text of a move, or with the reason why it cannot. What
//! the text is worth is said by [`judge`](crate::judge). A bot's [`Process`] sees text only; a [`BuiltIn`]
//! bot plays in this process. A [`Person`] types moves in any game, or follows the [`Classroom`]'s checkers
//! dialogue; a [`MoveReader`] reads moves from a file. A [`Scripted`] seat plays a list of replies and is the
//! referee's test double.

mod bot;
mod built_in;
mod classroom;
mod dialogue;
mod move_file;
mod person;
mod process;
mod scripted;

use crate::judge::Termination;
use crownhead::game::Game;
use crownhead::notation::Notation;
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub use bot::{BotError, BotSpec, Defaults, built_ins};
pub use built_in::BuiltIn;
pub use classroom::Classroom;
pub use dialogue::{Dialogue, SharedDialogue};
pub use move_file::{BadLine, MoveFile, Reader as MoveReader, Reported};
pub use person::Person;
pub use process::{Conditions, Finished, Process};
pub use scripted::Scripted;

/// A player at a table.
pub trait Seat<G: Notation> {
    /// Asks for a move.
    fn ask(&mut self, turn: &Turn<'_, G>) -> Answer;

    /// Explains why the last reply was refused, before the seat is asked again. Only where a table asks
    /// again.
    fn refused(&mut self, _reason: &str) {}
}

/// A turn as the referee puts it to a seat.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a, G: Notation> {
    /// The game so far, with the position on the table.
    pub game: &'a Game<G>,
    /// The legal moves: never empty.
    pub moves: &'a [G::Move],
    /// How long the seat may take.
    pub limit: Duration,
}

/// What came back, and how long it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// What was said, or why nothing was.
    pub reply: Result<Said, Fault>,
    /// From the moment the turn was put to the seat to the moment of the answer.
    pub time: Duration,
}

/// What a seat can say in its turn. Only people's seats say anything but a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// The text of a move: one line without its end.
    Move(Vec<u8>),
    /// The last turns are to be taken back.
    Undo {
        /// How many.
        turns: usize,
    },
    /// Turns that were taken back are to be played again.
    Redo {
        /// How many.
        turns: usize,
    },
    /// The game is to be left.
    Quit,
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
    /// An answer a little late once too often.
    StrikeLimit {
        /// The limit of the turn.
        limit: Duration,
        /// When the answer was there.
        after: Duration,
        /// How often that has happened now.
        strikes: u32,
    },
    /// No answer when the time was up, and the bot had closed its input.
    ClosedInput {
        /// The limit of the turn.
        limit: Duration,
    },
    /// More bytes than any reply needs, and no end of the line.
    EndlessLine {
        /// How many bytes a reply may have.
        limit: usize,
    },
    /// The bot's process has ended.
    Ended(ExitKind),
    /// The bot was killed for the memory it used.
    OutOfMemory {
        /// How many bytes it may use.
        limit: u64,
    },
    /// The bot was killed for what it wrote into its temporary folder.
    FilledFolder {
        /// How many bytes it may write.
        limit: u64,
    },
    /// The bot's process has ended, and it had used almost all the memory it may.
    EndedShortOfMemory(ExitKind),
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
            Fault::Timeout { .. }
            | Fault::Late { .. }
            | Fault::StrikeLimit { .. }
            | Fault::ClosedInput { .. } => Termination::Timeout,
            Fault::EndlessLine { .. } => Termination::UnreadableReply,
            Fault::Ended(ExitKind::Code(0)) => Termination::Exit,
            Fault::Ended(_) | Fault::EndedShortOfMemory(_) | Fault::FilledFolder { .. } => {
                Termination::Crash
            }
            Fault::OutOfMemory { .. } => Termination::OutOfMemory,
            Fault::ClosedOutput => Termination::ClosedOutput,
            Fault::CannotStart(_) => Termination::CannotStart,
            Fault::Referee(_) | Fault::Interrupted | Fault::OutOfScript => {
                Termination::RefereeFault
            }
        }
    }
}
