//! A table for a page: the board, the legal moves, and the messages.

use super::sessions::SessionThread;
use crownhead_arena::table::Verdict;
use crownhead_bots::Board;
use crownhead_browser::{Said, TableView, VerdictView};
use std::cell::RefCell;
use std::time::Duration;

/// A table with its page.
pub(super) struct Table {
    pub(super) session: SessionThread,
    /// The names of black and white.
    players: [String; 2],
    said: RefCell<Said>,
}

/// The longest part of a bot's output that a page shows.
const LONGEST_WORDS: usize = 4096;

impl Table {
    pub(super) fn new(players: [String; 2], session: SessionThread) -> Table {
        Table {
            session,
            players,
            said: RefCell::default(),
        }
    }

    /// Sets the message for the person.
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

    /// Shows the number of the kept game, or why it is not kept.
    pub(super) fn keep(&self, kept: anyhow::Result<u64>) {
        let mut said = self.said.borrow_mut();
        match kept {
            Ok(number) => said.kept = Some(number),
            Err(error) => said.message = Some(format!("The game could not be kept: {error:#}")),
        }
    }

    /// Shows the board. `moves` are the person's choices; a finished game has a verdict.
    pub(super) fn show(&self, board: &dyn Board, moves: &[String], verdict: Option<&Verdict>) {
        let verdict = verdict
            .map(|verdict| VerdictView::new(board, verdict.scores.as_deref(), &verdict.reason));
        let (players, said) = (&self.players, &self.said.borrow());
        let view = TableView::new(board, players, moves, said, verdict);
        self.session.show(&view);
    }
}
