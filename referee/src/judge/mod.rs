//! What an answer is worth: limits, verdicts, and the sentences that explain them.
//!
//! How a game *ended* and who *won* are two things, kept apart from here to the records. Leaves out how an
//! answer is obtained (a [seat](crate::seat)'s affair) and what happens next ([`table`](crate::table)).

mod clock;
mod colour_line;
pub mod profile;
mod sentence;
mod termination;

use crate::seat::Fault;
use crownhead::explain::{Explain, Refusal};
use crownhead::game::{Ending, Game};
use crownhead::notation::Notation;
use crownhead::position::Outcome;
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub use clock::{Clock, HARD_CAP, Spent};
pub use colour_line::ColourLine;
pub(crate) use colour_line::KNOWS_THE_LIVE_LINE;
pub use profile::{Grace, Profile};
pub use sentence::escaped;
pub use termination::Termination;

/// How long a player may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TimeLimits {
    /// For a player's first turn.
    #[serde(rename = "first_turn_us", with = "microseconds")]
    pub first_turn: Duration,
    /// For each turn after it.
    #[serde(rename = "turn_us", with = "microseconds")]
    pub turn: Duration,
}

impl Default for TimeLimits {
    /// Those of the [strict profile](profile::STRICT), which are the contest's.
    fn default() -> TimeLimits {
        profile::STRICT.limits
    }
}

/// How a game came out, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Who won; `None` when the game counts for nothing: the referee is at fault, or a person left.
    pub result: Option<Outcome>,
    /// How it ended.
    pub termination: Termination,
    /// The same as a sentence a person understands, without its full stop.
    pub reason: String,
}

/// The verdict on a game that has ended by its rules, or `None` while it goes on.
pub fn result_by_rules<G: Explain>(game: &Game<G>) -> Option<Verdict> {
    let (outcome, ending) = game.result()?;
    let reason = sentence::of_ending(ending, outcome, game);
    let termination = match ending {
        Ending::Goal => Termination::Goal,
        Ending::NoMoves => Termination::NoMoves,
        Ending::WithoutCapture => Termination::WithoutCapture,
        Ending::TurnLimit => Termination::TurnLimit,
    };
    Some(Verdict {
        result: Some(outcome),
        termination,
        reason,
    })
}

/// The verdict on a player that could not answer: it loses, unless the referee is at fault.
pub fn fault<G: Notation>(fault: &Fault, game: &Game<G>) -> Verdict {
    let mover = game.position().side_to_move();
    let name = game.rules().side_name(mover);
    let termination = fault.termination();
    let result =
        (termination != Termination::RefereeFault).then_some(Outcome::Win(mover.opponent()));
    Verdict {
        result,
        termination,
        reason: sentence::of_fault(fault, name),
    }
}

/// The verdict on a game that a person has left.
pub fn abandoned<G: Notation>(game: &Game<G>) -> Verdict {
    let name = game.rules().side_name(game.position().side_to_move());
    let reason = format!("the game was left when {name} was to move");
    Verdict {
        result: None,
        termination: Termination::Abandoned,
        reason,
    }
}

/// The legal move that a bot's reply names, or the verdict that it lost by its reply.
///
/// The reply must equal the name of a listed move exactly; white space at its end is ignored. `moves` are
/// the legal moves.
///
/// # Errors
/// The verdict of a reply that is no text, or no legal move.
pub fn match_reply<G: Explain>(
    reply: &[u8],
    moves: &[G::Move],
    game: &Game<G>,
) -> Result<G::Move, Verdict> {
    let position = game.position();
    let mover = position.side_to_move();
    let lost = |termination, reason| Verdict {
        result: Some(Outcome::Win(mover.opponent())),
        termination,
        reason,
    };
    let name = game.rules().side_name(mover);
    let Some(text) = readable(reply) else {
        return Err(lost(
            Termination::UnreadableReply,
            sentence::of_unreadable(reply, name),
        ));
    };
    let named = moves.iter().find(|&&mv| position.move_name(mv) == text);
    named.copied().ok_or_else(|| {
        let why = match position.parse_move(text) {
            Ok(mv) => format!(
                "a reply must equal a listed move exactly: `{}`",
                position.move_name(mv)
            ),
            Err(_) => position.refusal(text).clause(game.rules()),
        };
        lost(
            Termination::IllegalReply,
            sentence::of_illegal(text, &why, name),
        )
    })
}

/// The reply as text without the white space at its end, if it is text a move could be written in.
fn readable(reply: &[u8]) -> Option<&str> {
    let text = str::from_utf8(reply.trim_ascii_end()).ok()?;
    (!text.is_empty() && !text.contains(char::is_control)).then_some(text)
}

/// Durations that may be unknown, as whole microseconds.
pub(crate) mod optional_microseconds {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::time::Duration;

    pub(crate) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let microseconds = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        time.map(microseconds).serialize(to)
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(
        from: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(from)?.map(Duration::from_micros))
    }
}

/// Durations as whole microseconds, for records.
pub(crate) mod microseconds {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::time::Duration;

    pub(crate) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(u64::try_from(time.as_micros()).unwrap_or(u64::MAX))
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_micros)
    }
}
