//! How a broken law is told.

use crate::board::Side;
use crate::notation::Notation;
use crate::rules::RuleBook;

/// Whether a law holds.
pub type Verdict = Result<(), Violation>;

/// A law that a game breaks: where, what was seen, and what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The rows of the position and the side to move; `None` where the law is not about one position.
    pub position: Option<(String, Side)>,
    /// What was seen.
    pub seen: String,
    /// What was expected.
    pub expected: String,
}

impl Violation {
    /// A law broken in `position`.
    pub(crate) fn at<G: Notation>(
        position: &G,
        seen: impl Into<String>,
        expected: impl Into<String>,
    ) -> Violation {
        Violation {
            position: Some((position.rows().to_string(), position.side_to_move())),
            seen: seen.into(),
            expected: expected.into(),
        }
    }

    /// A law broken by the game as a whole.
    pub(crate) fn anywhere(seen: impl Into<String>, expected: impl Into<String>) -> Violation {
        Violation {
            position: None,
            seen: seen.into(),
            expected: expected.into(),
        }
    }

    /// The report that a failed test of `law` shows, of game `game` under `rules`.
    fn report(&self, law: &str, game: &str, rules: &RuleBook) -> String {
        let law = law.replace('_', " ");
        let mut report = format!("{game} breaks a law: {law}\nrule book: {}\n", rules.name);
        if let Some((rows, side)) = &self.position {
            report += &format!("position, {} to move:\n{rows}\n", rules.side_name(*side));
        }
        report + &format!("seen:     {}\nexpected: {}", self.seen, self.expected)
    }
}

/// Checks `law`, called `name`, under each of the game's rule books.
///
/// # Panics
/// With a report, when the game breaks it.
pub fn hold<G: Notation>(name: &str, law: fn(&RuleBook) -> Verdict) {
    for rules in G::RULE_BOOKS {
        if let Err(violation) = law(rules) {
            panic!("{}", violation.report(name, G::NAME, rules));
        }
    }
}
