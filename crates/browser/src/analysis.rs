//! Analysis: the best three moves of a position by the built-in search, deeper each moment.

use super::plies::squares;
use super::position::Setup;
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

impl Setup {
    /// The position to analyse.
    ///
    /// # Errors
    /// With a sentence, when there is no such game or position, or it is over.
    pub(super) fn to_analyse(&self) -> Result<Box<dyn Board>, String> {
        let (game, rules) = self.find()?;
        let board = self.board(game, rules)?;
        if board.legal_moves().is_empty() {
            return Err("the game is over in this position".into());
        }
        Ok(board)
    }
}

impl Findings {
    /// Why an analysis that has run for this long is over, if it is.
    pub(super) fn why_over(elapsed: Duration) -> Option<&'static str> {
        (elapsed > LONGEST).then_some("two minutes are over")
    }
}

/// Analyses a position, deeper each moment, until every line is proven or `why_stop` says why to stop: it is asked
/// often. What has been found is passed to `show`.
pub(super) fn analyse(
    board: &dyn Board,
    why_stop: &mut dyn FnMut() -> Option<&'static str>,
    show: &mut dyn FnMut(&Findings),
) {
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
            let mut stop = |_| why_stop().is_some();
            let Some(report) = searcher.search(&subject, depth, &mut stop) else {
                break 'deeper;
            };
            found.nodes += report.nodes;
            if why_stop().is_some() {
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
    found.why = found.why.or(why_stop());
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
    use super::*;

    #[test]
    fn the_best_moves_come_in_order_and_a_win_is_proven() {
        let setup = serde_json::json!({
            "game": "checkers",
            "rules": "contest",
            "position": "......../......../.....r../......../...r..../..B...../......../........ b",
        });
        let setup: Setup = serde_json::from_value(setup).unwrap();
        let board = setup.to_analyse().unwrap();
        let mut last = None;
        analyse(board.as_ref(), &mut || None, &mut |found| {
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
