//! Why a command starts no bot: a file that is missing, or that this machine cannot run.
//!
//! Looks at the files as the referee sees them, and says only what they show. Leaves out what the sandbox hides
//! ([`denial`](super::denial)).

use super::bot::how_to_run;
use crownhead_record::system_error::{OS_ERROR, neighbour};
use crownhead_record::text::printable;
use crownhead_sandbox::mode;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What programs write about something that is not there, in lower case.
pub(super) const MISSING: [&str; 10] = [
    "no such file",
    "nosuchfile",
    "enoent",
    "not found",
    "can't cd to",
    "can't open",
    "no module named",
    "cannot find module",
    "unable to access jarfile",
    "could not find or load main class",
];

/// Where a command is started, and its words.
pub(super) fn words_of(command: &Command) -> (PathBuf, Vec<String>) {
    let here = std::env::current_dir().unwrap_or_default();
    let place = here.join(command.get_current_dir().unwrap_or(Path::new("")));
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words = words.map(|word| word.to_string_lossy().into_owned());
    (place, words.collect())
}

/// The parts of a message that may name something: its words without the punctuation around them.
pub(super) fn names(line: &str) -> impl DoubleEndedIterator<Item = &str> {
    let words = line.split_whitespace();
    words.map(|word| word.trim_matches(|letter: char| "()[]:;,'\"`‘’".contains(letter)))
}

/// Why the program of this command cannot be run, given the system's `error`; `None` if its file does not show it.
pub(crate) fn why_not_run(command: &Command, error: &str) -> Option<String> {
    let (_, number) = error.rsplit_once(OS_ERROR)?;
    let (place, words) = words_of(command);
    let program = place.join(&words[0]);
    let name = shown(&program);
    let interpreter = first_line(&program);
    Some(match number.trim_end_matches(')') {
        // ENOENT
        "2" if !program.exists() => format!("there is no file `{name}`"),
        "2" if !interpreter.is_empty() => problem_of_interpreter(&name, &interpreter)?,
        // ENOEXEC
        "8" if !start_of(&program).contains(&0) => {
            let way_out = how_to_run(&name);
            let way_out =
                way_out.unwrap_or_else(|| "Name its interpreter there, such as `#!/bin/sh`".into());
            format!("the first line of `{name}` does not begin with `#!`. {way_out}")
        }
        // And ERROR_BAD_EXE_FORMAT, ERROR_EXE_MACHINE_TYPE_MISMATCH of Windows
        "2" | "8" | "193" | "216" => {
            format!("`{name}` is no program that this machine can run. Compile it here")
        }
        // EACCES
        "13" if mode(&program.metadata().ok()?) & 0o111 == 0 => {
            format!("`{name}` is not executable. Try `chmod +x {name}`")
        }
        _ => return None,
    })
}

/// Why this command started no bot, which ended before it read anything and wrote this to its standard error; `None` if
/// its files do not show it.
pub(crate) fn why_ended(command: &Command, stderr: &str) -> Option<String> {
    let (place, words) = words_of(command);
    let path = std::env::var_os("PATH");
    let program = which::which_in(&words[0], path.as_ref(), &place).ok()?;
    let interpreter = first_line(&program);
    if let Some(problem) = problem_of_interpreter(&shown(&program), &interpreter) {
        return Some(problem);
    }
    let lower = stderr.to_lowercase();
    let told = stderr.lines().zip(lower.lines());
    let told: Vec<&str> = told
        .filter(|(_, lower)| MISSING.iter().any(|sign| lower.contains(sign)))
        .flat_map(|(line, _)| names(line))
        .collect();
    let is_missing = |word: &&String| {
        let may_be_name = !word.starts_with('-') && word.contains(char::is_alphabetic);
        let is_told = told.iter().any(|name| Path::new(name).ends_with(word));
        let is_there =
            || place.join(word).exists() || which::which_in(word, path.as_ref(), &place).is_ok();
        may_be_name && is_told && !is_there()
    };
    let missing = interpreter.iter().chain(&words[1..]).find(is_missing)?;
    let meant = neighbour(&place.join(missing)).map(|name| format!(". Did you mean `{name}`?"));
    let (missing, meant) = (printable(missing), meant.unwrap_or_default());
    Some(format!("there is no `{missing}`{meant}"))
}

/// What is wrong with the interpreter that the first line of a file names.
fn problem_of_interpreter(name: &str, words: &[String]) -> Option<String> {
    if words.iter().any(|word| word.ends_with('\r')) {
        return Some(format!(
            "`{name}` has Windows line endings. Convert it: `sed -i 's/\\r$//' {name}`"
        ));
    }
    let path = Path::new(words.first()?);
    (!path.exists()).then(|| {
        format!(
            "the first line of `{name}` names `{}`, which is not installed. Name the interpreter that is",
            shown(path)
        )
    })
}

/// The words of a script's first line after `#!`, the interpreter first. Empty for other files.
fn first_line(file: &Path) -> Vec<String> {
    let start = start_of(file);
    let line = start.strip_prefix(b"#!");
    let line = line.and_then(|rest| rest.split(|&byte| byte == b'\n').next());
    let line = String::from_utf8_lossy(line.unwrap_or_default());
    let words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    words.map(str::to_string).collect()
}

/// A path as a person in the current folder would write it.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let own = path.components().collect::<PathBuf>();
    let inner = own.strip_prefix(&here).ok();
    let inner = inner.filter(|path| path.file_name().is_some());
    printable(inner.unwrap_or(&own).display().to_string())
}

/// The first bytes of a file.
fn start_of(file: &Path) -> Vec<u8> {
    const BYTES: u64 = 4096;
    let mut start = Vec::new();
    let read = File::open(file).and_then(|file| file.take(BYTES).read_to_end(&mut start));
    read.map_or(Vec::new(), |_| start)
}
