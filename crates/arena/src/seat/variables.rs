//! Whether a bot failed because it lacks a variable of the environment: what its standard error says of it, in a sentence
//! with the option that passes it.
//!
//! A bot has a short list of the referee's variables ([`crownhead_sandbox::is_inherited`]). So the last lines it has
//! written are searched for the name of one that it does not have. Leaves out what the sandbox denied
//! ([`denial`](super::denial)).

use crownhead_record::text::printable;
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

/// Variables that say where modules are, and what runtimes write of one that is not there, in lower case.
const SEARCH_PATHS: &[(&str, &str)] = &[
    ("PYTHONPATH", "no module named"),
    ("NODE_PATH", "cannot find module"),
    ("CLASSPATH", "could not find or load main class"),
    ("CLASSPATH", "classnotfoundexception"),
    ("CLASSPATH", "noclassdeffounderror"),
    ("PERL5LIB", "can't locate"),
    ("RUBYLIB", "cannot load such file"),
];

/// How the file of a module ends.
const MODULE_ENDS: [&str; 6] = ["", ".py", ".js", ".class", ".pm", ".rb"];

/// Lines of standard error that are searched, from the last.
const LINES: usize = 40;

/// The sentence on the variable that a bot lacks which was started by this command and has written this, if it names
/// one; without a full stop.
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
    let of_environment = text.contains("environ");
    let lines = text.lines().rev().take(LINES);
    let mut found = lines.filter_map(|line| {
        let lower = line.to_lowercase();
        let withheld = |name: &&str| !has(name) && here(name).is_some();
        if SIGNS.iter().any(|sign| lower.contains(sign))
            && let Some(name) = words(line).find(withheld)
        {
            return Some(passed(name, ""));
        }
        if let Some((name, folder)) = withheld_module(line, &lower, &has, &here) {
            return Some(passed(name, &folder));
        }
        let name = named(line, &lower, of_environment).filter(|name| !has(name))?;
        Some(format!(
            "It has no variable `{name}`: `--env {name}=VALUE` gives it one (`env` in a ladder.toml)"
        ))
    });
    found.next()
}

fn passed(name: &str, more: &str) -> String {
    format!(
        "It has no variable `{name}`: `--env {name}{more}` gives it yours (`env` in a ladder.toml)"
    )
}

/// The words of a line that may name a variable.
fn words(line: &str) -> impl DoubleEndedIterator<Item = &str> {
    let words = line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| word.len() > 1 && !word.starts_with(|first: char| first.is_ascii_digit()))
}

/// The variable that a line says is missing, wherever it is set.
fn named<'a>(line: &'a str, lower: &str, of_environment: bool) -> Option<&'a str> {
    let is_name = |word: &&str| {
        let shouts = |letter: u8| matches!(letter, b'A'..=b'Z' | b'0'..=b'9' | b'_');
        word.bytes().all(shouts)
    };
    if of_environment && lower.starts_with("keyerror: '") {
        return words(line).find(is_name);
    }
    // Lower case is as long, for the sign and what precedes it is ASCII in all that runtimes write.
    let split = |sign: &str| lower.find(sign).and_then(|at| line.split_at_checked(at));
    for sign in [
        "unbound variable",
        "parameter not set",
        "parameter null or not set",
    ] {
        if let Some((before, _)) = split(sign) {
            return words(before).next_back().filter(is_name);
        }
    }
    let (before, after) = split("environment variable")?;
    words(after)
        .find(is_name)
        .or_else(|| words(before).rfind(is_name))
}

/// The variable whose folders hold the module that a line says is missing, with the option that opens its folder.
fn withheld_module(
    line: &str,
    lower: &str,
    has: impl Fn(&str) -> bool,
    here: impl Fn(&str) -> Option<OsString>,
) -> Option<(&'static str, String)> {
    let signs = SEARCH_PATHS.iter().filter(|(_, sign)| lower.contains(sign));
    for (name, _) in signs.filter(|(name, _)| !has(name)) {
        let folders = here(name)?;
        for folder in std::env::split_paths(&folders).filter(|folder| folder.is_absolute()) {
            let is_there = |module: &str| {
                let module = module.replace("::", "/");
                let file = |end| folder.join(format!("{module}{end}"));
                MODULE_ENDS.iter().any(|end| file(end).exists())
            };
            if words(line).any(is_there) {
                let folder = printable(folder.display().to_string());
                return Some((name, format!(" --allow-read '{folder}'")));
            }
        }
    }
    None
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
    fn a_variable_that_is_set_nowhere_is_named_where_the_words_say_that_it_is_one() {
        for text in [
            "    depth = os.environ['DEPTH']\nKeyError: 'DEPTH'",
            "bot.sh: line 2: DEPTH: unbound variable",
            "ERROR: the environment variable `DEPTH` is not set",
            "DEPTH environment variable is missing",
        ] {
            let sentence = "It has no variable `DEPTH`: `--env DEPTH=VALUE` gives it one (`env` in a ladder.toml)";
            assert_eq!(told(text).as_deref(), Some(sentence), "{text}");
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

    #[test]
    fn a_module_of_a_folder_that_a_variable_names_is_told_with_both_options() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("helper.py"), "").unwrap();
        let told = |text: &str| {
            let here = |name: &str| (name == "PYTHONPATH").then(|| folder.path().into());
            sentence(text, |_| false, here)
        };
        assert_eq!(
            told("ModuleNotFoundError: No module named 'helper'").unwrap(),
            format!(
                "It has no variable `PYTHONPATH`: `--env PYTHONPATH --allow-read '{}'` gives it yours (`env` in a \
                 ladder.toml)",
                folder.path().display()
            )
        );
        assert_eq!(told("ModuleNotFoundError: No module named 'numpy'"), None);
        assert_eq!(told("Error: Cannot find module 'helper'"), None);
    }
}
