//! Conditions that select games, such as `map_size > 20`.

use super::{Figure, GameFigures, number};
use std::cmp::Ordering;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// A condition on a figure of a game or of its players.
///
/// A game meets `map_size > 20` if its figure of that name does, or else the figure of any of its players.
/// `mine.money > 20` asks only for the player of that name. A game without the figure does not meet the condition.
#[derive(Clone, PartialEq, Debug)]
pub struct Condition {
    figure: String,
    comparison: Comparison,
    value: Figure,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// The comparisons. A longer one comes before its own prefix.
const COMPARISONS: [(&str, Comparison); 7] = [
    ("==", Comparison::Equal),
    ("!=", Comparison::Unequal),
    ("<=", Comparison::LessOrEqual),
    (">=", Comparison::GreaterOrEqual),
    ("=", Comparison::Equal),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

/// A text is not a condition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConditionError {
    /// It has no comparison, or one side is empty.
    #[error("expected a stat, one of = != < <= > >= and a value, such as `map_size > 20`")]
    Incomplete,
    /// It asks whether a text is more or less than something.
    #[error("`{0}` is no number, and of texts only = and != tell something")]
    Unordered(String),
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Condition, ConditionError> {
        let at = text.find(['=', '!', '<', '>']);
        let (figure, rest) = text.split_at(at.ok_or(ConditionError::Incomplete)?);
        let mut known = COMPARISONS.into_iter();
        let read =
            known.find_map(|(sign, comparison)| Some((comparison, rest.strip_prefix(sign)?)));
        let (comparison, value) = read.ok_or(ConditionError::Incomplete)?;
        let (figure, value) = (figure.trim(), value.trim());
        let unquoted = value
            .strip_prefix('"')
            .and_then(|value| value.strip_suffix('"'));
        let value = match unquoted {
            Some(text) => Figure::Text(text.into()),
            None => number(value).map_or_else(|| Figure::Text(value.into()), Figure::Number),
        };
        if figure.is_empty() || value == Figure::Text(String::new()) && unquoted.is_none() {
            return Err(ConditionError::Incomplete);
        }
        let is_ordered = !matches!(comparison, Comparison::Equal | Comparison::Unequal);
        match value {
            Figure::Text(text) if is_ordered => Err(ConditionError::Unordered(text)),
            value => Ok(Condition {
                figure: figure.into(),
                comparison,
                value,
            }),
        }
    }
}

impl Display for Condition {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        let mut known = COMPARISONS.iter().rev();
        let sign = known.find(|(_, comparison)| *comparison == self.comparison);
        let sign = sign.expect("every comparison is written somehow").0;
        write!(to, "{} {sign} {}", self.figure, self.value)
    }
}

impl Condition {
    /// The conditions of a text, separated by commas: `map_size > 20, kind = "small, round"`.
    ///
    /// # Errors
    /// When one of them is not a condition.
    pub fn list(text: &str) -> Result<Vec<Condition>, ConditionError> {
        let mut is_quoted = false;
        let parts = text.split(|c| {
            is_quoted ^= c == '"';
            c == ',' && !is_quoted
        });
        let parts = parts.filter(|part| !part.trim().is_empty());
        parts.map(str::parse).collect()
    }

    /// The figure's name as it was written.
    pub fn figure(&self) -> &str {
        &self.figure
    }

    /// Whether a game with these players and figures meets it; `None` if it has no such figure.
    pub fn is_met_by(&self, players: &[&str], figures: &GameFigures) -> Option<bool> {
        if let Some(figure) = figures.game.get(&self.figure) {
            return Some(self.holds(figure));
        }
        let own = players.iter().zip(&figures.players);
        let own = own.filter_map(|(name, figures)| {
            let rest = self.figure.strip_prefix(name)?;
            figures.get(rest.strip_prefix('.')?)
        });
        let any = figures.players.iter();
        let any = any.filter_map(|figures| figures.get(&self.figure));
        own.chain(any)
            .map(|figure| self.holds(figure))
            .reduce(|one, other| one || other)
    }

