//! The bench of the built-in search: fixed positions, each searched to one depth or for one time, with an empty table.
//!
//! To a depth, the sum of the nodes is a signature, which changes only if the search or the evaluation does. The positions of checkers
//! are in `bench.txt`: openings by the names that the literature gives them, and middlegames, endgames and tactics from
//! games that the search played against itself with some random moves. Other games have positions after random moves.

use crate::openings::random;
use crownhead::rules::RuleBook;
use crownhead::search::MAX_PLY;
use crownhead_bots::alphabeta::TABLE_MEBIBYTES;
use crownhead_bots::{Board, BoardGame, CHECKERS, Searcher, Subject, checkers_board};
use serde::Serialize;
use std::time::{Duration, Instant};

/// What ends the search of a position.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// This depth is completed, in plies.
    Depth(u32),
    /// This time has passed.
    Time(Duration),
}

/// The search of one position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Trial {
    /// The name of the position.
    pub name: String,
    /// The last depth completed.
    pub depth: u32,
    /// The deepest ply searched.
    pub selective_depth: u32,
    /// The nodes searched.
    pub nodes: u64,
    /// How long it took.
    #[serde(rename = "us", with = "crate::judge::microseconds")]
    pub time: Duration,
    /// The score found, in hundredths of a man.
    pub score: i32,
    /// The best move found.
    pub best: String,
}

/// The positions of a game with their names, the same every time.
pub fn positions(game: &'static dyn BoardGame) -> Vec<(String, Box<dyn Board>)> {
    if game.name() == CHECKERS.name() {
        let lines = include_str!("bench.txt").lines();
        let position = |line: &str| {
            let (fen, name) = line.split_once("  # ").expect("a FEN and its name");
            (name.into(), checkers_board(fen).expect("a sound FEN"))
        };
        return lines.map(position).collect();
    }
    let rules = game.rule_books()[0];
    let after = |plies| {
        let opening = random(game, &rules, plies, plies.into())?;
        let board = opening.rebuild(game, &rules).expect("its moves are legal");
        Some((format!("{}, {plies} random moves", game.name()), board))
    };
    (0..24).filter_map(after).collect()
}

/// Searches every position of a game within `limit`, with a table of this many mebibytes. Calls `watch` with each result.
pub fn run(
    game: &'static dyn BoardGame,
    limit: Limit,
    mebibytes: usize,
    mut watch: impl FnMut(&Trial),
) -> Vec<Trial> {
    let mut searcher = game.searcher(mebibytes);
    let trials = positions(game).into_iter().map(|(name, board)| {
        let trial = search(name, &*board, limit, &mut *searcher);
        let trial = trial.expect("a position of the bench has a legal move");
        watch(&trial);
        trial
    });
    trials.collect()
}

fn search(
    name: String,
    board: &dyn Board,
    limit: Limit,
    searcher: &mut dyn Searcher,
) -> Option<Trial> {
    searcher.clear();
    let (depth, time) = match limit {
        Limit::Depth(depth) => (depth, Duration::MAX),
        Limit::Time(time) => (MAX_PLY, time),
    };
    let started = Instant::now();
    let mut stop = |_| started.elapsed() >= time;
    let found = searcher.search(&Subject::new(board), depth, &mut stop)?;
    Some(Trial {
        name,
        depth: found.depth,
        selective_depth: found.selective_depth,
        nodes: found.nodes,
        time: started.elapsed(),
        score: found.score,
        best: found.best(),
    })
}

/// The depth to which [`signature`] searches: deep enough to use all parts of the search.
const SIGNATURE_DEPTH: u32 = 5;

/// The nodes that the built-in search of a game visits to a small depth. The number changes with the search and the
/// evaluation.
pub fn signature(game: &'static dyn BoardGame) -> u64 {
    if game.name() == CHECKERS.name() {
        let trials = run(game, Limit::Depth(SIGNATURE_DEPTH), 1, |_| {});
        return trials.iter().map(|trial| trial.nodes).sum();
    }
    nodes_from_start(game, game.rule_books()[0], SIGNATURE_DEPTH)
}

/// The nodes that the built-in search visits to this depth from the start of a game.
pub fn nodes_from_start(game: &'static dyn BoardGame, rules: RuleBook, depth: u32) -> u64 {
    let start = game.start(rules);
    let trial = search(
        String::new(),
        &*start,
        Limit::Depth(depth),
        &mut *game.searcher(1),
    );
    trial.map_or(0, |trial| trial.nodes)
}

/// The depth to which [`speed`] searches, which takes some hundredths of a second.
const SPEED_DEPTH: u32 = 7;
/// Other programs make a search slower, never faster, so the best trial within this time counts.
const SPEED_TIME: Duration = Duration::from_millis(500);

/// Positions a second of the built-in search of checkers: the mean of this many searches at once.
pub fn speed(at_once: usize) -> f64 {
    let search = || {
        let trials = run(CHECKERS, Limit::Depth(SPEED_DEPTH), TABLE_MEBIBYTES, |_| {});
        let nodes: u64 = trials.iter().map(|trial| trial.nodes).sum();
        nodes as f64
            / trials
                .iter()
                .map(|trial| trial.time)
                .sum::<Duration>()
                .as_secs_f64()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_bots::{CHESS, EVERCHESS};

    #[test]
    fn every_game_has_positions_and_a_signature_that_is_always_the_same() {
        for game in [CHECKERS, EVERCHESS, CHESS] {
            let positions = positions(game);
            assert!(positions.len() >= 20, "{}", game.name());
            assert!(positions.iter().all(|(_, board)| board.result().is_none()));
            assert_eq!(signature(game), signature(game));
            assert!(signature(game) > 100, "{}", game.name());
        }
    }

    #[test]
    fn a_time_limit_ends_the_search_and_not_before_it() {
        let (name, board) = positions(CHECKERS).remove(0);
        let time = Duration::from_millis(20);
        let trial = search(name, &*board, Limit::Time(time), &mut *CHECKERS.searcher(1));
        let trial = trial.unwrap();
        // Without a limit this search would take hours.
        assert!(trial.time >= time);
        assert!(trial.depth < MAX_PLY);
    }
}
