//! The pairs of a run: which is claimed next, what becomes of those that were played.

use super::conduct::Conduct;
use super::config::Config;
use super::entrants::Ready;
use super::folder::Folder;
use super::progress::Progress;
use super::run::RunOptions;
use super::schedule::{Schedule, matched};
use super::standings::LadderTally;
use super::worker::WorkerRun;
use crate::store::shared::Replay;
use crate::store::{Claim, Entrant, FinishedPair, Lease, PairKey, Quota, Store};
use anyhow::Context;
use crownhead_arena::runner::{GameSpec, JobSource, Participant, PlayedPair, Poll, VoidCause};
use crownhead_arena::settings::GameSettings;
use crownhead_record::GameRecord;
use crownhead_record::Termination;
use crownhead_record::openings::Openings;
use crownhead_record::seed::Purpose;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The times in a row that a bot may fail to start, or a pair come to nothing by the referee's fault.
const PATIENCE: u32 = 3;

/// A pair to be played.
pub(super) struct PairJob {
    pub(super) lease: Lease,
    /// What another machine has made of it, where it is only to be seen whether this one makes the same.
    pub(super) again: Option<Box<Replay>>,
    pub(super) bots: [Arc<Participant>; 2],
    pub(super) specs: [GameSpec; 2],
}

/// A pair that was played; without games when the run was interrupted before it.
pub(super) struct PlayedJob {
    pub(super) lease: Lease,
    pub(super) again: Option<Box<Replay>>,
    pub(super) pair: Option<PlayedPair>,
}

/// How the games of a run are played.
pub(super) struct Terms<'a> {
    pub(super) config: Config,
    pub(super) settings: &'a GameSettings,
    pub(super) openings: Openings,
    /// What is known besides by a worker.
    pub(super) worker: Option<WorkerRun>,
}

/// What a run knows and does between its games. What keeps it up to date is in [`upkeep`](super::upkeep).
pub(super) struct LadderRun<'a, L> {
    pub(super) folder: &'a Folder,
    pub(super) options: RunOptions,
    pub(super) config: Config,
    pub(super) settings: &'a GameSettings,
    pub(super) openings: Openings,
    pub(super) store: Box<dyn Store>,
    pub(super) worker: Option<WorkerRun>,
    /// The store's, when the ladder was counted last.
    pub(super) revision: u64,
    pub(super) run: u64,
    pub(super) started: Instant,
    pub(super) renewed: Instant,
    /// When the configuration was looked at last, and how it looked.
    pub(super) looked: Instant,
    pub(super) config_look: Option<[i64; 3]>,
    /// By the numbers of the configuration: the bots that can play.
    pub(super) ready: Vec<Option<Ready>>,
    /// All finished pairs, also those of other runs.
    pub(super) tally: LadderTally,
    pub(super) conduct: Conduct,
    /// Their bots and their numbers between them.
    pub(super) finished: HashSet<(usize, usize, u64)>,
    /// The last of them in the order in which they were stored.
    pub(super) last: u64,
    /// The schedule, unless it looks at results.
    pub(super) plan: Vec<(usize, usize, u64)>,
    /// The place in the plan that is claimed next.
    pub(super) place: usize,
    /// The bots that are disabled, with the reasons, and when others were enabled.
    pub(super) disabled: Vec<(String, String)>,
    pub(super) enabled: Vec<(String, u64)>,
    /// By their leases: a pair whose lease has ended may be claimed again while its games still go on.
    pub(super) under_way: BTreeMap<Lease, [Entrant; 2]>,
    /// How often in a row bots did not start.
    not_started: HashMap<String, u32>,
    /// How often a pair between two bots came to nothing by the referee's fault, in a row.
    referee_faults: HashMap<[String; 2], u32>,
    /// Pairs that this run has stored.
    pub(super) stored: u64,
    pub(super) thinking: Duration,
    /// Lines that nobody was told yet.
    pub(super) news: Vec<String>,
    /// Games lately stored that a bot lost by a fault of its own, and that nobody was shown yet.
    pub(super) faults: Vec<GameRecord>,
    /// Whether it was told that the store keeps the run waiting.
    pub(super) told_passing: bool,
    pub(super) interrupted: &'a AtomicBool,
    pub(super) look: L,
}

