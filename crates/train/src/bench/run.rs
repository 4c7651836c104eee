//! Searching the positions, one after the other, and noting when each depth was completed.

use super::positions::{BenchPosition, POSITIONS};
use super::report::{BenchReport, CompletedDepth, Limit, Trial};
use crownhead::evaluate::Evaluate;
use crownhead::games::checkers::{Checkers, Learned, rules};
use crownhead::notation::Notation;
use crownhead::position::Position;
use crownhead::rules::RuleBook;
use crownhead::search::{Handler, MAX_PLY, Parameters, Report, Root, TranspositionTable, search};
use crownhead_bots::alphabeta::TABLE_MEBIBYTES;
use crownhead_bots::games::Played;
use std::time::{Duration, Instant};

/// Searches every position within `limit`, as the bots do in a game's first turn. Each result goes to
/// `watch` as soon as it is there.
pub fn run(limit: Limit, mut watch: impl FnMut(&Trial)) -> BenchReport {
    let mut table = TranspositionTable::new(TABLE_MEBIBYTES);
    let trials = POSITIONS.iter().map(|position| {
        let trial = try_position(position, limit, &mut table);
        watch(&trial);
        trial
    });
    BenchReport::new(limit, trials.collect())
}

fn try_position(position: &BenchPosition, limit: Limit, table: &mut TranspositionTable) -> Trial {
    let board = position.board();
    let measured = measure(&board, &rules::CONTEST, &Learned, limit, table)
        .expect("a position of the bench has a legal move");
    Trial {
        name: position.name.into(),
        kind: position.kind,
        fen: position.fen.into(),
        depth: measured.report.depth,
        selective_depth: measured.report.selective_depth,
        nodes: measured.report.nodes,
        time: measured.time,
        score: measured.report.score,
        best: board.move_name(measured.report.best()).to_string(),
        expected: position.best.map(Into::into),
        completed: measured.completed,
    }
}

/// The depth to which [`signature`] searches: deep enough for all parts of the search to have their say.
const SIGNATURE_DEPTH: u32 = 5;

/// The nodes that the built-in search visits in game `G`, to a small depth: it changes when the search does, or the
/// evaluation.
pub fn signature<G: Played>() -> u64 {
    let limit = Limit::Depth(SIGNATURE_DEPTH);
    let mut table = TranspositionTable::new(1);
    if G::NAME == Checkers::NAME {
        let trials = POSITIONS.iter();
        let nodes = trials.map(|position| try_position(position, limit, &mut table).nodes);
        return nodes.sum();
    }
    let rules = &G::RULE_BOOKS[0];
    let measured = measure(
        &G::start(rules),
        rules,
        &G::Judge::default(),
        limit,
        &mut table,
    );
    measured.map_or(0, |measured| measured.report.nodes)
}

/// To this depth [`speed`] searches: some hundredths of a second.
const SPEED_DEPTH: u32 = 7;
/// What else the machine does makes a search slower, never faster: the best trial within this time counts.
const SPEED_TIME: Duration = Duration::from_millis(500);

/// Positions a second of the built-in search, the mean of so many searches at once.
pub fn speed(at_once: usize) -> f64 {
    let search = || {
        run(Limit::Depth(SPEED_DEPTH), |_| {})
            .totals()
            .nodes_per_second
    };
    let trial = || {
        let speeds: Vec<f64> = std::thread::scope(|scope| {
            let searches = (0..at_once.max(1)).map(|_| scope.spawn(search));
            let searches: Vec<_> = searches.collect();
            let speeds = searches.into_iter().map(|search| search.join());
            speeds
                .map(|speed| speed.expect("a search does not panic"))
                .collect()
        });
        speeds.iter().sum::<f64>() / speeds.len() as f64
    };
    let started = Instant::now();
    let mut best = trial();
    while started.elapsed() < SPEED_TIME {
        best = trial().max(best);
    }
    best
}

