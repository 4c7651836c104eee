//! Where a site's games come from: a ladder's folder, or a file of records or of PDN that may still grow.

use super::index::Index;
use super::pdn_file::PdnFile;
use anyhow::{Context, bail};
use crownhead_arena::seat::BotSpec;
use crownhead_bots::games::ListedGame;
use crownhead_ladder::store::{Entrant, PairKey, Store, StoredGame, StoredPair, UNKNOWN_VERSION};
use crownhead_ladder::{CONFIG_FILE, Config, Folder};
use crownhead_record::input::LONGEST_RECORD;
use crownhead_record::judge::TimeLimits;
use crownhead_record::{GameSummary, ReadError, is_pdn, read_games};
use serde::Serialize;
use serde::de::IgnoredAny;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Where games come from.
#[derive(Debug)]
pub(super) enum Origin {
    Ladder(LadderFolder),
    Records(Box<RecordFile>),
}

/// What has come since the last look.
#[derive(Default, Debug)]
pub(super) struct News {
    /// Pairs that are whole now.
    pub(super) pairs: Vec<StoredPair>,
    /// How many games there are more.
    pub(super) games: usize,
}

/// A ladder, which is read and never written.
#[derive(Debug)]
pub(super) struct LadderFolder {
    folder: Folder,
    config_file: PathBuf,
    changed: Option<SystemTime>,
    store: Box<dyn Store>,
    /// The last pair that was read.
    last: u64,
}

impl LadderFolder {
    pub(super) fn open(path: &Path) -> anyhow::Result<LadderFolder> {
        let folder = Folder::open(path)?;
        let store = folder.read_store()?;
        let config_file = path.join(CONFIG_FILE);
        Ok(LadderFolder {
            changed: modified(&config_file),
            config_file,
            folder,
            store,
            last: 0,
        })
    }

    pub(super) fn folder(&self) -> &Folder {
        &self.folder
    }

    pub(super) fn store(&self) -> &dyn Store {
        self.store.as_ref()
    }

    pub(super) fn config(&self) -> anyhow::Result<Config> {
        self.folder.config()
    }

    /// Whether the configuration was written since this was asked last.
    pub(super) fn config_changed(&mut self) -> bool {
        let changed = modified(&self.config_file);
        changed != std::mem::replace(&mut self.changed, changed)
    }

    /// The pairs that have been read, again.
    pub(super) fn pairs_so_far(&self) -> anyhow::Result<Vec<StoredPair>> {
        let mut pairs = self.store.pairs(0)?;
        pairs.retain(|pair| pair.finished <= self.last);
        Ok(pairs)
    }

    pub(super) fn news(&mut self, index: &mut Index) -> anyhow::Result<News> {
        let pairs = self.store.pairs(self.last)?;
        let Some(newest) = pairs.last().map(|pair| pair.finished) else {
            return Ok(News::default());
        };
        let mut games = 0;
        self.store.summaries(self.last, &mut |stored| {
            // Stored between the two questions: it comes with the next look.
            if stored.finished <= newest {
                index.add(&stored.game, stored.game.number);
                games += 1;
            }
        })?;
        self.last = newest;
        Ok(News { pairs, games })
    }

    pub(super) fn record(&self, place: u64) -> anyhow::Result<Option<String>> {
        Ok(self.store.record(place)?)
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|file| file.modified()).ok()
}

/// How the games of a file were played: names of the game and the rule book, and the limits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PlayedAs {
    pub(super) game: String,
    pub(super) rules: String,
    pub(super) limits: TimeLimits,
}

/// A file of games.
#[derive(Debug)]
pub(super) struct RecordFile {
    path: PathBuf,
    /// The same games as lines of records, where the file is PDN.
    pdn: Option<PdnFile>,
    /// Whether the games come from PDN: from anywhere.
    of_pdn: bool,
    /// How far it has been read, in bytes and in lines.
    offset: u64,
    lines: usize,
    /// The games whose pair is not whole, by their pair's number and bots.
    halves: HashMap<(u64, [String; 2]), StoredGame>,
    pairs: u64,
    /// What all games are.
    played: Option<PlayedAs>,
    /// Whether any game tells how long anybody thought.
    pub(super) is_timed: bool,
    /// What is wrong with the games that cannot be read: as many as anybody reads, and how many there are.
    pub(super) problems: Vec<String>,
    pub(super) unreadable: u64,
}

/// The most games of which it is told what is wrong with them.
const TOLD_PROBLEMS: usize = 5;

impl RecordFile {
    /// The file at `path`, whatever it holds. Only PDN is read now.
    ///
    /// # Errors
    /// When it is PDN of which nothing can be read.
    pub(super) fn open(path: &Path) -> anyhow::Result<RecordFile> {
        let pdn = is_pdn(path).then(|| PdnFile::read(path)).transpose()?;
        let mut file = RecordFile::new(path, None);
        for problem in pdn.iter().flat_map(|pdn| &pdn.problems) {
            file.note(problem.clone());
        }
        Ok(RecordFile {
            of_pdn: pdn.is_some(),
            pdn,
            ..file
        })
    }

    /// The file of records at `path`, not read yet; `played` is how its games will be played, where that is known.
    pub(super) fn new(path: &Path, played: Option<PlayedAs>) -> RecordFile {
        RecordFile {
            path: path.into(),
            pdn: None,
            of_pdn: false,
            offset: 0,
            lines: 0,
            halves: HashMap::new(),
            pairs: 0,
            is_timed: played.is_some(),
            played,
            problems: Vec::new(),
            unreadable: 0,
        }
    }

