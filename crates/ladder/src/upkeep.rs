//! What a run does besides playing: it takes up what has changed, in the file of games, in the configuration and in
//! the bots, and holds its leases.

use super::Refusal;
use super::conduct::Conduct;
use super::entrants::{Admission, admit};
use super::pairs::{LadderRun, in_order};
use super::progress::Progress;
use super::roster::Roster;
use super::standings::LadderTally;
use crate::store::{Entrant, Store, StoreError};
use std::os::unix::fs::MetadataExt;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often the configuration is looked at.
const LOOK: Duration = Duration::from_secs(1);

impl<L> LadderRun<'_, L>
where
    L: FnMut(&Progress<'_>) -> anyhow::Result<()>,
{
    /// Makes all bots ready and counts what was played before.
    ///
    /// # Errors
    /// When a bot is another than the one whose games are stored.
    pub(super) fn set_up(&mut self) -> anyhow::Result<()> {
        self.config_look = self.look_at_config();
        self.revision = self.read_revision()?;
        self.join()?;
        let mut refusals = Vec::new();
        for number in 0..self.config.bots.len() {
            if self.is_wanted(number)
                && let Err(refusal) = self.make_ready(number)?
            {
                refusals.push(refusal.to_string());
            }
        }
        if !refusals.is_empty() {
            return Err(Refusal(refusals.join("\n")).into());
        }
        self.publish()?;
        self.recount()
    }

    /// Between games: renews the leases, takes up what has changed, and shows how it goes.
    pub(super) fn keep_up(&mut self) -> anyhow::Result<()> {
        self.renew()?;
        let is_due = self.looked.elapsed() >= LOOK;
        // A worker asks a server that many ask.
        if is_due || self.worker.is_none() {
            self.take_up_disabled()?;
            self.count_new()?;
        }
        if is_due {
            self.looked = Instant::now();
            self.tell_of_worker()?;
            self.take_up_revision()?;
            self.take_up_config()?;
        }
        self.show()
    }

    /// Does something with the store, for as long as it takes until another program gives up its lock on the file, or
    /// a lost connection is made again.
    pub(super) fn stored<T, E: Into<anyhow::Error>>(
        &mut self,
        mut work: impl FnMut(&mut dyn Store, u64) -> Result<T, E>,
    ) -> anyhow::Result<T> {
        loop {
            let error = match work(self.store.as_mut(), self.run) {
                Ok(done) => {
                    self.told_passing = false;
                    return Ok(done);
                }
                Err(error) => error.into(),
            };
            let passing = error.downcast_ref().and_then(StoreError::passing);
            let Some(told) = passing.filter(|_| !self.interrupted.load(Ordering::Relaxed)) else {
                return Err(error);
            };
            if !std::mem::replace(&mut self.told_passing, true) {
                let told = format!("{}: {told}", self.folder.store_name());
                self.news.push(told);
            }
            self.show()?;
        }
    }

    /// Builds and examines a bot; it is not ready when it was disabled over that.
    fn make_ready(&mut self, number: usize) -> anyhow::Result<Result<(), Refusal>> {
        self.ready[number] = None;
        if self.worker.is_some() {
            return self.fetch(number).map(Ok);
        }
        // Leases are held meanwhile, as well as can be: a run that loses one cannot store its pair, and no more.
        let held = self.held();
        let (store, run, renewed) = (&mut self.store, self.run, &mut self.renewed);
        let built = self.folder.build(&self.config, number, || {
            if renewed.elapsed() >= store.renewal() && store.renew(run, &held).is_ok() {
                *renewed = Instant::now();
            }
        });
        if let Err(reason) = built {
            let name = self.config.bots[number].name.clone();
            self.disable(&name, &format!("{reason:#}"))?;
            return Ok(Ok(()));
        }
        self.admit(number)
    }

    fn admit(&mut self, number: usize) -> anyhow::Result<Result<(), Refusal>> {
        if self.worker.is_some() {
            return self.fetch(number).map(Ok);
        }
        let accept = self.options.accept_changes;
        let (folder, config) = (self.folder, self.config.clone());
        let admission = self.stored(|store, _| admit(folder, &config, number, store, accept))?;
        match admission {
            Admission::Ready(ready, news) => {
                self.ready[number] = Some(*ready);
                self.news.extend(news);
                Ok(Ok(()))
            }
            Admission::Changed(refusal) => {
                self.ready[number] = None;
                Ok(Err(refusal))
            }
        }
    }

    /// Sees to it that what bots were when they were examined is what has just played. One whose files were written
    /// to is examined again.
    ///
    /// # Errors
    /// The outer one when something fails, the inner one when a bot has become another.
    pub(super) fn check_versions(
        &mut self,
        bots: &[Entrant; 2],
    ) -> anyhow::Result<Result<(), Refusal>> {
        for entrant in bots {
            let Some(number) = self.config.number_of(&entrant.bot) else {
                continue;
            };
            let is_touched = |ready: &super::entrants::Ready| !ready.examined.is_untouched();
            if !self.ready[number].as_ref().is_some_and(is_touched) {
                continue;
            }
            if let Err(refusal) = self.admit(number)? {
                return Ok(Err(refusal));
            }
            let ready = self.ready[number].as_ref();
            if ready.is_some_and(|ready| ready.entrant() != *entrant) {
                self.recount()?;
            }
        }
        Ok(Ok(()))
    }

    /// Disables a bot, for this run and all others.
    pub(super) fn disable(&mut self, name: &str, reason: &str) -> anyhow::Result<()> {
        self.stored(|store, _| store.disable(name, reason))?;
        self.news.push(format!("{name} is disabled: {reason}"));
        self.disabled = self.stored(|store, _| store.disabled())?;
        self.draw_up();
        Ok(())
    }

    /// Takes up which bots were disabled or enabled by others.
    fn take_up_disabled(&mut self) -> anyhow::Result<()> {
        let read =
            |store: &mut dyn Store, _| Ok::<_, StoreError>((store.disabled()?, store.enabled()?));
        let (disabled, enabled) = self.stored(read)?;
        if (&disabled, &enabled) == (&self.disabled, &self.enabled) {
            return Ok(());
        }
        let was = |name: &str| self.disabled.iter().any(|(known, _)| known == name);
        let new = disabled.iter().filter(|(name, _)| !was(name));
        let told = new.map(|(name, reason)| format!("{name} is disabled: {reason}"));
        self.news.extend(told.collect::<Vec<_>>());
        (self.disabled, self.enabled) = (disabled, enabled);
        self.make_missing_ready()?;
        self.recount()
    }

    /// Takes up bots that were added, retired or described otherwise, and another schedule.
    pub(super) fn take_up_config(&mut self) -> anyhow::Result<()> {
        let look = self.look_at_config();
        if look == self.config_look {
            return Ok(());
        }
        self.config_look = look;
        let config = match self.folder.config() {
            Ok(config) => self.as_here(config),
            Err(error) => {
                self.news
                    .push(format!("{error:#}; the run goes on as before"));
                return Ok(());
            }
        };
        let before = self.config.clone();
        if !self.config.take_up(config) {
            let file = self.folder.config_file();
            self.news.push(format!(
                "{}: bots and schedule are taken up now, the other settings by the next run",
                file.display()
            ));
        }
        let mut ready = std::mem::take(&mut self.ready);
        for bot in &self.config.bots {
            let number = before.number_of(&bot.name);
            let same = number.filter(|&number| before.bots[number].is_same(bot));
            self.ready
                .push(same.and_then(|number| ready[number].take()));
        }
        self.make_missing_ready()?;
        self.publish()?;
        self.recount()
    }

    /// Makes the bots ready that play and are not.
    pub(super) fn make_missing_ready(&mut self) -> anyhow::Result<()> {
        for number in 0..self.config.bots.len() {
            if self.is_wanted(number) && self.ready[number].is_none() {
                match self.make_ready(number) {
                    Ok(Ok(())) => {}
                    Ok(Err(refusal)) => return Err(refusal.into()),
                    Err(error) => {
                        let name = &self.config.bots[number].name;
                        self.news.push(format!("{name} does not play: {error:#}"));
                    }
                }
            }
        }
        Ok(())
    }

    /// How the configuration's file looks: another one does not look the same.
    fn look_at_config(&self) -> Option<[i64; 3]> {
        let file = self.folder.config_file().metadata().ok()?;
        Some([file.mtime(), file.mtime_nsec(), file.ino() as i64])
    }

    /// Counts everything anew, for bots have other numbers or versions.
    pub(super) fn recount(&mut self) -> anyhow::Result<()> {
        let versions = self.stored(|store, _| store.versions())?;
        let roster = Roster::new(&self.config, &versions);
        self.tally = LadderTally::new(roster);
        self.conduct = Conduct::new(self.enabled.clone());
        self.finished.clear();
        self.last = 0;
        self.count_new()?;
        self.draw_up();
        Ok(())
    }

    /// Counts what this run and others have stored since the last time, and disables who shall not go on.
    fn count_new(&mut self) -> anyhow::Result<()> {
        let last = self.last;
        let new = self.stored(|store, _| store.pairs(last))?;
        for pair in &new {
            self.last = pair.finished;
            let roster = self.tally.roster();
            let numbers = [&pair.key.first, &pair.key.second].map(|bot| roster.number_of(bot));
            self.conduct.add(roster, pair);
            self.tally.add(pair);
            let playing = self.config.bots.len();
            if let [Some(first), Some(second)] = numbers
                && first.max(second) < playing
            {
                self.finished
                    .insert(in_order(first, second, pair.key.round));
            }
        }
        if new.is_empty() {
            return Ok(());
        }
        for number in self.active() {
            if let Some(reason) = self
                .conduct
                .reason_to_disable(number, self.config.bots.len())
            {
                let name = self.config.bots[number].name.clone();
                self.disable(&name, &reason)?;
            }
        }
        Ok(())
    }

    /// The pairs to which this run has leases.
    fn held(&self) -> Vec<u64> {
        self.under_way.keys().map(|lease| lease.pair).collect()
    }

    /// Renews the leases, if it is time.
    fn renew(&mut self) -> anyhow::Result<()> {
        if self.renewed.elapsed() >= self.store.renewal() {
            let held = self.held();
            self.stored(|store, run| store.renew(run, &held))?;
            self.renewed = Instant::now();
        }
        Ok(())
    }

    pub(super) fn show(&mut self) -> anyhow::Result<()> {
        self.tell(false)
    }

    /// Shows how the run stands when all that it has played is stored.
    pub(super) fn show_last(&mut self) -> anyhow::Result<()> {
        self.count_new()?;
        self.tell(true)
    }

    fn tell(&mut self, is_last: bool) -> anyhow::Result<()> {
        let left = self.left();
        // Pairs start in the order in which they were claimed; those behind wait for a thread.
        let started = self.under_way.values().take(self.config.concurrency);
        let names = |bots: &[Entrant; 2]| bots.each_ref().map(|entrant| entrant.bot.clone());
        let news = std::mem::take(&mut self.news);
        let faults = std::mem::take(&mut self.faults);
        (self.look)(&Progress {
            tally: &self.tally,
            config: &self.config,
            disabled: &self.disabled,
            left,
            games: 2 * self.stored,
            elapsed: self.started.elapsed(),
            thinking: self.thinking,
            under_way: started.map(names).collect(),
            news: (!news.is_empty()).then(|| news.join("\n")),
            faults: faults.iter().collect(),
            is_last,
        })
    }
}
