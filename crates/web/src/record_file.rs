//! A file of records or of PDN, which may still grow, as the source of a site's games.

use super::index::Index;
use super::pdn_file::PdnFile;
use anyhow::{Context, bail};
use crownhead_ladder::store::{Entrant, PairKey, StoredGame, StoredPair, UNKNOWN_VERSION};
use crownhead_record::input::LONGEST_RECORD;
use crownhead_record::{GameRecord, GameSummary, ReadError, RecordedResult, is_pdn, read_games};
use serde::de::IgnoredAny;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file of games.
#[derive(Debug)]
pub(super) struct RecordFile {
    pub(super) path: PathBuf,
    /// The same games as lines of records, where the file is PDN.
    pub(super) pdn: Option<PdnFile>,
    /// How far it has been read, in bytes and in lines.
    offset: u64,
    lines: usize,
    /// The games whose pair is not whole, by their pair's key.
    halves: HashMap<PairKey, StoredGame>,
    /// Whether any game tells times.
    pub(super) is_timed: bool,
    /// What is wrong with the first games that cannot be read, and how many there are in all.
    pub(super) problems: Vec<String>,
    pub(super) unreadable: u64,
}

/// The most problems that are kept.
const TOLD_PROBLEMS: usize = 5;

impl RecordFile {
    /// The file at `path`, of which only PDN is read now.
    ///
    /// # Errors
    /// When it is PDN of which nothing can be read.
    pub(super) fn open(path: &Path) -> anyhow::Result<RecordFile> {
        let mut file = RecordFile {
            path: path.into(),
            pdn: None,
            offset: 0,
            lines: 0,
            halves: HashMap::new(),
            is_timed: false,
            problems: Vec::new(),
            unreadable: 0,
        };
        if is_pdn(path) {
            let (pdn, problems) = PdnFile::read(path)?;
            file.pdn = Some(pdn);
            problems.into_iter().for_each(|problem| file.note(problem));
        }
        Ok(file)
    }

    fn lines_file(&self) -> std::io::Result<File> {
        let pdn = self.pdn.as_ref();
        File::open(pdn.map_or(&*self.path, |pdn| pdn.lines.path()))
    }

    /// Whether it is to be read again from its beginning, as PDN that has changed.
    pub(super) fn is_stale(&self) -> bool {
        let pdn = self.pdn.as_ref();
        pdn.is_some_and(|pdn| pdn.is_stale(&self.path))
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
    pub(super) fn first(&self) -> anyhow::Result<GameRecord> {
        let lines = BufReader::new(self.lines_file()?);
        let first = read_games(lines).find_map(Result::ok);
        first.context(
            "it holds no game; expected one record a line or PDN, as `match --record` writes them",
        )
    }

    /// Reads on to the end of the last whole line. Only games of the one called `game` are read.
    pub(super) fn news(
        &mut self,
        game: &str,
        index: &mut Index,
        pairs: &mut Vec<StoredPair>,
    ) -> anyhow::Result<()> {
        let mut file = self.lines_file()?;
        if file.metadata()?.len() < self.offset {
            bail!("the file has become shorter than it was when it was read");
        }
        file.seek(SeekFrom::Start(self.offset))?;
        let mut input = BufReader::with_capacity(1 << 16, file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let longest = LONGEST_RECORD as u64 + 1;
            let read = input.by_ref().take(longest).read_until(b'\n', &mut line)? as u64;
            // A line without its end may still be written, unless it is whole as it stands.
            let is_object = || serde_json::from_slice::<IgnoredAny>(&line).is_ok();
            if read == 0 || !(line.ends_with(b"\n") || is_object()) {
                return Ok(());
            }
            let place = self.offset;
            self.offset += read;
            self.lines += 1;
            match read_games(&line[..]).next() {
                Some(Ok(record)) if record.game != game => self.note(format!(
                    "line {}: a game of {}; expected {game}, as the first game of the file",
                    self.lines, record.game
                )),
                Some(Ok(record)) => {
                    self.is_timed |= record.turns.iter().any(|turn| !turn.time.is_zero());
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
                Some(Err(mut error)) => {
                    if let ReadError::Record { line, .. } | ReadError::Version { line, .. } =
                        &mut error
                    {
                        *line = self.lines;
                    }
                    self.note(error.to_string());
                }
                None => {}
            }
        }
    }

    /// The pair that is whole with this game, if the game has two players.
    fn whole_pair(&mut self, game: GameSummary) -> Option<StoredPair> {
        let points = game.points.filter(|_| !game.replayed)?;
        let times: [Duration; 2] = game.times.try_into().ok()?;
        // In PDN the games of a pair need not stand together: any two between the same players are one.
        let number = match &self.pdn {
            Some(_) => 0,
            None => game.number.saturating_sub(1) / 2,
        };
        let entrants = game.players.into_iter().map(|bot| Entrant {
            bot,
            version: UNKNOWN_VERSION.into(),
        });
        let [black, white]: [Entrant; 2] = entrants.collect::<Vec<_>>().try_into().ok()?;
        if black == white {
            return None;
        }
        let key = PairKey::new(&black, &white, number);
        let stored = StoredGame {
            black: black.bot,
            result: RecordedResult::of_scores(&points),
            termination: game.termination,
            times,
        };
        let Some(first) = self.halves.remove(&key) else {
            self.halves.insert(key, stored);
            return None;
        };
        Some(StoredPair {
            key,
            finished: self.offset,
            games: Some([first, stored]),
        })
    }

    /// The line that begins at `place`.
    pub(super) fn line(&self, place: u64) -> anyhow::Result<String> {
        let mut file = self.lines_file()?;
        file.seek(SeekFrom::Start(place))?;
        let mut line = String::new();
        let mut file = BufReader::new(file).take(LONGEST_RECORD as u64);
        file.read_line(&mut line)?;
        Ok(line.trim_end().into())
    }
}
