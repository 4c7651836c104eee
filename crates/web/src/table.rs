//! A table as a page shows it: the board, what can be played, and what was said.

use super::plies::{BoardView, Ply, plies, side_word};
use super::position::{LegalMove, legal};
use super::sessions::SessionThread;
use crate::position::SideNames;
use crownhead_arena::table::Verdict;
use crownhead_board::Board;
use crownhead_record::judge::whole_microseconds;
use crownhead_record::{RecordedResult, Termination};
use serde::Serialize;
use std::cell::RefCell;
use std::time::Duration;

/// What a page calls the players: the names of those who sit there.
#[derive(Clone, Debug)]
pub(super) struct Players {
    pub(super) names: [String; 2],
    pub(super) sides: SideNames,
}

/// A table as a page shows it.
#[derive(Serialize)]
struct Shown<'a> {
    game: &'a str,
    rules: &'a str,
    sides: &'a SideNames,
    row_1_on_top: bool,
    players: &'a [String; 2],
    start: BoardView,
    turns: Vec<Ply>,
    /// Whose turn it is.
    side: &'a str,
    /// The legal moves of the person; none while a computer thinks.
    legal: Vec<LegalMove>,
    can_undo: bool,
    can_redo: bool,
    /// Why the last try was refused.
    message: Option<String>,
    /// What to know of the position.
    note: Option<String>,
    /// What the computer wrote in its last turn, and how long it took.
    words: String,
    answered_us: Option<u64>,
    verdict: Option<ShownVerdict>,
}

#[derive(Serialize)]
struct ShownVerdict {
    result: Option<RecordedResult>,
    termination: Termination,
    reason: String,
}

/// A table with its page.
pub(super) struct Table {
    game: &'static str,
    pub(super) session: SessionThread,
    players: Players,
    told: RefCell<Told>,
}

#[derive(Default)]
struct Told {
    message: Option<String>,
    words: String,
    answered: Option<Duration>,
}

/// The longest part of a bot's words that a page shows.
const LONGEST_WORDS: usize = 4096;

impl Table {
    pub(super) fn new(game: &'static str, players: Players, session: SessionThread) -> Table {
        Table {
            game,
            session,
            players,
            told: RefCell::default(),
        }
    }

    /// Says this to the person from now on.
    pub(super) fn say(&self, message: Option<String>) {
        self.told.borrow_mut().message = message;
    }

    /// What the computer said in its turn, and how long it took.
    pub(super) fn heard(&self, words: &str, time: Duration) {
        let mut told = self.told.borrow_mut();
        let begin = words.len().saturating_sub(LONGEST_WORDS);
        let begin = (begin..=words.len()).find(|&at| words.is_char_boundary(at));
        words[begin.unwrap_or(0)..].clone_into(&mut told.words);
        told.answered = Some(time);
    }

    /// Shows a turn; `moves` are those that the person can choose from.
    pub(super) fn show_turn(&self, board: &dyn Board, moves: &[String]) {
        self.show(board, moves, None);
    }

    /// Shows the board as it is; a game that is over has a verdict.
    pub(super) fn show(&self, board: &dyn Board, moves: &[String], verdict: Option<&Verdict>) {
        let told = self.told.borrow();
        let rules = board.rules();
        let redo = board.duplicate().redo();
        let (start, turns) = plies(board);
        self.session.show(&Shown {
            game: self.game,
            rules: rules.name,
            sides: &self.players.sides,
            row_1_on_top: rules.row_1_on_top,
            players: &self.players.names,
            start,
            turns,
            side: side_word(board.mover()),
            legal: legal(board, moves),
            can_undo: !moves.is_empty() && board.turn() > 1,
            can_redo: !moves.is_empty() && redo,
            message: told.message.clone(),
            note: board.note().filter(|_| verdict.is_none()),
            words: told.words.clone(),
            answered_us: told.answered.map(whole_microseconds),
            verdict: verdict.map(|verdict| ShownVerdict {
                result: verdict.scores.as_deref().map(RecordedResult::of_scores),
                termination: verdict.termination,
                reason: verdict.reason.clone(),
            }),
        });
    }
}
