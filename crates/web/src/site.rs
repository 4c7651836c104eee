//! A site: all that is known of a ladder or a file of records, kept up with what is played.

use super::download::Download;
use super::index::{Entry, Filter, Index, Listed};
use super::origin::{LadderFolder, News, Origin, PlayedAs, RecordFile};
use super::standings::{StandingsPage, standings_page};
use super::view::View;
use crate::position::SideNames;
use anyhow::Context;
use crownhead_arena::runner::MatchPlan;
use crownhead_bots::games::ListedGame;
use crownhead_ladder::store::{BotVersion, StoredPair};
use crownhead_ladder::{
    CONFIG_FILE, Config, Folder, LadderTally, Roster, Standings, WorkerReport, remarks, workers,
};
use crownhead_ladder::{RatingHistory, ratings_over_pairs};
use serde::Serialize;
use std::path::Path;
use std::time::{Duration, Instant};

/// What is shown.
#[derive(Debug)]
pub struct Site {
    origin: Origin,
    title: String,
    config: Config,
    index: Index,
    tally: LadderTally,
    /// The versions of a ladder's bots.
    versions: Vec<BotVersion>,
    disabled: Vec<(String, String)>,
    under_way: Vec<[String; 2]>,
    /// What must be known of the ratings besides, as of this revision of the store.
    remarks: Vec<String>,
    revision: u64,
    /// Counts the changes.
    generation: u64,
    history: Option<KeptHistory>,
}

#[derive(Debug)]
struct KeptHistory {
    generation: u64,
    made: Instant,
    took: Duration,
    history: RatingHistory,
}

/// What a page knows before it knows anything else.
#[derive(Debug, Serialize)]
pub(super) struct About<'a> {
    title: &'a str,
    /// `ladder`, `records` or `pdn`.
    kind: &'static str,
    game: &'static str,
    rules: &'static str,
    sides: SideNames,
    first_turn_us: u64,
    /// `None` where no game tells a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_us: Option<u64>,
    games: usize,
    /// Games that could not be read.
    unreadable: u64,
    bots: &'a [String],
    openings: usize,
    /// Whether workers on several machines play it.
    is_shared: bool,
    generation: u64,
}

/// A rating history costs a hundred fits: while games come in, an older one serves for a while,
const HISTORY_KEPT: Duration = Duration::from_secs(10);
/// and so much longer than it took to make.
const HISTORY_SHARE: u32 = 100;

impl Site {
    /// The ladder in this folder, or the games in this file: PDN if its name says so, else records.
    ///
    /// # Errors
    /// When it is neither, or cannot be read.
    pub fn open(path: &Path) -> anyhow::Result<Site> {
        let is_ladder = path.is_dir() || path.join(CONFIG_FILE).exists();
        let name = std::path::absolute(path)?;
        let name = name
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if is_ladder {
            let ladder = LadderFolder::open(path)?;
            let config = ladder.config()?;
            return Site::of(Origin::Ladder(ladder), name, config);
        }
        let about = || path.display().to_string();
        let records = RecordFile::open(path).with_context(about)?;
        Site::of_file(records, name).with_context(about)
    }

    fn of_file(mut records: RecordFile, title: String) -> anyhow::Result<Site> {
        let mut index = Index::default();
        let news = records.news(&mut index)?;
        let config = records.config(index.bots.all())?;
        let mut site = Site::of(Origin::Records(Box::new(records)), title, config)?;
        site.index = index;
        site.count(&news);
        Ok(site)
    }

    /// What is not shown, and why: games that cannot be read, and what PDN does not tell.
    pub fn remarks(&self) -> Vec<String> {
        let Origin::Records(records) = &self.origin else {
            return Vec::new();
        };
        let mut remarks = records.problems.clone();
        let more = records.unreadable - remarks.len() as u64;
        if more > 0 {
            remarks.push(format!("{more} more games cannot be read"));
        }
        if records.is_pdn() && !records.is_timed {
            remarks.push(
                "this PDN tells no times: they are left out, and so is what bots wrote".into(),
            );
        }
        remarks
    }

