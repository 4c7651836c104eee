//! What a program may read because its command names it in other ways than as a file: the interpreter of a script, the
//! folders in a class path, the folder of `node .`, the modules of `python3 -m`, and what the code of a `sh -c` names.
//!
//! One rule for all interpreters: each word that is a file or a folder opens that folder. The caller's home may contain
//! anything. So only folders below the one that the program is started in belong to it, and none if that is the home or
//! contains it.

use super::folders::{folder_of, is_installed, is_shared, program_paths};
use super::message::SpawnRequest;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// All such paths, for a program that is started in this folder.
pub(super) fn paths(request: &SpawnRequest, place: &Path, shared: &[PathBuf]) -> Vec<PathBuf> {
    let mut words = words_of(request);
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    let program = |word: &String| program(word, place, &folders);
    let mut programs: Vec<PathBuf> = words.iter().filter_map(program).collect();
    let interpreters: Vec<String> = programs.iter().flat_map(|file| shebang(file)).collect();
    programs.extend(interpreters.iter().filter_map(program));
    words.extend(interpreters);
    let installed = programs.iter().filter(|program| is_installed(program));
    let installed = installed.flat_map(|program| program_paths(program, false, shared));
    let mut paths: Vec<PathBuf> = installed.collect();
    let Some(below) = place.canonicalize().ok().filter(|place| !holds_home(place)) else {
        return paths;
    };
    let is_below = |path: &PathBuf| {
        let real = path.exists().then(|| path.canonicalize());
        real.is_some_and(|real| real.is_ok_and(|real| real.starts_with(&below)))
    };
    // A class path names several, and `lib/*` stands for the archives in `lib`.
    let parts = words.iter().flat_map(|word| {
        let word = word.strip_prefix("--class-path=").unwrap_or(word);
        word.split(':').map(|part| part.trim_end_matches('*'))
    });
    let named = parts.filter(|part| !part.is_empty());
    let named = named.map(|part| place.join(part));
    let named: Vec<PathBuf> = named.filter(is_below).collect();
    let own: Vec<PathBuf> = if named.is_empty() && words.iter().any(|word| is_module(word, place)) {
        vec![place.into()]
    } else {
        let folder = |path: PathBuf| match path.is_dir() {
            true => path,
            false => folder_of(&path, shared),
        };
        named.into_iter().map(folder).collect()
    };
    paths.extend(own.into_iter().filter(|path| !is_shared(path, shared)));
    paths
}

/// The words of the command, and of the code in it.
fn words_of(request: &SpawnRequest) -> Vec<String> {
    let words = request.program.iter().chain(&request.arguments);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    let mut words: Vec<String> = words.collect();
    let is_code = |word: &&String| word.contains(char::is_whitespace);
    let code = words.iter().filter(is_code);
    let code = code.flat_map(|code| shlex::split(code).unwrap_or_default());
    let in_code = code.map(|word| word.trim_matches([';', '|', '&', '(', ')']).to_string());
    // The code may have changed to another folder before it names `.`.
    let is_named = |word: &String| !word.trim_matches('.').is_empty();
    let in_code: Vec<String> = in_code.filter(is_named).collect();
    words.extend(in_code);
    words
}

/// The program that a word names by its path, or that is installed under its name in one of these folders.
fn program(name: &str, place: &Path, folders: &[PathBuf]) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(place.join(name)).filter(|path| path.is_file());
    }
    // An option is no program.
    let folders = folders.iter().filter(|_| !name.starts_with('-'));
    let mut paths = folders.map(|folder| place.join(folder).join(name));
    paths.find(|path| path.is_file())
}

/// Whether a word names a module or a class in this folder, without its ending.
fn is_module(word: &str, place: &Path) -> bool {
    let path = place.join(word.replace('.', "/"));
    let files = ["py", "class", "js"].map(|ending| path.with_added_extension(ending));
    files.iter().any(|file| file.is_file()) || path.join("__main__.py").is_file()
}

/// The words of a script's first line behind `#!`, the interpreter first. Empty for other files.
fn shebang(file: &Path) -> Vec<String> {
    // As much as the kernel reads (`BINPRM_BUF_SIZE`).
    const LONGEST: u64 = 256;
    let mut start = Vec::new();
    let read = File::open(file).and_then(|file| file.take(LONGEST).read_to_end(&mut start));
    let start = String::from_utf8_lossy(&start);
    let line = start.strip_prefix("#!").filter(|_| read.is_ok());
    let line = line
        .and_then(|rest| rest.lines().next())
        .unwrap_or_default();
    line.split_whitespace().map(str::to_string).collect()
}

/// Whether this is a home or contains one.
fn holds_home(place: &Path) -> bool {
    let [root, homes] = ["/root", "/home"].map(Path::new);
    let own = std::env::home_dir().and_then(|home| home.canonicalize().ok());
    let is_above = |home: &Path| home.starts_with(place);
    is_above(root)
        || is_above(homes)
        || place.parent() == Some(homes)
        || own.is_some_and(|own| is_above(&own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    #[test]
    fn what_a_command_names_in_its_folder_is_its_own_and_nothing_else_is() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("work");
        for folder in ["a", "A B", "js", "pkg", "sub"] {
            std::fs::create_dir_all(place.join(folder)).unwrap();
        }
        for file in [
            "good.py",
            "pkg/mod.py",
            "a/Player.class",
            "sub/run",
            "../secret",
        ] {
            std::fs::write(place.join(file), "").unwrap();
        }
        let own = |command: &[&str]| -> Vec<PathBuf> {
            let mut words = command.iter().map(OsString::from);
            let request = SpawnRequest {
                program: words.next(),
                arguments: words.collect(),
                ..SpawnRequest::default()
            };
            let paths = paths(&request, &place, &[]).into_iter();
            let mut own: Vec<_> = paths.filter(|path| path.starts_with(&place)).collect();
            own.dedup();
            own
        };
        for (command, opened) in [
            (&["python3", "-um", "good"][..], &[""][..]),
            (&["env", "X=1", "python3", "-m", "pkg.mod"], &[""]),
            (&["java", "-cp", "b:a", "Player"], &["a"]),
            (&["java", "--class-path=a", "Player"], &["a"]),
            (&["js/none", "read=good.py"], &[]),
            (&["node", "js"], &["js"]),
            (&["node", "."], &["."]),
            (&["sub/run", "good"], &["sub"]),
            (
                &["sh", "-ec", "cd 'A B'; (cd js && node .)"],
                &["A B", "js"],
            ),
            (&["sh", "-c", "cd ..; cat secret ../secret"], &[]),
            (&["python3", "-c", "pass", "none"], &[]),
        ] {
            let opened: Vec<PathBuf> = opened.iter().map(|name| place.join(name)).collect();
            assert_eq!(own(command), opened, "{command:?}");
        }
    }

    #[test]
    fn the_first_line_of_a_script_names_its_interpreter() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let of = |text: &str| {
            std::fs::write(file.path(), text).unwrap();
            shebang(file.path())
        };
        assert_eq!(
            of("#! /usr/bin/env python3\nprint()"),
            ["/usr/bin/env", "python3"]
        );
        assert_eq!(of("echo"), [""; 0]);
    }
}
