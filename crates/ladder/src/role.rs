//! A run in its role, local or worker: takes up changes of the store, the configuration and the bots, and decides what
//! happens with played pairs. A [`Role`] says where the bots come from and who gets reports.

use super::claim::{PairJob, PlayedJob};
use super::config::Config;
use super::error::{LadderError, fail, refuse};
use super::ladder_run::LadderRun;
use super::policy::{MustReplay, describe, reason_for_void};
use crate::store::{Entrant, FinishedPair};
use crownhead_arena::runner::{JobSource, Poll};
use std::time::{Duration, Instant};

/// Interval between looks at the configuration.
const LOOK: Duration = Duration::from_secs(1);

/// The differences between a local run and a worker.
pub(super) trait Role {
    /// Registers the run where others see it.
    ///
    /// # Errors
    /// When it may not play.
    fn join(&mut self, _: &mut LadderRun<'_>) -> Result<(), LadderError> {
        Ok(())
    }

    /// The next pair to play.
    fn next(&mut self, run: &mut LadderRun<'_>) -> Result<Poll<PairJob>, LadderError>;

    /// Makes a bot ready that should play. It stays unready if it cannot play.
    ///
    /// # Errors
    /// With [`LadderError::Unusable`] when the bot differs from the one whose games are stored.
    fn make_ready(&mut self, run: &mut LadderRun<'_>, number: usize) -> Result<(), LadderError>;

    /// The same for a bot whose files were written to while it played.
    fn examine_again(&mut self, run: &mut LadderRun<'_>, number: usize) -> Result<(), LadderError> {
        self.make_ready(run, number)
    }

    /// Stops playing a bot that fails to start.
    fn give_up(&self, run: &mut LadderRun<'_>, bot: &str, why: &str) -> Result<(), LadderError>;

    /// Continues or ends, after the referee has failed again and again.
    ///
    /// # Errors
    /// When the run ends because of this.
    fn referee_failed(&mut self, _: &mut LadderRun<'_>, told: String) -> Result<(), LadderError> {
        Err(fail(told))
    }

    /// Publishes changes for others.
    fn publish(&self, _: &mut LadderRun<'_>) -> Result<(), LadderError> {
        Ok(())
    }

    /// Reports to others what it does, and takes up what they have published. Returns whether anything was.
    fn refresh(&mut self, _: &mut LadderRun<'_>) -> Result<bool, LadderError> {
        Ok(false)
    }

    /// Reports to others that it has ended.
    fn leave(&self, _: &mut LadderRun<'_>) -> Result<(), LadderError> {
        Ok(())
    }

    /// A configuration, adapted to this machine.
    fn as_here(&self, config: Config) -> Config {
        config
    }
}

/// The pairs of a run in its role.
pub(super) struct PairSource<'a, R> {
    pub(super) run: LadderRun<'a>,
    pub(super) role: R,
}

impl<R: Role> PairSource<'_, R> {
    /// Makes all bots ready and counts the pairs played before.
    ///
    /// # Errors
    /// When a bot differs from the one whose games are stored.
    pub(super) fn set_up(&mut self) -> Result<(), LadderError> {
        self.role.join(&mut self.run)?;
        let mut refusals = Vec::new();
        for number in self.run.wanted(false) {
            match self.role.make_ready(&mut self.run, number) {
                Err(error) if error.is_unusable() => refusals.push(error.to_string()),
                done => done?,
            }
        }
        if !refusals.is_empty() {
            return Err(refuse(refusals.join("\n")));
        }
        self.role.publish(&mut self.run)?;
        self.run.recount()
    }

    /// Gives back claimed pairs, and reports that the run has ended.
    pub(super) fn leave(&mut self) -> Result<(), LadderError> {
        self.run.ask(|store, run| store.release(run))?;
        self.role.leave(&mut self.run)
    }

    /// Between games: renews the leases, takes up changes, and shows the progress.
    fn refresh(&mut self) -> Result<(), LadderError> {
        self.run.renew();
        let is_due = self.run.looked.elapsed() >= LOOK;
        // Many runs ask a server.
        if is_due || !self.run.store.is_shared() {
            self.take_up_states()?;
            self.run.count_new()?;
        }
        if is_due {
            self.run.looked = Instant::now();
            if self.role.refresh(&mut self.run)? {
                self.run.config_text = None;
            }
            self.take_up_config()?;
        }
        Ok(self.run.show(false)?)
    }

    /// Takes up bots that others disabled or enabled.
    fn take_up_states(&mut self) -> Result<(), LadderError> {
        let run = &mut self.run;
        let states = run.ask(|store, _| store.bot_states())?;
        if states == run.policy.bots {
            return Ok(());
        }
        let disabled = states.disabled.iter();
        let new = disabled.filter(|(name, _)| !run.policy.bots.is_disabled(name));
        let told = new.map(|(name, reason)| format!("{name} is disabled: {reason}"));
        run.news.extend(told);
        run.policy.bots = states;
        run.policy.stopped.clear();
        self.make_missing_ready()?;
        self.run.recount()
    }

    /// Takes up added, retired and changed bots, and a changed schedule.
    fn take_up_config(&mut self) -> Result<(), LadderError> {
        let run = &mut self.run;
        let text = std::fs::read(run.folder.config_file()).ok();
        if text == run.config_text {
            return Ok(());
        }
        run.config_text = text;
        let config = match run.folder.config() {
            Ok(config) => self.role.as_here(config),
            Err(error) => {
                run.tell(format!("{error}; the run goes on as before"));
                // After a publication, no bot is ready yet.
                self.make_missing_ready()?;
                return self.run.recount();
            }
        };
        let before = run.config.clone();
        if !run.config.take_up(config) {
            let file = run.folder.config_file();
            run.tell(format!(
                "{}: bots and schedule are taken up now, the other settings by the next run",
                file.display()
            ));
        }
        let mut ready = std::mem::take(&mut run.ready);
        for bot in &run.config.bots {
            let number = before.number_of(&bot.name);
            let same = number.filter(|&number| before.bots[number].is_same(bot));
            run.ready.push(same.and_then(|number| ready[number].take()));
        }
        self.make_missing_ready()?;
        self.role.publish(&mut self.run)?;
        self.run.recount()
    }

    /// Makes ready all bots that should play and are not ready.
    fn make_missing_ready(&mut self) -> Result<(), LadderError> {
        for number in self.run.wanted(false) {
            match self.role.make_ready(&mut self.run, number) {
                Err(error) if !error.is_unusable() => {
                    let name = self.run.name_of(number);
                    self.run.tell(format!("{name} does not play: {error}"));
                }
                done => done?,
            }
        }
        Ok(())
    }

    /// Examines bots again whose files were written to since the last time, because another version may just have
    /// played.
    ///
    /// # Errors
    /// With [`LadderError::Unusable`] when a bot has changed.
    fn check_versions(&mut self, bots: &[Entrant]) -> Result<(), LadderError> {
        for entrant in bots {
            let Some(number) = self.run.config.number_of(&entrant.bot) else {
                continue;
            };
            let ready = self.run.ready[number].as_ref();
            if ready.is_none_or(|ready| ready.is_untouched()) {
                continue;
            }
            self.role.examine_again(&mut self.run, number)?;
            let ready = self.run.ready[number].as_ref();
            if ready.is_some_and(|ready| ready.entrant() != *entrant) {
                self.run.recount()?;
            }
        }
        Ok(())
    }

    /// What to store of a played pair; `None` if it is played again.
    fn judge(&mut self, (job, pair): PlayedJob) -> Result<Option<FinishedPair>, LadderError> {
        let bots = self.run.under_way.remove(&job.lease);
        let (Some(pair), Some(bots)) = (pair, bots) else {
            return Ok(None);
        };
        match self.check_versions(&bots) {
            Err(error) if error.is_unusable() => self.run.refused = Some(error),
            done => done?,
        }
        // The run ends with the refusal, because it is unknown which version played.
        if self.run.refused.is_some() || !self.run.are_playing(&bots) {
            self.run.give_back(job.lease, &pair)?;
            return Ok(None);
        }
        let names: Vec<String> = bots.into_iter().map(|entrant| entrant.bot).collect();
        if let Some(why) = self.run.policy.must_replay(&names, &pair.games) {
            // First, so that others need not wait for the lease to end, whatever happens to this run.
            self.run.give_back(job.lease, &pair)?;
            match why {
                MustReplay::Because(told) => self.run.news.extend(told),
                MustReplay::RefereeFailed(told) => {
                    self.role.referee_failed(&mut self.run, told)?;
                }
                MustReplay::NotStarting { name, reason } => {
                    self.role.give_up(&mut self.run, &name, &reason)?;
                }
            }
            return Ok(None);
        }
        let void = reason_for_void(&pair);
        if let Some(reason) = &void {
            self.run
                .tell(format!("{} is void: {reason}", describe(&names)));
        }
        Ok(Some(FinishedPair {
            lease: job.lease,
            games: pair.games,
            replaced: pair.replaced,
            void,
        }))
    }
}

impl<R: Role> JobSource for PairSource<'_, R> {
    type Job = PairJob;
    type Result = PlayedJob;
    type Error = LadderError;

    fn next(&mut self) -> Result<Poll<PairJob>, LadderError> {
        if self.run.is_interrupted() {
            return Ok(Poll::Finished);
        }
        self.role.next(&mut self.run)
    }

    /// Stores played pairs, and has those without a result played again.
    fn done(&mut self, jobs: Vec<PlayedJob>) -> Result<(), LadderError> {
        let mut good = Vec::with_capacity(jobs.len());
        for job in jobs {
            good.extend(self.judge(job)?);
        }
        self.run.store(good)?;
        self.refresh()?;
        self.run.refused.take().map_or(Ok(()), Err)
    }

    fn waiting(&mut self) -> Result<(), LadderError> {
        self.refresh()
    }
}
