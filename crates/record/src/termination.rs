//! The ways a game can end.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a game ended. The winner is a separate field.
///
/// Records, and options that read a [`ValueEnum`], have the same names for these.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize, ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// The game's own goal was reached on the board.
    Goal,
    /// The side to move had no legal move.
    NoMoves,
    /// Drawn after too many turns without a capture.
    WithoutCapture,
    /// Drawn after too many turns.
    TurnLimit,
    /// An external referee gave its scores.
    Scores,
    /// The referee called it a draw, because there was no progress. No rule of the game says so.
    Adjudicated,
    /// The reply was not a legal move.
    IllegalReply,
    /// The reply was not text, or its line was too long.
    UnreadableReply,
    /// The reply did not come in time.
    Timeout,
    /// The bot ended with a status other than 0, or by a signal.
    Crash,
    /// The bot used more memory than it may.
    OutOfMemory,
    /// The bot ended with status 0 during the game.
    Exit,
    /// The bot closed its output but continued to run.
    ClosedOutput,
    /// The bot could not be started.
    CannotStart,
    /// A person left the game.
    Abandoned,
    /// The file that it was read from does not say how it ended, though it may say who won.
    NotStated,
    /// The referee itself failed, or was stopped; the game does not count.
    RefereeFault,
}

impl Termination {
    /// Whether the game ended by its rules or by the referee's decision, not by a player's failure.
    pub fn is_regular(self) -> bool {
        use Termination::{Adjudicated, Goal, NoMoves, Scores, TurnLimit, WithoutCapture};
        matches!(
            self,
            Goal | NoMoves | WithoutCapture | TurnLimit | Scores | Adjudicated
        )
    }

    /// Its name in records and options, such as `illegal-reply`.
    pub fn name(self) -> String {
        let value = self.to_possible_value().expect("no ending is hidden");
        value.get_name().into()
    }

    /// Whether something went wrong. A person who left is not a fault, nor is an ending that PDN does not state.
    pub fn is_fault(self) -> bool {
        use Termination::{Abandoned, NotStated};
        !self.is_regular() && !matches!(self, Abandoned | NotStated)
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Termination::Goal => "goal reached",
            Termination::NoMoves => "no legal move",
            Termination::WithoutCapture => "no capture for too long",
            Termination::TurnLimit => "turn limit",
            Termination::Scores => "the referee's scores",
            Termination::Adjudicated => "adjudicated",
            Termination::IllegalReply => "illegal reply",
            Termination::UnreadableReply => "unreadable reply",
            Termination::Timeout => "timeout",
            Termination::Crash => "crash",
            Termination::OutOfMemory => "out of memory",
            Termination::Exit => "left the game",
            Termination::ClosedOutput => "closed its output",
            Termination::CannotStart => "could not start",
            Termination::Abandoned => "abandoned",
            Termination::NotStated => "ending not stated",
            Termination::RefereeFault => "referee fault",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_what_went_wrong_and_neither_the_rules_nor_a_person_ended() {
        use Termination::{
            Abandoned, Adjudicated, CannotStart, ClosedOutput, Crash, Exit, Goal, IllegalReply,
            NoMoves, NotStated, OutOfMemory, RefereeFault, Scores, Timeout, TurnLimit,
            UnreadableReply, WithoutCapture,
        };
        for regular in [
            Goal,
            NoMoves,
            WithoutCapture,
            TurnLimit,
            Scores,
            Adjudicated,
        ] {
            assert!(regular.is_regular() && !regular.is_fault(), "{regular}");
        }
        for fault in [
            IllegalReply,
            UnreadableReply,
            Timeout,
            Crash,
            OutOfMemory,
            Exit,
            ClosedOutput,
            CannotStart,
            RefereeFault,
        ] {
            assert!(fault.is_fault() && !fault.is_regular(), "{fault}");
        }
        for neither in [Abandoned, NotStated] {
            assert!(!neither.is_fault() && !neither.is_regular(), "{neither}");
        }
    }

    #[test]
    fn records_options_and_people_have_a_word_for_each() {
        for ending in Termination::value_variants() {
            let record = serde_json::to_value(ending).unwrap();
            assert_eq!(record, ending.name());
        }
        let word = serde_json::to_string(&Termination::OutOfMemory).unwrap();
        assert_eq!(word, "\"out-of-memory\"");
        assert_eq!(Termination::OutOfMemory.to_string(), "out of memory");
        assert_eq!(Termination::NoMoves.to_string(), "no legal move");
    }
}
