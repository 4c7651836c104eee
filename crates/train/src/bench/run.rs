//! Searches the positions, one after the other, and records when each depth was completed.

use super::positions::{BenchPosition, positions_of};
use super::report::{BenchReport, Limit, Measured, Trial};
use crownhead::rules::RuleBook;
use crownhead::search::MAX_PLY;
use crownhead_bots::alphabeta::TABLE_MEBIBYTES;
use crownhead_bots::{Board, BoardGame, CHECKERS, Searcher, Subject};
use std::time::{Duration, Instant};

/// Searches every position of a game within `limit`, as the bots do in a game's first turn. Calls `watch` with each
/// result.
pub fn run(
    game: &'static dyn BoardGame,
    limit: Limit,
    mut watch: impl FnMut(&Trial),
) -> BenchReport {
    let mut searcher = game.searcher(TABLE_MEBIBYTES);
    let trials = positions_of(game).into_iter().map(|position| {
        let trial = Trial {
            measured: search(game, &position, limit, searcher.as_mut()),
            position,
        };
        watch(&trial);
        trial
    });
    BenchReport {
        limit,
        positions: trials.collect(),
    }
}

fn search(
    game: &'static dyn BoardGame,
    position: &BenchPosition,
    limit: Limit,
    searcher: &mut dyn Searcher,
) -> Measured {
    let measured = measure(position.board(game).as_ref(), limit, searcher);
    measured.expect("a position of the bench has a legal move")
}

/// The depth to which [`signature`] searches: deep enough to use all parts of the search.
const SIGNATURE_DEPTH: u32 = 5;

/// The nodes that the built-in search of a game visits to a small depth. The number changes with the search and the
/// evaluation.
pub fn signature(game: &'static dyn BoardGame) -> u64 {
    if game.name() == CHECKERS.name() {
        let limit = Limit::Depth(SIGNATURE_DEPTH);
        let mut searcher = game.searcher(1);
        let trials = positions_of(game).into_iter();
        let nodes = trials.map(|position| search(game, &position, limit, searcher.as_mut()).nodes);
        return nodes.sum();
    }
    nodes_from_start(game, game.rule_books()[0], SIGNATURE_DEPTH)
}

/// The nodes that the built-in search visits to this depth from the start of a game.
pub(crate) fn nodes_from_start(game: &'static dyn BoardGame, rules: RuleBook, depth: u32) -> u64 {
    let start = game.start(rules);
    let measured = measure(
        start.as_ref(),
        Limit::Depth(depth),
        game.searcher(1).as_mut(),
    );
    measured.map_or(0, |measured| measured.nodes)
}

/// The depth to which [`speed`] searches, which takes some hundredths of a second.
const SPEED_DEPTH: u32 = 7;
/// Other programs make a search slower, never faster, so the best trial within this time counts.
const SPEED_TIME: Duration = Duration::from_millis(500);

/// Positions a second of the built-in search of checkers: the mean of this many searches at once.
pub fn speed(at_once: usize) -> f64 {
    let search = || {
        run(CHECKERS, Limit::Depth(SPEED_DEPTH), |_| {})
            .totals()
            .nodes_per_second
    };
    let trial = || {
        let speeds: Vec<f64> = std::thread::scope(|scope| {
            let searches = (0..at_once.max(1)).map(|_| scope.spawn(search));
            let searches: Vec<_> = searches.collect();
            let speeds = searches.into_iter().map(|search| search.join());
            speeds.map(|one| one.expect("no panic")).collect()
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

/// Searches one position within `limit`; `None` when the game is over in it.
///
/// The table is emptied first, so that earlier searches make no difference.
pub(super) fn measure(
    board: &dyn Board,
    limit: Limit,
    searcher: &mut dyn Searcher,
) -> Option<Measured> {
    searcher.clear();
    let (depth, time) = match limit {
        Limit::Depth(depth) => (depth, None),
        Limit::Time(time) => (MAX_PLY, Some(time)),
    };
    let started = Instant::now();
    let deadline = time.map(|time| started + time);
    let mut stop = |_| deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let found = searcher.search(&Subject::new(board), depth, &mut stop)?;
    Some(Measured {
        depth: found.depth,
        selective_depth: found.selective_depth,
        nodes: found.nodes,
        time: started.elapsed(),
        score: found.score,
        best: found.best(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::positions::POSITIONS;
    use super::*;
    use crownhead::games::everchess;
    use crownhead_bots::EVERCHESS;

    #[test]
    fn what_was_searched_before_makes_no_difference() {
        let nodes = |position, searcher: &mut dyn Searcher| {
            search(CHECKERS, position, Limit::Depth(6), searcher).nodes
        };
        let alone = nodes(&POSITIONS[1], CHECKERS.searcher(1).as_mut());
        let mut searcher = CHECKERS.searcher(1);
        nodes(&POSITIONS[0], searcher.as_mut());
        let again = [(); 2].map(|()| nodes(&POSITIONS[1], searcher.as_mut()));
        assert_eq!(again, [alone; 2]);
    }

    #[test]
    fn a_time_limit_ends_the_search_and_not_before_it() {
        let time = Duration::from_millis(20);
        let measured = search(
            CHECKERS,
            &POSITIONS[0],
            Limit::Time(time),
            CHECKERS.searcher(1).as_mut(),
        );
        // Without a limit this search would take hours.
        assert!(measured.time >= time);
        assert!(measured.depth < MAX_PLY);
    }

    #[test]
    fn any_game_can_be_measured() {
        let start = EVERCHESS.start(everchess::rules::STANDARD);
        let mut searcher = EVERCHESS.searcher(1);
        let measured = measure(start.as_ref(), Limit::Depth(3), searcher.as_mut()).unwrap();
        assert_eq!(measured.depth, 3);
    }
}
