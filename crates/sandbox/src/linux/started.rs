//! What a program may read because its command starts it without naming a file: the interpreter of a script, the class
//! path of `java`, the folder of `node .`, the modules of `python3 -m`, and the folder that a `sh -c` changes into.
//!
//! The caller's home may contain anything. So only folders below the one that the program is started in belong to it,
//! and none if that is the home or contains it.

use super::folders::{folder_of, is_installed, is_shared, program_paths};
use super::message::SpawnRequest;
use crate::entry::{Entry, EntryKind, entries, shebang};
use std::path::{Path, PathBuf};

/// All such paths, for a program that is started in this folder.
pub(super) fn paths(request: &SpawnRequest, place: &Path, shared: &[PathBuf]) -> Vec<PathBuf> {
    let words = request.program.iter().chain(&request.arguments);
    let words: Vec<String> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let mut started = entries(&words, place);
    let scripts: Vec<PathBuf> = programs(&started).map(Path::to_path_buf).collect();
    for script in scripts {
        started.extend(entries(&shebang(&script), place));
    }
    let installed = programs(&started).filter(|program| is_installed(program));
    let installed = installed.flat_map(|program| program_paths(program, false, shared));
    let mut paths: Vec<PathBuf> = installed.collect();
    let Some(below) = place.canonicalize().ok().filter(|place| !holds_home(place)) else {
        return paths;
    };
    let is_below = |path: &PathBuf| {
        path.canonicalize()
            .is_ok_and(|path| path.starts_with(&below))
    };
    let own = started.iter().flat_map(|entry| own_paths(entry, shared));
    paths.extend(own.filter(is_below));
    paths
}

/// The programs among them that were found.
fn programs(entries: &[Entry]) -> impl Iterator<Item = &Path> {
    let programs = entries
        .iter()
        .filter(|entry| entry.kind == EntryKind::Program);
    programs.filter_map(Entry::found)
}

/// The folders that an entry is loaded from; only its files if the folders are shared.
fn own_paths(entry: &Entry, shared: &[PathBuf]) -> Vec<PathBuf> {
    let found = entry.found().map(|file| folder_of(file, shared));
    let roots = entry.roots.iter().map(|root| match root.is_file() {
        true => folder_of(root, shared),
        false => root.clone(),
    });
    let is_own = |path: &PathBuf| !is_shared(path, shared);
    match entry.kind {
        EntryKind::Program | EntryKind::Script => found.into_iter().filter(is_own).collect(),
        _ => roots.filter(is_own).collect(),
    }
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
