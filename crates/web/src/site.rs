//! A site: all data of a ladder or a file of games, kept up to date.

use super::error::{SiteError, fail};
use super::index::{Entry, Index};
use super::ladder_folder::{LadderFolder, LadderState};
use super::live::{LiveSource, json};
use super::record_file::RecordFile;
use super::standings::{order_by_points, standings_page};
use super::variant::{Variant, variants};
use super::view::GameView;
use super::viewers::Viewers;
use axum::body::Bytes;
use crownhead_arena::contest::{Contest, ContestName};
use crownhead_arena::runner::{LiveRun, MatchPlan};
use crownhead_bots::games;
use crownhead_ladder::ratings_over_pairs;
use crownhead_ladder::store::{BotVersion, StoredPair};
use crownhead_ladder::{Bot, Config, LadderTally, Roster};
use crownhead_record::judge::{TimeLimits, whole_microseconds};
use crownhead_record::system_error::PathError;
use crownhead_record::{GameRecord, read_games};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is shown.
#[derive(Debug)]
pub struct Site {
    origin: Origin,
    title: String,
    pub(super) config: Config,
    state: LadderState,
    pub(super) index: Index,
    pub(super) viewers: Viewers,
    pairs: Vec<StoredPair>,
    /// Counts the changes.
    pub(super) generation: u64,
    standings: Option<CachedAnswer>,
    history: Option<CachedAnswer>,
    /// The source of games under way, if there is one.
    pub(super) live: Option<LiveSource>,
}

/// The source of the games.
#[derive(Debug)]
enum Origin {
    Ladder(LadderFolder),
    Records(Box<RecordFile>),
}

/// A JSON response that is made once for all readers.
#[derive(Debug)]
struct CachedAnswer {
    generation: u64,
    made: Instant,
    json: Bytes,
}

/// The data that a page loads first.
#[derive(Debug, Serialize)]
pub(super) struct About<'a> {
    title: &'a str,
    /// `ladder`, `records` or `pdn`.
    kind: &'static str,
    game: &'a str,
    rules: &'a str,
    /// Whether only an external referee knows the game, so that there are no boards.
    is_external: bool,
    players: usize,
    /// The game's names of the sides, in the order of seats.
    sides: &'a [String],
    /// The games that there are, under each of their rule books.
    variants: Vec<Variant>,
    first_turn_us: u64,
    /// `None` if no game has times.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_us: Option<u64>,
    games: usize,
    /// Games that could not be read.
    unreadable: u64,
    /// All players, each version of a bot separately; a bot's number is its index.
    bots: Vec<&'a String>,
    /// Whether games under way can be seen.
    is_live: bool,
    generation: u64,
}

/// A rating history costs a hundred fits: while games come in, an older one serves for a while.
const HISTORY_KEPT: Duration = Duration::from_secs(60);

