//! The file that shows a run's games under way to other programs: `playing-PID.json` in the ladder's folder, one for
//! each run.
//!
//! While a run plays, a thread that times no turn rewrites the file and holds a lock on it. A file without a lock was
//! left by a run that has ended. Runs and workers on other machines are not visible here; their games appear when the
//! pair is stored.

use crownhead_arena::runner::{LiveRun, RunSnapshot};
use crownhead_sandbox::{is_locked, try_lock};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::Scope;
use std::time::Duration;
use tempfile::NamedTempFile;

const PREFIX: &str = "playing-";
const SUFFIX: &str = ".json";

/// Interval between two writes; the games need the machine more than their viewers.
const INTERVAL: Duration = Duration::from_millis(500);

/// Writes the file until it is dropped.
pub(super) struct LiveFile {
    /// Dropped to end the writing.
    _end: Sender<()>,
}

impl LiveFile {
    /// Starts writing the state of `run` into a ladder's folder. If that fails, the games are played all the same.
    pub(super) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        folder: &'scope Path,
        run: &'scope LiveRun,
    ) -> LiveFile {
        let (end, ended) = channel();
        scope.spawn(move || {
            remove_left(folder);
            let path = folder.join(format!("{PREFIX}{}{SUFFIX}", std::process::id()));
            let (mut written, mut held) = (RunSnapshot::default(), None);
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let now = run.snapshot();
                if now == written {
                    continue;
                }
                // Not every system replaces a file that is open.
                let file = write(&path, &now).or_else(|_| {
                    held = None;
                    write(&path, &now)
                });
                if let Ok(file) = file {
                    (written, held) = (now, Some(file));
                }
            }
            if held.is_some() {
                let _ = std::fs::remove_file(&path);
            }
        });
        LiveFile { _end: end }
    }
}

/// The file with its lock.
fn write(path: &Path, run: &RunSnapshot) -> io::Result<File> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(&serde_json::to_vec(run)?)?;
    try_lock(file.as_file())?;
    Ok(file.persist(path)?)
}

/// Removes the files of runs that are gone.
fn remove_left(folder: &Path) {
    for path in files(folder) {
        if File::open(&path).is_ok_and(|file| !is_locked(&file)) {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// The state of this machine's runs of the ladder in this folder; the lock of an ended run is free.
pub fn live_runs(folder: &Path) -> Vec<RunSnapshot> {
    let runs = files(folder).into_iter().filter_map(|path| {
        let file = File::open(path).ok().filter(is_locked)?;
        serde_json::from_reader(file).ok()
    });
    runs.collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let is_live = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX))
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(is_live);
    paths.sort_unstable();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_arena::runner::RunProgress;

    #[test]
    fn a_run_is_seen_while_it_holds_its_file_which_alone_is_removed_when_it_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("playing-1.json");
        let run = RunSnapshot {
            progress: RunProgress {
                unit: "pairs".into(),
                done: 29,
                all: 60,
                sprt: None,
            },
            games: Vec::new(),
        };
        let first = write(&path, &run).unwrap();
        let second = write(&path, &run).unwrap();
        drop(first);
        assert_eq!(live_runs(folder.path()), [run]);
        drop(second);
        assert!(path.exists());
        assert_eq!(live_runs(folder.path()), []);
        // Other files of people stay.
        let others =
            ["bots.json", "playing-1.json.bak", "notes"].map(|name| folder.path().join(name));
        for other in &others {
            std::fs::write(other, "").unwrap();
        }
        remove_left(folder.path());
        assert!(!path.exists());
        assert!(others.iter().all(|other| other.exists()));
    }
}
