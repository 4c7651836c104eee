//! The pairs of a run: which is claimed next, what becomes of those that were played.

use super::config::Config;
use super::progress::Progress;
use super::schedule::{Schedule, matched};
use super::standings::LadderTally;
use crate::openings::Openings;
use crate::record::GameRecord;
use crate::runner::{GameSpec, JobSource, PlayedPair, Poll};
use crate::seed::Purpose;
use crate::settings::GameSettings;
use crate::store::{Claim, PairKey, Quota, Store};
use crate::table::Termination;
use anyhow::Context;
use crownhead::notation::Notation;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a claimed pair belongs to a run that does not renew its leases. What a killed run had claimed waits
/// so long for another.
const LEASE: Duration = Duration::from_secs(15);
/// How often a run renews its leases.
const RENEWAL: Duration = Duration::from_secs(3);
/// The times in a row that a bot may fail to start, or a pair be void by the referee's fault.
const PATIENCE: u32 = 3;

/// A pair to be played.
pub(super) struct PairJob {
    pub(super) id: u64,
    pub(super) bots: [usize; 2],
    pub(super) specs: [GameSpec; 2],
}

/// A pair that was played; without games when the run was interrupted before it.
pub(super) struct PlayedJob {
    pub(super) id: u64,
    pub(super) bots: [usize; 2],
    pub(super) pair: Option<PlayedPair>,
}

/// What a run knows and does between its games.
pub(super) struct LadderRun<'a, G, L> {
    config: Config,
    settings: &'a GameSettings,
    openings: Openings,
    store: Store,
    run: u64,
    started: Instant,
    renewed: Instant,
    /// All finished pairs, also those of other runs.
    tally: LadderTally,
    /// Their bots and their numbers between them.
    finished: HashSet<(usize, usize, u64)>,
    /// The last of them in the order in which they were stored.
    last: u64,
    /// The schedule, unless it looks at results.
    plan: Vec<(usize, usize, u64)>,
    /// The place in the plan that is claimed next.
    place: usize,
    /// The bots that are disabled, with the reasons.
    disabled: Vec<(String, String)>,
    under_way: BTreeMap<u64, [usize; 2]>,
    /// How often in a row bots did not start.
    not_started: HashMap<usize, u32>,
    /// How often a pair between two bots was void by the referee's fault, in a row.
    void: HashMap<[usize; 2], u32>,
    games: u64,
    thinking: Duration,
    interrupted: &'a AtomicBool,
    look: L,
    game: PhantomData<G>,
}

impl<G: Notation, L> JobSource for LadderRun<'_, G, L>
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
        if let Schedule::Matched { pairs } = self.config.schedule {
            return self.next_matched(pairs);
        }
        while let Some(&(one, other, round)) = self.plan.get(self.place) {
            self.place += 1;
            if self.finished.contains(&in_order(one, other, round)) {
                continue;
            }
            if let Claim::Claimed(id) = self.claim([one, other], round, None)? {
                return self.job(id, [one, other], round).map(Poll::Ready);
            }
        }
        // What is under way, here or in another run, may have to be played here after all.
        self.place = 0;
        let left = self.left() > 0;
        Ok(if left { Poll::Pending } else { Poll::Finished })
    }

    fn done(&mut self, pairs: Vec<PlayedJob>) -> anyhow::Result<()> {
        let mut good = Vec::with_capacity(pairs.len());
        let mut news = None;
        for PlayedJob { id, bots, pair } in pairs {
            self.under_way.remove(&id);
            let Some(PlayedPair { games, replaced }) = pair else {
                continue;
            };
            if self.interrupted.load(Ordering::Relaxed)
                && games.iter().any(|game| game.result.is_none())
            {
                continue;
            }
            self.store.keep_void(&replaced)?;
            match self.failure(bots, &games)? {
                Some(told) => {
                    self.store.void_pair(self.run, id, &games)?;
                    self.place = 0;
                    news = Some(told);
                }
                None => good.push((id, games)),
            }
        }
        let stored = self.store.finish(self.run, &good)?;
        let mut faults = Vec::new();
        for ((_, games), _) in good.iter().zip(stored).filter(|(_, stored)| *stored) {
            self.games += 2;
            faults.extend(games.iter().filter(|game| game.fault_turn().is_some()));
            let turns = games.iter().flat_map(|game| &game.turns);
            self.thinking += turns.map(|turn| turn.time).sum::<Duration>();
        }
        self.renew()?;
        self.count_new()?;
        self.show(news, faults)
    }

    fn waiting(&mut self) -> anyhow::Result<()> {
        self.renew()?;
        self.count_new()?;
        self.show(None, Vec::new())
    }
}

