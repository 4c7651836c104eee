//! A file in PDN as a file of records: its games become lines of a temporary file.

use anyhow::bail;
use crownhead_record::input::read_old_text;
use crownhead_record::read_pdn;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};
use tempfile::NamedTempFile;

/// A file that is written to is read anew, but so seldom that reading is less than this share of the time.
const READING_SHARE: u32 = 20;

/// A file in PDN that has been read.
#[derive(Debug)]
pub(super) struct PdnFile {
    /// The lines.
    pub(super) lines: NamedTempFile,
    /// What tells one state of the file from another.
    state: (Option<SystemTime>, u64),
    read: Instant,
    pub(super) took: Duration,
}

impl PdnFile {
    /// Reads the games that can be read, and says what is wrong with the others.
    ///
    /// # Errors
    /// When the file cannot be read, or none of its games: then with line and column, and what was expected there.
    pub(super) fn read(path: &Path) -> anyhow::Result<(PdnFile, Vec<String>)> {
        let read = Instant::now();
        let state = state_of(path)?;
        let text = read_old_text(path)?;
        let mut lines = BufWriter::new(NamedTempFile::new()?);
        let mut problems = Vec::new();
        let mut is_empty = true;
        for game in read_pdn(&text) {
            match game {
                Ok(game) => {
                    serde_json::to_writer(&mut lines, &game)?;
                    lines.write_all(b"\n")?;
                    is_empty = false;
                }
                Err(error) => problems.push(error.to_string()),
            }
        }
        if let (true, Some(problem)) = (is_empty, problems.first()) {
            bail!("{problem}");
        }
        let pdn = PdnFile {
            lines: lines.into_inner()?,
            state,
            read,
            took: read.elapsed(),
        };
        Ok((pdn, problems))
    }

    /// Whether the file at `path`, which was read here, is to be read again.
    pub(super) fn is_stale(&self, path: &Path) -> bool {
        let is_time = self.read.elapsed() >= self.took * READING_SHARE;
        is_time && state_of(path).is_ok_and(|state| state != self.state)
    }
}

fn state_of(path: &Path) -> std::io::Result<(Option<SystemTime>, u64)> {
    let file = fs::metadata(path)?;
    Ok((file.modified().ok(), file.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_again_when_it_has_changed_and_not_more_often_than_that_takes_little_of_the_time()
     {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        fs::write(&path, "[Event \"x\"]\n[Result \"1-0\"]\n1. 11-15 1-0\n").unwrap();
        let (mut file, problems) = PdnFile::read(&path).unwrap();
        assert_eq!(problems, [""; 0]);
        file.took = Duration::from_secs(60);
        let read = file.read;
        file.read -= Duration::from_mins(21);
        assert!(!file.is_stale(&path), "it is the same");
        fs::write(&path, "").unwrap();
        assert!(file.is_stale(&path));
        file.read = read - Duration::from_mins(10);
        assert!(!file.is_stale(&path), "it was read a moment ago");
        file.read -= Duration::from_mins(11);
        fs::remove_file(&path).unwrap();
        assert!(!file.is_stale(&path), "it may be back in a moment");
    }
}
