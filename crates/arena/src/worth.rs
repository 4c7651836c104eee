//! What positions are worth to the built-in searching bot, and the turn that cost most.

use crownhead::search::{MAX_PLY, WIN};
use crownhead_board::{Board, GameRules, Searcher, Subject, winner};
use crownhead_bots::alphabeta::SearchLimits;
use crownhead_record::RecordedGame;
use std::time::Instant;

/// The size of the transposition table, in mebibytes.
const TABLE: usize = 16;

/// Worth beyond this, in hundredths of a man, is decided.
const DECIDED: i32 = 1000;

/// What each position of a game is searched with to find a mistake: repeatable, and 60 positions take a few seconds.
const TO_FIND_MISTAKES: SearchLimits = SearchLimits {
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
    pub fn new(game: &dyn GameRules, limits: SearchLimits) -> Worth {
        Worth {
            searcher: game.searcher(TABLE),
            limits,
        }
    }

    /// The best move and what it is worth for the player on move, in hundredths of a man; `None` when the game is over.
    pub fn best(&mut self, board: &dyn Board) -> Option<(String, i32)> {
        let deadline = self.limits.time.map(|time| Instant::now() + time);
        let most = self.limits.nodes.unwrap_or(u64::MAX);
        let mut stop =
            |nodes| nodes >= most || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let depth = self.limits.depth.unwrap_or(MAX_PLY);
        let subject = Subject::new(board);
        let found = (self.searcher).search(&subject, depth, &mut stop, &mut |_, _| {})?;
        Some((found.best(), found.score))
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
fn chance(worth: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(worth) / 150.0).exp())
}

/// A turn after which the evaluation fell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorstTurn {
    /// The number of the turn.
    pub number: usize,
    /// What the position was worth for the side that moved.
    pub before: i32,
    /// What it was worth for it after its move.
    pub after: i32,
    /// What the search would have played.
    pub better: String,
}

impl WorstTurn {
    /// In a sentence.
    pub fn describe(&self) -> String {
        format!(
            "The evaluation fell most after turn {}, from {} to {} men; the built-in bot would have played {}.",
            self.number,
            show_worth(self.before),
            show_worth(self.after),
            self.better
        )
    }
}

/// The turn of the loser after which the evaluation fell most, of either side in a game without a loser; `None` if it
/// never fell.
pub fn worst_turn(recorded: &RecordedGame<'_>) -> Option<WorstTurn> {
    let scores = recorded.record().scores.as_deref().unwrap_or_default();
    let winner = winner(scores);
    let mut worth = Worth::new(recorded.game(), TO_FIND_MISTAKES);
    let (mut worst, mut most) = (None, 0.0);
    for number in recorded.asked() {
        let board = recorded.before(number);
        let player = board.mover();
        let after = recorded.before(number + 1);
        let was_played = after.turn() as usize == number + 1;
        if !was_played || winner == Some(player) {
            continue;
        }
        let Some((better, before)) = worth.best(board.as_ref()) else {
            continue;
        };
        let after = worth.of(after.as_ref(), player);
        let fell = chance(before) - chance(after);
        if fell > most {
            most = fell;
            worst = Some(WorstTurn {
                number,
                before,
                after,
                better,
            });
        }
    }
    worst
}

/// Worth for people: `+1.76` men.
pub fn show_worth(worth: i32) -> String {
    match worth {
        DECIDED.. => "won".into(),
        _ if worth <= -DECIDED => "lost".into(),
        _ => format!("{:+.2}", f64::from(worth) / 100.0),
    }
}
