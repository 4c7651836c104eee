//! The player that searches, as deep as its limits allow.

use crate::tracker::GameTracker;
use crate::{Player, PlayerTurn};
use crownhead::evaluate::Evaluate;
use crownhead::notation::Notation;
use crownhead::position::Position;
use crownhead::rules::RuleBook;
use crownhead::search::{
    search, Parameters, Report, Root, TranspositionTable, MAX_PLY, PROVEN, WIN,
};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// A player that searches with alpha-beta. Its transposition table and the positions so far last for a game.
#[derive(Clone)]
pub struct AlphaBeta<G: Position, E> {
    evaluation: E,
    rules: RuleBook,
    limits: SearchLimits,
    /// Allocated in the first turn, which has the time for it, even where that turn has a single move.
    table: Option<TranspositionTable>,
    tracker: GameTracker<G>,
    remark: Option<String>,
}

/// What ends the search of a turn: whichever limit is reached first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// The time limit of a turn. The search stops before it, by [`RESERVE`] or, where that is less, a fifth
    /// of the limit.
    pub time: Option<Duration>,
    /// The deepest depth to complete.
    pub depth: Option<u32>,
    /// The number of nodes, exceeded by up to a thousand. Without a time limit, play is repeatable.
    pub nodes: Option<u64>,
}

/// Time kept back from the limit of a turn, for sending the reply and for a late wake-up. With it,
/// later turns of 1,000 games took at most 93.0 ms of 100 at the 99.9th percentile (`docs/dev/experiments.md`, "What it
/// reaches").
pub const RESERVE: Duration = Duration::from_millis(15);

/// Of a short limit only this fraction is kept back: one fifth.
const RESERVED_FRACTION: u32 = 5;

/// The size of the transposition table, in mebibytes: more than a turn of the contest fills, and allocated in about
/// ten milliseconds. Its size makes no measurable difference in speed (`docs/dev/experiments.md`, "The table").
pub const TABLE_MEBIBYTES: usize = 32;

impl<G: Position, E: Evaluate<G>> AlphaBeta<G, E> {
    /// A player that searches within `limits`, with `evaluation` at the leaves.
    pub fn new(evaluation: E, rules: RuleBook, limits: SearchLimits) -> AlphaBeta<G, E> {
        AlphaBeta {
            evaluation,
            rules,
            limits,
            table: None,
            tracker: GameTracker::default(),
            remark: None,
        }
    }

    /// The moment at which the search of a turn stops.
    fn deadline(&self, turn: &PlayerTurn<'_, G>) -> Option<Instant> {
        let time = self.limits.time?;
        let reserve = RESERVE.min(time / RESERVED_FRACTION);
        Some(turn.started + time - reserve)
    }

    /// Searches the moves of `turn`.
    fn search(&mut self, turn: &PlayerTurn<'_, G>) -> Report<G::Move> {
        let root = Root {
            root_moves: turn.moves,
            past: &self.tracker.past,
            turns: self.tracker.turns,
            turns_without_capture: self.tracker.turns_without_capture,
            ..Root::new(turn.position, &self.rules, &self.evaluation)
        };
        let depth = self.limits.depth.unwrap_or(MAX_PLY);
        let (at, most) = (self.deadline(turn), self.limits.nodes.unwrap_or(u64::MAX));
        let stop = |nodes| nodes >= most || at.is_some_and(|at| Instant::now() >= at);
        let parameters = Parameters::default();
        let table = self.table.as_mut().expect("the first turn makes it");
        search(&root, &parameters, table, depth, stop, |_| {}).expect("a turn offers a move")
    }
}

impl<G: Notation, E: Evaluate<G>> Player<G> for AlphaBeta<G, E> {
    fn choose(&mut self, turn: &PlayerTurn<'_, G>) -> G::Move {
        let same_game = self.tracker.shown(turn.position, &G::start(&self.rules));
        match &mut self.table {
            Some(table) if !same_game => table.clear(),
            Some(_) => {}
            None => self.table = Some(TranspositionTable::new(TABLE_MEBIBYTES)),
        }
        let chosen = match turn.moves {
            [only] => {
                self.remark = Some(format!("only move {}", turn.position.move_name(*only)));
                *only
            }
            _ => {
                let started = Instant::now();
                let report = self.search(turn);
                self.remark = Some(describe(turn.position, &report, started.elapsed()));
                report.best()
            }
        };
        self.tracker.moved(chosen);
        chosen
    }

    fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }
}

/// `depth 17/34 score +12 nodes 412345 4.85 Mn/s 85 ms pv C3B4 D6C5 B4D6`.
fn describe<G: Notation>(position: &G, report: &Report<G::Move>, time: Duration) -> String {
    let score = match report.score {
        PROVEN.. => format!("win in {}", WIN - report.score),
        score if score <= -PROVEN => format!("loss in {}", WIN + report.score),
        score => format!("{score:+}"),
    };
    let speed = report.nodes as f64 / time.as_secs_f64().max(1e-6) / 1e6;
    let mut line = format!(
        "depth {}/{} score {score} nodes {} {speed:.2} Mn/s {} ms pv",
        report.depth,
        report.selective_depth,
        report.nodes,
        time.as_millis(),
    );
    let mut position = position.clone();
    for &mv in &report.principal_variation {
        let _ = write!(line, " {}", position.move_name(mv));
        position = position.play_unchecked(mv);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead::games::checkers::{rules, Checkers};
    use crownhead::network::Network;

    #[test]
    fn a_first_turn_with_a_single_move_makes_the_table_for_later_ones() {
        let limits = SearchLimits {
            time: None,
            depth: Some(1),
            nodes: None,
        };
        let mut player = AlphaBeta::new(Network::default(), rules::CONTEST, limits);
        let position = Checkers::start(&rules::CONTEST);
        let only = &position.legal_moves()[..1];
        let turn = PlayerTurn {
            position: &position,
            moves: only,
            started: Instant::now(),
        };
        assert_eq!(player.choose(&turn), only[0]);
        // Filling it takes longer than a later turn may last, on a machine that must find the memory first.
        assert!(player.table.is_some());
    }

    #[test]
    fn the_time_of_a_turn_counts_from_its_start_not_from_when_the_search_begins() {
        let limit = Duration::from_secs(30);
        let Some(started) = Instant::now().checked_sub(2 * limit) else {
            return;
        };
        let limits = SearchLimits {
            time: Some(limit),
            depth: None,
            nodes: None,
        };
        let mut player = AlphaBeta::new(Network::default(), rules::CONTEST, limits);
        let position = Checkers::start(&rules::CONTEST);
        let moves = position.legal_moves();
        let turn = PlayerTurn {
            position: &position,
            moves: &moves,
            started,
        };
        assert!(moves.contains(&player.choose(&turn)));
        assert_eq!(player.deadline(&turn), Some(started + limit - RESERVE));
        let remark = player.remark().unwrap();
        let nodes = remark
            .split("nodes ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        let nodes: u64 = nodes.unwrap().parse().unwrap();
        assert!(nodes < 10_000, "{remark}");
    }
}
