//! Whether a bot failed because its sandbox denied it something: what its standard error says of it, in a sentence
//! with the option that opens it.
//!
//! A bot cannot tell a sandbox from a file that is not there, and often says neither. So the last lines it has written
//! are searched for what runtimes write when a call was refused, and the file they name is looked for where the
//! referee sees it. Pure text and a look at the file system; leaves out what a bot may do, which the sandbox knows.

use super::unstartable::words_of;
use crownhead_record::text::printable;
use crownhead_sandbox::{NamedFiles, Sandbox, SandboxMode, entries, granted, is_shared_folder};
use rustix::fs::Access;
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
    ("can't cd to", Sign::Missing),
    ("not found", Sign::Missing),
    ("unable to access jarfile", Sign::Missing),
    ("no module named", Sign::Module),
    ("cannot find module", Sign::Module),
    ("could not find or load main class", Sign::Class),
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
    /// The same of a class of Java.
    Class,
    /// A call that has nothing to do with files.
    Refused,
}

/// What runtimes call what writes a file, in their stacks and messages.
const WRITES: [&str; 21] = [
    "'w'",
    "\"w\"",
    "'a'",
    "\"a\"",
    "'wb'",
    "\"wb\"",
    "'ab'",
    "\"ab\"",
    "'x'",
    "w+",
    "a+",
    "mkdir",
    "cannot create",
    "writefile",
    "appendfile",
    "writestream",
    "fileoutputstream",
    "filewriter",
    "printwriter",
    "ofstream",
    "filehandler",
];

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
    let lines: Vec<&str> = text.lines().rev().take(LINES).collect();
    let search = Search::new(program, granted(program, sandbox), &lines);
    let found = lines
        .iter()
        .filter_map(|line| Some((line, search.denial(line)?)));
    // A bot that runs in a folder of its own sees that where others see the one for temporary files.
    let own = (sandbox.named != NamedFiles::Folders).then(std::env::temp_dir);
    let is_own =
        |denial: &Denial| matches!(denial, Denial::Read(path) if Some(path) == own.as_ref());
    let mut found: Vec<(&&str, Denial)> = found.filter(|(_, denial)| !is_own(denial)).collect();
    // A line that names a file says more than the ones after it.
    found.sort_by_key(|(_, denial)| *denial == Denial::Unknown);
    let (line, denial) = found.into_iter().next()?;
    let shown = |path: &Path| printable(path.display().to_string());
    Some(match denial {
        Denial::Read(path) if is_shared_folder(&path) => format!(
            "The sandbox kept it from reading `{0}`: a folder of its own is open to a bot, and `--allow-read '{0}'` opens \
             all of that folder (`allow_read` in a ladder.toml)",
            shown(&path)
        ),
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
    /// Where relative paths begin: the working folder, the folders of the files on the command line, and those that it
    /// loads from.
    folders: Vec<PathBuf>,
    /// Where classes of Java are looked for.
    roots: Vec<PathBuf>,
    granted: Vec<PathBuf>,
    /// What the command itself names: that is read.
    named: Vec<PathBuf>,
    /// Whether the bot's words tell of something that writes.
    writes: bool,
}

impl Search {
    fn new(program: &Command, granted: Vec<PathBuf>, lines: &[&str]) -> Search {
        let (working, words) = words_of(program);
        let files = words.iter().map(|word| working.join(word));
        let files: Vec<PathBuf> = files.filter(|path| path.is_file()).collect();
        let started = entries(&words, &working);
        let roots = started.iter().flat_map(|entry| entry.roots.iter().cloned());
        let roots: Vec<PathBuf> = roots.collect();
        let beside = files
            .iter()
            .filter_map(|file| Some(file.parent()?.to_path_buf()));
        let folders = std::iter::once(working.clone())
            .chain(beside)
            .chain(roots.clone());
        let folders = folders.collect();
        let named = started.into_iter().flat_map(|entry| entry.files);
        let named = named
            .chain(files)
            .filter_map(|path| path.canonicalize().ok());
        Search {
            folders,
            roots,
            granted,
            named: named.collect(),
            writes: lines.iter().any(|line| tells_of_writing(line)),
        }
    }

    /// What this line says was denied, if it does.
    fn denial(&self, line: &str) -> Option<Denial> {
        let sign = sign_in(line)?;
        let named = candidates(line, sign);
        // A file that is named and was not denied says itself what is wrong.
        let is_known = |name: &&str| {
            name.starts_with('/') || self.paths_of(name, sign).iter().any(|path| path.exists())
        };
        let is_explained = named.iter().any(is_known);
        let found = named.into_iter().find_map(|name| self.of_file(name, sign));
        let is_unclear = match sign {
            Sign::Denied | Sign::ReadOnly => !is_explained,
            Sign::Refused => true,
            _ => false,
        };
        found.or(is_unclear.then_some(Denial::Unknown))
    }

    /// Where a file of this name may lie.
    fn paths_of(&self, name: &str, sign: Sign) -> Vec<PathBuf> {
        let names = match sign {
            Sign::Module if !name.contains('/') => {
                let name = name.replace('.', "/");
                ["", ".py", "/__init__.py", ".js", ".mjs"]
                    .map(|end| format!("{name}{end}"))
                    .to_vec()
            }
            Sign::Class => vec![format!("{}.class", name.replace('.', "/"))],
            _ => vec![name.to_string()],
        };
        let folders = match sign {
            Sign::Class => self.roots.iter(),
            _ => self.folders.iter(),
        };
        let paths = folders.flat_map(|folder| names.iter().map(move |name| folder.join(name)));
        paths.collect()
    }

    fn of_file(&self, name: &str, sign: Sign) -> Option<Denial> {
        let is_open = |path: &Path| self.granted.iter().any(|granted| path.starts_with(granted));
        let paths = self.paths_of(name, sign);
        if let Some(path) = paths.iter().find(|path| path.exists()) {
            let root = self.roots.iter().find(|root| path.starts_with(root));
            let path = path.canonicalize().unwrap_or_else(|_| path.clone());
            return match (is_open(&path), sign) {
                // Outside of the sandbox it could not be read either.
                (false, _) if !is_allowed(&path, Access::READ_OK) => None,
                (false, Sign::Module) if path.is_file() => Some(Denial::Import(path)),
                (false, Sign::Class) => Some(Denial::Read(root?.canonicalize().ok()?)),
                (false, _) => Some(Denial::Read(path)),
                (true, Sign::Denied | Sign::ReadOnly) => self.written(path),
                (true, _) => None,
            };
        }
        // A file that was to be created, perhaps in a folder that the bot does not see.
        let path = paths.into_iter().next()?;
        let folder = path.parent()?.canonicalize().ok()?;
        let path = folder.join(path.file_name()?);
        let is_created = match sign {
            Sign::Denied | Sign::ReadOnly => true,
            Sign::Missing => self.writes && name.starts_with('/') && !is_open(&folder),
            Sign::Module | Sign::Class | Sign::Refused => false,
        };
        is_created.then(|| self.written(path)).flatten()
    }

    /// A file that a bot was kept from writing: not what its command names, which is read, and nothing that the referee
    /// itself could not write.
    fn written(&self, path: PathBuf) -> Option<Denial> {
        let is_read = self.named.contains(&path) && !self.writes;
        let may_write = is_allowed(path.parent()?, Access::WRITE_OK);
        (!is_read && !path.is_dir() && may_write).then_some(Denial::Write(path))
    }
}

/// Whether the referee itself may do this.
fn is_allowed(path: &Path, access: Access) -> bool {
    rustix::fs::access(path, access).is_ok()
}

fn tells_of_writing(line: &str) -> bool {
    let lower = line.to_lowercase();
    WRITES.iter().any(|word| lower.contains(word))
}

/// What may be the name of a file in a line, the likeliest first: what stands in quotes, then, from the end, words that
/// look like one.
fn candidates(line: &str, sign: Sign) -> Vec<&str> {
    if let Some(name) = named_behind(line, sign) {
        return vec![name];
    }
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

/// The module, class or folder that stands behind the words of a message without quotes.
fn named_behind(line: &str, sign: Sign) -> Option<&str> {
    let behind = |words: &str| Some(line.split_once(words)?.1);
    let name = match sign {
        Sign::Module => behind("No module named ")?,
        Sign::Class => behind("load main class ")?,
        Sign::Missing => {
            let of_bash = || behind(" cd: ")?.strip_suffix(": No such file or directory");
            return behind("can't cd to ").or_else(of_bash).map(str::trim);
        }
        _ => return None,
    };
    let word = name.split_whitespace().next()?;
    Some(word.trim_matches(|letter: char| "()\"';,".contains(letter)))
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
            ("other/my", "Bot.class"),
        ] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
            std::fs::write(root.join(folder).join(file), "").unwrap();
        }
        Search {
            folders: vec![root.join("own"), root.join("other")],
            granted: vec![root.join("own"), "/usr".into()],
            roots: vec![root.join("other")],
            named: vec![root.join("own/bot.py")],
            writes: false,
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
    fn what_runtimes_write_of_a_refused_file_is_understood() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let search = search(&root);
        let (log, weights) = (root.join("own/bot.log"), root.join("other/weights.bin"));
        let (other, module) = (root.join("other"), root.join("other/helper.py"));
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
                Denial::Import(module.clone()),
            ),
            (
                "/usr/bin/python3: No module named helper",
                Denial::Import(module.clone()),
            ),
            (
                "Error: Could not find or load main class my.Bot",
                Denial::Read(other.clone()),
            ),
            (
                "sh: 1: cd: can't cd to ../other",
                Denial::Read(other.clone()),
            ),
            (
                "bash: line 1: cd: ../other: No such file or directory",
                Denial::Read(other),
            ),
            (
                "Error while finding module specification for 'helper.x' (ModuleNotFoundError: No module named 'helper')",
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

    #[test]
    fn a_file_that_is_not_there_was_to_be_created_only_if_its_bot_writes() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let mut search = search(&root);
        let log = root.join("other/bot.log");
        let line = format!("No such file or directory: '{}'", log.display());
        assert_eq!(search.denial(&line), None);
        search.writes = tells_of_writing("    log = open(path, 'a')");
        assert_eq!(search.denial(&line), Some(Denial::Write(log)));
    }
}