    /// The match that these bots are about to play, recorded in this file.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn of_match(path: &Path, plan: &MatchPlan) -> anyhow::Result<Site> {
        let records = RecordFile::new(
            path,
            Some(PlayedAs {
                game: plan.settings.game.name().into(),
                rules: plan.settings.rules.name.into(),
                limits: plan.settings.limits,
            }),
        );
        let names: Vec<String> = plan.bots.iter().map(|bot| bot.name.clone()).collect();
        let config = records.config(&names)?;
        let title = names.join(" against ");
        Site::of(Origin::Records(Box::new(records)), title, config)
    }

    fn of(origin: Origin, title: String, config: Config) -> anyhow::Result<Site> {
        let mut site = Site {
            origin,
            title,
            config,
            index: Index::default(),
            tally: LadderTally::default(),
            versions: Vec::new(),
            disabled: Vec::new(),
            under_way: Vec::new(),
            remarks: Vec::new(),
            revision: 0,
            generation: 0,
            history: None,
        };
        site.name_bots();
        site.tally = LadderTally::new(site.roster());
        if matches!(site.origin, Origin::Ladder(_)) {
            site.refresh()?;
        }
        Ok(site)
    }

    /// Looks for what is new; whether there is anything.
    ///
    /// # Errors
    /// When the ladder or the file can no longer be read.
    pub fn refresh(&mut self) -> anyhow::Result<bool> {
        if let Origin::Records(records) = &self.origin
            && let Some(again) = records.changed()
        {
            let site = Site::of_file(again?, self.title.clone())?;
            let generation = self.generation + 1;
            *self = Site { generation, ..site };
            return Ok(true);
        }
        let (news, changed) = match &mut self.origin {
            Origin::Ladder(ladder) => {
                let versions = ladder.store().versions()?;
                let revision = match ladder.store().shared() {
                    Some(shared) => shared.revision()?,
                    None => 0,
                };
                let is_revised = std::mem::replace(&mut self.revision, revision) != revision;
                if is_revised {
                    self.remarks = remarks(ladder.store())?;
                }
                let mut changed =
                    ladder.config_changed() || versions != self.versions || is_revised;
                let mut news = ladder.news(&mut self.index)?;
                if changed {
                    self.config = ladder.config()?;
                    self.versions = versions;
                    self.tally = LadderTally::new(Roster::new(&self.config, &self.versions));
                    news.pairs = ladder.pairs_so_far()?;
                }
                let disabled = ladder.store().bot_states()?.disabled;
                let under_way = ladder.store().under_way()?;
                changed |= disabled != self.disabled || under_way != self.under_way;
                (self.disabled, self.under_way) = (disabled, under_way);
                (news, changed)
            }
            Origin::Records(records) => {
                let mut news = records.news(&mut self.index)?;
                let more = self.index.bots.all().len() > self.config.bots.len();
                if more {
                    self.config = records.config(self.index.bots.all())?;
                    self.tally = LadderTally::new(Roster::new(&self.config, &[]));
                    news.pairs = records.again().news(&mut Index::default())?.pairs;
                }
                (news, false)
            }
        };
        if changed {
            self.name_bots();
        }
        let is_new = self.count(&news) || changed;
        self.generation += u64::from(is_new);
        Ok(is_new)
    }

    /// Bots are numbered as the configuration has them, those that have not played too.
    fn name_bots(&mut self) {
        for bot in &self.config.bots {
            self.index.bots.number(&bot.name);
        }
    }

    fn count(&mut self, news: &News) -> bool {
        for pair in &news.pairs {
            self.tally.add(pair);
        }
        news.games > 0
    }

    /// The ladder's folder, if this is a ladder.
    pub(super) fn folder(&self) -> Option<&Folder> {
        match &self.origin {
            Origin::Ladder(ladder) => Some(ladder.folder()),
            Origin::Records(_) => None,
        }
    }

    pub(super) fn game(&self) -> ListedGame {
        self.config.options.game
    }

    pub(super) fn config(&self) -> &Config {
        &self.config
    }

    pub(super) fn index(&self) -> &Index {
        &self.index
    }

    pub(super) fn about(&self) -> About<'_> {
        let limits = self.config.options.limits();
        let (kind, unreadable, is_timed) = match &self.origin {
            Origin::Ladder(_) => ("ladder", 0, true),
            Origin::Records(records) => {
                let kind = if records.is_pdn() { "pdn" } else { "records" };
                (kind, records.unreadable, records.is_timed)
            }
        };
        About {
            title: &self.title,
            kind,
            game: self.game().name(),
            rules: self.config.rules.name,
            sides: SideNames::from(&self.config.rules),
            first_turn_us: crownhead_record::judge::whole_microseconds(limits.first_turn),
            turn_us: is_timed.then(|| crownhead_record::judge::whole_microseconds(limits.turn)),
            games: self.index.entries().len(),
            unreadable,
            bots: self.index.bots.all(),
            openings: self.index.openings.all().len(),
            is_shared: match &self.origin {
                Origin::Ladder(ladder) => ladder.store().shared().is_some(),
                Origin::Records(_) => false,
            },
            generation: self.generation,
        }
    }

    /// Counts the changes.
    pub(super) fn generation(&self) -> u64 {
        self.generation
    }

    pub(super) fn standings(&self) -> StandingsPage {
        let standings = Standings {
            remarks: self.remarks.clone(),
            ..self.tally.standings(&self.config, &self.disabled)
        };
        standings_page(standings, &self.index, &self.under_way, self.generation)
    }

    /// The workers of a ladder that many machines share; `None` of any other.
    pub(super) fn workers(&self) -> anyhow::Result<Option<Vec<WorkerReport>>> {
        match &self.origin {
            Origin::Ladder(ladder) if ladder.store().shared().is_some() => {
                workers(ladder.store()).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Ratings over the pairs, at most a hundred points.
    pub(super) fn history(&mut self) -> anyhow::Result<&RatingHistory> {
        let is_current = self.history.as_ref().is_some_and(|kept| {
            let lasts = HISTORY_KEPT.max(kept.took * HISTORY_SHARE);
            kept.generation == self.generation || kept.made.elapsed() < lasts
        });
        if !is_current {
            let started = Instant::now();
            let history = ratings_over_pairs(&self.config, &self.roster(), &self.pairs()?);
            self.history = Some(KeptHistory {
                generation: self.generation,
                made: Instant::now(),
                took: started.elapsed(),
                history,
            });
        }
        Ok(&self.history.as_ref().expect("it was made above").history)
    }

    fn roster(&self) -> Roster {
        Roster::new(&self.config, &self.versions)
    }

    fn pairs(&self) -> anyhow::Result<Vec<StoredPair>> {
        match &self.origin {
            Origin::Ladder(ladder) => ladder.pairs_so_far(),
            Origin::Records(records) => {
                let mut again = records.again();
                Ok(again.news(&mut Index::default())?.pairs)
            }
        }
    }

    pub(super) fn games(&self, filter: &Filter) -> Listed<'_> {
        self.index.list(filter)
    }

    /// The record of a game, as its line in a file of records.
    pub(super) fn record(&self, entry: &Entry) -> anyhow::Result<String> {
        let record = match &self.origin {
            Origin::Ladder(ladder) => ladder.record(entry.place)?,
            Origin::Records(records) => records.record(entry.place)?,
        };
        record.with_context(|| format!("game {} is no longer there", entry.id))
    }

    /// The game that the page calls so, if there is one.
    ///
    /// # Errors
    /// When its record cannot be read or shown.
    pub fn view(&self, id: u64) -> anyhow::Result<Option<View>> {
        let Some(entry) = self.index.find(id) else {
            return Ok(None);
        };
        Ok(Some(View::of_line(id, &self.record(entry)?)?))
    }

    /// The game that the page calls so, as files to take away.
    pub(super) fn download(&self, id: u64) -> anyhow::Result<Option<Download>> {
        let entry = self.index.find(id);
        let line = entry.map(|entry| self.record(entry)).transpose()?;
        Ok(line.map(Download::of_line))
    }
}
