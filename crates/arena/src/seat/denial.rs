//! Whether a bot failed because its sandbox denied it a file, or because it lacks a variable that is set here
//! ([`crownhead_sandbox::is_inherited`]): a sentence with the option that gives it.
//!
//! A bot cannot tell a sandbox from a missing file, and often says neither. So the last lines that it wrote are searched
//! for what runtimes write when a call was refused, and the file that they name is looked for where the referee sees it.
//! Leaves out what a bot may do, which the sandbox knows.

use super::unstartable::{MISSING, names, words_of};
use crownhead_record::text::printable;
use crownhead_sandbox::{
    NamedFiles, Sandbox, SandboxMode, check_writable, granted, is_shared_folder, may_read,
};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What runtimes write about a file that is there and must not be used so, in lower case.
const DENIED: [&str; 6] = [
    "permission denied",
    "permissiondenied",
    "eacces",
    "accessdenied",
    "read-only file system",
    "erofs",
];

/// What the name of a module or class stands for, beside a file of that name.
const MODULES: [&str; 5] = [".py", "/__init__.py", ".js", ".mjs", ".class"];

/// What was denied.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Denial {
    Read(PathBuf),
    /// A module: to find it, a runtime lists its folder.
    Import(PathBuf),
    Write(PathBuf),
}

/// Lines of standard error that are searched, from the last.
const LINES: usize = 40;

/// What the sandbox denied a bot that was started by this command and wrote this, if that is why it failed. A sentence
/// without its full stop.
pub(crate) fn describe(text: &str, program: &Command, sandbox: &Sandbox) -> Option<String> {
    if sandbox.mode == SandboxMode::Off || sandbox.supervisor.is_none() {
        return None;
    }
    let search = Search::new(program, granted(program, sandbox));
    // A bot that runs in a folder of its own sees that where others see the one for temporary files.
    let own = (sandbox.named != NamedFiles::Folders).then(std::env::temp_dir);
    let is_own =
        |denial: &Denial| matches!(denial, Denial::Read(path) if Some(path) == own.as_ref());
    let lines = text.lines().rev().take(LINES);
    let mut found = lines.filter_map(|line| search.denial(line));
    let Some(denial) = found.find(|denial| !is_own(denial)) else {
        return refused_call(text);
    };
    let (path, option, opened) = match &denial {
        Denial::Read(path) => (path, "read", path.as_path()),
        Denial::Import(path) => (path, "read", path.parent()?),
        Denial::Write(path) => (path, "write", path.parent()?),
    };
    let rest = match &denial {
        Denial::Write(_) => {
            "opens that folder (`allow_write` in a ladder.toml), and its own temporary folder, $TMPDIR, is open anyway"
        }
        Denial::Read(path) if !is_shared_folder(path) => {
            "opens that (`allow_read` in a ladder.toml)"
        }
        Denial::Read(_) | Denial::Import(_) => {
            "opens all of that folder (`allow_read` in a ladder.toml). A folder of its own is open to a bot"
        }
    };
    let [path, opened] = [path, opened].map(|path| printable(path.display().to_string()));
    let denied = match option {
        "read" => format!("The sandbox kept it from reading `{path}`"),
        _ => format!("The sandbox kept it from writing `{path}`"),
    };
    Some(format!("{denied}: `--allow-{option} '{opened}'` {rest}"))
}

/// A refused call that names no file, such as one that opens a connection.
fn refused_call(text: &str) -> Option<String> {
    let mut lines = text.lines().rev().take(LINES);
    let line = lines.find(|line| {
        let lower = line.to_lowercase();
        lower.contains("operation not permitted") || lower.contains("eperm")
    })?;
    Some(format!(
        "The sandbox may have refused it that (`{}`): `--allow-read` and `--allow-write` open files and folders, \
         `--sandbox off` all",
        printable(line.trim())
    ))
}

/// Where files are looked for.
struct Search {
    /// Where relative paths begin: the working folder, and the folders on the command line or of its files.
    folders: Vec<PathBuf>,
    granted: Vec<PathBuf>,
    /// The files that the command itself names, which are read.
    named: Vec<PathBuf>,
}

impl Search {
    fn new(program: &Command, granted: Vec<PathBuf>) -> Search {
        let (working, words) = words_of(program);
        let parts = words.iter().flat_map(|word| word.split(':'));
        let paths = parts.filter_map(|part| working.join(part).canonicalize().ok());
        let (named, folders): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| path.is_file());
        let beside = named
            .iter()
            .filter_map(|file| file.parent())
            .map(PathBuf::from);
        let folders = [working.clone()].into_iter().chain(beside).chain(folders);
        Search {
            folders: folders.collect(),
            granted,
            named,
        }
    }

    /// What this line says was denied, if it does.
    fn denial(&self, line: &str) -> Option<Denial> {
        let lower = line.to_lowercase();
        let has = |signs: &[&str]| signs.iter().any(|sign| lower.contains(sign));
        let is_denied = has(&DENIED);
        if !is_denied && !has(&MISSING) {
            return None;
        }
        let quoted = ['\'', '"', '`'].map(|quote| line.split(quote).skip(1).step_by(2));
        // Of a package and a module in it, the last one is what was missing.
        let quoted: Vec<&str> = quoted.into_iter().flatten().collect();
        let mut all = quoted.into_iter().rev().chain(names(line).rev());
        all.find_map(|name| self.of_file(name, is_denied))
    }

    fn of_file(&self, name: &str, is_denied: bool) -> Option<Denial> {
        if name.is_empty() {
            return None;
        }
        let is_open = |path: &Path| self.granted.iter().any(|granted| path.starts_with(granted));
        let module = name.replace('.', "/");
        let ends = MODULES.iter().map(|end| (format!("{module}{end}"), true));
        for (file, is_module) in std::iter::once((name.to_string(), false)).chain(ends) {
            let paths = self.folders.iter().map(|folder| folder.join(&file));
            let mut there = paths.filter_map(|path| path.canonicalize().ok());
            if let Some(path) = there.find(|path| !is_open(path) && may_read(path)) {
                return Some(match is_module {
                    true => Denial::Import(path),
                    false => Denial::Read(path),
                });
            }
        }
        // A file that was to be written: not what the command names, and nothing that the referee itself cannot write.
        let path = self.folders[0].join(name);
        let folder = path.parent()?.canonicalize().ok()?;
        let path = folder.join(path.file_name()?);
        let is_file = name.contains(['.', '/']) && !path.is_dir() && !self.named.contains(&path);
        let may_write = is_denied && is_file && check_writable(&folder).is_ok();
        may_write.then_some(Denial::Write(path))
    }
}

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