/// What a search found and how long it took.
#[derive(Clone, Debug)]
pub struct Measured<M> {
    /// The last report of the search.
    pub report: Report<M>,
    /// How long the whole search took.
    pub time: Duration,
    /// The depths in the order of their completion.
    pub completed: Vec<CompletedDepth>,
}

/// Searches one position within `limit`; `None` when the game is over in it.
///
/// The table is emptied first, so that what was searched before makes no difference.
pub fn measure<G: Position, E: Evaluate<G>>(
    position: &G,
    rules: &RuleBook,
    evaluation: &E,
    limit: Limit,
    table: &mut TranspositionTable,
) -> Option<Measured<G::Move>> {
    table.clear();
    let root = Root::new(position, rules, evaluation);
    let (depth, time) = match limit {
        Limit::Depth(depth) => (depth, None),
        Limit::Time(time) => (MAX_PLY, Some(time)),
    };
    let started = Instant::now();
    let mut stopwatch = Stopwatch {
        started,
        deadline: time.map(|time| started + time),
        completed: Vec::new(),
    };
    let report = search(&root, &Parameters::default(), table, depth, &mut stopwatch)?;
    Some(Measured {
        report,
        time: started.elapsed(),
        completed: stopwatch.completed,
    })
}

/// Stops a search at a moment, and notes when depths were completed.
struct Stopwatch {
    started: Instant,
    deadline: Option<Instant>,
    completed: Vec<CompletedDepth>,
}

impl<M: Copy> Handler<M> for Stopwatch {
    fn stop(&mut self, _nodes: u64) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn depth_completed(&mut self, report: &Report<M>) {
        self.completed.push(CompletedDepth {
            depth: report.depth,
            nodes: report.nodes,
            time: self.started.elapsed(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead::games::everchess::{self, EverChess};

    fn nodes(position: &Checkers, table: &mut TranspositionTable) -> u64 {
        let limit = Limit::Depth(6);
        let measured = measure(position, &rules::CONTEST, &Learned, limit, table);
        measured.expect("there are moves").report.nodes
    }

    #[test]
    fn what_was_searched_before_makes_no_difference() {
        let mut table = TranspositionTable::new(1);
        let [a, b] = [POSITIONS[0].board(), POSITIONS[1].board()];
        let alone = nodes(&b, &mut TranspositionTable::new(1));
        nodes(&a, &mut table);
        assert_eq!([nodes(&b, &mut table), nodes(&b, &mut table)], [alone; 2]);
    }

    #[test]
    fn a_depth_is_completed_up_to_the_limit_and_timed_in_order() {
        let start = POSITIONS[0].board();
        let mut table = TranspositionTable::new(1);
        let limit = Limit::Depth(5);
        let measured = measure(&start, &rules::CONTEST, &Learned, limit, &mut table).unwrap();
        let depths: Vec<u32> = measured.completed.iter().map(|one| one.depth).collect();
        assert_eq!(depths, [1, 2, 3, 4, 5]);
        assert!(
            measured
                .completed
                .is_sorted_by_key(|one| (one.time, one.nodes))
        );
        assert!(measured.completed[4].time <= measured.time);
        assert_eq!(measured.completed[4].nodes, measured.report.nodes);
    }

    #[test]
    fn a_time_limit_ends_the_search_soon_after_it() {
        let start = POSITIONS[0].board();
        let mut table = TranspositionTable::new(1);
        let time = Duration::from_millis(20);
        let limit = Limit::Time(time);
        let measured = measure(&start, &rules::CONTEST, &Learned, limit, &mut table).unwrap();
        // The machine may be busy; without a limit this search would take hours.
        assert!(measured.time >= time && measured.time < Duration::from_secs(5));
        assert!(!measured.completed.is_empty());
    }

    #[test]
    fn any_game_can_be_measured() {
        let start = EverChess::start(&everchess::rules::STANDARD);
        let mut table = TranspositionTable::new(1);
        let (rules, limit) = (&everchess::rules::STANDARD, Limit::Depth(3));
        let measured = measure(&start, rules, &everchess::Learned, limit, &mut table).unwrap();
        assert_eq!(measured.report.depth, 3);
    }
}
