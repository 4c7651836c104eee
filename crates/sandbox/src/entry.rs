//! Finds what a command starts: an interpreter's script, a module, a class or a folder, also behind `env`; and the files
//! and folders that the code of a `sh -c` names.
//!
//! Works on text and looks at the file system, the same on every system. Does not decide what a program may read.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Something that a command starts, or a folder that its code names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// What it is.
    pub kind: EntryKind,
    /// Its spelling in the command.
    pub name: String,
    /// Where to look for it, the likeliest place first.
    pub files: Vec<PathBuf>,
    /// The folders and archives that it is loaded from.
    pub roots: Vec<PathBuf>,
}

/// What a command starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryKind {
    /// A program; an interpreter is one, too.
    Program,
    /// An interpreter's file, or for some interpreters a folder.
    Script,
    /// A module of Python.
    Module,
    /// A class of Java.
    Class,
    /// A folder that the code of a shell names.
    Folder,
}

impl Entry {
    fn new(kind: EntryKind, name: &str, files: Vec<PathBuf>) -> Entry {
        Entry {
            kind,
            name: name.into(),
            files,
            roots: Vec::new(),
        }
    }

    /// Whether it is a file of the bot: not an installed program, and not a folder on the way.
    pub fn is_own(&self) -> bool {
        match self.kind {
            EntryKind::Program => self.name.contains('/'),
            EntryKind::Folder => false,
            EntryKind::Script | EntryKind::Module | EntryKind::Class => true,
        }
    }

    /// The file, if it exists.
    pub fn found(&self) -> Option<&Path> {
        let is_right = |path: &&PathBuf| match self.kind {
            EntryKind::Folder => path.is_dir(),
            _ => path.is_file(),
        };
        self.files.iter().find(is_right).map(PathBuf::as_path)
    }
}

/// Programs that start another program, which follows their options, variables and numbers.
const WRAPPERS: [&str; 12] = [
    "env", "exec", "command", "nice", "nohup", "time", "timeout", "stdbuf", "taskset", "ionice",
    "chrt", "setsid",
];

/// What a command of these words starts from this folder, in order: each program, and each interpreter's script.
pub fn entries(words: &[String], place: &Path) -> Vec<Entry> {
    let mut found = Vec::new();
    let mut words = words;
    while let Some((first, rest)) = words.split_first() {
        words = rest;
        if is_variable(first) {
            continue;
        }
        found.push(program(first, place));
        if !WRAPPERS.contains(&interpreter_name(first)) {
            found.extend(given(interpreter_name(first), words, place));
            break;
        }
        let is_own = |word: &&String| word.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        words = &words[words.iter().take_while(is_own).count()..];
    }
    found
}

/// The words of a script's first line behind `#!`, the interpreter first. Empty for other files.
pub fn shebang(file: &Path) -> Vec<String> {
    // As much as the kernel reads (`BINPRM_BUF_SIZE`).
    const LONGEST: u64 = 256;
    let mut start = Vec::new();
    let read = File::open(file).and_then(|file| file.take(LONGEST).read_to_end(&mut start));
    let start = String::from_utf8_lossy(&start);
    let line = start.strip_prefix("#!").filter(|_| read.is_ok());
    let line = line.and_then(|rest| rest.split('\n').next());
    let line = line.unwrap_or_default();
    let words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    words.map(str::to_string).collect()
}

fn is_variable(word: &str) -> bool {
    let name = word.split_once('=').map_or("", |(name, _)| name);
    !name.is_empty() && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
}

/// `python` of `/usr/bin/python3.13`.
fn interpreter_name(program: &str) -> &str {
    let name = program.rsplit('/').next().unwrap_or(program);
    name.trim_end_matches(|letter: char| !letter.is_alphabetic())
}

fn program(name: &str, place: &Path) -> Entry {
    let files = if name.contains('/') {
        vec![place.join(name)]
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = std::env::split_paths(&path).map(|folder| place.join(folder).join(name));
        all.filter(|path| path.is_file()).take(1).collect()
    };
    Entry::new(EntryKind::Program, name, files)
}

/// What an interpreter of this name starts with these words.
fn given(interpreter: &str, words: &[String], place: &Path) -> Vec<Entry> {
    let one = |entry: Option<Entry>| entry.into_iter().collect();
    match interpreter {
        "sh" | "bash" | "dash" | "zsh" | "ksh" => of_shell(words, place),
        "python" | "pypy" => one(of_python(words, place)),
        "node" | "nodejs" | "deno" | "bun" | "tsx" => one(of_node(words, place)),
        "java" | "kotlin" | "scala" => one(of_java(words, place)),
        "perl" | "ruby" | "lua" | "luajit" | "php" | "mono" | "dotnet" | "Rscript" => {
            let script = first_behind_options(words, &["-I", "-r", "-l"], &["-e"]);
            one(script.map(|name| script_of(name, vec![place.join(name)])))
        }
        _ => Vec::new(),
    }
}

