//! Figures: numbers and short texts that a bot prints on its standard error about itself, its game or its turn, by
//! name.
//!
//! [`read_said`] finds those of a turn and [`GameRecord::read_figures`](crate::GameRecord::read_figures) those of a game.
//! Sums over many games are in [`totals`](crate::totals).

mod read;

pub use read::read_said;

use crate::text::printable;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Number;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// Figures by their names.
pub type Figures = BTreeMap<String, Figure>;

/// The value of a figure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Figure {
    /// A finite number.
    Number(Number),
    /// Any other text, such as the kind of a map.
    Text(#[serde(deserialize_with = "text")] String),
}

/// The longest name.
const LONGEST_NAME: usize = 32;

/// The most characters of a text.
const LONGEST_TEXT: usize = 100;

impl Figure {
    /// A number, if the text is one, else the text, shortened.
    fn read(text: &str) -> Figure {
        number(text).map_or_else(|| Figure::Text(shortened(text)), Figure::Number)
    }

    /// The number, if it is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Figure::Number(number) => number.as_f64(),
            Figure::Text(_) => None,
        }
    }
}

impl Display for Figure {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Figure::Number(number) => number.fmt(to),
            Figure::Text(text) => text.fmt(to),
        }
    }
}

/// The largest absolute value, so that sums and plots stay finite.
pub const LARGEST_FIGURE: f64 = 1e15;

/// The number that a text denotes, with or without a plus sign.
fn number(text: &str) -> Option<Number> {
    let text = text.strip_prefix('+').unwrap_or(text);
    if !text.starts_with(|c: char| c.is_ascii_digit() || "-.".contains(c)) {
        return None;
    }
    let value: f64 = text.parse().ok()?;
    if value.abs() > LARGEST_FIGURE {
        return None;
    }
    match text.parse::<i64>() {
        Ok(whole) => Some(whole.into()),
        Err(_) => Number::from_f64(value),
    }
}

/// Whether a text can be a figure's name: a word of letters, digits, `_`, `-` and `.` that does not begin with a digit.
fn is_name(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    text.len() <= LONGEST_NAME
        && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(inner)
}

fn shortened(text: &str) -> String {
    printable(text).chars().take(LONGEST_TEXT).collect()
}

/// Text that may come from a stranger and is shown to people.
fn text<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    String::deserialize(from).map(|text| shortened(&text))
}

/// The figures of a record, which may come from a stranger: only those with a name that a bot could have printed.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Figures, D::Error> {
    let mut figures = Figures::deserialize(from)?;
    figures.retain(|name, _| is_name(name));
    Ok(figures)
}
