//! Why a seat did not answer.

use crownhead_record::Termination;
use std::time::Duration;

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
    /// A late answer within the grace, and the last strike.
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
    RefereeFault(String),
    /// The referee was interrupted.
    Interrupted,
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
            Fault::RefereeFault(_) | Fault::Interrupted => Termination::RefereeFault,
        }
    }
}