fn script_of(name: &str, files: Vec<PathBuf>) -> Entry {
    Entry::new(EntryKind::Script, name, files)
}

/// The first word that is neither an option nor the value of an option `with_value`. None after an option `code`, which
/// takes code instead of a file.
fn first_behind_options<'a>(
    words: &'a [String],
    with_value: &[&str],
    code: &[&str],
) -> Option<&'a str> {
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if code.contains(&word) {
            return None;
        } else if with_value.contains(&word) {
            words.next();
        } else if !word.starts_with('-') {
            return Some(word);
        }
    }
    None
}

fn of_python(words: &[String], place: &Path) -> Option<Entry> {
    let mut rest = words.iter().map(String::as_str);
    while let Some(word) = rest.next() {
        match word {
            "-W" | "-X" => drop(rest.next()),
            "-" | "-c" => return None,
            _ if !word.starts_with('-') => {
                let path = place.join(word);
                return Some(script_of(word, vec![path.join("__main__.py"), path]));
            }
            // `-um` is `-u -m`.
            _ if word.ends_with('m') && !word.starts_with("--") => {
                let name = rest.next()?;
                let module = place.join(name.replace('.', "/"));
                let files = vec![
                    module.with_added_extension("py"),
                    module.join("__main__.py"),
                    module.join("__init__.py"),
                ];
                return Some(Entry {
                    roots: vec![place.into()],
                    ..Entry::new(EntryKind::Module, name, files)
                });
            }
            _ => {}
        }
    }
    None
}

fn of_node(words: &[String], place: &Path) -> Option<Entry> {
    const WITH_VALUE: [&str; 6] = [
        "-r",
        "--require",
        "--import",
        "--loader",
        "-C",
        "--conditions",
    ];
    let words = match words.split_first() {
        Some((first, rest)) if first == "run" => rest,
        _ => words,
    };
    let name = first_behind_options(words, &WITH_VALUE, &["-e", "--eval", "-p", "--print"])?;
    let path = place.join(name);
    let mut files = vec![
        path.join("package.json"),
        path.join("index.js"),
        path.clone(),
    ];
    files.extend(["js", "json", "node"].map(|extension| path.with_added_extension(extension)));
    Some(script_of(name, files))
}

fn of_java(words: &[String], place: &Path) -> Option<Entry> {
    let mut class_path = std::env::var("CLASSPATH").unwrap_or_else(|_| ".".into());
    let mut rest = words.iter().map(String::as_str);
    while let Some(word) = rest.next() {
        match word {
            "-cp" | "-classpath" | "--class-path" => class_path = rest.next()?.into(),
            "-jar" => {
                let jar = rest.next()?;
                return Some(script_of(jar, vec![place.join(jar)]));
            }
            "-m" | "--module" => return None,
            "-p" | "--module-path" | "--add-modules" | "--add-opens" | "--add-exports"
            | "--add-reads" | "--source" => drop(rest.next()),
            _ if word.starts_with("--class-path=") => {
                class_path = word["--class-path=".len()..].into();
            }
            _ if word.starts_with('-') => {}
            _ if word.starts_with('@') => return None,
            _ if word.ends_with(".java") => return Some(script_of(word, vec![place.join(word)])),
            _ => {
                // `lib/*` stands for the archives in it.
                let roots = class_path.split(':').map(|root| root.trim_end_matches('*'));
                let roots: Vec<PathBuf> = roots.map(|root| place.join(root)).collect();
                let file = format!("{}.class", word.replace('.', "/"));
                let in_root = |root: &PathBuf| match root.is_file() {
                    // An archive may contain it.
                    true => root.clone(),
                    false => root.join(&file),
                };
                let files = roots.iter().map(in_root).collect();
                return Some(Entry {
                    roots,
                    ..Entry::new(EntryKind::Class, word, files)
                });
            }
        }
    }
    None
}

fn of_shell(words: &[String], place: &Path) -> Vec<Entry> {
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "-o" | "-O" => drop(rest.next()),
            // `-ec` is `-e -c`.
            _ if word.starts_with('-') && !word.starts_with("--") && word.ends_with('c') => {
                return rest
                    .next()
                    .map_or(Vec::new(), |code| of_shell_code(code, place));
            }
            _ if word.starts_with(['-', '+']) => {}
            _ => return vec![script_of(word, vec![place.join(word)])],
        }
    }
    Vec::new()
}

