//! Verdicts: how a game came out, and why.
//!
//! How a game *ended* and who *won* are two things, kept apart from here to the records.

use super::Fault;
use crownhead::game::Ending;
use crownhead_bots::{Board, winner};
use crownhead_record::Termination;
use crownhead_record::text::{escaped, excerpt};

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

impl Verdict {
    /// The player who has won; `None` in a draw, and when the game counts for nothing.
    pub fn winner(&self) -> Option<usize> {
        winner(self.scores.as_deref()?)
    }

    /// Whether the game counts and is drawn.
    pub fn is_draw(&self) -> bool {
        self.scores.is_some() && self.winner().is_none()
    }

    /// The player on move has lost.
    fn lost(board: &dyn Board, termination: Termination, reason: String) -> Verdict {
        let mover = board.mover();
        let players = 0..board.player_names().len();
        let score = |player| f64::from(u8::from(player != mover));
        Verdict {
            scores: Some(players.map(score).collect()),
            termination,
            reason,
        }
    }
}

/// The verdict on a game that has ended by its rules, or `None` while it goes on.
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

/// A draw by the referee's word, once so many turns in a row were moves that later ones can take back.
pub(super) fn adjudicate(board: &dyn Board, after: u32) -> Option<Verdict> {
    let players = board.player_names().len();
    (board.turns_since_zeroing() >= after).then(|| Verdict {
        scores: Some(vec![1.0 / players as f64; players]),
        termination: Termination::Adjudicated,
        reason: format!("{after} turns without progress: adjudicated a draw"),
    })
}

/// The verdict on a player that could not answer: it loses, unless the referee is at fault.
pub(super) fn fault(fault: &Fault, board: &dyn Board) -> Verdict {
    let termination = fault.termination();
    let reason = fault.describe(board.mover_name());
    let mut verdict = Verdict::lost(board, termination, reason);
    if termination == Termination::RefereeFault {
        verdict.scores = None;
    }
    verdict
}

/// The name of the move that a bot's reply names, or the verdict that the bot lost by it.
///
/// # Errors
/// The verdict.
pub fn judge(reply: &Result<Vec<u8>, Fault>, board: &dyn Board) -> Result<String, Verdict> {
    match reply {
        Err(failed) => Err(fault(failed, board)),
        Ok(reply) => match_reply(reply, &board.legal_moves(), board),
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

/// The name of the legal move that a bot's reply names, or the verdict that it lost by its reply.
///
/// The reply must equal the name of a listed move exactly; white space at its end is ignored. `moves` are
/// the legal moves.
///
/// # Errors
/// The verdict on a reply that is not text, or not a legal move.
pub(super) fn match_reply(
    reply: &[u8],
    moves: &[String],
    board: &dyn Board,
) -> Result<String, Verdict> {
    let name = board.mover_name();
    let lost = |termination, reason| Verdict::lost(board, termination, reason);
    let text = readable(reply, name);
    let text = text.map_err(|reason| lost(Termination::UnreadableReply, reason))?;
    let named = moves.iter().find(|&name| name == text);
    named.cloned().ok_or_else(|| {
        let why = match board.find_move(text) {
            Some(listed) => format!("a reply must equal a listed move exactly: `{listed}`"),
            None => board.refusal(text).clause,
        };
        let reason = format!("{name} answered `{}` but {why}", excerpt(text));
        lost(Termination::IllegalReply, reason)
    })
}

/// The reply as text without the white space at its end, or a sentence if no move could be written so.
fn readable<'a>(reply: &'a [u8], name: &str) -> Result<&'a str, String> {
    let text = str::from_utf8(reply.trim_ascii_end()).ok();
    let text = text.filter(|text| !text.is_empty() && !text.contains(char::is_control));
    text.ok_or_else(|| {
        if reply.trim_ascii().is_empty() {
            return format!("{name} answered an empty line; expected one of the listed moves");
        }
        let shown = excerpt(&escaped(reply));
        format!("{name} answered `{shown}`, which is not readable text")
    })
}
