//! Why a command starts no bot: what it names and is not there, or what a file is that is no program here.
//!
//! Looks at the files as the referee sees them, and says only what they show. Leaves out what the sandbox hides
//! ([`denial`](super::denial)).

use super::bot::how_to_run;
use crownhead_record::system_error::{OS_ERROR, neighbour};
use crownhead_record::text::printable;
use crownhead_sandbox::{Entry, EntryKind, entries, shebang};
use std::fs::{File, Metadata};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where a command is started, and its words.
pub(super) fn words_of(command: &Command) -> (PathBuf, Vec<String>) {
    let here = std::env::current_dir().unwrap_or_default();
    let place = here.join(command.get_current_dir().unwrap_or(Path::new("")));
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words = words.map(|word| word.to_string_lossy().into_owned());
    (place, words.collect())
}

/// Why the program of this command cannot be run, of which the system says `error`; `None` if its file does not tell.
pub(crate) fn why_not_run(command: &Command, error: &str) -> Option<String> {
    let (_, number) = error.rsplit_once(OS_ERROR)?;
    let number: u32 = number.trim_end_matches(')').parse().ok()?;
    let (place, words) = words_of(command);
    let program = place.join(&words[0]);
    // ENOENT, ENOEXEC, EACCES: other errors are not of the file.
    match number {
        2 if !program.exists() => Some(format!("there is no file `{}`", shown(&program))),
        2 | 8 | 13 => problem_of_file(&program).or_else(|| match number {
            2 => Some(foreign(&program)),
            8 => Some(no_format(&program)),
            _ => None,
        }),
        _ => None,
    }
}

/// Why this command started no bot, which ended before it read anything and has written this to its standard error; `None`
/// if its files do not tell.
pub(crate) fn why_ended(command: &Command, stderr: &str) -> Option<String> {
    let (place, words) = words_of(command);
    let mut all = entries(&words, &place);
    let programs: Vec<PathBuf> = all
        .iter()
        .filter(|it| it.kind == EntryKind::Program)
        .filter_map(Entry::found)
        .map(Path::to_path_buf)
        .collect();
    for program in programs {
        let behind = entries(&shebang(&program), &place);
        if behind.iter().any(|entry| entry.name.ends_with('\r')) {
            return Some(windows_line_ends(&program));
        }
        all.extend(behind);
    }
    all.iter().find_map(|entry| problem_of_entry(entry, stderr))
}

/// What is wrong with something that the command starts, if that is why it ended.
fn problem_of_entry(entry: &Entry, stderr: &str) -> Option<String> {
    let name = printable(&entry.name);
    // Interpreters name what they do not find, as a path or as it was written.
    let last = entry.name.trim_end_matches('/').rsplit('/').next()?;
    let is_named = stderr.contains(&entry.name) || stderr.contains(last);
    if let Some(file) = entry.found() {
        let is_named_by_path = entry.kind == EntryKind::Program && entry.name.contains('/');
        return match entry.kind {
            EntryKind::Script if is_empty(file) => Some(format!("the file `{name}` is empty")),
            EntryKind::Script
                if is_named && begins_with_windows_line(file) && stderr.contains("\\r") =>
            {
                Some(windows_line_ends(file))
            }
            _ if is_named_by_path && is_named => problem_of_file(file),
            _ => None,
        };
    }
    let as_written = entry.files.iter().find(|path| path.ends_with(last));
    let is_folder = entry.kind == EntryKind::Script && as_written.is_some_and(|path| path.is_dir());
    // Some shells end without a word.
    if !is_named && !is_folder {
        return None;
    }
    Some(match entry.kind {
        EntryKind::Program if !entry.name.contains('/') => {
            // A shell's code may also write the word itself.
            let is_missed = |line: &str| {
                line.contains(last) && (line.contains("not found") || line.contains("No such file"))
            };
            stderr.lines().find(|line| is_missed(line))?;
            format!("there is no program `{name}`")
        }
        EntryKind::Folder => format!("there is no folder `{name}`"),
        EntryKind::Module => format!("there is no module `{name}` in this folder"),
        EntryKind::Class => problem_of_class(entry),
        _ if is_folder => match entry.files.len() {
            1 => format!("`{name}` is a folder. Name a script"),
            _ => format!("`{name}` is a folder without a main file"),
        },
        _ => match as_written.and_then(|path| neighbour(path)) {
            Some(meant) => format!("there is no file `{name}`. Did you mean `{meant}`?"),
            None => format!("there is no file `{name}`"),
        },
    })
}

