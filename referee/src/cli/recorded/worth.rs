//! What positions are worth to the built-in searching bot, and the turn that cost most.

use crownhead::board::Side;
use crownhead::game::Game;
use crownhead::position::Outcome;
use crownhead::rules::RuleBook;
use crownhead::search::{Handler, MAX_PLY, Parameters, Root, TranspositionTable, WIN, search};
use crownhead_bots::alphabeta::SearchLimits;
use crownhead_bots::games::Played;
use crownhead_record::{RecordedGame, RecordedResult};
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
pub(in crate::cli) struct Worth<G: Played> {
    judge: G::Judge,
    table: TranspositionTable,
    limits: SearchLimits,
}

/// A search's limits, in force.
struct Stop {
    at: Option<Instant>,
    nodes: u64,
}

impl<M> Handler<M> for Stop {
    fn stop(&mut self, nodes: u64) -> bool {
        nodes >= self.nodes || self.at.is_some_and(|at| Instant::now() >= at)
    }
}

impl<G: Played> Worth<G> {
    /// A search within these limits.
    pub(in crate::cli) fn new(limits: SearchLimits) -> Worth<G> {
        Worth {
            judge: G::Judge::default(),
            table: TranspositionTable::new(TABLE),
            limits,
        }
    }

    /// The best move and what it is worth for the side to move, in hundredths of a man; `None` when the game is over.
    pub(in crate::cli) fn best(&mut self, game: &Game<G>) -> Option<(G::Move, i32)> {
        let rules: &RuleBook = game.rules();
        let root = Root {
            turns: game.turn() - 1,
            turns_without_capture: game.turns_without_capture(),
            ..Root::new(game.position(), rules, &self.judge)
        };
        let mut stop = Stop {
            at: self.limits.time.map(|time| Instant::now() + time),
            nodes: self.limits.nodes.unwrap_or(u64::MAX),
        };
        let depth = self.limits.depth.unwrap_or(MAX_PLY);
        let parameters = Parameters::default();
        let report = search(&root, &parameters, &mut self.table, depth, &mut stop)?;
        Some((report.best(), report.score))
    }

    /// What the position on the table is worth for `side`.
    pub(in crate::cli) fn of(&mut self, game: &Game<G>, side: Side) -> i32 {
        match game.result() {
            Some((Outcome::Draw, _)) => 0,
            Some((Outcome::Win(winner), _)) if winner == side => WIN,
            Some((Outcome::Win(_), _)) => -WIN,
            None => {
                let score = self.best(game).map_or(0, |(_, score)| score);
                match game.position().side_to_move() == side {
                    true => score,
                    false => -score,
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
pub(in crate::cli) struct WorstTurn {
    /// The number of the turn.
    pub(in crate::cli) number: usize,
    /// What the position was worth for the side that moved.
    pub(in crate::cli) before: i32,
    /// What it was worth for it after its move.
    pub(in crate::cli) after: i32,
    /// What the search would have played.
    pub(in crate::cli) better: String,
}

impl WorstTurn {
    /// In a sentence.
    pub(in crate::cli) fn describe(&self) -> String {
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
pub(in crate::cli) fn worst_turn<G: Played>(recorded: &RecordedGame<'_, G>) -> Option<WorstTurn> {
    let loser = match recorded.record().result {
        Some(RecordedResult::Black) => Some(Side::White),
        Some(RecordedResult::White) => Some(Side::Black),
        _ => None,
    };
    let mut worth = Worth::<G>::new(TO_FIND_MISTAKES);
    let (mut worst, mut most) = (None, 0.0);
    for number in recorded.asked() {
        let game = recorded.before(number);
        let side = game.position().side_to_move();
        let after = recorded.before(number + 1);
        let was_played = after.turn() as usize == number + 1;
        if !was_played || loser.is_some_and(|loser| loser != side) {
            continue;
        }
        let Some((best, before)) = worth.best(&game) else {
            continue;
        };
        let after = worth.of(&after, side);
        let fell = chance(before) - chance(after);
        if fell > most {
            most = fell;
            worst = Some(WorstTurn {
                number,
                before,
                after,
                better: game.position().move_name(best),
            });
        }
    }
    worst
}

/// Worth for people: `+1.76` men.
pub(in crate::cli) fn show_worth(worth: i32) -> String {
    match worth {
        DECIDED.. => "won".into(),
        _ if worth <= -DECIDED => "lost".into(),
        _ => format!("{:+.2}", f64::from(worth) / 100.0),
    }
}
