//! The worker's role: a run on a machine without the ladder's folder. It plays what is published in the ladder's
//! database, and reports about itself there.

use super::claim::PairJob;
use super::config::Config;
use super::error::{LadderError, refuse};
use super::ladder_run::{LadderRun, Look};
use super::published::{PublishedLadder, WorkerOptions};
use super::role::Role;
use super::run::play_all;
use crate::store::shared::Publication;
use crate::store::{Access, Address};
use crownhead_arena::runner::Poll;
use crownhead_record::bench;
use crownhead_record::numbers::show_rate;
use crownhead_record::text::printable;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The share of the first worker's speed that every other machine must reach.
const LEAST_SPEED: f64 = 0.5;

/// How long it claims nothing after the referee has failed here.
const REST: Duration = Duration::from_secs(5);

/// The pause between attempts to reach a server that is not up yet.
const SERVER_PAUSE: Duration = Duration::from_millis(500);

/// What is published in a ladder's database.
///
/// Waits for a server that is not up yet, until `interrupted` is set, and reports it once with `tell`.
///
/// # Errors
/// When the database cannot be used, or nothing is published.
pub fn published(
    address: &Address,
    interrupted: &AtomicBool,
    tell: &mut dyn FnMut(&str),
) -> Result<Publication, LadderError> {
    let mut is_told = false;
    let store = loop {
        match address.open(Access::Write) {
            Err(error) if error.is_passing() && !interrupted.load(Ordering::Relaxed) => {
                if !std::mem::replace(&mut is_told, true) {
                    tell(&format!("{error}; it is tried again until that works"));
                }
                std::thread::sleep(SERVER_PAUSE);
            }
            opened => break opened?,
        }
    };
    let published = store.publication()?;
    published.ok_or_else(|| {
        refuse(format!(
            "{}: nothing is published for workers; type `crownhead ladder publish FOLDER` where the ladder's folder is",
            address.url()
        ))
    })
}

/// Plays pairs of the ladder until `interrupted` is set. `look` gets the progress, as in
/// [`run_ladder`](super::run_ladder).
///
/// # Errors
/// When this machine may not play the ladder, or the store fails for good.
pub fn run_worker(
    options: WorkerOptions,
    published: Publication,
    interrupted: &Arc<AtomicBool>,
    look: Look<'_>,
) -> Result<(), LadderError> {
    let (ladder, folder) = PublishedLadder::new(options, published)?;
    let mut config = ladder.as_here(folder.config()?);
    expect_same_search(&ladder.published, &config)?;
    config.concurrency = usize::try_from(ladder.options.machine.concurrency).unwrap_or(1);
    let role = WorkerRole {
        ladder,
        revision: 0,
        paused: None,
        told_of_idling: false,
    };
    let store = folder.store()?;
    role.ladder.fetch_referee(&store)?;
    play_all(&folder, config, store, interrupted, look, None, role)
}

/// # Errors
/// When the ladder was published by a Crownhead with another built-in search.
fn expect_same_search(published: &Publication, config: &Config) -> Result<(), LadderError> {
    let (own, theirs) = (bench::signature(config.game()), published.signature);
    if own == theirs {
        return Ok(());
    }
    Err(refuse(format!(
        "the built-in search of this Crownhead has the signature {own}, that of the ladder {theirs}. Install the same \
         version of Crownhead on all machines"
    )))
}

/// A run on a machine that has only what is published.
struct WorkerRole {
    ladder: PublishedLadder,
    /// The store's revision when it looked last.
    revision: u64,
    /// Claims no pairs before this time, because the referee failed here.
    paused: Option<Instant>,
    /// Whether it has reported that it can play nothing.
    told_of_idling: bool,
}

