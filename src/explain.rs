//! A position explained to people: why a move is refused, what is special about the position, and why there
//! are no moves.
//!
//! Bots and records do without: they need [`Notation`] alone. The sentences are English; they have no full
//! stop, so that they can stand in a line of their own or within another sentence.

use crate::notation::Notation;
use crate::position::Outcome;
use crate::rules::RuleBook;
use std::fmt;

/// A [`Position`](crate::position::Position) that explains itself.
pub trait Explain: Notation {
    /// Why `text` names no legal move of this position.
    ///
    /// Called only for text that [`parse_move`](Notation::parse_move) does not find.
    ///
    /// ```
    /// use crownhead::games::checkers::{rules, Checkers};
    /// use crownhead::{Explain, Notation, Side};
    ///
    /// let rows = "
    /// ........
    /// ........
    /// .r.r....
    /// ........
    /// .r......
    /// b.......
    /// ........
    /// ........";
    /// let position = Checkers::from_rows(&rows.trim().parse().unwrap(), Side::Black).unwrap();
    /// let because = |text| position.refusal(text, &rules::CONTEST).clause;
    /// assert_eq!(because("A3A4"), "no piece ever stands on A4");
    /// assert_eq!(because("A3C5"), "that jump must go on: A3C5A7 or A3C5E7");
    /// assert_eq!(because("B6A5"), "the piece on B6 is red's");
    /// ```
    fn refusal(&self, text: &str, rules: &RuleBook) -> Refusal;

    /// What a person should know of the position besides the board: "white is in check", say.
    fn note(&self, _rules: &RuleBook) -> Option<String> {
        None
    }

    /// Why the side to move has no legal move: "white is checkmated". Called only where there are none and
    /// [`ended`](crate::position::Position::ended) gives no outcome; a verdict goes on with "and loses" or says who has won,
    /// so that what it ends with is about the side to move.
    fn describe_no_moves(&self, rules: &RuleBook) -> String {
        format!("{} has no legal move", rules.side_name(self.side_to_move()))
    }

    /// How the game has ended with this position, which the board or the lack of moves has decided so: "red has no
    /// pieces left and loses".
    fn describe_end(&self, outcome: Outcome, rules: &RuleBook) -> String {
        match (self.ended(), outcome) {
            (Some(_), Outcome::Win(side)) => {
                format!("{} has reached the goal", rules.side_name(side))
            }
            (Some(_), Outcome::Draw) => "the board is a draw".into(),
            (None, Outcome::Win(side)) if side == self.side_to_move() => {
                let (why, name) = (self.describe_no_moves(rules), rules.side_name(side));
                format!("{why}: {name} has won")
            }
            (None, Outcome::Win(_)) => format!("{} and loses", self.describe_no_moves(rules)),
            (None, Outcome::Draw) => format!("{}: a draw", self.describe_no_moves(rules)),
        }
    }
}

/// Why a move is refused, on one line, and short however long the refused text is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// A clause about the mover that completes "red answered \`B6C5\` but …": "it must capture: A5C3 or E5C3".
    pub clause: String,
    /// The same, said to the mover: "you must capture: A5C3 or E5C3".
    pub advice: String,
}

impl Refusal {
    /// In two wordings.
    pub fn new(clause: impl Into<String>, advice: impl Into<String>) -> Refusal {
        Refusal {
            clause: clause.into(),
            advice: advice.into(),
        }
    }
}

/// A sentence that suits both.
impl<S: Into<String>> From<S> for Refusal {
    fn from(sentence: S) -> Refusal {
        let clause = sentence.into();
        Refusal::new(clause.clone(), clause)
    }
}

/// The side to move must make one of these captures.
pub(crate) fn must_capture<M: fmt::Display>(moves: &[M], most: usize) -> Refusal {
    let moves = either(moves, most);
    Refusal::new(
        format!("it must capture: {moves}"),
        format!("you must capture: {moves}"),
    )
}

/// "A5C3", "A5C3 or E5C3", "A5C3, E5C3 or G5E3"; the first `most` of many.
pub(crate) fn either<M: fmt::Display>(moves: &[M], most: usize) -> String {
    let names: Vec<String> = moves.iter().take(most).map(M::to_string).collect();
    let others = if moves.len() > most {
        ", among others"
    } else {
        ""
    };
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => {
            format!("{} or {last}{others}", rest.join(", "))
        }
        _ => names.concat(),
    }
}
