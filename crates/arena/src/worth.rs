//! What positions are worth to the built-in searching bot.

use crownhead::search::{MAX_PLY, WIN};
use crownhead_bots::alphabeta::SearchLimits;
use crownhead_bots::{Board, BoardGame, Searcher, Subject, winner};
use std::time::Instant;

/// The size of the transposition table, in mebibytes.
const TABLE: usize = 16;

/// Worth beyond this, in hundredths of a man, is decided.
const DECIDED: i32 = 1000;

/// What each position of a game is searched with to find a mistake: repeatable, and 60 positions take a few seconds.
pub(super) const TO_FIND_MISTAKES: SearchLimits = SearchLimits {
    time: None,
    depth: None,
    nodes: Some(100_000),
};

/// Searches positions within limits.
pub struct Worth {
    searcher: Box<dyn Searcher>,
    limits: SearchLimits,
}

impl Worth {
    /// A search within these limits.
    pub fn new(game: &dyn BoardGame, limits: SearchLimits) -> Worth {
        Worth {
            searcher: game.searcher(TABLE),
            limits,
        }
    }

    /// The best move and what it is worth for the player on move, in hundredths of a man; `None` when the game is over.
    pub fn best(&mut self, board: &dyn Board) -> Option<(String, i32)> {
        let (line, score) = self.line(board)?;
        Some((line.into_iter().next()?, score))
    }

    /// The line of best play and what it is worth for the player on move; `None` when the game is over.
    pub(super) fn line(&mut self, board: &dyn Board) -> Option<(Vec<String>, i32)> {
        let deadline = self.limits.time.map(|time| Instant::now() + time);
        let most = self.limits.nodes.unwrap_or(u64::MAX);
        let mut stop =
            |nodes| nodes >= most || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let depth = self.limits.depth.unwrap_or(MAX_PLY);
        let subject = Subject::new(board);
        let found = (self.searcher).search(&subject, depth, &mut stop)?;
        Some((found.principal_variation, found.score))
    }

    /// What the position on the table is worth for a player.
    pub fn of(&mut self, board: &dyn Board, player: usize) -> i32 {
        match board.result().map(|ended| winner(&ended.scores)) {
            Some(None) => 0,
            Some(Some(winner)) if winner == player => WIN,
            Some(Some(_)) => -WIN,
            None => {
                let score = self.best(board).map_or(0, |(_, score)| score);
                if board.mover() == player {
                    score
                } else {
                    -score
                }
            }
        }
    }
}

/// How likely a side wins to which its position is worth this, by a logistic curve: a man more is two wins in three.
/// By it a mistake in an equal game counts for more than one in a lost game.
pub(super) fn chance(worth: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(worth) / 150.0).exp())
}

/// Worth for people: `+1.76` men.
pub fn show_worth(worth: i32) -> String {
    match worth {
        DECIDED.. => "won".into(),
        _ if worth <= -DECIDED => "lost".into(),
        _ => format!("{:+.2}", f64::from(worth) / 100.0),
    }
}
