//! Analysis: the best three moves of a position by the built-in search, deeper each moment.

use super::plies::squares;
use crownhead::search::{MAX_PLY, PROVEN, WIN};
use crownhead_bots::{Board, Subject};
use serde::Serialize;
use std::cmp::Reverse;
use std::time::Duration;

/// How many moves are shown.
const LINES: usize = 3;
/// How long an analysis runs by itself.
const LONGEST: Duration = Duration::from_secs(120);
/// The size of its transposition table, in mebibytes.
const TABLE_MEBIBYTES: usize = 16;

/// What has been found so far.
#[derive(Default, Debug, Serialize)]
pub struct Findings {
    lines: Vec<Line>,
    depth: u32,
    nodes: u64,
    /// Whether the search has ended.
    done: bool,
    /// Why it has ended.
    why: Option<&'static str>,
}

/// One move with what follows.
#[derive(Debug, Serialize)]
struct Line {
    /// For the side to move, in hundredths of a man or pawn; a win in `n` turns is [`WIN`] less `n`.
    score: i32,
    /// In words.
    worth: String,
    moves: Vec<String>,
    /// The squares that the first move touches.
    squares: Vec<String>,
}

/// Analyses a position in which there are moves, deeper each moment, until every line is proven or it has run for two
/// minutes by `clock`, which gives the time since some moment. What has been found is passed to `show`.
pub(super) fn analyse(
    board: &dyn Board,
    clock: &dyn Fn() -> Duration,
    show: &mut dyn FnMut(&Findings),
) {
    let started = clock();
    let is_over = || clock().saturating_sub(started) > LONGEST;
    let legal = board.legal_moves();
    let mut searcher = board.game().searcher(TABLE_MEBIBYTES);
    let mut found = Findings::default();
    'deeper: for depth in 1..MAX_PLY {
        let mut left = legal.clone();
        let mut lines: Vec<Line> = Vec::new();
        while lines.len() < LINES && !left.is_empty() {
            let subject = Subject {
                root_moves: &left,
                ..Subject::new(board)
            };
            let mut stop = |_| is_over();
            let Some(report) = searcher.search(&subject, depth, &mut stop) else {
                break 'deeper;
            };
            found.nodes += report.nodes;
            if is_over() {
                break 'deeper;
            }
            left.retain(|name| *name != report.best());
            lines.push(Line {
                score: report.score,
                worth: worth(report.score),
                squares: squares(board, &report.best()),
                moves: report.principal_variation,
            });
        }
        lines.sort_by_key(|line| Reverse(line.score));
        // What is proven stays so: a deeper search finds nothing else.
        let proven = lines
            .iter()
            .all(|line| line.score.abs() >= WIN - depth as i32);
        (found.lines, found.depth) = (lines, depth);
        if proven {
            found.why = Some("every line is proven");
            break;
        }
        show(&found);
    }
    found.done = true;
    found.why = found.why.or(is_over().then_some("two minutes are over"));
    show(&found);
}

/// A score for people: `+1.25`, or `wins in 7`.
fn worth(score: i32) -> String {
    match score {
        PROVEN.. => format!("wins in {}", WIN - score),
        score if score <= -PROVEN => format!("loses in {}", WIN + score),
        score => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::position::Setup;
    use super::*;

    #[test]
    fn the_best_moves_come_in_order_and_a_win_is_proven() {
        let setup = serde_json::json!({
            "game": "checkers",
            "rules": "contest",
            "position": "......../......../.....r../......../...r..../..B...../......../........ b",
        });
        let setup: Setup = serde_json::from_value(setup).unwrap();
        let (game, rules) = setup.find().unwrap();
        let board = setup.board(game, rules).unwrap();
        let mut last = None;
        analyse(board.as_ref(), &|| Duration::ZERO, &mut |found| {
            last = serde_json::to_value(found).ok();
        });
        let found = last.unwrap();
        assert_eq!(found["lines"][0]["moves"][0], "C3E5G7");
        assert_eq!(found["lines"][0]["worth"], "wins in 1");
        assert_eq!(
            (&found["done"], &found["why"]),
            (&true.into(), &"every line is proven".into())
        );
    }

    #[test]
    fn worth_is_told_in_pawns_or_as_the_way_to_the_end() {
        assert_eq!(worth(125), "+1.25");
        assert_eq!(worth(-30), "-0.30");
        assert_eq!(worth(WIN - 7), "wins in 7");
        assert_eq!(worth(4 - WIN), "loses in 4");
    }
}
