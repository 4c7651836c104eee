//! A table as a page shows it: the board, what can be played, and what was said.

use super::plies::{BoardView, Ply, plies, side_word};
use super::position::{LegalMove, SideNames, legal};
use crownhead_board::Board;
use crownhead_record::RecordedResult;
use crownhead_record::judge::optional_microseconds;
use serde::Serialize;
use std::time::Duration;

/// The table as the page is sent it.
#[derive(Debug, Serialize)]
pub struct TableView<'a> {
    sides: SideNames,
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
    result: Option<RecordedResult>,
    reason: &'a str,
}

/// What was said in the last turns.
#[derive(Default, Debug, Serialize)]
pub struct Said {
    /// Why the last try was refused.
    pub message: Option<String>,
    /// What the computer wrote in its last turn.
    pub words: String,
    /// How long that took.
    #[serde(rename = "answered_us", with = "optional_microseconds")]
    pub answered: Option<Duration>,
    /// The number under which the game is kept, once it has ended.
    pub kept: Option<u64>,
}

impl<'a> VerdictView<'a> {
    /// A game that ended with these scores, if it has any, for this reason.
    pub fn new(scores: Option<&[f64]>, reason: &'a str) -> VerdictView<'a> {
        VerdictView {
            result: scores.map(RecordedResult::of_scores),
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
            sides: SideNames::of(board.rules().side_names),
            players,
            start,
            turns,
            side: side_word(board.mover()),
            legal: legal(board, moves),
            can_undo: !moves.is_empty() && board.turn() > 1,
            can_redo: !moves.is_empty() && board.duplicate().redo(),
            note: board.note().filter(|_| verdict.is_none()),
            said,
            verdict,
        }
    }
}
