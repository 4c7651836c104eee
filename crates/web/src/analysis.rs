//! Analysis: the best three moves of a position by the built-in search, deeper each moment.

use super::plies::{Board, squares};
use super::position::{Variant, read};
use super::sessions::Desk;
use crownhead::game::Game;
use crownhead::notation::Notation;
use crownhead::search::{
    Handler, MAX_PLY, PROVEN, Parameters, Root, TranspositionTable, WIN, search,
};
use crownhead_bots::games::{GameName, GameVisitor, Played};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How many moves are told.
const LINES: usize = 3;
/// How long an analysis goes on by itself.
const LONGEST: Duration = Duration::from_secs(120);
/// How long it goes on when no page looks on.
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
    board: Board,
}

impl Subject {
    /// Looks at what can be wrong.
    ///
    /// # Errors
    /// With a sentence, when there is no such game or position, or it is over.
    pub(super) fn check(&self) -> Result<GameName, String> {
        struct Check<'a>(&'a Subject);
        impl GameVisitor for Check<'_> {
            type Output = Result<(), String>;
            fn run<G: Played>(self) -> Result<(), String> {
                let rules = self.0.variant.rules::<G>()?;
                let position = read::<G>(&self.0.position, &rules)?;
                match position.outcome(&rules) {
                    None => Ok(()),
                    Some(_) => Err("the game is over in this position".into()),
                }
            }
        }
        let game = self.variant.game()?;
        game.choose(Check(self)).map(|()| game)
    }

    /// Searches until it is told to stop.
    pub(super) fn analyse(self, game: GameName, desk: Desk) {
        struct Analyse(Subject, Desk);
        impl GameVisitor for Analyse {
            type Output = ();
            fn run<G: Played>(self) {
                // It was read when the subject was checked.
                if let Ok(rules) = self.0.variant.rules::<G>()
                    && let Ok(position) = read::<G>(&self.0.position, &rules)
                {
                    analyse(&Game::from_position(position, rules), &self.1);
                }
            }
        }
        game.choose(Analyse(self, desk));
    }
}

/// Stops when the page says so, or time is up.
struct Patience<'a> {
    desk: &'a Desk,
    nodes: u64,
}

impl Patience<'_> {
    fn why_stop(&self) -> Option<&'static str> {
        let elapsed = self.desk.elapsed();
        if self.desk.is_stopped() {
            Some("stopped")
        } else if elapsed > LONGEST {
            Some("two minutes are over")
        } else if elapsed > UNWATCHED && !self.desk.is_watched() {
            Some("no page looked on")
        } else {
            None
        }
    }
}

impl<M> Handler<M> for Patience<'_> {
    fn stop(&mut self, nodes: u64) -> bool {
        self.nodes = nodes;
        self.why_stop().is_some()
    }
}

fn analyse<G: Played>(game: &Game<G>, desk: &Desk) {
    let (position, rules) = (game.position(), game.rules());
    let judge = G::Judge::default();
    let legal = position.legal_moves();
    let mut table = TranspositionTable::new(TABLE_MEBIBYTES);
    let mut found = Findings::default();
    let mut patience = Patience { desk, nodes: 0 };
    'deeper: for depth in 1..MAX_PLY {
        let mut left = legal.clone();
        let mut lines: Vec<Line> = Vec::new();
        while lines.len() < LINES && !left.is_empty() {
            let root = Root {
                root_moves: &left,
                ..Root::new(position, rules, &judge)
            };
            let parameters = Parameters::default();
            let Some(report) = search(&root, &parameters, &mut table, depth, &mut patience) else {
                break 'deeper;
            };
            found.nodes += report.nodes;
            if patience.why_stop().is_some() {
                break 'deeper;
            }
            left.retain(|&mv| mv != report.best());
            lines.push(line(
                position,
                report.score,
                report.depth,
                &report.principal_variation,
            ));
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
        desk.show(&found);
    }
    found.done = true;
    found.why = found.why.or(patience.why_stop());
    desk.show(&found);
}

fn line<G: Notation>(position: &G, score: i32, depth: u32, moves: &[G::Move]) -> Line {
    let mut names = Vec::with_capacity(moves.len());
    let mut at = position.clone();
    for &mv in moves {
        names.push(at.move_name(mv));
        at = at.play_unchecked(mv);
    }
    Line {
        score,
        worth: worth(score),
        depth,
        moves: names,
        squares: moves
            .first()
            .map(|&mv| squares(position, mv))
            .unwrap_or_default(),
        board: Board::of(&at),
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
            .begin(move |desk| subject.analyse(game, desk))
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