    fn holds(&self, figure: &Figure) -> bool {
        let order = match (figure.as_f64(), self.value.as_f64()) {
            (Some(own), Some(other)) => own.partial_cmp(&other),
            _ => (*figure == self.value).then_some(Ordering::Equal),
        };
        match self.comparison {
            Comparison::Equal => order == Some(Ordering::Equal),
            Comparison::Unequal => order != Some(Ordering::Equal),
            Comparison::Less => order == Some(Ordering::Less),
            Comparison::LessOrEqual => order.is_some_and(Ordering::is_le),
            Comparison::Greater => order == Some(Ordering::Greater),
            Comparison::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_met(text: &str) -> Option<bool> {
        let figures = serde_json::from_str(
            r#"{"figures": {"map_size": 20, "kind": "small"}, "players": [{"figures": {"money": 5, "plan": "rush"}},
                {"figures": {"money": 20}}]}"#,
        );
        let condition: Condition = text.parse().unwrap();
        condition.is_met_by(&["bot.py", "two"], &figures.unwrap())
    }

    #[test]
    fn numbers_are_compared_and_texts_are_equal_or_not() {
        for (met, texts) in [
            (
                true,
                &[
                    "map_size = 20.0",
                    "map_size==20",
                    "map_size >= 20",
                    "map_size<=20",
                    "map_size>-1e3",
                    "map_size < 21",
                    "map_size != 3",
                    "kind = small",
                    "kind = \"small\"",
                    "kind != large",
                    "kind != 3",
                ][..],
            ),
            (
                false,
                &[
                    "map_size = 3",
                    "map_size > 20",
                    "map_size < 20",
                    "map_size >= 21",
                    "map_size <= 19",
                    "map_size != 20",
                    "map_size = small",
                    "kind = 3",
                    "kind > 3",
                    "kind <= 3",
                    "kind != small",
                    "kind = Small",
                ],
            ),
        ] {
            for text in texts {
                assert_eq!(is_met(text), Some(met), "{text}");
            }
        }
    }

    #[test]
    fn a_player_s_figure_is_anybody_s_unless_a_name_is_before_it() {
        assert_eq!(is_met("money > 10"), Some(true));
        assert_eq!(is_met("two.money > 10"), Some(true));
        assert_eq!(is_met("bot.py.money > 10"), Some(false));
        assert_eq!(is_met("money > 30"), Some(false));
        assert_eq!(is_met("plan = rush"), Some(true));
    }

    #[test]
    fn a_game_without_the_figure_meets_nothing() {
        for text in [
            "none = 1",
            "none != 1",
            "two.plan != rush",
            "three.money > 1",
        ] {
            assert_eq!(is_met(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_condition_is_refused_with_what_was_expected() {
        for text in ["", "map_size", "= 3", "x =", "x ! 3", "x >"] {
            assert_eq!(
                text.parse::<Condition>(),
                Err(ConditionError::Incomplete),
                "{text}"
            );
        }
        let error = "kind > small".parse::<Condition>().unwrap_err();
        assert!(
            error.to_string().contains("`small` is no number"),
            "{error}"
        );
        let condition: Condition = "x=\"\"".parse().unwrap();
        assert_eq!(condition.figure(), "x");
        let list = Condition::list("x = 3, y = \"a, b\",").unwrap();
        assert_eq!(
            list,
            ["x = 3", "y = \"a, b\""].map(|text| text.parse().unwrap())
        );
        let list = Condition::list("ab = \"c, d\", e = 1").unwrap();
        assert_eq!(list.len(), 2, "{list:?}");
        assert_eq!(Condition::list("xy = 3, z = 1").unwrap().len(), 2);
        assert_eq!(Condition::list("x = 3, y"), Err(ConditionError::Incomplete));
        for text in ["x = 3", "x != y", "x <= 3", "x > 3"] {
            assert_eq!(text.parse::<Condition>().unwrap().to_string(), text);
        }
    }
}
