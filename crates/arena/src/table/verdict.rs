//! Verdicts: how a game came out, and why.
//!
//! How a game *ended* and who *won* are two things, kept apart from here to the records.

use super::{Fault, describe};
use crownhead::explain::{Explain, Refusal};
use crownhead::game::{Ending, Game};
use crownhead::notation::Notation;
use crownhead::position::{Outcome, Position};
use crownhead_record::Termination;

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
pub(super) fn result_by_rules<G: Explain>(game: &Game<G>) -> Option<Verdict> {
    let (outcome, ending) = game.result()?;
    let reason = describe::ending(ending, outcome, game);
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

/// A draw by the referee's word, once so many turns in a row were moves that later ones can take back.
pub(super) fn adjudicate<G: Position>(game: &Game<G>, after: u32) -> Option<Verdict> {
    (game.turns_since_zeroing() >= after).then(|| Verdict {
        result: Some(Outcome::Draw),
        termination: Termination::Adjudicated,
        reason: format!("{after} turns without progress: adjudicated a draw"),
    })
}

/// The verdict on a player that could not answer: it loses, unless the referee is at fault.
pub(super) fn fault<G: Notation>(fault: &Fault, game: &Game<G>) -> Verdict {
    let mover = game.position().side_to_move();
    let name = game.rules().side_name(mover);
    let termination = fault.termination();
    let result =
        (termination != Termination::RefereeFault).then_some(Outcome::Win(mover.opponent()));
    Verdict {
        result,
        termination,
        reason: describe::fault(fault, name),
    }
}

/// The move that a bot's reply names, or the verdict that the bot lost by it.
///
/// # Errors
/// The verdict.
pub fn judge<G: Explain>(
    reply: &Result<Vec<u8>, Fault>,
    game: &Game<G>,
) -> Result<G::Move, Verdict> {
    match reply {
        Err(failed) => Err(fault(failed, game)),
        Ok(reply) => match_reply(reply, &game.position().legal_moves(), game),
    }
}

/// The verdict on a game that a person has left.
pub(super) fn abandoned<G: Notation>(game: &Game<G>) -> Verdict {
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
/// The verdict on a reply that is not text, or not a legal move.
pub(super) fn match_reply<G: Explain>(
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
            describe::unreadable(reply, name),
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
            describe::illegal(text, &why, name),
        )
    })
}

/// The reply as text without the white space at its end, if it is text a move could be written in.
fn readable(reply: &[u8]) -> Option<&str> {
    let text = str::from_utf8(reply.trim_ascii_end()).ok()?;
    (!text.is_empty() && !text.contains(char::is_control)).then_some(text)
}
