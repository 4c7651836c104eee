//! A table as a page shows it: the board, what can be played, and what was said.

use super::plies::{BoardView, Ply, plies, side_word};
use super::position::{LegalMove, SideNames, legal};
use super::sessions::SessionThread;
use crownhead_arena::table::Verdict;
use crownhead_board::Board;
use crownhead_record::RecordedResult;
use crownhead_record::judge::optional_microseconds;
use serde::Serialize;
use std::cell::RefCell;
use std::time::Duration;

/// The table as the page is sent it.
#[derive(Serialize)]
struct TableView<'a> {
    sides: SideNames,
    players: &'a [String; 2],
    start: BoardView,
    turns: Vec<Ply>,
    /// Whose turn it is.
    side: &'a str,
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

#[derive(Serialize)]
struct VerdictView<'a> {
    result: Option<RecordedResult>,
    reason: &'a str,
}

/// A table with its page.
pub(super) struct Table {
    pub(super) session: SessionThread,
    /// The names of black and white.
    players: [String; 2],
    said: RefCell<Said>,
}

/// What was said in the last turns.
#[derive(Default, Serialize)]
struct Said {
    /// Why the last try was refused.
    message: Option<String>,
    /// What the computer wrote in its last turn, and how long it took.
    words: String,
    #[serde(rename = "answered_us", with = "optional_microseconds")]
    answered: Option<Duration>,
}

/// The longest part of a bot's words that a page shows.
const LONGEST_WORDS: usize = 4096;

impl Table {
    pub(super) fn new(players: [String; 2], session: SessionThread) -> Table {
        Table {
            session,
            players,
            said: RefCell::default(),
        }
    }

    /// Says this to the person from now on.
    pub(super) fn say(&self, message: Option<String>) {
        self.said.borrow_mut().message = message;
    }

    /// Keeps what the computer wrote in its turn, and how long it took.
    pub(super) fn heard(&self, words: &str, time: Duration) {
        let mut said = self.said.borrow_mut();
        let begin = words.ceil_char_boundary(words.len().saturating_sub(LONGEST_WORDS));
        words[begin..].clone_into(&mut said.words);
        said.answered = Some(time);
    }

    /// Shows the board as it is; `moves` are those that the person can choose from, and a game that is over has a
    /// verdict.
    pub(super) fn show(&self, board: &dyn Board, moves: &[String], verdict: Option<&Verdict>) {
        let (start, turns) = plies(board);
        self.session.show(&TableView {
            sides: SideNames::of(board.rules().side_names),
            players: &self.players,
            start,
            turns,
            side: side_word(board.mover()),
            legal: legal(board, moves),
            can_undo: !moves.is_empty() && board.turn() > 1,
            can_redo: !moves.is_empty() && board.duplicate().redo(),
            note: board.note().filter(|_| verdict.is_none()),
            said: &self.said.borrow(),
            verdict: verdict.map(|verdict| VerdictView {
                result: verdict.scores.as_deref().map(RecordedResult::of_scores),
                reason: &verdict.reason,
            }),
        });
    }
}