    /// The same games, not read yet.
    pub(super) fn again(&self) -> RecordFile {
        RecordFile {
            of_pdn: self.of_pdn,
            ..RecordFile::new(self.lines_file(), self.played.clone())
        }
    }

    /// The file as it is now, where it is PDN that has changed: that cannot be read on from where it ended.
    ///
    /// # Errors
    /// As for [`RecordFile::open`].
    pub(super) fn changed(&self) -> Option<anyhow::Result<RecordFile>> {
        let pdn = self.pdn.as_ref()?;
        pdn.is_stale().then(|| RecordFile::open(&self.path))
    }

    pub(super) fn is_pdn(&self) -> bool {
        self.of_pdn
    }

    fn lines_file(&self) -> &Path {
        self.pdn.as_ref().map_or(&self.path, PdnFile::lines)
    }

    fn note(&mut self, problem: String) {
        self.unreadable += 1;
        if self.problems.len() < TOLD_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// Reads on to the end of the last whole line.
    pub(super) fn news(&mut self, index: &mut Index) -> anyhow::Result<News> {
        let mut file = File::open(self.lines_file())?;
        let length = file.metadata()?.len();
        if length < self.offset {
            bail!("the file has become shorter than it was when it was read");
        }
        let mut news = News::default();
        file.seek(SeekFrom::Start(self.offset))?;
        let mut input = BufReader::with_capacity(1 << 16, file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let longest = LONGEST_RECORD as u64 + 1;
            let read = input.by_ref().take(longest).read_until(b'\n', &mut line)? as u64;
            let is_whole = line.ends_with(b"\n");
            // A line without its end may still be written, unless it is whole as it stands.
            let is_object = || serde_json::from_slice::<IgnoredAny>(&line).is_ok();
            if read == 0 || !(is_whole || is_object()) {
                return Ok(news);
            }
            let place = self.offset;
            self.offset += read;
            self.lines += 1;
            match read_games(&line[..]).next() {
                Some(Ok(record)) => {
                    let played = self.played.get_or_insert_with(|| PlayedAs {
                        game: record.game.clone(),
                        rules: record.rules.clone(),
                        limits: record.limits,
                    });
                    if played.game != record.game {
                        let problem = format!(
                            "line {}: a game of {}; expected {}, as the first game of the file",
                            self.lines, record.game, played.game
                        );
                        self.note(problem);
                        continue;
                    }
                    self.is_timed |= record.turns.iter().any(|turn| !turn.time.is_zero());
                    let mut game = GameSummary::of(&record);
                    game.players = game.players.map(|name| readable(&name));
                    index.add(&game, place);
                    news.games += 1;
                    news.pairs.extend(self.whole_pair(game));
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

    /// The pair that is whole with this game.
    fn whole_pair(&mut self, game: GameSummary) -> Option<StoredPair> {
        let result = game.result.filter(|_| !game.replayed)?;
        // In PDN the games of a pair need not stand together: any two between the same players are one.
        let number = if self.of_pdn {
            0
        } else {
            game.number.saturating_sub(1) / 2
        };
        let [black, white] = game.players.each_ref().map(|name| Entrant {
            bot: name.clone(),
            version: UNKNOWN_VERSION.into(),
        });
        let key = PairKey::new(&black, &white, number);
        let names = [&key.first, &key.second].map(|entrant| entrant.bot.clone());
        let stored = StoredGame {
            black: black.bot,
            result,
            termination: game.termination,
            times: game.times,
        };
        if names[0] == names[1] {
            return None;
        }
        let Some(first) = self.halves.remove(&(number, names.clone())) else {
            self.halves.insert((number, names), stored);
            return None;
        };
        self.pairs += 1;
        Some(StoredPair {
            key,
            finished: self.pairs,
            games: Some([first, stored]),
        })
    }

    /// A ladder's configuration that says the same of these bots and their game.
    pub(super) fn config(&self, bots: &[String]) -> anyhow::Result<Config> {
        #[derive(Serialize)]
        struct File<'a> {
            game: &'a str,
            rules: &'a str,
            first_turn: String,
            time: String,
            bot: Vec<Named<'a>>,
        }
        #[derive(Serialize)]
        struct Named<'a> {
            name: &'a str,
            command: &'a str,
        }
        let Some(PlayedAs {
            game,
            rules,
            limits,
        }) = &self.played
        else {
            bail!(
                "it holds no game; expected one record a line or PDN, as `match --record` writes them"
            );
        };
        ListedGame::find(game).with_context(|| format!("no game is called `{game}`"))?;
        let text = toml::to_string(&File {
            game,
            rules,
            first_turn: humantime::format_duration(limits.first_turn).to_string(),
            time: humantime::format_duration(limits.turn).to_string(),
            bot: bots
                .iter()
                .map(|name| Named {
                    name,
                    command: name,
                })
                .collect(),
        })?;
        Ok(Config::parse(&text)?)
    }

    pub(super) fn record(&self, place: u64) -> anyhow::Result<Option<String>> {
        let mut file = File::open(self.lines_file())?;
        file.seek(SeekFrom::Start(place))?;
        let mut line = Vec::new();
        let longest = LONGEST_RECORD as u64;
        BufReader::new(file)
            .take(longest)
            .read_until(b'\n', &mut line)?;
        Ok(Some(String::from_utf8(line)?.trim_end().into()))
    }
}

/// A name that a ladder could have, too: records come from anywhere.
fn readable(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect();
    BotSpec::parse_name(&name).unwrap_or_else(|_| "(no name)".into())
}
