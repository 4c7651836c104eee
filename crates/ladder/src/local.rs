//! The local role: a run where the ladder's folder is. It builds and examines the bots, and lets workers play what it
//! plays, where the store is shared.

use super::Refusal;
use super::config::Config;
use super::entrants::{Admission, admit};
use super::pairs::{LadderRun, PairJob, PlayedJob};
use super::publish::send;
use super::role::{Role, Watch, read_revision, shared};
use crownhead_arena::runner::{JobSource, Poll};

/// A run in a ladder's own folder.
pub(super) struct LocalRun<'a> {
    run: LadderRun<'a>,
    watch: Watch,
    /// Whether bots that have changed play on as new versions.
    accept_changes: bool,
}

impl<'a> LocalRun<'a> {
    pub(super) fn new(run: LadderRun<'a>, accept_changes: bool) -> LocalRun<'a> {
        let watch = Watch::begin(&run);
        LocalRun {
            run,
            watch,
            accept_changes,
        }
    }
}

impl JobSource for LocalRun<'_> {
    type Job = PairJob;
    type Result = PlayedJob;
    type Error = anyhow::Error;

    fn next(&mut self) -> anyhow::Result<Poll<PairJob>> {
        if self.run.is_interrupted() {
            return Ok(Poll::Finished);
        }
        self.run.next_pair()
    }

    fn done(&mut self, pairs: Vec<PlayedJob>) -> anyhow::Result<()> {
        self.take_back(pairs)
    }

    fn waiting(&mut self) -> anyhow::Result<()> {
        self.refresh()
    }
}

impl<'a> Role<'a> for LocalRun<'a> {
    fn run(&mut self) -> &mut LadderRun<'a> {
        &mut self.run
    }

    fn into_run(self) -> LadderRun<'a> {
        self.run
    }

    fn watch(&mut self) -> &mut Watch {
        &mut self.watch
    }

    fn join(&mut self) -> anyhow::Result<()> {
        Ok(())
    }

    fn leave(&mut self) -> anyhow::Result<()> {
        self.run.ask(|store, run| store.release(run))
    }

    fn make_ready(&mut self, number: usize) -> anyhow::Result<Result<(), Refusal>> {
        let run = &mut self.run;
        run.ready[number] = None;
        let (config, ledger) = (&run.terms.config, &mut run.ledger);
        let built = run
            .terms
            .folder
            .build(config, number, || ledger.try_renew());
        if let Err(reason) = built {
            let name = run.config().bots[number].name.clone();
            run.disable(&name, &format!("{reason:#}"))?;
            return Ok(Ok(()));
        }
        self.examine_again(number)
    }

    fn examine_again(&mut self, number: usize) -> anyhow::Result<Result<(), Refusal>> {
        let (run, accept) = (&mut self.run, self.accept_changes);
        let (folder, config) = (run.terms.folder, run.config().clone());
        let admission = run.ask(|store, _| admit(folder, &config, number, store, accept))?;
        match admission {
            Admission::Ready(ready, news) => {
                run.ready[number] = Some(*ready);
                run.news.lines.extend(news);
                Ok(Ok(()))
            }
            Admission::Changed(refusal) => {
                run.ready[number] = None;
                Ok(Err(refusal))
            }
        }
    }

    fn give_up(&mut self, name: &str, reason: &str) -> anyhow::Result<()> {
        self.run.disable(name, reason)
    }

    fn publish(&mut self) -> anyhow::Result<()> {
        let run = &mut self.run;
        if run.ledger.store.shared().is_none() {
            return Ok(());
        }
        let (folder, config, ready) = (run.terms.folder, run.config().clone(), run.ready.clone());
        let sent = run.ask(|store, _| send(folder, &config, &ready, shared(store)?));
        match sent {
            // Here it can be played all the same.
            Err(error) if error.is::<Refusal>() => {
                run.tell(format!("workers play on as before: {error}"));
            }
            sent => drop(sent?),
        }
        run.ledger.revision = read_revision(run)?;
        Ok(())
    }

    fn refresh_slowly(&mut self) -> anyhow::Result<()> {
        let revision = read_revision(&mut self.run)?;
        if revision == self.run.ledger.revision {
            return Ok(());
        }
        // A worker may be excluded, whose pairs count no more.
        self.run.ledger.revision = revision;
        self.run.recount()
    }

    fn asks_often(&self) -> bool {
        true
    }

    fn as_here(&self, config: Config) -> Config {
        config
    }
}