/// The variable that a bot lacks, if what it wrote names one. A sentence without its full stop.
pub(crate) fn missing_variable(text: &str, program: &Command) -> Option<String> {
    let has = |name: &str| {
        let mut own = program.get_envs();
        own.any(|(known, value)| known == name && value.is_some())
    };
    describe_variable(text, has, |name| std::env::var_os(name))
}

/// The same of a bot that `has` these variables, where `here` gives the referee's.
fn describe_variable(
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

    /// A folder that a bot may read, with `bot.py` in it, beside one that it may not, with `weights.bin`.
    fn search(root: &Path) -> Search {
        for (folder, file) in [
            ("own", "bot.py"),
            ("other", "weights.bin"),
            ("other", "helper.py"),
            ("other/my", "Bot.class"),
        ] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
            std::fs::write(root.join(folder).join(file), "").unwrap();
        }
        Search {
            folders: vec![root.join("own"), root.join("other")],
            granted: vec![root.join("own"), "/usr".into()],
            named: vec![root.join("own/bot.py")],
        }
    }

    #[test]
    fn the_folder_that_a_bot_runs_in_is_not_the_one_of_that_name_outside() {
        let words = format!(
            "Error: Cannot find module '{}'",
            std::env::temp_dir().display()
        );
        let told = |named| {
            let sandbox = Sandbox {
                supervisor: Some("crownhead".into()),
                named,
                ..Sandbox::default()
            };
            describe(&words, Command::new("node").arg("."), &sandbox)
        };
        assert_ne!(told(NamedFiles::Folders), None);
        assert_eq!(told(NamedFiles::Files), None);
    }

    #[test]
    fn what_runtimes_write_about_a_refused_file_is_understood() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let search = search(&root);
        let log = Denial::Write(root.join("own/bot.log"));
        let weights = Denial::Read(root.join("other/weights.bin"));
        let module = Denial::Import(root.join("other/helper.py"));
        let class = Denial::Import(root.join("other/my/Bot.class"));
        let other = Denial::Read(root.join("other"));
        for (line, denial) in [
            (
                "PermissionError: [Errno 13] Permission denied: 'bot.log'",
                &log,
            ),
            ("Error: EACCES: permission denied, open 'bot.log'", &log),
            ("sh: 1: cannot create bot.log: Permission denied", &log),
            (
                "java.io.FileNotFoundException: bot.log (Permission denied)",
                &log,
            ),
            ("OSError: [Errno 30] Read-only file system: 'bot.log'", &log),
            ("../other/weights.bin: No such file or directory", &weights),
            (
                "[Errno 2] No such file or directory: '../other/weights.bin'",
                &weights,
            ),
            ("ModuleNotFoundError: No module named 'helper'", &module),
            ("/usr/bin/python3: No module named helper", &module),
            ("Error: Could not find or load main class my.Bot", &class),
            ("sh: 1: cd: can't cd to ../other", &other),
            (
                "bash: line 1: cd: ../other: No such file or directory",
                &other,
            ),
        ] {
            assert_eq!(search.denial(line).as_ref(), Some(denial), "{line}");
        }
    }

    #[test]
    fn other_failures_are_not_the_sandboxs() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let search = search(&root);
        let missing = root.join("elsewhere.py");
        let missing = format!(
            "can't open file '{}': [Errno 2] No such file or directory",
            missing.display()
        );
        for line in [
            &missing,
            "sh: 1: ./bot.py: Permission denied",
            "/root/no/such: Permission denied",
            "PermissionError: [Errno 1] Operation not permitted",
            "Os { code: 13, kind: PermissionDenied, message: \"Permission denied\" }",
            "Error: Could not find or load main class Plaier",
            "/usr/bin/python3: No module named goood",
            "IndexError: list index out of range",
            "FileNotFoundError: [Errno 2] No such file or directory: 'weights.bin.old'",
            "ModuleNotFoundError: No module named 'numpy'",
            "cannot open bot.py: No such file or directory",
        ] {
            assert_eq!(search.denial(line), None, "{line}");
        }
    }

    fn variable(text: &str) -> Option<String> {
        let has = |name: &str| name == "HOME";
        let here = |name: &str| {
            let known = ["HOME", "API_TOKEN", "depth"].contains(&name);
            known.then(|| "value".into())
        };
        describe_variable(text, has, here)
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
            assert_eq!(variable(text), Some(sentence), "{text}");
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
            assert_eq!(variable(text), None, "{text}");
        }
    }
}
