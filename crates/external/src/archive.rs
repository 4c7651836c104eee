//! Makes a Java referee start faster, with an archive of the classes that a game loads ("JEP 350: Dynamic CDS
//! Archives", Java 13 and later).
//!
//! An archive is kept in the user's cache folder, under a hash of the jars, their paths and the Java that made it. One
//! game without bots makes it, in a temporary file that is renamed when it is complete, so that processes do not
//! collide. Without an archive, Java starts normally.

use crate::engine::Engine;
use crate::hash::{add_part, hex};
use crate::java::{Classes, Launch};
use crate::process::{Ended, Process, SILENCE, Wait};
use crate::{RefereeError, Step};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::UNIX_EPOCH;
use std::time::{Duration, Instant};

/// How many archives are kept: the newest ones. Each has about 20 MB.
const KEPT: usize = 8;

/// The arguments that make Java use the archive of these classes, whose hash is `hash`. If there is no archive, it is
/// made. `engine` is a game of theirs. No arguments if an archive is impossible: Java makes none of folders.
pub(crate) fn arguments(
    launch: &Launch,
    classes: &Classes,
    hash: &str,
    engine: Engine,
) -> Vec<OsString> {
    let place = Place::of(&launch.program, &classes.path, hash);
    let archive =
        place.and_then(|place| place.find().or_else(|| make(launch, &place, engine).ok()));
    archive.map_or(Vec::new(), |archive| {
        vec![
            "-Xshare:auto".into(),
            // A damaged archive costs only the time that it would save.
            "-XX:+VerifySharedSpaces".into(),
            option("SharedArchiveFile", &archive),
        ]
    })
}

fn option(name: &str, file: &Path) -> OsString {
    let mut option = OsString::from(format!("-XX:{name}="));
    option.push(file);
    option
}

/// The place of an archive.
struct Place {
    folder: PathBuf,
    file: PathBuf,
}

impl Place {
    /// The place of these jars' archive (XDG Base Directory Specification 0.8, `XDG_CACHE_HOME`). Java refuses it if a
    /// jar was moved or changed, and if it is another Java.
    fn of(java: &Path, jars: &[PathBuf], hash: &str) -> Option<Place> {
        let mut hasher = Sha256::new();
        add_part(&mut hasher, hash.as_bytes());
        let java = java.canonicalize().ok()?;
        for file in [&java].into_iter().chain(jars) {
            let metadata = fs::metadata(file).ok().filter(Metadata::is_file)?;
            let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
            add_part(&mut hasher, file.as_os_str().as_encoded_bytes());
            add_part(&mut hasher, &modified.as_nanos().to_le_bytes());
            add_part(&mut hasher, &metadata.len().to_le_bytes());
        }
        let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let cache = cache.filter(|path| path.is_absolute());
        let cache = cache.or_else(|| Some(std::env::home_dir()?.join(".cache")))?;
        let folder = cache.join("crownhead/referees");
        let file = folder.join(format!("{}.jsa", &hex(&hasher.finalize())[..16]));
        Some(Place { folder, file })
    }

    /// The archive in this place.
    fn find(&self) -> Option<PathBuf> {
        self.file.is_file().then(|| self.file.clone())
    }
}

/// Makes an archive.
fn make(launch: &Launch, place: &Place, engine: Engine) -> Result<PathBuf, RefereeError> {
    let failed = |error| RefereeError::Io {
        name: place.folder.display().to_string(),
        error,
    };
    fs::create_dir_all(&place.folder).map_err(failed)?;
    let part = place.file.with_extension(std::process::id().to_string());
    let played = play(launch, &part, engine);
    let kept = played.and_then(|()| fs::rename(&part, &place.file).map_err(failed));
    let _ = fs::remove_file(&part);
    kept?;
    prune(&place.folder).map_err(failed)?;
    Ok(place.file.clone())
}

/// The longest time of the game that makes an archive.
const LONGEST: Duration = Duration::from_secs(20);

/// Plays a game in which no player answers. Its classes are archived at the end.
fn play(launch: &Launch, archive: &Path, mut engine: Engine) -> Result<(), RefereeError> {
    let mut launch = launch.clone();
    launch
        .arguments
        .insert(0, option("ArchiveClassesAtExit", archive));
    let mut process = Process::start(launch.command(), "archive", &[])?;
    let never = AtomicBool::new(false);
    engine.begin(&mut process, 1);
    let deadline = Instant::now() + LONGEST;
    while let Step::Asked(_) = engine.next(&mut process, &mut Wait::new(&never, SILENCE))? {
        if Instant::now() >= deadline {
            return Err(process.problem("plays on and on without bots"));
        }
        engine.give_up(&mut process);
    }
    process.close_input();
    match process.await_end(SILENCE) {
        Some(Ended::Status(0)) => Ok(()),
        _ => Err(process.ended("an archive of its classes")),
    }
}

/// Removes all files except the newest: older archives, and what a killed process has left.
fn prune(folder: &Path) -> io::Result<()> {
    let entries = fs::read_dir(folder)?.flatten();
    let modified =
        |entry: fs::DirEntry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()));
    let mut files: Vec<_> = entries.filter_map(modified).collect();
    files.sort();
    let surplus = files.len().saturating_sub(KEPT);
    files[..surplus]
        .iter()
        .try_for_each(|(_, path)| fs::remove_file(path))
}

#[cfg(test)]
mod tests {
    use super::prune;
    use std::fs::{File, read_dir};
    use std::time::{Duration, SystemTime};

    #[test]
    fn the_archives_made_last_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        for age in 0..10 {
            let file = File::create(folder.path().join(format!("{age}.jsa"))).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age))
                .unwrap();
        }
        prune(folder.path()).unwrap();
        let names = read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        assert_eq!(
            names,
            [
                "0.jsa", "1.jsa", "2.jsa", "3.jsa", "4.jsa", "5.jsa", "6.jsa", "7.jsa"
            ]
        );
    }
}
