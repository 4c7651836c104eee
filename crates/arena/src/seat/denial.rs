//! Whether a bot failed because its sandbox denied it something: what its standard error says of it, in a sentence
//! with the option that opens it.
//!
//! A bot cannot tell a sandbox from a file that is not there, and often says neither. So the last lines it has written
//! are searched for what runtimes write when a call was refused, and the file they name is looked for where the
//! referee sees it. Pure text and a look at the file system; leaves out what a bot may do, which the sandbox knows.

use crownhead_record::text::printable;
use crownhead_sandbox::{Sandbox, SandboxMode, granted};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How a runtime says that a call was refused, in lower case.
const SIGNS: &[(&str, Sign)] = &[
    ("permission denied", Sign::Denied),
    ("permissiondenied", Sign::Denied),
    ("eacces", Sign::Denied),
    ("accessdenied", Sign::Denied),
    ("read-only file system", Sign::ReadOnly),
    ("erofs", Sign::ReadOnly),
    ("no such file or directory", Sign::Missing),
    ("nosuchfileexception", Sign::Missing),
    ("enoent", Sign::Missing),
    ("no module named", Sign::Module),
    ("cannot find module", Sign::Module),
    ("operation not permitted", Sign::Refused),
    ("eperm", Sign::Refused),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    /// A file was there and must not be opened so.
    Denied,
    /// Something was to be written.
    ReadOnly,
    /// A file was not there, for the bot.
    Missing,
    /// The same of a module, whose file has a longer name.
    Module,
    /// A call that has nothing to do with files.
    Refused,
}

/// What was denied.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Denial {
    Read(PathBuf),
    /// A module that lies in a folder which others share: to find it, a runtime lists the folder.
    Import(PathBuf),
    Write(PathBuf),
    Unknown,
}

/// Lines of standard error that are searched, from the last.
const LINES: usize = 40;

/// The sentence on what the sandbox denied a bot that was started by this command and has written this, if that is why
/// it failed; without a full stop.
pub(crate) fn describe(text: &str, program: &Command, sandbox: &Sandbox) -> Option<String> {
    if sandbox.mode == SandboxMode::Off || sandbox.supervisor.is_none() {
        return None;
    }
    let search = Search::new(program, granted(program, sandbox));
    let lines = text.lines().rev().take(LINES);
    let found = lines.filter_map(|line| Some((line, search.denial(line)?)));
    let mut found: Vec<(&str, Denial)> = found.collect();
    // A line that names a file says more than the ones after it.
    found.sort_by_key(|(_, denial)| *denial == Denial::Unknown);
    let (line, denial) = found.into_iter().next()?;
    let shown = |path: &Path| printable(path.display().to_string());
    Some(match denial {
        Denial::Read(path) => format!(
            "The sandbox kept it from reading `{0}`: `--allow-read '{0}'` opens that (`allow_read` in a ladder.toml)",
            shown(&path)
        ),
        Denial::Import(path) => format!(
            "The sandbox kept it from reading `{}`: a folder of their own is open to a bot and its modules, and \
             `--allow-read '{}'` opens all of that folder (`allow_read` in a ladder.toml)",
            shown(&path),
            shown(path.parent().unwrap_or(&path))
        ),
        Denial::Write(path) => format!(
            "The sandbox kept it from writing `{}`: `--allow-write '{}'` opens that folder (`allow_write` in a \
             ladder.toml), and its own temporary folder, $TMPDIR, is open anyway",
            shown(&path),
            shown(path.parent().unwrap_or(&path))
        ),
        Denial::Unknown => format!(
            "The sandbox may have refused it that (`{}`): `--allow-read` and `--allow-write` open files and folders, \
             `--sandbox off` all",
            printable(line.trim())
        ),
    })
}

/// Where files are looked for.
struct Search {
    /// Where relative paths begin: the working folder, and the folders of the files on the command line.
    folders: Vec<PathBuf>,
    granted: Vec<PathBuf>,
}

impl Search {
    fn new(program: &Command, granted: Vec<PathBuf>) -> Search {
        let working = match program.get_current_dir() {
            Some(folder) => folder.to_path_buf(),
            None => std::env::current_dir().unwrap_or_default(),
        };
        let words = std::iter::once(program.get_program()).chain(program.get_args());
        let files = words
            .map(|word| working.join(word))
            .filter(|path| path.is_file());
        let beside = files.filter_map(|file| Some(file.parent()?.to_path_buf()));
        let folders = std::iter::once(working.clone()).chain(beside).collect();
        Search { folders, granted }
    }

    /// What this line says was denied, if it does.
    fn denial(&self, line: &str) -> Option<Denial> {
        let sign = sign_in(line)?;
        let mut named = candidates(line).into_iter();
        let found = named.find_map(|name| self.of_file(name, sign));
        let unclear = matches!(sign, Sign::Denied | Sign::ReadOnly | Sign::Refused);
        found.or(unclear.then_some(Denial::Unknown))
    }

