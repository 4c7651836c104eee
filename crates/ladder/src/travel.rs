//! The worker's role: it plays what is published in the ladder's database, tells of itself there, and plays pairs again
//! that other workers have played, to see whether the same comes out.

use super::cache::Cache;
use super::config::Config;
use super::folder::Folder;
use super::pairs::{LadderRun, PairJob, PlayedJob};
use super::role::{Role, Watch, read_revision, shared};
use super::{Refusal, refuse};
use crate::store::shared::{Machine, Publication, Replay};
use crate::store::{Address, Lease, Store, StoreError};
use crownhead_arena::runner::{JobSource, Poll};
use crownhead_record::GameRecord;
use crownhead_record::text::printable;
use crownhead_sandbox::SandboxMode;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often it is looked whether there is a pair to be played again.
const REPLAYS: Duration = Duration::from_secs(5);

/// How a worker plays.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The database of the ladder.
    pub address: Address,
    /// Where it keeps what it needs of ladders.
    pub cache: PathBuf,
    /// What it is.
    pub machine: Machine,
    /// How bots are locked in.
    pub sandbox: SandboxMode,
    /// Whether bots that have a build command are built here.
    pub builds: bool,
}

/// A run of which this machine has nothing but what is published.
pub(super) struct WorkerRun<'a> {
    run: LadderRun<'a>,
    watch: Watch,
    options: WorkerOptions,
    cache: Cache,
    published: Publication,
    /// When it was looked whether there is a pair to be played again.
    looked: Instant,
}

impl<'a> WorkerRun<'a> {
    pub(super) fn new(
        run: LadderRun<'a>,
        options: WorkerOptions,
        cache: Cache,
        published: Publication,
    ) -> WorkerRun<'a> {
        let watch = Watch::begin(&run);
        WorkerRun {
            run,
            watch,
            options,
            cache,
            published,
            looked: Instant::now(),
        }
    }

    /// # Errors
    /// When what this worker plays is not rated: it would only use pairs up.
    fn expect_rated(&mut self) -> anyhow::Result<()> {
        let name = &self.options.machine.name;
        let workers = self.run.ask(|store, _| shared(store)?.workers())?;
        let own = workers
            .into_iter()
            .find(|worker| worker.machine.name == *name);
        let Some(reason) = own.and_then(|worker| worker.excluded) else {
            return Ok(());
        };
        let told = format!(
            "worker {name} is excluded: {reason}. `crownhead ladder include` lets it play again"
        );
        Err(refuse(told).into())
    }

    /// Tells what it does.
    ///
    /// # Errors
    /// When another has taken its name.
    fn tell_of_itself(&mut self) -> anyhow::Result<()> {
        let name = &self.options.machine.name;
        let under_way = self.run.ledger.under_way.values();
        let pairs = under_way.take(self.run.config().concurrency);
        let pairs: Vec<String> = pairs
            .map(|[one, other]| format!("{} : {}", one.bot, other.bot))
            .collect();
        let doing = if pairs.is_empty() {
            "waits for pairs".into()
        } else {
            format!("plays {}", pairs.join(", "))
        };
        let seen = |store: &mut dyn Store, run| shared(store)?.seen(run, name, Some(&doing));
        if self.run.ask(seen)? {
            return Ok(());
        }
        let told = format!(
            "another worker has joined as {name}, so this one ends; call one of them otherwise with --name"
        );
        Err(refuse(told).into())
    }

    /// Takes up what was published, and which workers were excluded or let in again.
    fn take_up_revision(&mut self) -> anyhow::Result<()> {
        let revision = read_revision(&mut self.run)?;
        if revision == self.run.ledger.revision {
            return Ok(());
        }
        self.run.ledger.revision = revision;
        self.expect_rated()?;
        let published = self.run.ask(|store, _| shared(store)?.publication())?;
        if let Some(published) = published
            && self.published != published
        {
            self.published = published;
            self.write_folder()?;
            // Bots may play in other versions.
            self.run.ready.iter_mut().for_each(|ready| *ready = None);
            self.take_up_config()?;
            self.make_missing_ready()?;
        }
        self.run.recount()
    }

    /// Writes down anew what is published.
    fn write_folder(&self) -> anyhow::Result<Folder> {
        self.cache
            .write_folder(&self.published, &self.options.address)
    }

    /// A pair that another worker has played, to be played again here.
    fn next_replay(&mut self) -> anyhow::Result<Option<PairJob>> {
        if self.looked.elapsed() < REPLAYS {
            return Ok(None);
        }
        let looked = std::mem::replace(&mut self.looked, Instant::now());
        let run = &mut self.run;
        let percent = run.config().workers.replays;
        let mut bots = run.active();
        bots.retain(|&number| run.is_repeatable(number));
        let names = bots.iter();
        let names: Vec<String> = names
            .map(|&number| run.config().bots[number].name.clone())
            .collect();
        if percent == 0 || names.len() < 2 {
            return Ok(None);
        }
        let replay = run.ask(|store, run| shared(store)?.claim_replay(run, &names, percent))?;
        let Some(replay) = replay else {
            return Ok(None);
        };
        let entrant = |number: usize| run.ready[number].as_ref().map(|ready| ready.entrant());
        let numbers = replay.bots.each_ref().map(|known| {
            let number = run.config().number_of(&known.bot);
            number.filter(|&number| entrant(number).as_ref() == Some(known))
        });
        let first: Result<GameRecord, _> = serde_json::from_str(&replay.records[0]);
        let ([Some(one), Some(other)], Ok(first)) = (numbers, first) else {
            return Ok(None);
        };
        // The bot that moves first in the first game is the first of the two.
        let mover = &first.players[run.terms.settings.rules.moves_first.index()];
        let bots = if mover.name == replay.bots[0].bot {
            [one, other]
        } else {
            [other, one]
        };
        let lease = Lease {
            pair: replay.pair,
            fence: 0,
        };
        let mut job = run.job_of(lease, bots, replay.round)?;
        job.again = Some(Box::new(replay));
        // There may be more.
        self.looked = looked;
        Ok(Some(job))
    }
}