impl<L> JobSource for LadderRun<'_, L>
where
    L: FnMut(&Progress<'_>) -> anyhow::Result<()>,
{
    type Job = PairJob;
    type Result = PlayedJob;
    type Error = anyhow::Error;

    fn next(&mut self) -> anyhow::Result<Poll<PairJob>> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Ok(Poll::Finished);
        }
        if let Some(job) = self.next_replay()? {
            return Ok(Poll::Ready(job));
        }
        // A worker waits for more.
        Ok(match self.next_pair()? {
            Poll::Finished if self.worker.is_some() => Poll::Pending,
            next => next,
        })
    }

    fn done(&mut self, pairs: Vec<PlayedJob>) -> anyhow::Result<()> {
        let mut good = Vec::with_capacity(pairs.len());
        let mut refused = None;
        for PlayedJob { lease, again, pair } in pairs {
            if let Some(replay) = again {
                self.compare(&replay, pair)?;
                continue;
            }
            let bots = self.under_way.remove(&lease);
            let (Some(pair), Some(bots)) = (pair, bots) else {
                continue;
            };
            let is_cut_short = pair.games.iter().any(|game| game.result.is_none());
            if self.interrupted.load(Ordering::Relaxed) && is_cut_short {
                continue;
            }
            if let Err(refusal) = self.check_versions(&bots)? {
                refused = Some(refusal);
            }
            if !self.are_playing(&bots) {
                self.stored(|store, run| store.give_back(run, lease, &pair.games))?;
                self.place = 0;
                continue;
            }
            self.stored(|store, run| store.keep_void(run, lease, &pair.replaced))?;
            let names = bots.map(|entrant| entrant.bot);
            if self.came_to_nothing(&names, &pair.games)? {
                self.stored(|store, run| store.give_back(run, lease, &pair.games))?;
                self.place = 0;
                continue;
            }
            let starved = pair.void().filter(|void| void.cause == VoidCause::Starved);
            let void = starved.map(|void| void.game.reason.clone());
            if let Some(reason) = &void {
                let [one, other] = &names;
                self.news
                    .push(format!("a pair of {one} and {other} is void: {reason}"));
            }
            good.push(FinishedPair {
                lease,
                games: pair.games,
                void,
            });
        }
        let stored = self.stored(|store, run| store.finish(run, &good))?;
        for (pair, is_stored) in good.into_iter().zip(stored) {
            if !is_stored {
                let [game, _] = &pair.games;
                self.news.push(format!(
                    "a pair of {} and {} is not stored, and is played again: this run has lost its lease to it",
                    game.black.name, game.white.name
                ));
                continue;
            }
            self.stored += 1;
            let turns = pair.games.iter().flat_map(|game| &game.turns);
            self.thinking += turns.map(|turn| turn.time).sum::<Duration>();
            let lost_by_faults = pair
                .games
                .into_iter()
                .filter(|game| game.fault_turn().is_some());
            self.faults.extend(lost_by_faults);
        }
        self.keep_up()?;
        refused.map_or(Ok(()), |refusal| Err(refusal.into()))
    }

    fn waiting(&mut self) -> anyhow::Result<()> {
        self.keep_up()
    }
}