/// What is wrong with a class that is not there.
fn problem_of_class(entry: &Entry) -> String {
    let name = printable(&entry.name);
    let file = entry.name.replace('.', "/");
    let source = |root: &PathBuf| {
        let path = root.join(&file).with_extension("java");
        path.is_file().then_some(path)
    };
    if let Some(class) = entry.name.strip_suffix(".class") {
        return format!(
            "`{name}` is a file. Name the class: `java {}`",
            printable(class)
        );
    }
    match entry.roots.iter().find_map(source) {
        Some(source) => format!(
            "there is no class `{name}`. Compile it: `javac {}`",
            shown(&source)
        ),
        None => format!("there is no class `{name}` on the class path"),
    }
}

/// Why no file like this can be run here, whatever starts it; `None` if nothing shows.
fn problem_of_file(file: &Path) -> Option<String> {
    let found = file.metadata().ok()?;
    let name = shown(file);
    if found.is_dir() {
        return Some(format!("`{name}` is a folder. Name a program"));
    }
    if is_empty(file) {
        return Some(format!("the file `{name}` is empty"));
    }
    if !is_executable(&found) {
        return Some(format!("`{name}` is not executable. Try `chmod +x {name}`"));
    }
    let words = shebang(file);
    if let Some(interpreter) = words.first() {
        if words.iter().any(|word| word.ends_with('\r')) {
            return Some(windows_line_ends(file));
        }
        let path = Path::new(interpreter);
        let found = path.metadata();
        let shown = shown(path);
        return match found {
            Err(_) => Some(format!(
                "the first line of `{name}` names `{shown}`, which is not installed. Name the interpreter that is"
            )),
            Ok(found) if found.is_dir() || !is_executable(&found) => Some(format!(
                "the first line of `{name}` names `{shown}`, which is no program. Name an interpreter"
            )),
            Ok(_) => None,
        };
    }
    let system = match start_of(file).get(..4)? {
        [b'M', b'Z', ..] => "Windows",
        [0xfe, 0xed, 0xfa, 0xce | 0xcf] | [0xce | 0xcf, 0xfa, 0xed, 0xfe] => "macOS",
        _ => return None,
    };
    Some(format!(
        "`{name}` is a program for {system}. Compile it on this machine"
    ))
}

/// Of a program that this machine cannot load: it is for another one, or needs a loader that is not here (elf(5)).
fn foreign(file: &Path) -> String {
    let name = shown(file);
    format!("`{name}` is no program that this machine can run. Compile it here")
}

/// Of a file that is no program in any format that this machine knows.
fn no_format(file: &Path) -> String {
    let name = shown(file);
    let start = start_of(file);
    if start.starts_with(b"PK") {
        return format!("`{name}` is an archive. Run it as \"java -jar {name}\"");
    }
    if start.starts_with(&[0xca, 0xfe, 0xba, 0xbe]) {
        return format!("`{name}` is a class of Java. Run it as `java` with the name of the class");
    }
    if start.contains(&0) {
        return foreign(file);
    }
    let way_out = how_to_run(&name);
    let way_out =
        way_out.unwrap_or_else(|| "Name its interpreter there, such as `#!/bin/sh`".into());
    format!("the first line of `{name}` does not begin with `#!`. {way_out}")
}

fn windows_line_ends(file: &Path) -> String {
    let name = shown(file);
    format!("`{name}` has Windows line endings. Convert it: `sed -i 's/\\r$//' {name}`")
}

fn begins_with_windows_line(file: &Path) -> bool {
    let start = start_of(file);
    let line = start.split(|&byte| byte == b'\n').next();
    line.is_some_and(|line| line.len() < start.len() && line.ends_with(b"\r"))
}

fn is_empty(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|file| file.is_file() && file.len() == 0)
}

fn is_executable(file: &Metadata) -> bool {
    file.permissions().mode() & 0o111 != 0
}

/// As a person would write it who is in the current folder.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let own = path.components().collect::<PathBuf>();
    let inner = own
        .strip_prefix(&here)
        .ok()
        .filter(|path| path.file_name().is_some());
    let shown = inner.unwrap_or(&own).display().to_string();
    printable(shown)
}

/// The first bytes of a file.
fn start_of(file: &Path) -> Vec<u8> {
    const BYTES: u64 = 4096;
    let mut start = Vec::new();
    let read = File::open(file).and_then(|file| file.take(BYTES).read_to_end(&mut start));
    read.map_or(Vec::new(), |_| start)
}
