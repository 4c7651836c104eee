//! A file of records, which may still grow, or of another format, as the source of a site's games.

use super::error::{SiteError, fail};
use super::index::Index;
use super::live::json;
use crownhead_arena::runner::replay_site_file;
use crownhead_ladder::store::{Entrant, PairKey, StoredPair, UNKNOWN_VERSION};
use crownhead_record::input::{BYTE_ORDER_MARK, LONGEST_RECORD, read_text};
use crownhead_record::site::is_site_file;
use crownhead_record::{GameRecord, GameSummary};
use crownhead_record::{is_pdn, read_game, read_games, read_pdn};
use serde::de::IgnoredAny;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file of games. PDN is read once; a file of records may grow.
#[derive(Default, Debug)]
pub(super) struct RecordFile {
    path: PathBuf,
    /// The same games as lines of records, if the file has another format.
    converted: Option<NamedTempFile>,
    /// The position of the reader, in bytes and in lines.
    offset: u64,
    lines: usize,
    /// The games whose pair is incomplete, by their pair's key.
    begun: HashMap<PairKey, Vec<GameSummary>>,
    /// The problems of the first unreadable games, and the number of all such games.
    pub(super) problems: Vec<String>,
    pub(super) unreadable: u64,
}

/// The most problems that are kept.
const TOLD_PROBLEMS: usize = 5;

impl RecordFile {
    /// The file at `path`; PDN and games of the site are read now.
    ///
    /// # Errors
    /// When it is such a file without a readable game.
    pub(super) fn open(path: &Path) -> Result<RecordFile, SiteError> {
        let mut file = RecordFile {
            path: path.into(),
            ..RecordFile::default()
        };
        if is_pdn(path) {
            file.convert(read_pdn(&read_text(path)?))?;
        } else if is_site_file(path)? {
            file.convert(replay_site_file(path)?)?;
        }
        Ok(file)
    }

    /// Writes the games of a file in another format as lines of records.
    ///
    /// # Errors
    /// When none of them can be read.
    fn convert<E: ToString>(
        &mut self,
        games: impl Iterator<Item = Result<GameRecord, E>>,
    ) -> Result<(), SiteError> {
        let mut lines = BufWriter::new(NamedTempFile::new()?);
        let mut is_empty = true;
        for game in games {
            match game {
                Ok(game) => {
                    lines.write_all(&json(game))?;
                    lines.write_all(b"\n")?;
                    is_empty = false;
                }
                Err(error) => self.note(error.to_string()),
            }
        }
        if let (true, Some(problem)) = (is_empty, self.problems.first()) {
            return Err(fail(problem));
        }
        self.converted = Some(lines.into_inner().map_err(io::Error::from)?);
        Ok(())
    }

    /// Whether the file has another format, of games without times.
    pub(super) fn is_converted(&self) -> bool {
        self.converted.is_some()
    }

    fn lines_file(&self) -> io::Result<File> {
        let converted = self.converted.as_ref();
        File::open(converted.map_or(&*self.path, |file| file.path()))
    }

    fn note(&mut self, problem: String) {
        self.unreadable += 1;
        if self.problems.len() < TOLD_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// The first game that can be read.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn first(&self) -> Result<GameRecord, SiteError> {
        let lines = BufReader::new(self.lines_file()?);
        let first = read_games(lines).find_map(Result::ok);
        let told =
            "it holds no game; expected one record a line or PDN, as `match --record` writes them";
        first.ok_or_else(|| fail(told))
    }

    /// Reads on to the end of the last complete line. Reads only games named `game`.
    pub(super) fn news(
        &mut self,
        game: &str,
        index: &mut Index,
        pairs: &mut Vec<StoredPair>,
    ) -> Result<(), SiteError> {
        let mut file = self.lines_file()?;
        if file.metadata()?.len() < self.offset {
            return Err(fail("the file has become shorter since it was read"));
        }
        file.seek(SeekFrom::Start(self.offset))?;
        let mut input = BufReader::with_capacity(1 << 16, file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let longest = LONGEST_RECORD as u64 + 1;
            let read = input.by_ref().take(longest).read_until(b'\n', &mut line)? as u64;
            // A line without an end may still be growing, unless it is complete as it is.
            let is_object = || serde_json::from_slice::<IgnoredAny>(&line).is_ok();
            if read == 0 || !(line.ends_with(b"\n") || is_object()) {
                return Ok(());
            }
            let place = self.offset;
            self.offset += read;
            self.lines += 1;
            let text = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line);
            let text = text.trim_ascii_end();
            if text.is_empty() {
                continue;
            }
            match read_game(self.lines, text) {
                Ok(record) if record.game != game => self.note(format!(
                    "line {}: a game of {}; expected {game}, as the first game of the file",
                    self.lines, record.game
                )),
                Ok(record) => {
                    let mut game = GameSummary::of(&record);
                    for name in &mut game.players {
                        *name = match name.trim() {
                            "" => "(no name)".into(),
                            name => name.into(),
                        };
                    }
                    index.add(&game, place);
                    pairs.extend(self.whole_pair(game));
                }
                Err(error) => self.note(error.to_string()),
            }
        }
    }

    /// The pair that this game completes: as many games as players.
    fn whole_pair(&mut self, game: GameSummary) -> Option<StoredPair> {
        if game.points.is_none() || game.replayed {
            return None;
        }
        let players = game.players.len();
        // Elsewhere, the games of a pair need not be adjacent: any games between the same players are a pair.
        let number = match &self.converted {
            Some(_) => 0,
            None => game.number.saturating_sub(1) / players as u64,
        };
        let entrant = |bot: &String| Entrant {
            bot: bot.clone(),
            version: UNKNOWN_VERSION.into(),
        };
        let key = PairKey::new(game.players.iter().map(entrant).collect(), number);
        if !key.bots.is_sorted_by(|one, next| one < next) {
            return None;
        }
        let begun = self.begun.entry(key.clone()).or_default();
        begun.push(GameSummary {
            // The index has it.
            opening: String::new(),
            ..game
        });
        if begun.len() < players {
            return None;
        }
        Some(StoredPair {
            number: number + 1,
            finished: self.offset,
            games: self.begun.remove(&key),
            key,
        })
    }

    /// The line that begins at `place`.
    pub(super) fn line(&self, place: u64) -> io::Result<String> {
        let mut file = self.lines_file()?;
        file.seek(SeekFrom::Start(place))?;
        let mut line = String::new();
        let mut file = BufReader::new(file).take(LONGEST_RECORD as u64);
        file.read_line(&mut line)?;
        Ok(line.trim_end().into())
    }
}

#[cfg(test)]
mod tests;