impl Site {
    /// The ladder in this folder, or the games in this file: PDN if its name says so, else records.
    ///
    /// # Errors
    /// When it is neither, or cannot be read.
    pub fn open(path: &Path) -> Result<Site, SiteError> {
        let name = std::path::absolute(path)?;
        let title = name.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            let ladder = LadderFolder::open(path)?;
            let config = ladder.folder.config()?;
            return Site::new(Origin::Ladder(ladder), title.into(), config);
        }
        Site::of_file(path, title.into()).map_err(|error| match error {
            SiteError::System(error) => PathError::new(path, error).into(),
            error => fail(format!("`{}`: {error}", path.display())),
        })
    }

    fn of_file(path: &Path, title: String) -> Result<Site, SiteError> {
        let records = RecordFile::open(path)?;
        let first = records.first()?;
        let referee = first.referee.as_ref();
        let referee = referee.map(|referee| referee.command.clone());
        let config = config(ContestName::of_record(&first), referee, first.limits);
        Site::new(Origin::Records(Box::new(records)), title, config)
    }

    /// The match that these bots are about to play, recorded in this file; `live` has its games under way.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn of_match(path: &Path, plan: &MatchPlan, live: Arc<LiveRun>) -> Result<Site, SiteError> {
        let records = RecordFile::open(path)?;
        let settings = &plan.settings;
        let referee = match &settings.contest {
            Contest::Board { .. } => None,
            Contest::External(external) => Some(external.referee.options.command.clone()),
        };
        let mut config = config(settings.contest.contest_name(), referee, settings.limits);
        let names: Vec<&str> = plan.bots.iter().map(|bot| bot.spec.name.as_str()).collect();
        config.bots = names.iter().map(|name| named(name)).collect();
        let title = names.join(" against ");
        let site = Site::new(Origin::Records(Box::new(records)), title, config)?;
        Ok(Site {
            live: Some(LiveSource::Here(live)),
            ..site
        })
    }

    fn new(origin: Origin, title: String, config: Config) -> Result<Site, SiteError> {
        let folder = match &origin {
            Origin::Ladder(ladder) => Some(ladder.folder.path().to_path_buf()),
            Origin::Records(_) => None,
        };
        let mut site = Site {
            viewers: Viewers::new(folder.clone().unwrap_or_default()),
            live: folder.map(LiveSource::Folder),
            origin,
            title,
            config,
            state: LadderState::default(),
            index: Index::default(),
            pairs: Vec::new(),
            generation: 0,
            standings: None,
            history: None,
        };
        site.refresh()?;
        Ok(site)
    }

    /// What is not shown, and why: unreadable games, and data that PDN lacks.
    pub fn remarks(&self) -> Vec<String> {
        let Origin::Records(records) = &self.origin else {
            return Vec::new();
        };
        let mut remarks = records.problems.clone();
        let more = records.unreadable - remarks.len() as u64;
        if more > 0 {
            remarks.push(format!("{more} more games cannot be read"));
        }
        if records.is_converted() {
            remarks.push("these games have no times, and no output of bots".into());
        }
        remarks
    }

    /// Looks for news.
    ///
    /// # Errors
    /// When the ladder or the file can no longer be read.
    pub(super) fn refresh(&mut self) -> Result<(), SiteError> {
        let (games, pairs) = (self.index.entries.len(), self.pairs.len());
        if let Origin::Ladder(ladder) = &mut self.origin {
            let state = ladder.state()?;
            // It may be unreadable while it is written; then the site stays as it was.
            let config = ladder.folder.config();
            let config = config.unwrap_or_else(|_| self.config.clone());
            let has_changed = state != self.state || config != self.config;
            self.generation += u64::from(has_changed);
            if has_changed {
                // Other pairs may count now: reopened ones.
                self.pairs.clear();
            }
            if state.versions != self.state.versions {
                // A bot's current version may now be an earlier one, which is another player.
                self.index.begin_anew();
                ladder.last = 0;
            }
            (self.state, self.config) = (state, config);
        }
        // Bots are numbered as in the configuration, including those that have not played.
        let names = self.config.bots.iter().map(|bot| bot.name.clone());
        self.index.bots.extend(names);
        let roster = self.roster();
        match &mut self.origin {
            Origin::Ladder(ladder) => ladder.news(&mut self.index, &mut self.pairs, roster)?,
            Origin::Records(records) => {
                let config = &mut self.config;
                records.news(&config.contest.game, &mut self.index, &mut self.pairs)?;
                let more = self.index.bots.iter().skip(config.bots.len());
                config.bots.extend(more.map(|name| named(name)));
            }
        }
        // If reading failed halfway, fewer pairs are counted.
        let is_more = self.index.entries.len() > games || self.pairs.len() != pairs;
        self.generation += u64::from(is_more);
        Ok(())
    }

    pub(super) fn about(&self) -> About<'_> {
        let config = &self.config;
        let limits = config.options.limits();
        let (kind, unreadable) = match &self.origin {
            Origin::Ladder(_) => ("ladder", 0),
            Origin::Records(records) if records.is_converted() => ("pdn", records.unreadable),
            Origin::Records(records) => ("records", records.unreadable),
        };
        About {
            title: &self.title,
            kind,
            game: &config.contest.game,
            rules: &config.contest.rules,
            is_external: config.options.referee.referee.is_some(),
            players: config.players(),
            sides: &config.contest.sides,
            variants: variants(),
            first_turn_us: whole_microseconds(limits.first_turn),
            turn_us: (kind != "pdn").then(|| whole_microseconds(limits.turn)),
            games: self.index.entries.len(),
            unreadable,
            bots: self.index.bots.iter().collect(),
            is_live: self.live.is_some(),
            generation: self.generation,
        }
    }

    /// The page of standings.
    pub(super) fn standings(&mut self) -> Bytes {
        let kept = self.standings.take();
        let answer = CachedAnswer::of(kept, self.generation, Duration::ZERO, || {
            let mut tally = LadderTally::new(self.roster());
            self.pairs.iter().for_each(|pair| tally.add(pair));
            let mut standings = tally.standings(&self.config, &self.state.disabled);
            if standings.pairs == 0 && self.config.players() > 2 {
                order_by_points(&mut standings, &self.index);
            }
            let under_way = &self.state.under_way;
            standings_page(standings, &self.index, under_way, self.generation)
        });
        self.standings.insert(answer).json.clone()
    }

    /// Ratings over the pairs, at most a hundred points.
    pub(super) fn history(&mut self) -> Bytes {
        let kept = self.history.take();
        let answer = CachedAnswer::of(kept, self.generation, HISTORY_KEPT, || {
            ratings_over_pairs(&self.config, &self.roster(), &self.pairs)
        });
        self.history.insert(answer).json.clone()
    }

    /// The versions of the bot with this name in tables, oldest first; none for a file of games.
    pub(super) fn versions_of(&self, label: &str) -> Vec<&BotVersion> {
        let versions = &self.state.versions;
        let own = versions.iter().find(|version| version.label() == label);
        let same = |version: &&BotVersion| own.is_some_and(|own| own.bot == version.bot);
        versions.iter().filter(same).collect()
    }

    fn roster(&self) -> Roster {
        Roster::new(&self.config, &self.state.versions)
    }

    /// The record of a game, and its line in a record file.
    pub(super) fn record(&self, entry: &Entry) -> Result<(GameRecord, String), SiteError> {
        let line = match &self.origin {
            Origin::Ladder(ladder) => ladder.store.record(entry.place).map_err(fail)?,
            Origin::Records(records) => Some(records.line(entry.place)?),
        };
        let line = line.unwrap_or_default();
        let record = read_games(line.as_bytes()).next();
        let gone = || fail(format!("game {} is no longer there", entry.id));
        Ok((record.ok_or_else(gone)?.map_err(fail)?, line))
    }

    /// A game as the page shows it; `line` is its record.
    pub(super) fn view(
        &self,
        id: u64,
        (record, line): (GameRecord, String),
    ) -> Result<GameView, SiteError> {
        GameView::new(id, &record, line, None, |referee| {
            self.viewers.view(referee)
        })
    }

    /// The record of the game of this id, and its line, if there is one.
    pub(super) fn game(&self, id: u64) -> Result<Option<(GameRecord, String)>, SiteError> {
        let entry = self.index.find(id);
        entry.map(|entry| self.record(entry)).transpose()
    }
}

impl CachedAnswer {
    /// The answer that was kept, if nothing has changed or it is younger than `age`; else a new one.
    fn of<T: Serialize>(
        kept: Option<CachedAnswer>,
        generation: u64,
        age: Duration,
        make: impl FnOnce() -> T,
    ) -> CachedAnswer {
        let serves =
            |kept: &CachedAnswer| kept.generation == generation || kept.made.elapsed() < age;
        kept.filter(serves).unwrap_or_else(|| CachedAnswer {
            json: json(make()),
            generation,
            made: Instant::now(),
        })
    }
}

/// A bot of which only the name is known.
fn named(name: &str) -> Bot {
    Bot {
        name: name.into(),
        ..Bot::default()
    }
}

/// The configuration of a ladder without bots, with these settings of games.
fn config(contest: ContestName, referee: Option<String>, limits: TimeLimits) -> Config {
    let mut config = Config::parse("").expect("no setting is required");
    config.options.game = games::find(&contest.game).unwrap_or(games::usual());
    config.contest = contest;
    config.options.referee.referee = referee;
    config.options.first_turn = limits.first_turn;
    config.options.time = limits.turn;
    config
}

#[cfg(test)]
pub(super) mod tests;
