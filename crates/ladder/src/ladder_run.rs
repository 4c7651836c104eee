//! The state of a run of a ladder in either role: it counts what is stored, and reports progress. [`claim`](super::claim)
//! has its pairs, and [`role`](super::role) what changes while it plays, and what depends on the role.

use super::config::Config;
use super::error::LadderError;
use super::folder::Folder;
use super::policy::{Conduct, Policy};
use super::roster::Roster;
use super::schedule::{Plan, Planned, Schedule};
use super::standings::{LadderTally, Standings};
use super::version::Ready;
use crate::store::{Entrant, Lease, Store, StoreError};
use crownhead_arena::settings::GameSettings;
use crownhead_record::GameRecord;
use crownhead_record::openings::Openings;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Interval between renewals of the leases; a lease outlasts several of these.
const RENEWAL: Duration = Duration::from_secs(10);

/// The state of a run.
#[derive(Debug)]
pub struct Progress<'a> {
    tally: &'a LadderTally,
    config: &'a Config,
    disabled: &'a [(String, String)],
    /// Pairs of games that are not finished.
    pub left: u64,
    /// Games finished by this run.
    pub games: u64,
    /// Since the run started.
    pub elapsed: Duration,
    /// The pairs under way, by their bots.
    pub under_way: Vec<Vec<String>>,
    /// News as lines for people.
    pub news: Option<String>,
    /// The games just stored that a bot lost by its own fault.
    pub faults: Vec<&'a GameRecord>,
    /// Whether the run has ended, so that this is its final state.
    pub is_last: bool,
}

impl Progress<'_> {
    /// All finished pairs, of this run and others, including void ones.
    pub fn finished(&self) -> u64 {
        self.tally.all_pairs()
    }

    /// The void pairs among them.
    pub fn void(&self) -> u64 {
        self.tally.void
    }

    /// About how long the pairs that are left take, if their games last as long as those that are stored.
    pub fn time_left(&self) -> Option<Duration> {
        let at_once = u32::try_from(self.config.concurrency).ok()?;
        let left = u32::try_from(self.left).ok()?;
        let pair = self.tally.thinking_per_pair()?;
        Some(pair.saturating_mul(left) / at_once.max(1))
    }

    /// How many players a game has, and so how many games a pair.
    pub fn players(&self) -> usize {
        self.config.players()
    }

    /// The table as it is now.
    pub fn standings(&self) -> Standings {
        self.tally.standings(self.config, self.disabled)
    }
}

/// The callback that gets the progress.
pub(super) type Look<'a> = &'a mut dyn FnMut(&Progress<'_>) -> io::Result<()>;

/// A run between its games.
pub(super) struct LadderRun<'a> {
    pub(super) folder: &'a Folder,
    pub(super) config: Config,
    pub(super) settings: Arc<GameSettings>,
    pub(super) openings: Openings,
    interrupted: &'a AtomicBool,
    look: Look<'a>,
    pub(super) plan: Plan,
    pub(super) policy: Policy,
    pub(super) store: Store,
    /// This run's number in the store.
    pub(super) number: u64,
    renewed: Instant,
    /// Keyed by lease, because a pair may be claimed again after its lease has ended while its games are still being
    /// played.
    pub(super) under_way: BTreeMap<Lease, Vec<Entrant>>,
    /// Pairs that this run has stored.
    pub(super) stored: u64,
    /// All finished pairs, also those of other runs.
    pub(super) tally: LadderTally,
    /// The last of them in the order in which they were stored.
    last: u64,
    /// Whether it has reported that the store keeps the run waiting.
    told_passing: bool,
    /// By the numbers of the configuration: the bots that can play.
    pub(super) ready: Vec<Option<Ready>>,
    /// Lines to show to people.
    pub(super) news: Vec<String>,
    /// Recently stored games that a bot lost by its own fault.
    pub(super) faults: Vec<GameRecord>,
    started: Instant,
    /// When the configuration was last looked at, and its text then.
    pub(super) looked: Instant,
    pub(super) config_text: Option<Vec<u8>>,
    /// The reason to end the run once the played pairs are stored.
    pub(super) refused: Option<LadderError>,
}

