//! Whether a bot failed because it lacks a variable that is set here, with the option that passes it.
//!
//! A bot has a short list of the referee's variables ([`crownhead_sandbox::is_inherited`]). So the last lines that it
//! wrote are searched for the name of one that it lacks. Leaves out what the sandbox denied ([`denial`](super::denial)).

use std::ffi::OsString;
use std::process::Command;

/// What programs write where a variable is missing, in lower case.
const SIGNS: &[&str] = &[
    "environ",
    "getenv",
    "keyerror",
    "unbound variable",
    "not set",
    "unset",
    "be set",
    "not present",
    "notpresent",
    "not defined",
    "undefined",
    "not found",
    "missing",
    "required",
    "null",
    "nil",
];

/// Lines of standard error that are searched, from the last.
const LINES: usize = 40;

/// The variable that a bot lacks, if what it wrote names one. A sentence without its full stop.
pub(crate) fn describe(text: &str, program: &Command) -> Option<String> {
    let has = |name: &str| {
        let mut own = program.get_envs();
        own.any(|(known, value)| known == name && value.is_some())
    };
    sentence(text, has, |name| std::env::var_os(name))
}

/// The same of a bot that `has` these variables, where `here` gives the referee's.
fn sentence(
    text: &str,
    has: impl Fn(&str) -> bool,
    here: impl Fn(&str) -> Option<OsString>,
) -> Option<String> {
    let lines = text.lines().rev().take(LINES);
    let lines = lines.filter(|line| {
        let lower = line.to_lowercase();
        SIGNS.iter().any(|sign| lower.contains(sign))
    });
    let mut names = lines.flat_map(words);
    let name = names.find(|name| !has(name) && here(name).is_some())?;
    Some(format!(
        "It has no variable `{name}`: `--env {name}` gives it yours (`env` in a ladder.toml)"
    ))
}

/// The words of a line that may name a variable.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| word.len() > 1 && !word.starts_with(|first: char| first.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Option<String> {
        let has = |name: &str| name == "HOME";
        let here = |name: &str| {
            let known = ["HOME", "API_TOKEN", "depth"].contains(&name);
            known.then(|| "value".into())
        };
        sentence(text, has, here)
    }

    #[test]
    fn a_variable_that_is_set_here_and_was_not_passed_is_named() {
        for (text, name) in [
            (
                "  File \"bot.py\", line 2\n    token = os.environ['API_TOKEN']\nKeyError: 'API_TOKEN'\n",
                "API_TOKEN",
            ),
            ("bot.sh: line 2: depth: unbound variable", "depth"),
            ("bot.sh: 2: API_TOKEN: parameter not set", "API_TOKEN"),
            (
                "called `expect()` on an `Err`: API_TOKEN: NotPresent",
                "API_TOKEN",
            ),
            (
                "Error: API_TOKEN is required\n    at main (bot.js:2:3)\n\nNode.js v20\n",
                "API_TOKEN",
            ),
        ] {
            let sentence = format!(
                "It has no variable `{name}`: `--env {name}` gives it yours (`env` in a ladder.toml)"
            );
            assert_eq!(told(text), Some(sentence), "{text}");
        }
    }

    #[test]
    fn other_failures_are_not_a_variables() {
        for text in [
            "KeyError: 'A3B4'",
            "KeyError: 'DEPTH'",
            "bot.sh: line 2: moves: unbound variable",
            "API_TOKEN 3",
            "HOME is not set",
            "the environment variable HOME is wrong",
            "ModuleNotFoundError: No module named 'helper'",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
    }
}
