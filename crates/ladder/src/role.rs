//! What the roles of a run, local and worker, do in the same way: they take up what has changed, in the store, in the
//! configuration and in the bots, and see to what becomes of the pairs that were played. Each role says for itself where
//! its bots come from and whom it tells of itself.

use super::config::Config;
use super::pairs::{LadderRun, PlayedJob};
use super::policy::{MustReplay, reason_for_void};
use super::{Refusal, entrants};
use crate::store::shared::{Replay, SharedStore};
use crate::store::{Entrant, FinishedPair, Store, StoreError};
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

/// How often the configuration is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// When the configuration was looked at last, and how it looked.
pub(super) struct Watch {
    looked: Instant,
    config: Option<[i64; 3]>,
}

impl Watch {
    /// How the configuration looks now.
    pub(super) fn begin(run: &LadderRun<'_>) -> Watch {
        Watch {
            looked: Instant::now(),
            config: look_at_config(run),
        }
    }
}

/// How the configuration's file looks: another one does not look the same.
fn look_at_config(run: &LadderRun<'_>) -> Option<[i64; 3]> {
    let file = run.terms.folder.config_file().metadata().ok()?;
    Some([file.mtime(), file.mtime_nsec(), file.ino() as i64])
}

/// A role of a run.
pub(super) trait Role<'a> {
    /// What it has in common with the other.
    fn run(&mut self) -> &mut LadderRun<'a>;

    /// The same, once it has ended.
    fn into_run(self) -> LadderRun<'a>;

    /// When it looked at the configuration.
    fn watch(&mut self) -> &mut Watch;

    /// Enters the run where others see it.
    ///
    /// # Errors
    /// When it may not play.
    fn join(&mut self) -> anyhow::Result<()>;

    /// Gives back what is claimed, and tells that it has ended.
    fn leave(&mut self) -> anyhow::Result<()>;

    /// Makes a bot ready that is to play; it is not ready when it cannot play. The inner error says that it is another
    /// than the one whose games are stored.
    fn make_ready(&mut self, number: usize) -> anyhow::Result<Result<(), Refusal>>;

    /// The same for one whose files were written to while it played.
    fn examine_again(&mut self, number: usize) -> anyhow::Result<Result<(), Refusal>>;

    /// Lets a bot play no more that fails to start.
    fn give_up(&mut self, name: &str, reason: &str) -> anyhow::Result<()>;

    /// Lets others play what has changed.
    fn publish(&mut self) -> anyhow::Result<()>;

    /// What is done once a second.
    fn refresh_slowly(&mut self) -> anyhow::Result<()>;

    /// Whether the store is asked each time what is new; else once a second, for a server that many ask.
    fn asks_often(&self) -> bool;

    /// A configuration that was read, with what is another on this machine.
    fn as_here(&self, config: Config) -> Config;

    /// Notes what came of a pair that was played to be compared.
    fn compare(&mut self, _: &Replay, _: PlayedJob) -> anyhow::Result<()> {
        Ok(())
    }

    /// Makes all bots ready and counts what was played before.
    ///
    /// # Errors
    /// When a bot is another than the one whose games are stored.
    fn set_up(&mut self) -> anyhow::Result<()> {
        self.run().ledger.revision = read_revision(self.run())?;
        self.join()?;
        let mut refusals = Vec::new();
        for number in 0..self.run().config().bots.len() {
            if self.run().is_wanted(number)
                && let Err(refusal) = self.make_ready(number)?
            {
                refusals.push(refusal.to_string());
            }
        }
        if !refusals.is_empty() {
            return Err(Refusal(refusals.join("\n")).into());
        }
        self.publish()?;
        self.run().recount()
    }

    /// Between games: renews the leases, takes up what has changed, and shows how it goes.
    fn refresh(&mut self) -> anyhow::Result<()> {
        self.run().renew()?;
        let is_due = self.watch().looked.elapsed() >= LOOK;
        if is_due || self.asks_often() {
            self.take_up_states()?;
            self.run().count_new()?;
        }
        if is_due {
            self.watch().looked = Instant::now();
            self.refresh_slowly()?;
            self.take_up_config()?;
        }
        self.run().show()
    }

    /// Takes up which bots were disabled or enabled by others.
    fn take_up_states(&mut self) -> anyhow::Result<()> {
        let run = self.run();
        let states = run.ask(|store, _| store.bot_states())?;
        if states == run.policy.bots {
            return Ok(());
        }
        let disabled = states.disabled.iter();
        let new = disabled.filter(|(name, _)| !run.policy.bots.is_disabled(name));
        let told = new.map(|(name, reason)| format!("{name} is disabled: {reason}"));
        run.news.lines.extend(told);
        run.policy.bots = states;
        self.make_missing_ready()?;
        self.run().recount()
    }

    /// Takes up bots that were added, retired or described otherwise, and another schedule.
    fn take_up_config(&mut self) -> anyhow::Result<()> {
        let look = look_at_config(self.run());
        if look == self.watch().config {
            return Ok(());
        }
        self.watch().config = look;
        let config = match self.run().terms.folder.config() {
            Ok(config) => self.as_here(config),
            Err(error) => {
                self.run()
                    .tell(format!("{error:#}; the run goes on as before"));
                return Ok(());
            }
        };
        let run = self.run();
        let before = run.config().clone();
        if !run.terms.config.take_up(config) {
            let file = run.terms.folder.config_file();
            run.tell(format!(
                "{}: bots and schedule are taken up now, the other settings by the next run",
                file.display()
            ));
        }
        let mut ready = std::mem::take(&mut run.ready);
        for bot in &run.terms.config.bots {
            let number = before.number_of(&bot.name);
            let same = number.filter(|&number| before.bots[number].is_same(bot));
            run.ready.push(same.and_then(|number| ready[number].take()));
        }
        self.make_missing_ready()?;
        self.publish()?;
        self.run().recount()
    }

    /// Makes the bots ready that play and are not.
    fn make_missing_ready(&mut self) -> anyhow::Result<()> {
        for number in 0..self.run().config().bots.len() {
            if !self.run().is_wanted(number) || self.run().ready[number].is_some() {
                continue;
            }
            match self.make_ready(number) {
                Ok(Ok(())) => {}
                Ok(Err(refusal)) => return Err(refusal.into()),
                Err(error) => {
                    let name = self.run().config().bots[number].name.clone();
                    self.run().tell(format!("{name} does not play: {error:#}"));
                }
            }
        }
        Ok(())
    }

    /// Sees to it that what bots were when they were examined is what has just played. One whose files were written
    /// to is examined again.
    ///
    /// # Errors
    /// The outer one when something fails, the inner one when a bot has become another.
    fn check_versions(&mut self, bots: &[Entrant; 2]) -> anyhow::Result<Result<(), Refusal>> {
        for entrant in bots {
            let Some(number) = self.run().config().number_of(&entrant.bot) else {
                continue;
            };
            let is_touched = |ready: &entrants::Ready| !ready.examined.is_untouched();
            if !self.run().ready[number].as_ref().is_some_and(is_touched) {
                continue;
            }
            if let Err(refusal) = self.examine_again(number)? {
                return Ok(Err(refusal));
            }
            let ready = self.run().ready[number].as_ref();
            if ready.is_some_and(|ready| ready.entrant() != *entrant) {
                self.run().recount()?;
            }
        }
        Ok(Ok(()))
    }

    /// Stores pairs that were played, and has those played again that say nothing.
    ///
    /// # Errors
    /// When a bot has become another.
    fn take_back(&mut self, pairs: Vec<PlayedJob>) -> anyhow::Result<()> {
        let mut good = Vec::with_capacity(pairs.len());
        let mut refused = None;
        for mut job in pairs {
            if let Some(replay) = job.again.take() {
                self.compare(&replay, job)?;
                continue;
            }
            let bots = self.run().ledger.under_way.remove(&job.lease);
            if let (Some(pair), Some(bots)) = (job.pair, bots) {
                let is_cut_short = pair.games.iter().any(|game| game.scores.is_none());
                if self.run().is_interrupted() && is_cut_short {
                    continue;
                }
                if let Err(refusal) = self.check_versions(&bots)? {
                    refused = Some(refusal);
                }
                if !self.run().are_playing(&bots) {
                    self.run().give_back(job.lease, &pair)?;
                    continue;
                }
                let names = bots.map(|entrant| entrant.bot);
                if let Some(why) = self.run().policy.must_replay(&names, &pair.games)? {
                    match why {
                        MustReplay::Because(told) => self.run().news.lines.extend(told),
                        MustReplay::NotStarting { name, reason } => self.give_up(&name, &reason)?,
                    }
                    self.run().give_back(job.lease, &pair)?;
                    continue;
                }
                let void = reason_for_void(&pair);
                if let Some(reason) = &void {
                    let [one, other] = &names;
                    self.run()
                        .tell(format!("a pair of {one} and {other} is void: {reason}"));
                }
                good.push(FinishedPair {
                    lease: job.lease,
                    games: pair.games,
                    replaced: pair.replaced,
                    void,
                });
            }
        }
        self.run().store(good)?;
        self.refresh()?;
        refused.map_or(Ok(()), |refusal| Err(refusal.into()))
    }
}

/// The store's revision; 0 of a file, which has none.
pub(super) fn read_revision(run: &mut LadderRun<'_>) -> anyhow::Result<u64> {
    run.ask(|store, _| match store.shared() {
        Some(shared) => shared.revision(),
        None => Ok(0),
    })
}

/// What is shared of a store that machines share.
///
/// # Errors
/// When nothing is, which never is so of a database.
pub(super) fn shared(store: &dyn Store) -> Result<&dyn SharedStore, StoreError> {
    let nothing = || StoreError::Publication("the store is a file".into());
    store.shared().ok_or_else(nothing)
}