impl JobSource for WorkerRun<'_> {
    type Job = PairJob;
    type Result = PlayedJob;
    type Error = anyhow::Error;

    fn next(&mut self) -> anyhow::Result<Poll<PairJob>> {
        if self.run.is_interrupted() {
            return Ok(Poll::Finished);
        }
        if let Some(job) = self.next_replay()? {
            return Ok(Poll::Ready(job));
        }
        // It waits for more.
        Ok(match self.run.next_pair()? {
            Poll::Finished => Poll::Pending,
            next => next,
        })
    }

    fn done(&mut self, pairs: Vec<PlayedJob>) -> anyhow::Result<()> {
        self.take_back(pairs)
    }

    fn waiting(&mut self) -> anyhow::Result<()> {
        self.refresh()
    }
}

impl<'a> Role<'a> for WorkerRun<'a> {
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
        let machine = &self.options.machine;
        self.run
            .ask(|store, run| shared(store)?.join(run, machine))?;
        self.expect_rated()
    }

    fn leave(&mut self) -> anyhow::Result<()> {
        let name = &self.options.machine.name;
        self.run.ask(|store, run| store.release(run))?;
        self.run
            .ask(|store, run| shared(store)?.seen(run, name, None).map(drop))
    }

    /// As it was published. A bot that cannot play on this machine may on others.
    fn make_ready(&mut self, number: usize) -> anyhow::Result<Result<(), Refusal>> {
        let run = &mut self.run;
        run.ready[number] = None;
        let game = run.config().game();
        let bot = run.config().bots[number].clone();
        let (cache, published, builds) = (&self.cache, &self.published, self.options.builds);
        let fetched = run.ask(|store, run| {
            let versions = store.versions()?;
            let mut versions = versions.iter().filter(|version| version.bot == bot.name);
            let Some(version) = versions.find(|version| version.current) else {
                return Err(refuse("it is not published").into());
            };
            let shared = shared(store)?;
            let (ready, build) =
                cache.make_ready(game, &bot, published, version, shared, builds)?;
            if let Some(build) = build {
                shared.note_build(run, &build)?;
            }
            anyhow::Ok(ready)
        });
        match fetched {
            Ok(ready) => run.ready[number] = Some(ready),
            Err(error) if error.is::<StoreError>() => return Err(error),
            Err(error) => {
                let told = printable(format!("{error:#}"));
                run.tell(format!("{} does not play here: {told}", bot.name));
                run.rebuild_plan();
            }
        }
        Ok(Ok(()))
    }

    fn examine_again(&mut self, number: usize) -> anyhow::Result<Result<(), Refusal>> {
        self.make_ready(number)
    }

    /// On this machine: it may play on others.
    fn give_up(&mut self, name: &str, reason: &str) -> anyhow::Result<()> {
        let run = &mut self.run;
        if let Some(number) = run.config().number_of(name) {
            run.ready[number] = None;
        }
        run.tell(format!("{name} does not play here any more: it {reason}"));
        run.rebuild_plan();
        Ok(())
    }

    fn publish(&mut self) -> anyhow::Result<()> {
        Ok(())
    }

    fn refresh_slowly(&mut self) -> anyhow::Result<()> {
        self.tell_of_itself()?;
        self.take_up_revision()
    }

    fn asks_often(&self) -> bool {
        false
    }

    fn as_here(&self, mut config: Config) -> Config {
        config.options.bots.sandbox = self.options.sandbox;
        config
    }

    /// Tells where it comes out otherwise; nothing where it was cut short, or the referee stood still.
    fn compare(&mut self, replay: &Replay, played: PlayedJob) -> anyhow::Result<()> {
        let tells = |game: &GameRecord| game.scores.is_some() && !game.is_unwatched_timeout();
        let Some(pair) = played.pair.filter(|pair| pair.games.iter().all(tells)) else {
            return Ok(());
        };
        let mut games = replay.records.iter().zip(&pair.games);
        let difference = games.find_map(|(before, now)| difference(before, now));
        if let Some(told) = &difference {
            let [one, other] = &replay.bots;
            self.run.tell(format!(
                "a pair of {} and {} comes out otherwise here than where it was played first: {told}",
                one.bot, other.bot
            ));
        }
        let pair = replay.pair;
        self.run
            .ask(|store, run| shared(store)?.finish_replay(run, pair, difference.as_deref()))
    }
}

/// Where a game that was played again differs from its record first.
fn difference(before: &str, now: &GameRecord) -> Option<String> {
    let before: GameRecord = match serde_json::from_str(before) {
        Ok(before) => before,
        Err(error) => return Some(format!("its record cannot be read: {error}")),
    };
    let replies = |game: &GameRecord| -> Vec<Option<String>> {
        game.turns.iter().map(|turn| turn.reply.clone()).collect()
    };
    let [one, other] = [replies(&before), replies(now)];
    let place = (0..one.len().max(other.len())).find(|&turn| one.get(turn) != other.get(turn));
    let told = |reply: Option<&Option<String>>| match reply {
        Some(Some(reply)) => format!("`{}`", printable(reply)),
        Some(None) => "no answer".into(),
        None => "nothing".into(),
    };
    if let Some(turn) = place {
        return Some(format!(
            "game {}, turn {}: {} then, {} now",
            now.number,
            turn + 1,
            told(one.get(turn)),
            told(other.get(turn))
        ));
    }
    (before.scores != now.scores).then(|| format!("game {}: another result", now.number))
}
