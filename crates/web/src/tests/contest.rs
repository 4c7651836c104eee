//! A contest with a viewer, for tests: the build folder of its referee.

use super::records::external_record;
use crownhead_record::{GameRecord, RefereeRecord};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::Path;
use tempfile::TempDir;

/// The files of the contest's viewer, by their names below its folder.
pub(crate) const FILES: [(&str, &str); 4] = [
    ("config.js", "export const modules = []"),
    ("core/Drawer.js", "export class Drawer {}"),
    ("lib/pixi6.js", "window.PIXI6 = {}"),
    ("player.html", "<p>player"),
];

/// A folder with a referee and its viewer, in `race`.
pub(crate) struct TestContest(TempDir);

impl TestContest {
    pub(crate) fn new() -> TestContest {
        let contest = TestContest(tempfile::tempdir().unwrap());
        contest.write("com/codingame/gameengine/core/RefereeMain.class", "");
        for (name, text) in FILES {
            contest.write(&format!("view/{name}"), text);
        }
        contest
    }

    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    /// Changes a file of the referee.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.folder().join("race").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// A game of three players, judged by the present referee.
    pub(crate) fn game(&self) -> GameRecord {
        let mut record = external_record();
        let referee = record.referee.as_mut().unwrap();
        referee.command = self.folder().join("race").to_str().unwrap().into();
        referee.hash = self.hash();
        record
    }

    pub(crate) fn referee(&self) -> RefereeRecord {
        self.game().referee.unwrap()
    }

    fn hash(&self) -> String {
        let mut hasher = Sha256::new();
        add_folder(&self.folder().join("race"), &mut hasher);
        let mut hash = String::new();
        for byte in &hasher.finalize()[..8] {
            write!(hash, "{byte:02x}").unwrap();
        }
        hash
    }
}

/// Adds each file of a folder with its name, as records of games do.
fn add_folder(folder: &Path, hasher: &mut Sha256) {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        add(path.file_name().unwrap().as_encoded_bytes(), hasher);
        if path.is_dir() {
            add_folder(&path, hasher);
        } else {
            add(&std::fs::read(&path).unwrap(), hasher);
        }
    }
}

fn add(bytes: &[u8], hasher: &mut Sha256) {
    hasher.update((bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}
