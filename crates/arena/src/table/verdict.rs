//! Verdicts: how a game came out, and why.
//!
//! How a game *ended* and who *won* are two things, kept apart from here to the records.

use super::Fault;
use crownhead::game::Ending;
use crownhead_bots::Board;
use crownhead_record::Termination;
use crownhead_record::text::excerpt;

/// How a game came out, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// What each player gets; `None` when the game counts for nothing: the referee is at fault, or a person left.
    pub scores: Option<Vec<f64>>,
    /// How it ended.
    pub termination: Termination,
    /// The same as a sentence a person understands, without its full stop.
    pub reason: String,
}

/// The verdict on a game that has ended by its rules, or `None` before that.
pub(super) fn result_by_rules(board: &dyn Board) -> Option<Verdict> {
    let ended = board.result()?;
    let termination = match ended.ending {
        Ending::Goal => Termination::Goal,
        Ending::NoMoves => Termination::NoMoves,
        Ending::WithoutCapture => Termination::WithoutCapture,
        Ending::TurnLimit => Termination::TurnLimit,
    };
    Some(Verdict {
        scores: Some(ended.scores),
        termination,
        reason: ended.reason,
    })
}

/// A draw by adjudication, after this many turns in a row of reversible moves.
pub(super) fn adjudicate(board: &dyn Board, after: u32) -> Option<Verdict> {
    let players = board.player_names().len();
    (board.turns_since_zeroing() >= after).then(|| Verdict {
        scores: Some(vec![1.0 / players as f64; players]),
        termination: Termination::Adjudicated,
        reason: format!("{after} turns without progress: adjudicated a draw"),
    })
}

/// The verdict on a player on move with this fault: it loses, unless the referee is at fault.
pub(super) fn fault(fault: &Fault, board: &dyn Board) -> Verdict {
    let (mover, players) = (board.mover(), 0..board.player_names().len());
    let termination = fault.termination();
    let scores = players.map(|player| f64::from(u8::from(player != mover)));
    let counts = termination != Termination::RefereeFault;
    Verdict {
        scores: counts.then(|| scores.collect()),
        termination,
        reason: fault.describe(board.mover_name()),
    }
}

/// The verdict on a game that a person has left.
pub(super) fn abandoned(board: &dyn Board) -> Verdict {
    Verdict {
        scores: None,
        termination: Termination::Abandoned,
        reason: format!("the game was left when {} was to move", board.mover_name()),
    }
}

/// The name of the legal move that a reply names. The reply must equal the name of a listed move exactly; white space at
/// its end is ignored. `moves` are the legal moves.
///
/// # Errors
/// The fault of a reply that is not text, or not a legal move.
pub(crate) fn match_reply(
    reply: &[u8],
    moves: &[String],
    board: &dyn Board,
) -> Result<String, Fault> {
    let text = str::from_utf8(reply.trim_ascii_end()).ok();
    let text = text.filter(|text| !text.is_empty() && !text.contains(char::is_control));
    let text = text.ok_or_else(|| Fault::Unreadable {
        reply: excerpt(&reply.trim_ascii().escape_ascii().to_string()),
    })?;
    let named = moves.iter().find(|&name| name == text);
    named.cloned().ok_or_else(|| Fault::Illegal {
        reply: excerpt(text),
        why: match board.find_move(text) {
            Some(listed) => format!(" but a reply must equal a listed move exactly: `{listed}`"),
            None => format!(" but {}", board.refusal(text).clause),
        },
    })
}
