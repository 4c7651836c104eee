//! A match or a test under way: where its games are kept and shown, and how it ends.

use crate::failure::{Failure, usage};
use crate::interrupts::{check, interrupts, raised_by_interrupts};
use crate::output::{GameFile, ResultOptions};
use crate::resume::Earlier;
use crate::serve::LiveMatch;
use crownhead_arena::runner::{LiveRun, MatchPlan, RunProgress, check_starts};
use crownhead_record::GameRecord;
use crownhead_stats::sprt::Sprt;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A match or a test under way.
pub(super) struct Run<'a> {
    options: &'a ResultOptions,
    interrupted: Arc<AtomicBool>,
    /// Ends the run when it is raised: by an interrupt, or because a game cannot be kept.
    pub(super) stop: Arc<AtomicBool>,
    record: Option<GameFile>,
    live: Option<LiveMatch>,
    kept: anyhow::Result<()>,
}

impl<'a> Run<'a> {
    /// Starts each bot once, and opens the record and the pages that the options ask for.
    ///
    /// # Errors
    /// If a bot cannot be started, the earlier games belong to another match, or a signal interrupted this.
    pub(super) fn start(
        options: &'a ResultOptions,
        plan: &mut MatchPlan,
        test: Option<&Sprt>,
        earlier: Option<&Earlier>,
    ) -> Result<Run<'a>, Failure> {
        let (interrupted, stop) = (interrupts()?, raised_by_interrupts()?);
        let failed = check_starts(&plan.settings, &plan.bots, &interrupted);
        check(&interrupted)?;
        if !failed.is_empty() {
            let told: Vec<String> = failed.iter().map(ToString::to_string).collect();
            return Err(usage(told.join("\n")));
        }
        Ok(Run {
            record: options.open(plan, test, earlier)?,
            live: options
                .serve
                .then(|| LiveMatch::start(plan, &interrupted))
                .transpose()?,
            options,
            interrupted,
            stop,
            kept: Ok(()),
        })
    }

    /// What watches the games under way.
    pub(super) fn watch(&self) -> Option<Arc<LiveRun>> {
        self.live.as_ref().map(|live| live.run.clone())
    }

    /// Adds games to the record.
    pub(super) fn keep<'g>(&mut self, games: impl IntoIterator<Item = &'g GameRecord>) {
        if let (Ok(()), Some(file)) = (&self.kept, &mut self.record) {
            self.kept = file.add_all(games);
        }
        // The games played so far are still shown.
        self.stop.fetch_or(self.kept.is_err(), Ordering::Relaxed);
    }

    /// Shows games on the pages, and how far the run is.
    pub(super) fn show<'g>(
        &mut self,
        games: impl IntoIterator<Item = &'g GameRecord>,
        progress: Option<RunProgress>,
    ) {
        if let (Ok(()), Some(live)) = (&self.kept, &mut self.live) {
            self.kept = games.into_iter().try_for_each(|game| live.show(game));
            progress.into_iter().for_each(|it| live.run.tell(it));
            self.stop.fetch_or(self.kept.is_err(), Ordering::Relaxed);
        }
    }

    /// Prints the result of a run that is over, or ended early after it had `played` this.
    ///
    /// # Errors
    /// If it was interrupted, or games or the result could not be written.
    pub(super) fn end(
        &mut self,
        result: &[u8],
        is_over: bool,
        played: impl Display,
    ) -> Result<(), Failure> {
        let ended = if is_over {
            Ok(())
        } else {
            check(&self.interrupted)
        };
        let printed = self.options.print(result);
        if ended.is_err() || self.kept.is_err() {
            self.options.tell_how_to_resume(played);
        }
        ended?;
        printed?;
        Ok(std::mem::replace(&mut self.kept, Ok(()))?)
    }

    /// Lets the pages stay until they are interrupted. A program that reads the result waits for the end.
    pub(super) fn wait(self) -> Result<(), Failure> {
        if let Some(live) = self.live.filter(|_| !self.options.json) {
            return live.server.wait();
        }
        Ok(())
    }
}
