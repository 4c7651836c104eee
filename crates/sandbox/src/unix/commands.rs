//! How a command is written on Unix, and what of it runs: as in a shell.

use std::borrow::Cow;
use std::path::Path;
use std::process::Command;

/// The interpreter of Python.
pub const PYTHON: &str = "python3";

/// The variables that programs get in addition to those that they get everywhere.
pub(crate) const INHERITED: &str = "";

/// The name of a variable as it is compared.
pub(crate) fn variable(name: &str) -> Cow<'_, str> {
    name.into()
}

/// The words of a command; `None` if its quotes do not match.
pub fn split_words(command: &str) -> Option<Vec<String>> {
    shlex::split(command)
}

/// The command of these words, as a person could type it.
pub fn join_words(words: &[String]) -> String {
    // Quoting fails on NUL bytes alone, which no command line can hold.
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

/// What runs these words, as seen from a folder: they do themselves.
pub fn launched(words: Vec<String>, _: &Path) -> Vec<String> {
    words
}

/// What runs a line of a shell.
pub fn shell(line: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", line]);
    shell
}

/// Whether the system starts such a file that may be executed: the kernel decides.
pub fn is_program(_: &Path) -> bool {
    true
}

/// Why a file is none that can be started, and what to do.
pub fn why_no_program(file: impl std::fmt::Display) -> String {
    format!("is not executable. Run `chmod +x {file}`")
}
