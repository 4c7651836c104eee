//! The numbers that a bot says about itself on its standard error.

use serde_json::Number;
use std::collections::BTreeMap;

/// Numbers by their names, as a bot said them in one turn.
pub type Said = BTreeMap<String, Number>;

/// The words that name the number after them, as engines of chess say them (the Universal Chess Interface's
/// `info`), and those of searches by playouts.
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

/// The most numbers of a turn, and the longest name: no bot fills a record with them.
const MOST: usize = 16;
const LONGEST_NAME: usize = 32;

/// The numbers in a text: after a known word, as in `depth 17/30 score +176 nodes 375808`, and in any
/// `name=number`. Of several with one name the last one counts, as a search that looks deeper says it again.
///
/// `17/30` after `depth` is a depth and a selective depth.
pub fn read_numbers(text: &[u8]) -> Said {
    let mut said = Said::new();
    let text = String::from_utf8_lossy(text);
    let mut put = |name: &str, number: &str| {
        let known = said.contains_key(name) || said.len() < MOST;
        if let Some(number) = parse(number).filter(|_| known) {
            said.insert(name.into(), number);
        }
    };
    for line in text.lines() {
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
            // `score cp 35`, as the interface of chess engines has it.
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

fn is_name(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    text.len() <= LONGEST_NAME
        && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(inner)
}

fn parse(text: &str) -> Option<Number> {
    let text = text.trim_end_matches([',', ';', ')', '.']);
    let text = text.strip_prefix('+').unwrap_or(text);
    if !text.starts_with(|c: char| c.is_ascii_digit() || "-.".contains(c)) {
        return None;
    }
    match text.parse::<i64>() {
        Ok(whole) => Some(whole.into()),
        Err(_) => Number::from_f64(text.parse().ok()?),
    }
}

#[cfg(test)]
mod tests {
    use super::read_numbers;

    fn said(text: &str) -> String {
        let said = read_numbers(text.as_bytes());
        let said = said.iter().map(|(name, number)| format!("{name}={number}"));
        said.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_numbers_of_engines_and_any_that_are_named_are_read() {
        assert_eq!(
            said("depth 17/30 score +176 nodes 375808 4.85 Mn/s 85 ms pv C3B4"),
            "depth=17 nodes=375808 score=176 seldepth=30"
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
    }

    #[test]
    fn what_is_no_number_of_a_name_is_left_alone() {
        for text in [
            "score win in 5",
            "depth",
            "nodes many",
            "move=C3B4",
            "=5",
            "3x=5",
            "x=nan y=inf z=",
            "File \"bot.py\", line 3",
        ] {
            assert_eq!(said(text), "", "{text}");
        }
        let flood: String = (0..100).map(|n| format!("x{n}={n} ")).collect();
        assert_eq!(read_numbers(flood.as_bytes()).len(), 16);
        assert!(read_numbers(b"\xff\xfe depth 3").contains_key("depth"));
    }
}
