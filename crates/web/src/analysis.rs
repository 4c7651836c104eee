//! Analysis: the best three moves of a position by the built-in search, deeper each moment.

use super::plies::squares;
use super::position::Setup;
use super::priority::give_way;
use super::sessions::SessionThread;
use crownhead::search::{MAX_PLY, PROVEN, WIN};
use crownhead_board::{Board, Subject};
use crownhead_bots::games::ListedGame;
use crownhead_record::read_position;
use serde::Serialize;
use std::cmp::Reverse;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How many moves are shown.
const LINES: usize = 3;
/// How long an analysis goes on by itself.
const LONGEST: Duration = Duration::from_secs(120);
/// How long it goes on when no page reads it.
const UNWATCHED: Duration = Duration::from_secs(5);
/// The niceness of its thread: it takes what nobody else wants.
const NICENESS: i32 = 19;
/// The size of its transposition table, in mebibytes.
const TABLE_MEBIBYTES: usize = 16;

/// What has been found so far.
#[derive(Default, Serialize)]
struct Findings {
    lines: Vec<Line>,
    depth: u32,
    nodes: u64,
    /// Whether the search has ended.
    done: bool,
    /// Why it has ended.
    why: Option<&'static str>,
}

/// One move with what follows.
#[derive(Serialize)]
struct Line {
    /// For the side to move, in hundredths of a man or pawn; a win in `n` turns is [`WIN`] less `n`.
    score: i32,
    /// In words.
    worth: String,
    moves: Vec<String>,
    /// The squares that the first move touches.
    squares: Vec<String>,
}

/// An analysis of this position, which runs until it is stopped.
///
/// # Errors
/// With a sentence, when there is no such game or position, or it is over.
pub(super) fn prepare(setup: &Setup) -> Result<impl FnOnce(SessionThread) + Send + use<>, String> {
    let (game, rules) = setup.find()?;
    let board = read_position(&setup.position, game.object(), rules)?;
    if board.legal_moves().is_empty() {
        return Err("the game is over in this position".into());
    }
    Ok(move |session| {
        give_way(NICENESS);
        analyse(game, board.as_ref(), &session);
    })
}

/// Why to stop: the page says so, or time is up.
fn why_stop(session: &SessionThread) -> Option<&'static str> {
    session.drop_orders();
    let elapsed = session.started.elapsed();
    if session.stopped.load(Ordering::Relaxed) {
        Some("stopped")
    } else if elapsed > LONGEST {
        Some("two minutes are over")
    } else if elapsed > UNWATCHED && !session.is_watched() {
        Some("no page looked on")
    } else {
        None
    }
}

fn analyse(game: ListedGame, board: &dyn Board, session: &SessionThread) {
    let legal = board.legal_moves();
    let mut searcher = game.searcher(TABLE_MEBIBYTES);
    let mut found = Findings::default();
    'deeper: for depth in 1..MAX_PLY {
        let mut left = legal.clone();
        let mut lines: Vec<Line> = Vec::new();
        while lines.len() < LINES && !left.is_empty() {
            let subject = Subject {
                root_moves: &left,
                ..Subject::new(board)
            };
            let mut stop = |_| why_stop(session).is_some();
            let Some(report) = searcher.search(&subject, depth, &mut stop, &mut |_, _| {}) else {
                break 'deeper;
            };
            found.nodes += report.nodes;
            if why_stop(session).is_some() {
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
        session.show(&found);
    }
    found.done = true;
    found.why = found.why.or(why_stop(session));
    session.show(&found);
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
        let setup = serde_json::json!({
            "game": "checkers",
            "rules": "contest",
            "position": "......../......../.....r../......../...r..../..B...../......../........ b",
        });
        let setup = serde_json::from_value(setup).unwrap();
        let sessions = Sessions::new(1);
        let name = sessions.begin(prepare(&setup).unwrap()).unwrap();
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
