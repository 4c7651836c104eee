//! Why a seat did not answer, or why its answer does not count.

use crownhead_record::Termination;
use crownhead_record::numbers::show_limit as show;
use crownhead_record::text::printable;
pub use crownhead_sandbox::ExitKind;
use std::time::Duration;

/// Why a seat did not answer, or why its answer does not count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// An answer that is not a legal move.
    Illegal {
        /// The answer, for people.
        reply: String,
        /// Why it is refused, as the rest of the sentence.
        why: String,
    },
    /// An answer that no move could be.
    Unreadable {
        /// The answer, for people; nothing if it is an empty line.
        reply: String,
    },
    /// No answer when the time was up.
    Timeout {
        /// The limit of the turn.
        limit: Duration,
        /// Whether the bot had closed its input.
        input_closed: bool,
    },
    /// An answer, but after the time was up.
    Late {
        /// The limit of the turn.
        limit: Duration,
        /// When the answer was there.
        after: Duration,
        /// Which strike it was, the last, if it came within the grace.
        strike: Option<u32>,
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

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Fault {
        Fault::RefereeFault(error.to_string())
    }
}

impl Fault {
    /// In words, of the player of this name.
    pub(crate) fn describe(&self, name: &str) -> String {
        match self {
            Fault::Illegal { reply, why } => format!("{name} answered `{reply}`{why}"),
            Fault::Unreadable { reply } if reply.is_empty() => {
                format!("{name} answered an empty line; expected one of the listed moves")
            }
            Fault::Unreadable { reply } => {
                format!("{name} answered `{reply}`, which is not readable text")
            }
            Fault::Timeout {
                limit,
                input_closed,
            } => {
                let closed = if *input_closed {
                    "; it had closed its input"
                } else {
                    ""
                };
                format!("{name} did not answer within {}{closed}", show(*limit))
            }
            Fault::Late {
                limit,
                after,
                strike,
            } => {
                let (after, limit) = (over(*after), show(*limit));
                let strike = strike.map(|strike| format!(", and that was strike {strike}"));
                let strike = strike.unwrap_or_default();
                format!("{name} answered after {after}; its limit was {limit}{strike}")
            }
            Fault::EndlessLine { limit } => {
                format!("{name} wrote more than {limit} bytes without ending the line")
            }
            Fault::Ended(kind @ ExitKind::Code(_)) => {
                format!("{name}'s bot ended with {kind} instead of answering")
            }
            Fault::Ended(kind @ ExitKind::Signal(_)) => {
                format!("{name}'s bot was killed by {kind}")
            }
            Fault::OutOfMemory { limit } => {
                format!("{name}'s bot used more than {} MB of memory", limit >> 20)
            }
            Fault::FilledFolder { limit } => {
                let limit = limit >> 20;
                format!("{name}'s bot wrote more than {limit} MB into its temporary folder")
            }
            Fault::EndedShortOfMemory(kind) => {
                format!("{name}'s bot crashed with {kind}, probably out of memory")
            }
            Fault::ClosedOutput => format!("{name}'s bot closed its output and runs on"),
            Fault::CannotStart(why) => {
                format!("{name}'s bot could not be started: {}", printable(why))
            }
            Fault::RefereeFault(why) => {
                format!("the referee failed while asking {name}: {}", printable(why))
            }
            Fault::Interrupted => "the referee was interrupted".into(),
        }
    }

    /// How a game ends by this fault.
    pub fn termination(&self) -> Termination {
        match self {
            Fault::Timeout { .. } | Fault::Late { .. } => Termination::Timeout,
            Fault::Illegal { .. } => Termination::IllegalReply,
            Fault::Unreadable { .. } | Fault::EndlessLine { .. } => Termination::UnreadableReply,
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

/// A time in milliseconds, rounded up to the microsecond: one over its limit is seen to be over.
fn over(time: Duration) -> String {
    let microseconds = time.as_nanos().div_ceil(1000);
    format!("{} ms", microseconds as f64 / 1e3)
}

#[cfg(test)]
mod tests {
    use super::{ExitKind, Fault, over};
    use std::time::Duration;

    #[test]
    fn a_signal_is_named_and_an_empty_line_is_told_from_an_unreadable_one() {
        for (signal, name) in [
            (1, " (SIGHUP)"),
            (2, " (SIGINT)"),
            (4, " (SIGILL, an illegal instruction)"),
            (5, " (SIGTRAP)"),
            (6, " (SIGABRT, an abort)"),
            (7, " (SIGBUS)"),
            (8, " (SIGFPE, an arithmetic fault)"),
            (9, " (SIGKILL)"),
            (11, " (SIGSEGV, a segmentation fault)"),
            (13, " (SIGPIPE)"),
            (15, " (SIGTERM)"),
            (24, " (SIGXCPU)"),
            (25, " (SIGXFSZ, a file larger than allowed)"),
            (31, " (SIGSYS, a forbidden system call)"),
            (40, ""),
        ] {
            let told = ExitKind::Signal(signal).to_string();
            assert_eq!(told, format!("signal {signal}{name}"));
        }
        let told = |reply: &str| {
            let reply = reply.into();
            Fault::Unreadable { reply }.describe("anna")
        };
        let expected = "anna answered an empty line; expected one of the listed moves";
        assert_eq!(told(""), expected);
        let expected = "anna answered `\\xff`, which is not readable text";
        assert_eq!(told("\\xff"), expected);
    }

    #[test]
    fn a_folder_that_is_full_is_told_with_its_limit_in_megabytes() {
        let told = Fault::FilledFolder { limit: 64 << 20 }.describe("anna");
        assert!(told.contains(" 64 MB"), "{told}");
    }

    #[test]
    fn a_time_over_its_limit_is_seen_to_be_over() {
        let told = |nanoseconds| over(Duration::from_nanos(nanoseconds));
        assert_eq!(told(104_300_000), "104.3 ms");
        assert_eq!(told(100_030_400), "100.031 ms");
        assert_eq!(told(100_000_001), "100.001 ms");
    }
}