    fn of_file(&self, name: &str, sign: Sign) -> Option<Denial> {
        let names = match sign {
            Sign::Module => {
                let name = name.trim_start_matches("./").replace('.', "/");
                ["", ".py", "/__init__.py", ".js", ".mjs"]
                    .map(|end| format!("{name}{end}"))
                    .to_vec()
            }
            _ => vec![name.to_string()],
        };
        let is_open = |path: &Path| self.granted.iter().any(|granted| path.starts_with(granted));
        let folders = self.folders.iter();
        let paths = folders.flat_map(|folder| names.iter().map(move |name| folder.join(name)));
        let paths: Vec<PathBuf> = paths.collect();
        if let Some(path) = paths.iter().find(|path| path.exists()) {
            let path = path.canonicalize().unwrap_or_else(|_| path.clone());
            return match (is_open(&path), sign) {
                (false, Sign::Module) => Some(Denial::Import(path)),
                (false, _) => Some(Denial::Read(path)),
                (true, Sign::Denied | Sign::ReadOnly) => Some(Denial::Write(path)),
                (true, _) => None,
            };
        }
        // A file that was to be created, perhaps in a folder that the bot does not see.
        let path = paths.into_iter().next()?;
        let folder = path.parent()?.canonicalize().ok()?;
        let created = match sign {
            Sign::Denied | Sign::ReadOnly => true,
            Sign::Missing => name.starts_with('/') && !is_open(&folder),
            Sign::Module | Sign::Refused => false,
        };
        created.then(|| Denial::Write(folder.join(path.file_name().unwrap_or_default())))
    }
}

/// What may be the name of a file in a line, the likeliest first: what stands in quotes, then, from the end, words that
/// look like one.
fn candidates(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for quote in ['\'', '"', '`'] {
        found.extend(line.split(quote).skip(1).step_by(2));
    }
    let words = line.split_whitespace().rev();
    let trimmed = words.map(|word| word.trim_matches(|letter: char| "():;,'\"`".contains(letter)));
    found.extend(trimmed.filter(|word| word.contains(['.', '/']) || Path::new(word).is_file()));
    found.retain(|name| !name.is_empty() && sign_in(name).is_none());
    found
}

/// What a runtime's message tells in it, if it is one.
fn sign_in(text: &str) -> Option<Sign> {
    let lower = text.to_lowercase();
    let found = SIGNS.iter().find(|(words, _)| lower.contains(words));
    found.map(|&(_, sign)| sign)
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
        ] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
            std::fs::write(root.join(folder).join(file), "").unwrap();
        }
        Search {
            folders: vec![root.join("own"), root.join("other")],
            granted: vec![root.join("own"), "/usr".into()],
        }
    }

    #[test]
    fn what_runtimes_write_of_a_refused_file_is_understood() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let search = search(&root);
        let (log, weights) = (root.join("own/bot.log"), root.join("other/weights.bin"));
        let module = root.join("other/helper.py");
        for (line, denial) in [
            (
                "PermissionError: [Errno 13] Permission denied: 'bot.log'",
                Denial::Write(log.clone()),
            ),
            (
                "Error: EACCES: permission denied, open 'bot.log'",
                Denial::Write(log.clone()),
            ),
            (
                "sh: 1: cannot create bot.log: Permission denied",
                Denial::Write(log.clone()),
            ),
            (
                "java.io.FileNotFoundException: bot.log (Permission denied)",
                Denial::Write(log.clone()),
            ),
            (
                "OSError: [Errno 30] Read-only file system: 'bot.log'",
                Denial::Write(log),
            ),
            (
                "../other/weights.bin: No such file or directory",
                Denial::Read(weights.clone()),
            ),
            (
                "[Errno 2] No such file or directory: '../other/weights.bin'",
                Denial::Read(weights),
            ),
            (
                "ModuleNotFoundError: No module named 'helper'",
                Denial::Import(module),
            ),
            (
                "PermissionError: [Errno 1] Operation not permitted",
                Denial::Unknown,
            ),
            (
                "Os { code: 13, kind: PermissionDenied, message: \"Permission denied\" }",
                Denial::Unknown,
            ),
        ] {
            assert_eq!(search.denial(line), Some(denial), "{line}");
        }
    }

    #[test]
    fn other_failures_are_not_the_sandboxs() {
        let folder = tempfile::tempdir().unwrap();
        let search = search(&folder.path().canonicalize().unwrap());
        for line in [
            "IndexError: list index out of range",
            "FileNotFoundError: [Errno 2] No such file or directory: 'weights.bin.old'",
            "ModuleNotFoundError: No module named 'numpy'",
            "cannot open bot.py: No such file or directory",
        ] {
            assert_eq!(search.denial(line), None, "{line}");
        }
    }
}