impl Role for WorkerRole {
    /// # Errors
    /// When this machine is far slower than the first one that joined.
    fn join(&mut self, run: &mut LadderRun<'_>) -> Result<(), LadderError> {
        let machine = &self.ladder.options.machine;
        let reference = run.ask(|store, _| store.reference_speed())?;
        if let Some(reference) = reference.filter(|first| machine.speed < LEAST_SPEED * first) {
            return Err(refuse(format!(
                "this machine searches {} positions/s, and the ladder's first worker {}: bots would think far less \
                 here than elsewhere. Expected at least half as many; fewer games at once (-j) may be enough",
                show_rate(machine.speed),
                show_rate(reference)
            )));
        }
        run.ask(|store, run| store.join(run, machine))
    }

    fn next(&mut self, run: &mut LadderRun<'_>) -> Result<Poll<PairJob>, LadderError> {
        if self.paused.is_some_and(|until| Instant::now() < until) {
            return Ok(Poll::Pending);
        }
        let players = run.config.players();
        let can_play = run.active().len() >= players;
        if !can_play && !self.told_of_idling {
            let count = if players == 2 {
                "two".into()
            } else {
                players.to_string()
            };
            run.tell(format!(
                "fewer than {count} of the ladder's bots can play here: this worker waits until others are published"
            ));
        }
        self.told_of_idling = !can_play;
        // It waits for more.
        Ok(match run.next_pair()? {
            Poll::Finished => Poll::Pending,
            next => next,
        })
    }

    /// Takes the published version. A bot that cannot play on this machine may play on others.
    fn make_ready(&mut self, run: &mut LadderRun<'_>, number: usize) -> Result<(), LadderError> {
        run.ready[number] = None;
        let bot = run.config.bots[number].clone();
        let ladder = &self.ladder;
        let fetched = run.ask(|store, _| ladder.make_ready(&bot, store));
        match fetched {
            Ok(ready) => run.ready[number] = Some(ready),
            Err(error) if matches!(error.root(), LadderError::Store(_)) => return Err(error),
            Err(error) => {
                let told = printable(error.to_string());
                run.tell(format!("{} does not play here: {told}", bot.name));
                run.rebuild_plan();
            }
        }
        Ok(())
    }

    /// Only on this machine; the bot may play on others.
    fn give_up(&self, run: &mut LadderRun<'_>, bot: &str, why: &str) -> Result<(), LadderError> {
        run.stop(bot, why);
        Ok(())
    }

    /// # Errors
    /// When another worker has taken its name.
    fn refresh(&mut self, run: &mut LadderRun<'_>) -> Result<bool, LadderError> {
        let pairs = run.playing();
        let pairs: Vec<String> = pairs.map(|pair| pair.join(" : ")).collect();
        let doing = if pairs.is_empty() {
            "waits for pairs".into()
        } else {
            format!("plays {}", pairs.join(", "))
        };
        let name = &self.ladder.options.machine.name;
        if !run.ask(|store, run| store.seen(run, name, Some(&doing)))? {
            return Err(refuse(format!(
                "another worker has joined as {name}, so this one ends. Give one of them another --name"
            )));
        }
        let revision = run.ask(|store, _| store.revision())?;
        if std::mem::replace(&mut self.revision, revision) == revision {
            return Ok(false);
        }
        let published = run.ask(|store, _| store.publication())?;
        let Some(published) = published.filter(|published| self.ladder.published != *published)
        else {
            return Ok(false);
        };
        expect_same_search(&published, &run.config)?;
        self.ladder.replace(published)?;
        // Bots may play in other versions.
        run.ready.fill(None);
        run.policy.stopped.clear();
        Ok(true)
    }

    fn leave(&self, run: &mut LadderRun<'_>) -> Result<(), LadderError> {
        let name = &self.ladder.options.machine.name;
        run.ask(|store, run| store.seen(run, name, None)).map(drop)
    }

    fn as_here(&self, config: Config) -> Config {
        self.ladder.as_here(config)
    }

    /// The failure may be this machine's and may pass. Meanwhile, others take the pair.
    fn referee_failed(&mut self, run: &mut LadderRun<'_>, told: String) -> Result<(), LadderError> {
        self.paused = Some(Instant::now() + REST);
        run.tell(format!(
            "{told}; this worker claims no pair for {} s, and others may play it",
            REST.as_secs()
        ));
        Ok(())
    }
}
