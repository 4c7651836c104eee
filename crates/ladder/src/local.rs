//! The local role: a run on the machine with the ladder's folder. It builds and examines the bots and, if the store is
//! shared, publishes them for workers.

use super::UnusableLadder;
use super::entrants::admit;
use super::ladder_run::{LadderRun, PairJob};
use super::publish::send;
use super::role::Role;
use crate::store::shared::expect_shared;
use crownhead_arena::runner::Poll;

/// A run in a ladder's own folder.
pub(super) struct LocalRole {
    /// Whether changed bots continue as new versions.
    pub(super) accept_changes: bool,
}

impl Role for LocalRole {
    const ASKS_OFTEN: bool = true;

    fn next(&mut self, run: &mut LadderRun<'_>) -> anyhow::Result<Poll<PairJob>> {
        run.next_pair()
    }

    fn make_ready(&mut self, run: &mut LadderRun<'_>, number: usize) -> anyhow::Result<()> {
        let (bot, ledger) = (&run.config.bots[number], &mut run.ledger);
        let built = run.folder.build(bot, || ledger.try_renew());
        match built {
            Err(refusal) if refusal.is::<UnusableLadder>() => Err(refusal),
            Err(reason) => run.disable(&run.name_of(number), &format!("{reason:#}")),
            Ok(()) => self.examine_again(run, number),
        }
    }

    fn examine_again(&mut self, run: &mut LadderRun<'_>, number: usize) -> anyhow::Result<()> {
        run.ready[number] = None;
        let (folder, config) = (run.folder, run.config.clone());
        let accept = self.accept_changes;
        let (ready, news) = run.ask(|store, _| admit(folder, &config, number, store, accept))?;
        run.ready[number] = Some(ready);
        run.news.extend(news);
        Ok(())
    }

    fn give_up(&self, run: &mut LadderRun<'_>, name: &str, reason: &str) -> anyhow::Result<()> {
        run.disable(name, reason)
    }

    fn publish(&self, run: &mut LadderRun<'_>) -> anyhow::Result<()> {
        if run.ledger.store.shared().is_none() {
            return Ok(());
        }
        let (folder, config, ready) = (run.folder, run.config.clone(), run.ready.clone());
        let sent = run.ask(|store, _| send(folder, &config, &ready, expect_shared(store)?));
        match sent {
            // It can still be played here.
            Err(error) if error.is::<UnusableLadder>() => {
                run.tell(format!("workers play on as before: {error}"));
            }
            sent => drop(sent?),
        }
        Ok(())
    }
}
