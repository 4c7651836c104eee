//! A table as a page shows it: the board, what can be played, and what was said.

use super::plies::{BoardView, Ply, plies};
use super::position::{LegalMove, legal};
use crownhead_bots::Board;
use crownhead_record::RecordedResult;
use crownhead_record::judge::optional_microseconds;
use serde::Serialize;
use std::time::Duration;

/// The table as the page is sent it.
#[derive(Debug, Serialize)]
pub struct TableView<'a> {
    /// What the game calls the players' sides.
    sides: [&'static str; 2],
    players: &'a [String; 2],
    start: BoardView,
    turns: Vec<Ply>,
    /// Whose turn it is.
    side: &'static str,
    /// The legal moves of the person; none while a computer thinks.
    legal: Vec<LegalMove>,
    can_undo: bool,
    can_redo: bool,
    /// What to know of the position.
    note: Option<String>,
    #[serde(flatten)]
    said: &'a Said,
    verdict: Option<VerdictView<'a>>,
}

/// How the game ended.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct VerdictView<'a> {
    /// The side that has won, or `draw`.
    result: Option<&'static str>,
    reason: &'a str,
}

/// What was said in the last turns.
#[derive(Default, Debug, Serialize)]
pub struct Said {
    /// Why the last try was refused.
    pub message: Option<String>,
    /// How long the computer's last turn took.
    #[serde(rename = "answered_us", with = "optional_microseconds")]
    pub answered: Option<Duration>,
}

impl<'a> VerdictView<'a> {
    /// A game on this board that ended with these scores, if it has any, for this reason.
    pub fn new(board: &dyn Board, scores: Option<&[f64]>, reason: &'a str) -> VerdictView<'a> {
        let sides = board.rules().side_names;
        VerdictView {
            result: scores.map(|scores| RecordedResult::of_scores(scores).word(sides)),
            reason,
        }
    }
}

impl<'a> TableView<'a> {
    /// The board as it is; `players` are the names of black and white, `moves` those that the person can choose from. A
    /// game that is over has a verdict.
    pub fn new(
        board: &dyn Board,
        players: &'a [String; 2],
        moves: &[String],
        said: &'a Said,
        verdict: Option<VerdictView<'a>>,
    ) -> TableView<'a> {
        let (start, turns) = plies(board);
        TableView {
            sides: board.rules().side_names,
            players,
            start,
            turns,
            side: board.mover_name(),
            legal: legal(board, moves),
            can_undo: !moves.is_empty() && board.turn() > 1,
            can_redo: !moves.is_empty() && board.duplicate().redo(),
            note: board.note().filter(|_| verdict.is_none()),
            said,
            verdict,
        }
    }
}