impl<'a, G: Notation, L> LadderRun<'a, G, L>
where
    L: FnMut(&Progress<'_>) -> anyhow::Result<()>,
{
    /// A run on this store, with what has been played so far counted.
    pub(super) fn new(
        config: Config,
        settings: &'a GameSettings,
        openings: Openings,
        mut store: Store,
        interrupted: &'a AtomicBool,
        look: L,
    ) -> anyhow::Result<Self> {
        let run = store.begin_run()?;
        let mut ladder = LadderRun {
            openings,
            disabled: store.disabled()?,
            store,
            run,
            settings,
            started: Instant::now(),
            renewed: Instant::now(),
            tally: LadderTally::default(),
            finished: HashSet::new(),
            last: 0,
            plan: Vec::new(),
            place: 0,
            under_way: BTreeMap::new(),
            not_started: HashMap::new(),
            void: HashMap::new(),
            games: 0,
            thinking: Duration::ZERO,
            config,
            interrupted,
            look,
            game: PhantomData,
        };
        ladder.count_new()?;
        ladder.draw_up();
        Ok(ladder)
    }

    /// Gives back all that is claimed and not finished.
    pub(super) fn release(&mut self) -> anyhow::Result<()> {
        Ok(self.store.release(self.run)?)
    }

    /// The bots that play: neither retired nor disabled.
    fn active(&self) -> Vec<usize> {
        let plays = |&number: &usize| {
            let bot = &self.config.bots[number];
            !bot.retired && self.disabled.iter().all(|(name, _)| name != &bot.name)
        };
        (0..self.config.bots.len()).filter(plays).collect()
    }

    /// Lists the pairs that the bots that play have to play.
    fn draw_up(&mut self) {
        let active = self.active();
        self.plan = self.config.schedule.all(&active, self.config.seed);
        self.place = 0;
    }

    /// How many pairs of the schedule are not finished.
    fn left(&self) -> u64 {
        if let Schedule::Matched { pairs } = self.config.schedule {
            return pairs.saturating_sub(self.tally.pairs());
        }
        let open = |&&(one, other, round): &&(usize, usize, u64)| {
            !self.finished.contains(&in_order(one, other, round))
        };
        self.plan.iter().filter(open).count() as u64
    }

    fn next_matched(&mut self, pairs: u64) -> anyhow::Result<Poll<PairJob>> {
        let started = self.tally.pairs() + self.under_way.len() as u64;
        if started >= pairs {
            return Ok(if self.left() > 0 {
                Poll::Pending
            } else {
                Poll::Finished
            });
        }
        let active = self.active();
        let waiting = |one: usize, other: usize| {
            let between = |bots: &&[usize; 2]| **bots == [one, other] || **bots == [other, one];
            self.under_way.values().filter(between).count() as u64
        };
        let (results, all) = (self.tally.results(), self.config.bots.len());
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
                Claim::Claimed(id) => return self.job(id, [one, other], round).map(Poll::Ready),
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
        let [one, other] = bots.map(|bot| self.config.bots[bot].name.as_str());
        let key = PairKey::new(one, other, round);
        Ok(self.store.claim(self.run, &key, LEASE, quota)?)
    }

    fn job(&mut self, id: u64, bots: [usize; 2], round: u64) -> anyhow::Result<PairJob> {
        self.under_way.insert(id, bots);
        let names = bots.map(|bot| self.config.bots[bot].name.as_str());
        let opening = self
            .openings
            .between::<G>(names, round)
            .with_context(|| format!("no random opening {round} could be found"))?;
        let purpose = |game, bot| Purpose::LadderBot {
            bots: names,
            round,
            game,
            bot,
        };
        let specs = GameSpec::pair(self.settings, 2 * id - 1, &opening, purpose);
        Ok(PairJob { id, bots, specs })
    }

    /// Why a pair does not count, if it does not. Disables a bot that has failed to start too often.
    fn failure(
        &mut self,
        bots: [usize; 2],
        games: &[GameRecord; 2],
    ) -> anyhow::Result<Option<String>> {
        if let Some(game) = games
            .iter()
            .find(|game| game.termination == Termination::CannotStart)
        {
            let bot = bots[usize::from(game.points(&self.config.bots[bots[0]].name) == Some(1.0))];
            let times = self.not_started.entry(bot).or_default();
            *times += 1;
            let name = &self.config.bots[bot].name;
            if *times < PATIENCE {
                return Ok(Some(format!("{name} did not start: {}", game.reason)));
            }
            let reason = format!("could not start {PATIENCE} times in a row: {}", game.reason);
            self.store.disable(name, &reason)?;
            let told = format!("{name} is benched: {reason}");
            self.disabled = self.store.disabled()?;
            self.draw_up();
            return Ok(Some(told));
        }
        for bot in bots {
            self.not_started.remove(&bot);
        }
        let Some(game) = games.iter().find(|game| game.result.is_none()) else {
            self.void.remove(&bots);
            return Ok(None);
        };
        if game.suspect {
            return Ok(Some(format!("a pair is void: {}", game.reason)));
        }
        let times = self.void.entry(bots).or_default();
        *times += 1;
        anyhow::ensure!(
            *times < PATIENCE,
            "the referee spoiled a pair of {} and {} {PATIENCE} times in a row: {}",
            game.black.name,
            game.white.name,
            game.reason
        );
        Ok(Some(format!("a pair is played again: {}", game.reason)))
    }

    /// Counts what this run and others have stored since the last time.
    fn count_new(&mut self) -> anyhow::Result<()> {
        for pair in self.store.pairs(self.last)? {
            self.last = pair.finished;
            let [first, second] =
                [&pair.key.first, &pair.key.second].map(|name| self.config.number_of(name));
            if let Some((first, second)) = first.zip(second) {
                self.finished
                    .insert(in_order(first, second, pair.key.round));
            }
            self.tally.add(&self.config, &pair);
        }
        Ok(())
    }

    /// Renews the leases, if it is time.
    fn renew(&mut self) -> anyhow::Result<()> {
        if self.renewed.elapsed() < RENEWAL {
            return Ok(());
        }
        self.store.renew(self.run, LEASE)?;
        self.renewed = Instant::now();
        Ok(())
    }

    fn show(&mut self, news: Option<String>, faults: Vec<&GameRecord>) -> anyhow::Result<()> {
        let name = |bot: usize| self.config.bots[bot].name.clone();
        let left = self.left();
        // Pairs start in the order in which they were claimed; those behind wait for a thread.
        let started = self.under_way.values().take(self.config.concurrency);
        (self.look)(&Progress {
            tally: &self.tally,
            config: &self.config,
            disabled: &self.disabled,
            left,
            games: self.games,
            elapsed: self.started.elapsed(),
            thinking: self.thinking,
            under_way: started.map(|bots| bots.map(name)).collect(),
            news,
            faults,
        })
    }
}

fn in_order(one: usize, other: usize, round: u64) -> (usize, usize, u64) {
    (one.min(other), one.max(other), round)
}
