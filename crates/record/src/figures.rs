//! Figures: numbers that a bot prints on its standard error about its turn, by name.
//!
//! They stand after a known word, as in `depth 17/30 score +176 nodes 375808`, or in any `name=number`. If a name occurs
//! more than once in a turn, the last figure counts. Means over many turns are in [`totals`](crate::totals).

use serde::{Deserialize, Deserializer};
use serde_json::{Number, Value};
use std::collections::BTreeMap;

/// Figures by their names.
pub type Figures = BTreeMap<String, Number>;

/// The words that name the number after them: those of chess engines (the Universal Chess Interface's `info`), and
/// those of searches by playouts.
const NAMES: [&str; 11] = [
    "depth",
    "seldepth",
    "score",
    "nodes",
    "nps",
    "time",
    "hashfull",
    "iterations",
    "simulations",
    "playouts",
    "visits",
];

/// The most figures of a turn, so that no bot can fill a record with them.
const MOST: usize = 32;

/// The longest name.
const LONGEST_NAME: usize = 32;

/// The largest absolute value, so that sums and plots stay finite.
const LARGEST_FIGURE: f64 = 1e15;

/// The figures in the output of a turn. `17/30` after `depth` means a depth and a selective depth.
pub fn read_said(text: &[u8]) -> Figures {
    let mut said = Figures::new();
    let mut put = |name: &str, text: &str| {
        let number = number(text.trim_end_matches([',', ';', ')', '.']));
        if let Some(number) = number.filter(|_| said.contains_key(name) || said.len() < MOST) {
            said.insert(name.into(), number);
        }
    };
    for line in String::from_utf8_lossy(text).lines() {
        let mut words = line.split_whitespace().peekable();
        while let Some(word) = words.next() {
            if let Some((name, number)) = word.split_once('=') {
                if is_name(name) {
                    put(name, number);
                }
                continue;
            }
            let name = word.trim_end_matches(':');
            if !NAMES.contains(&name) {
                continue;
            }
            // `score cp 35`, as chess engines print it.
            words.next_if(|&next| name == "score" && next == "cp");
            let Some(number) = words.peek() else { break };
            match number.split_once('/').filter(|_| name == "depth") {
                Some((depth, selective)) => {
                    put(name, depth);
                    put("seldepth", selective);
                }
                None => put(name, number),
            }
        }
    }
    said
}

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

/// The figures of a record, which may come from a stranger: only numbers with a name that a bot could have printed. In
/// older records, a figure may be a text.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Figures, D::Error> {
    let figures = BTreeMap::<String, Value>::deserialize(from)?;
    let number = |(name, value): (String, Value)| match value {
        Value::Number(number) if is_name(&name) => Some((name, number)),
        _ => None,
    };
    Ok(figures.into_iter().filter_map(number).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TurnRecord;

    fn said(text: &str) -> String {
        let figures = read_said(text.as_bytes());
        let figures = figures
            .iter()
            .map(|(name, figure)| format!("{name}={figure}"));
        figures.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_numbers_of_engines_and_any_that_are_named_are_read() {
        assert_eq!(
            said("depth 17/32 score +4 nodes 482304 5.66 Mn/s 85 ms pv C3D4"),
            "depth=17 nodes=482304 score=4 seldepth=32"
        );
        assert_eq!(
            said("info depth 5 score cp -35 nps 12"),
            "depth=5 nps=12 score=-35"
        );
        assert_eq!(
            said("eval=0.25, temp=-1e3; (beam=12)"),
            "eval=0.25 temp=-1000.0"
        );
        assert_eq!(said("depth: 4\ndepth: 5\n"), "depth=5");
        assert_eq!(
            said("x=1e15 y=1.1e15"),
            "x=1000000000000000.0",
            "the largest"
        );
    }

    #[test]
    fn text_that_is_no_number_with_a_name_is_left_alone() {
        for text in [
            "score win in 5",
            "depth",
            "nodes many",
            "move=C3B4",
            "=5",
            "3x=5",
            "x=nan y=inf z=",
            "File \"bot.py\", line 3",
            &format!("{}=5", "n".repeat(LONGEST_NAME + 1)),
        ] {
            assert_eq!(said(text), "", "{text}");
        }
        let flood: String = (0..100).map(|n| format!("x{n}={n} ")).collect();
        assert_eq!(read_said(flood.as_bytes()).len(), MOST);
        assert!(read_said(b"\xff\xfe depth 3").contains_key("depth"));
    }

    #[test]
    fn a_record_of_a_stranger_or_of_an_earlier_version_has_numbers_with_sound_names() {
        let turn = r#"{"player": 0, "reply": null, "us": 1, "said": {"depth": 4, "plan": "all in", "\u001b[2J": 5, "e": 0.5}}"#;
        let turn: TurnRecord = serde_json::from_str(turn).unwrap();
        let said = serde_json::to_string(&turn.said).unwrap();
        assert_eq!(said, r#"{"depth":4,"e":0.5}"#);
    }
}