impl<'a> LadderRun<'a> {
    /// A run on this store, before any bot is ready.
    ///
    /// # Errors
    /// When the openings or the store cannot be used.
    pub(super) fn new(
        folder: &'a Folder,
        config: Config,
        settings: Arc<GameSettings>,
        mut store: Store,
        interrupted: &'a AtomicBool,
        look: Look<'a>,
    ) -> Result<Self, LadderError> {
        Ok(LadderRun {
            folder,
            openings: folder.openings(&config)?,
            ready: vec![None; config.bots.len()],
            config,
            settings,
            interrupted,
            look,
            policy: Policy {
                bots: store.bot_states()?,
                ..Policy::default()
            },
            number: store.begin_run()?,
            store,
            renewed: Instant::now(),
            under_way: BTreeMap::new(),
            stored: 0,
            tally: LadderTally::default(),
            last: 0,
            told_passing: false,
            plan: Plan::default(),
            news: Vec::new(),
            faults: Vec::new(),
            started: Instant::now(),
            looked: Instant::now(),
            config_text: std::fs::read(folder.config_file()).ok(),
            refused: None,
        })
    }

    pub(super) fn name_of(&self, number: usize) -> String {
        self.config.bots[number].name.clone()
    }

    /// The name and version under which a ready bot's games are stored.
    pub(super) fn entrant(&self, number: usize) -> Option<Entrant> {
        self.ready[number].as_ref().map(Ready::entrant)
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Queues a line for people.
    pub(super) fn tell(&mut self, line: impl Into<String>) {
        self.news.push(line.into());
    }

    /// Renews the leases if it is time. Failure is harmless: a run that loses a lease only cannot store its pair.
    pub(super) fn renew(&mut self) {
        if self.renewed.elapsed() >= RENEWAL {
            let held: Vec<u64> = self.under_way.keys().map(|lease| lease.pair).collect();
            if self.store.renew(self.number, &held).is_ok() {
                self.renewed = Instant::now();
            }
        }
    }

    /// Does something with the store. Retries until another program gives up its lock on the file, or a lost connection
    /// is back.
    pub(super) fn ask<T, E: Into<LadderError>>(
        &mut self,
        mut work: impl FnMut(&mut Store, u64) -> Result<T, E>,
    ) -> Result<T, LadderError> {
        loop {
            let error = match work(&mut self.store, self.number) {
                Ok(done) => {
                    self.told_passing = false;
                    return Ok(done);
                }
                Err(error) => error.into(),
            };
            let passing = match error.root() {
                LadderError::Store(error) => error.passing(),
                _ => None,
            };
            let Some(told) = passing.filter(|_| !self.is_interrupted()) else {
                return Err(error);
            };
            if !std::mem::replace(&mut self.told_passing, true) {
                self.tell(format!("{}: {told}", self.folder.store_name()));
            }
            self.show(false)?;
        }
    }

    /// The bots that play.
    pub(super) fn active(&self) -> Vec<usize> {
        self.wanted(true)
    }

    /// The bots that should play: neither retired nor disabled. Those that are ready, or the others.
    pub(super) fn wanted(&self, ready: bool) -> Vec<usize> {
        let (bots, policy) = (self.config.bots.iter().enumerate(), &self.policy);
        let wanted = bots.filter(|(number, bot)| {
            let is_out = policy.bots.is_disabled(&bot.name) || policy.stopped.contains(&bot.name);
            !bot.retired && !is_out && self.ready[*number].is_some() == ready
        });
        wanted.map(|(number, _)| number).collect()
    }

    /// Whether these are the bots that play now, in their versions.
    pub(super) fn are_playing(&self, bots: &[Entrant]) -> bool {
        bots.iter().all(|entrant| {
            let number = self.config.number_of(&entrant.bot);
            let ready = number.and_then(|number| self.entrant(number));
            ready.is_none_or(|ready| ready == *entrant)
        })
    }

    /// The bots of the pairs that are being played. Pairs start in the order of their claims; the later ones wait for a
    /// thread.
    pub(super) fn playing(&self) -> impl Iterator<Item = Vec<&str>> {
        let pairs = self.under_way.values();
        let playing = pairs.take(self.config.concurrency);
        playing.map(|bots| bots.iter().map(|entrant| entrant.bot.as_str()).collect())
    }

    /// Plans the pairs of the bots that play.
    pub(super) fn rebuild_plan(&mut self) {
        let (active, config) = (self.active(), &self.config);
        let (players, seed) = (config.players(), config.seed);
        self.plan.rebuild(&config.schedule, &active, players, seed);
    }

    /// How many pairs are not finished.
    pub(super) fn left(&self) -> u64 {
        match self.config.schedule {
            Schedule::Matched { pairs } => pairs.saturating_sub(self.tally.all_pairs()),
            _ => self.plan.left(),
        }
    }

    /// Stops playing a bot in this run alone.
    pub(super) fn stop(&mut self, name: &str, reason: &str) {
        self.policy.stopped.insert(name.into());
        self.tell(format!("{name} does not play here any more: it {reason}"));
        self.rebuild_plan();
    }

    /// Disables a bot for all runs; only for this run, if the database allows no more.
    pub(super) fn disable(&mut self, name: &str, reason: &str) -> Result<(), LadderError> {
        match self.ask(|store, _| store.set_disabled(name, Some(reason))) {
            Err(LadderError::Store(StoreError::Denied { .. })) => {
                let told = "This role may not disable it for all; `crownhead ladder disable` does";
                self.stop(name, &format!("{reason}. {told}"));
                return Ok(());
            }
            done => done?,
        }
        self.tell(format!(
            "{name} is disabled: {}. Fix it, then: crownhead ladder enable {} {name}",
            reason.trim_end_matches('.'),
            self.folder.path().display()
        ));
        self.policy.bots = self.ask(|store, _| store.bot_states())?;
        self.rebuild_plan();
        Ok(())
    }

    /// Counts everything again, because bots have other numbers or versions.
    pub(super) fn recount(&mut self) -> Result<(), LadderError> {
        let versions = self.ask(|store, _| store.versions())?;
        self.tally = LadderTally::new(Roster::new(&self.config, &versions));
        self.last = 0;
        self.policy.conduct = Conduct::new(self.policy.bots.enabled.clone());
        self.plan.forget_finished();
        self.count_new()?;
        self.rebuild_plan();
        Ok(())
    }

    /// Counts what this and other runs have stored since the last time, and disables bots with too many faults.
    pub(super) fn count_new(&mut self) -> Result<(), LadderError> {
        let last = self.last;
        let new = self.ask(|store, _| store.pairs(last))?;
        let bots = self.config.bots.len();
        for pair in &new {
            self.last = pair.finished;
            self.tally.add(pair);
            let roster = &mut self.tally.roster;
            self.policy.conduct.add(roster, pair);
            let entrants = pair.key.bots.iter();
            let numbers = entrants.map(|bot| roster.number_of(bot).filter(|&number| number < bots));
            if let Some(bots) = numbers.collect() {
                let round = pair.key.round;
                self.plan.finish(&Planned { bots, round });
            }
        }
        if new.is_empty() {
            return Ok(());
        }
        for number in self.active() {
            if let Some(reason) = self.policy.conduct.reason_to_disable(number) {
                self.disable(&self.name_of(number), &reason)?;
            }
        }
        Ok(())
    }

    /// Shows the progress. `is_last` says that everything played is stored.
    pub(super) fn show(&mut self, is_last: bool) -> io::Result<()> {
        let news = std::mem::take(&mut self.news);
        let faults = std::mem::take(&mut self.faults);
        let names = |bots: Vec<&str>| bots.into_iter().map(String::from).collect();
        let under_way = self.playing().map(names).collect();
        let left = self.left();
        (self.look)(&Progress {
            left,
            tally: &self.tally,
            config: &self.config,
            disabled: &self.policy.bots.disabled,
            games: self.config.players() as u64 * self.stored,
            elapsed: self.started.elapsed(),
            under_way,
            news: (!news.is_empty()).then(|| news.join("\n")),
            faults: faults.iter().collect(),
            is_last,
        })
    }
}
