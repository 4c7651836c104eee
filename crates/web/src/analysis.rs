//! Analysis: the best three moves of a position by the built-in search, deeper each moment.

use super::plies::{BoardView, squares};
use super::position::Variant;
use super::sessions::SessionThread;
use crownhead::search::{MAX_PLY, PROVEN, WIN};
use crownhead_board::{self as board, Board, Found};
use crownhead_bots::games::ListedGame;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How many moves are told.
const LINES: usize = 3;
/// How long an analysis goes on by itself.
const LONGEST: Duration = Duration::from_secs(120);
/// How long it goes on when no page reads it.
const UNWATCHED: Duration = Duration::from_secs(5);
/// The size of its transposition table, in mebibytes.
const TABLE_MEBIBYTES: usize = 16;

/// What a page asks for.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Subject {
    #[serde(flatten)]
    variant: Variant,
    /// The position; the start if it is empty.
    #[serde(default)]
    position: String,
}

/// What has been found so far.
#[derive(Default, Serialize)]
struct Findings {
    lines: Vec<Line>,
    depth: u32,
    nodes: u64,
    /// Whether the search has ended.
    done: bool,
    /// Why, if not because it was told to.
    why: Option<&'static str>,
}

/// One move with what follows.
#[derive(Clone, Serialize)]
struct Line {
    /// For the side to move, in hundredths of a man or pawn; a win in `n` turns is [`WIN`] less `n`.
    score: i32,
    /// In words.
    worth: String,
    depth: u32,
    moves: Vec<String>,
    /// The squares that the first move touches.
    squares: String,
    /// The board after the line.
    board: BoardView,
}

impl Subject {
    /// Looks at what can be wrong.
    ///
    /// # Errors
    /// With a sentence, when there is no such game or position, or it is over.
    pub(super) fn check(&self) -> Result<ListedGame, String> {
        let (game, _) = self.variant.find()?;
        let board = self.variant.board(&self.position)?;
        if board.legal_moves().is_empty() {
            return Err("the game is over in this position".into());
        }
        Ok(game)
    }

    /// Searches until it is told to stop.
    pub(super) fn analyse(self, game: ListedGame, session: SessionThread) {
        // It was read when the subject was checked.
        if let Ok(board) = self.variant.board(&self.position) {
            analyse(game, board.as_ref(), &session);
        }
    }
}

/// Stops when the page says so, or time is up.
struct Patience<'a> {
    session: &'a SessionThread,
}

impl Patience<'_> {
    fn why_stop(&self) -> Option<&'static str> {
        let elapsed = self.session.elapsed();
        if self.session.is_stopped() {
            Some("stopped")
        } else if elapsed > LONGEST {
            Some("two minutes are over")
        } else if elapsed > UNWATCHED && !self.session.is_watched() {
            Some("no page looked on")
        } else {
            None
        }
    }
}

fn analyse(game: ListedGame, board: &dyn Board, session: &SessionThread) {
    let legal = board.legal_moves();
    let mut searcher = game.searcher(TABLE_MEBIBYTES);
    let mut found = Findings::default();
    let patience = Patience { session };
    'deeper: for depth in 1..MAX_PLY {
        let mut left = legal.clone();
        let mut lines: Vec<Line> = Vec::new();
        while lines.len() < LINES && !left.is_empty() {
            let subject = board::Subject {
                root_moves: &left,
                ..board::Subject::new(board)
            };
            let mut stop = |_| patience.why_stop().is_some();
            let Some(report) = searcher.search(&subject, depth, &mut stop, &mut |_, _| {}) else {
                break 'deeper;
            };
            found.nodes += report.nodes;
            if patience.why_stop().is_some() {
                break 'deeper;
            }
            left.retain(|name| name != report.best());
            lines.push(line(board, report));
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        // What is proven stays so: a deeper search finds nothing else.
        let proven = lines
            .iter()
            .all(|line| line.score.abs() >= WIN - depth as i32);
        (found.lines, found.depth) = (lines, depth);
        if proven {
            found.why = Some("every line is proven");
            break;
        }
        session.show(&found);
    }
    found.done = true;
    found.why = found.why.or(patience.why_stop());
    session.show(&found);
}

fn line(board: &dyn Board, found: Found) -> Line {
    let mut after = board.duplicate();
    for name in &found.line {
        after.play(name);
    }
    Line {
        score: found.score,
        worth: worth(found.score),
        depth: found.depth,
        squares: squares(board, found.best()),
        moves: found.line,
        board: BoardView::of(after.as_ref()),
    }
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
    use super::super::sessions::{Order, Sessions};
    use super::*;
    use std::time::Instant;

    #[test]
    fn the_best_moves_come_in_order_and_a_win_is_proven() {
        let subject = Subject {
            variant: Variant {
                game: "checkers".into(),
                rules: "contest".into(),
            },
            position: "......../......../.....r../......../...r..../..B...../......../........ b"
                .into(),
        };
        let game = subject.check().unwrap();
        let sessions = Sessions::new(1);
        let name = sessions
            .begin(move |session| subject.analyse(game, session))
            .unwrap();
        let states = sessions.states(&name).unwrap();
        let began = Instant::now();
        while states.has_changed().is_ok() && began.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(10));
        }
        sessions.tell(&name, Order::Stop);
        let found: serde_json::Value = serde_json::from_str(&states.borrow()).unwrap();
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