impl<'a, L> LadderRun<'a, L>
where
    L: FnMut(&Progress<'_>) -> anyhow::Result<()>,
{
    /// A run on this store, in which nobody plays yet.
    pub(super) fn new(
        folder: &'a Folder,
        options: RunOptions,
        terms: Terms<'a>,
        mut store: Box<dyn Store>,
        interrupted: &'a AtomicBool,
        look: L,
    ) -> anyhow::Result<Self> {
        let Terms {
            config,
            settings,
            openings,
            worker,
        } = terms;
        Ok(LadderRun {
            folder,
            options,
            openings,
            worker,
            revision: 0,
            run: store.begin_run()?,
            disabled: store.disabled()?,
            enabled: store.enabled()?,
            store,
            settings,
            started: Instant::now(),
            renewed: Instant::now(),
            looked: Instant::now(),
            config_look: None,
            ready: vec![None; config.bots.len()],
            tally: LadderTally::default(),
            conduct: Conduct::default(),
            finished: HashSet::new(),
            last: 0,
            plan: Vec::new(),
            place: 0,
            under_way: BTreeMap::new(),
            not_started: HashMap::new(),
            referee_faults: HashMap::new(),
            stored: 0,
            thinking: Duration::ZERO,
            news: Vec::new(),
            faults: Vec::new(),
            told_passing: false,
            config,
            interrupted,
            look,
        })
    }

    /// The bots that play: neither retired nor disabled.
    pub(super) fn active(&self) -> Vec<usize> {
        let plays = |&number: &usize| {
            self.is_wanted(number) && self.ready[number].is_some() && self.is_fit(number)
        };
        (0..self.config.bots.len()).filter(plays).collect()
    }

    /// Whether a bot is to play, once it is ready.
    pub(super) fn is_wanted(&self, number: usize) -> bool {
        let bot = &self.config.bots[number];
        !bot.retired && self.disabled.iter().all(|(name, _)| *name != bot.name)
    }

    /// Whether these are the bots that play now, in their versions.
    fn are_playing(&self, bots: &[Entrant; 2]) -> bool {
        bots.iter().all(|entrant| {
            let number = self.config.number_of(&entrant.bot);
            let ready = number.and_then(|number| self.ready[number].as_ref());
            ready.is_none_or(|ready| ready.entrant() == *entrant)
        })
    }

    /// Lists the pairs that the bots that play have to play.
    pub(super) fn draw_up(&mut self) {
        let active = self.active();
        self.plan = self.config.schedule.all(&active, self.config.seed);
        self.place = 0;
    }

    /// How many pairs of the schedule are not finished.
    pub(super) fn left(&self) -> u64 {
        if let Schedule::Matched { pairs } = self.config.schedule {
            return pairs.saturating_sub(self.tally.all_pairs());
        }
        let open = |&&(one, other, round): &&(usize, usize, u64)| {
            !self.finished.contains(&in_order(one, other, round))
        };
        self.plan.iter().filter(open).count() as u64
    }

    /// The next pair of the schedule that nobody plays.
    fn next_pair(&mut self) -> anyhow::Result<Poll<PairJob>> {
        if let Schedule::Matched { pairs } = self.config.schedule {
            return self.next_matched(pairs);
        }
        while let Some(&(one, other, round)) = self.plan.get(self.place) {
            self.place += 1;
            if self.finished.contains(&in_order(one, other, round)) {
                continue;
            }
            if let Claim::Claimed(lease) = self.claim([one, other], round, None)? {
                return self.job(lease, [one, other], round).map(Poll::Ready);
            }
        }
        // What is under way, here or in another run, may have to be played here after all.
        self.place = 0;
        let left = self.left() > 0;
        Ok(if left { Poll::Pending } else { Poll::Finished })
    }

    fn next_matched(&mut self, pairs: u64) -> anyhow::Result<Poll<PairJob>> {
        let started = self.tally.all_pairs() + self.under_way.len() as u64;
        if started >= pairs {
            return Ok(if self.left() > 0 {
                Poll::Pending
            } else {
                Poll::Finished
            });
        }
        let active = self.active();
        let name = |number: usize| &self.config.bots[number].name;
        let waiting = |one: usize, other: usize| {
            let pair = [name(one), name(other)];
            let between = |bots: &&[Entrant; 2]| bots.iter().all(|bot| pair.contains(&&bot.bot));
            self.under_way.values().filter(between).count() as u64
        };
        let (results, all) = (self.tally.results(), self.tally.numbers());
        let pairing = matched(&active, results, waiting, all, self.config.seed, started);
        let Some((one, other)) = pairing else {
            return Ok(Poll::Finished);
        };
        let quota = Quota {
            pairs: self.left(),
            after: self.last,
        };
        // The first number between the two that is free.
        for round in 0.. {
            if self.finished.contains(&in_order(one, other, round)) {
                continue;
            }
            match self.claim([one, other], round, Some(quota))? {
                Claim::Claimed(lease) => {
                    return self.job(lease, [one, other], round).map(Poll::Ready);
                }
                Claim::Taken | Claim::Finished => {}
                // Others play the rest, and may fail to.
                Claim::Full => return Ok(Poll::Pending),
            }
        }
        unreachable!("there are more numbers than pairs")
    }

    fn claim(
        &mut self,
        bots: [usize; 2],
        round: u64,
        quota: Option<Quota>,
    ) -> anyhow::Result<Claim> {
        let [one, other] = bots.map(|bot| self.playing(bot).entrant());
        let key = PairKey::new(&one, &other, round);
        self.stored(|store, run| store.claim(run, &key, quota))
    }

    fn playing(&self, bot: usize) -> &Ready {
        let ready = self.ready[bot].as_ref();
        ready.expect("only bots that are ready are scheduled")
    }

    fn job(&mut self, lease: Lease, bots: [usize; 2], round: u64) -> anyhow::Result<PairJob> {
        let entrants = bots.map(|bot| self.playing(bot).entrant());
        self.under_way.insert(lease, entrants);
        self.job_of(lease, bots, round)
    }

    /// A pair to be played: all about it follows from its bots, in this order, and its number between them.
    pub(super) fn job_of(
        &self,
        lease: Lease,
        bots: [usize; 2],
        round: u64,
    ) -> anyhow::Result<PairJob> {
        let names = bots.map(|bot| self.config.bots[bot].name.as_str());
        let opening = self
            .openings
            .between(names, round)
            .with_context(|| format!("no random opening {round} could be found"))?;
        let purpose = |game, bot| Purpose::LadderBot {
            bots: names,
            round,
            game,
            bot,
        };
        let specs = GameSpec::pair(self.settings, 2 * lease.pair - 1, &opening, purpose);
        Ok(PairJob {
            lease,
            again: None,
            bots: bots.map(|bot| self.playing(bot).participant.clone()),
            specs,
        })
    }

    /// Whether a pair says nothing and is played again. Disables a bot that has failed to start too often.
    fn came_to_nothing(
        &mut self,
        bots: &[String; 2],
        games: &[GameRecord; 2],
    ) -> anyhow::Result<bool> {
        if let Some(game) = games
            .iter()
            .find(|game| game.termination == Termination::CannotStart)
        {
            let name = &bots[usize::from(game.points(&bots[0]) == Some(1.0))];
            let is_disabled = self.disabled.iter().any(|(known, _)| known == name);
            let times = self.not_started.entry(name.clone()).or_default();
            *times += 1;
            if is_disabled {
                // It was told already.
            } else if *times < PATIENCE {
                let told = format!("{name} did not start: {}", game.reason);
                self.news.push(told);
            } else {
                let reason = format!("could not start {PATIENCE} times in a row: {}", game.reason);
                self.give_up(name, &reason)?;
            }
            return Ok(true);
        }
        for bot in bots {
            self.not_started.remove(bot);
        }
        // One that is suspect says why itself.
        let failed = |game: &&GameRecord| game.result.is_none() && !game.suspect;
        let Some(game) = games.iter().find(failed) else {
            self.referee_faults.remove(bots);
            return Ok(false);
        };
        let times = self.referee_faults.entry(bots.clone()).or_default();
        *times += 1;
        anyhow::ensure!(
            *times < PATIENCE,
            "the referee spoiled a pair of {} and {} {PATIENCE} times in a row: {}",
            game.black.name,
            game.white.name,
            game.reason
        );
        self.news
            .push(format!("a pair is played again: {}", game.reason));
        Ok(true)
    }
}

pub(super) fn in_order(one: usize, other: usize, round: u64) -> (usize, usize, u64) {
    (one.min(other), one.max(other), round)
}