/// The files, folders and programs that a shell's code names and that exist.
fn of_shell_code(code: &str, place: &Path) -> Vec<Entry> {
    let entry = |word: &str| {
        let path = place.join(word);
        if path.is_dir() {
            return Entry {
                roots: vec![path.clone()],
                ..Entry::new(EntryKind::Folder, word, vec![path])
            };
        }
        match path.is_file() && !word.contains('/') {
            true => Entry::new(EntryKind::Script, word, vec![path]),
            false => program(word, place),
        }
    };
    let words = shlex::split(code).unwrap_or_default();
    let words = words
        .iter()
        .map(|word| word.trim_matches([';', '|', '&', '(', ')']))
        .filter(|word| !word.is_empty());
    words
        .map(entry)
        .filter(|entry| entry.found().is_some())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What this command starts, in words.
    fn told(command: &str) -> Vec<String> {
        let words = shlex::split(command).unwrap();
        let place = Path::new("/bots");
        let told = entries(&words, place).into_iter().filter_map(|entry| {
            let at = entry.roots.first().or(entry.files.first());
            let at = at
                .map(|path| path.display().to_string())
                .unwrap_or_default();
            let is_installed = entry.kind == EntryKind::Program && !entry.name.contains('/');
            (!is_installed).then(|| format!("{:?} {} {at}", entry.kind, entry.name))
        });
        told.collect()
    }

    #[test]
    fn the_script_module_class_or_folder_is_found_behind_options() {
        for (command, expected) in [
            ("./bot --fast", "Program ./bot /bots/./bot"),
            ("perl -w x.pl bott", "Script x.pl /bots/x.pl"),
            (
                "/usr/bin/env -S nice -n 5 ruby x.rb",
                "Program /usr/bin/env /usr/bin/env",
            ),
            (
                "python3.13 -u -W ignore -m pkg.mod 3",
                "Module pkg.mod /bots",
            ),
            ("python3 -um good", "Module good /bots"),
            ("java -Xmx64m -cp a:b -ea Player x", "Class Player /bots/a"),
            ("java --class-path=/opt/x my.Bot", "Class my.Bot /opt/x"),
            ("java -Dx=1 -jar x.jar", "Script x.jar /bots/x.jar"),
            (
                "node --max-old-space-size=9 -r ./early .",
                "Script . /bots/./package.json",
            ),
            ("bash -o pipefail run.sh", "Script run.sh /bots/run.sh"),
        ] {
            assert_eq!(
                told(command).first().map(String::as_str),
                Some(expected),
                "{command}"
            );
        }
        for nothing in [
            "python3 -c 'pass' x.py",
            "node -e 1 x.js",
            "mybot x.py",
            "sh -c",
            "java -m a/b",
        ] {
            assert_eq!(told(nothing), [""; 0], "{nothing}");
        }
    }

    #[test]
    fn what_the_code_of_a_shell_names_is_found_if_it_exists() {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("A B")).unwrap();
        for file in ["bot.js", "run"] {
            std::fs::write(place.path().join(file), "").unwrap();
        }
        let code = r#"cd "A B"; cd ..; (./run 2>&1 | tee x); X=1 node bot.js "$@" && cd $HOME"#;
        let words = ["sh", "-ec", code].map(String::from);
        let own = entries(&words, place.path()).into_iter().filter(|entry| {
            // Not the installed ones, such as `sh`.
            entry.kind != EntryKind::Program || entry.is_own()
        });
        let found: Vec<_> = own.map(|entry| (entry.kind, entry.name)).collect();
        let expected = [
            (EntryKind::Folder, "A B".into()),
            (EntryKind::Folder, "..".into()),
            (EntryKind::Program, "./run".into()),
            (EntryKind::Script, "bot.js".into()),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn the_first_line_of_a_script_names_its_interpreter() {
        let file = std::env::temp_dir().join(format!("shebang-{}", std::process::id()));
        let of = |text: &str| {
            std::fs::write(&file, text).unwrap();
            shebang(&file)
        };
        let found = [
            of("#! /usr/bin/env python3\nprint()"),
            of("#!/bin/sh\r\necho"),
            of("echo"),
            of(""),
        ];
        std::fs::remove_file(&file).unwrap();
        let expected: [&[&str]; 4] = [&["/usr/bin/env", "python3"], &["/bin/sh\r"], &[], &[]];
        assert_eq!(found, expected);
    }
}
