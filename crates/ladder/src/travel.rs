//! What a run does with a store that many machines share: it publishes what it plays, and as a worker takes up what is
//! published, tells of itself, and plays again what others have played.

use super::config::Config;
use super::pairs::{LadderRun, PairJob};
use super::progress::Progress;
use super::publish::send;
use super::worker::shared;
use super::{Refusal, refuse};
use crate::store::shared::Replay;
use crate::store::{Lease, Store, StoreError};
use crownhead::board::Side;
use crownhead_arena::runner::PlayedPair;
use crownhead_record::GameRecord;
use crownhead_record::text::printable;
use std::time::{Duration, Instant};

/// How often it is looked whether there is a pair to be played again.
const REPLAYS: Duration = Duration::from_secs(5);

impl<L> LadderRun<'_, L>
where
    L: FnMut(&Progress<'_>) -> anyhow::Result<()>,
{
    /// Enters a worker.
    ///
    /// # Errors
    /// When it is excluded.
    pub(super) fn join(&mut self) -> anyhow::Result<()> {
        let Some(worker) = &self.worker else {
            return Ok(());
        };
        let machine = worker.options.machine.clone();
        self.stored(|store, run| shared(store)?.join(run, &machine))?;
        self.expect_rated()
    }

    /// # Errors
    /// When what this worker plays is not rated: it would only use pairs up.
    fn expect_rated(&mut self) -> anyhow::Result<()> {
        let Some(worker) = &self.worker else {
            return Ok(());
        };
        let name = worker.options.machine.name.clone();
        let workers = self.stored(|store, _| shared(store)?.workers())?;
        let own = workers
            .into_iter()
            .find(|worker| worker.machine.name == name);
        let Some(reason) = own.and_then(|worker| worker.excluded) else {
            return Ok(());
        };
        let told = format!(
            "worker {name} is excluded: {reason}. `crownhead ladder include` lets it play again"
        );
        Err(refuse(told).into())
    }

    /// Gives back what is claimed, and tells that a worker has ended.
    pub(super) fn leave(&mut self) -> anyhow::Result<()> {
        self.stored(|store, run| store.release(run))?;
        let name = self
            .worker
            .as_ref()
            .map(|worker| worker.options.machine.name.clone());
        if let Some(name) = name {
            self.stored(|store, run| shared(store)?.seen(run, &name, None).map(drop))?;
        }
        Ok(())
    }

    /// Tells what a worker does.
    ///
    /// # Errors
    /// When another has taken its name.
    pub(super) fn tell_of_worker(&mut self) -> anyhow::Result<()> {
        let Some(worker) = &self.worker else {
            return Ok(());
        };
        let name = worker.options.machine.name.clone();
        let pairs = self.under_way.values().take(self.config.concurrency);
        let pairs = pairs.map(|[one, other]| format!("{} : {}", one.bot, other.bot));
        let doing = match self.under_way.is_empty() {
            true => "waits for pairs".into(),
            false => format!("plays {}", pairs.collect::<Vec<_>>().join(", ")),
        };
        if self.stored(|store, run| shared(store)?.seen(run, &name, Some(&doing)))? {
            return Ok(());
        }
        let told = format!(
            "another worker has joined as {name}, so this one ends; call one of them otherwise with --name"
        );
        Err(refuse(told).into())
    }

    /// Lets workers play what this run plays, where the store is shared.
    pub(super) fn publish(&mut self) -> anyhow::Result<()> {
        if self.worker.is_some() || self.store.shared().is_none() {
            return Ok(());
        }
        let (folder, config, ready) = (self.folder, self.config.clone(), self.ready.clone());
        let sent = self.stored(|store, _| send(folder, &config, &ready, shared(store)?));
        match sent {
            Err(error) if error.is::<Refusal>() => {
                // Here it can be played all the same.
                self.news
                    .push(format!("workers play on as before: {error}"));
            }
            sent => drop(sent?),
        }
        self.revision = self.read_revision()?;
        Ok(())
    }

    /// The store's revision; 0 of a file, which has none.
    pub(super) fn read_revision(&mut self) -> anyhow::Result<u64> {
        let read = |store: &mut dyn Store, _| match store.shared() {
            Some(shared) => shared.revision(),
            None => Ok(0),
        };
        self.stored(read)
    }

    /// Takes up what was published, and which workers were excluded or let in again.
    pub(super) fn take_up_revision(&mut self) -> anyhow::Result<()> {
        let revision = self.read_revision()?;
        if revision == self.revision {
            return Ok(());
        }
        self.revision = revision;
        self.expect_rated()?;
        let read = |store: &mut dyn Store, _| shared(store)?.publication();
        let published = self
            .worker
            .is_some()
            .then(|| self.stored(read))
            .transpose()?;
        if let (Some(worker), Some(Some(published))) = (&mut self.worker, published)
            && worker.published != published
        {
            worker.published = published;
            worker.furnish()?;
            // Bots may play in other versions.
            self.ready.iter_mut().for_each(|ready| *ready = None);
            self.take_up_config()?;
            self.make_missing_ready()?;
        }
        self.recount()
    }

    /// A configuration that was published, with what is another on this machine.
    pub(super) fn as_here(&self, mut config: Config) -> Config {
        if let Some(worker) = &self.worker {
            config.options.bots.sandbox = worker.options.sandbox;
        }
        config
    }

    /// Makes a bot ready as it was published. One that cannot play on this machine may on others.
    pub(super) fn fetch(&mut self, number: usize) -> anyhow::Result<()> {
        self.ready[number] = None;
        let Some(worker) = &self.worker else {
            return Ok(());
        };
        let (cache, published) = (worker.cache.clone(), worker.published.clone());
        let builds = worker.options.builds;
        let game = self.config.game();
        let bot = self.config.bots[number].clone();
        let fetched = self.stored(|store, run| {
            let versions = store.versions()?;
            let mut versions = versions.iter().filter(|version| version.bot == bot.name);
            let Some(version) = versions.find(|version| version.current) else {
                return Err(refuse("it is not published").into());
            };
            let shared = shared(store)?;
            let (ready, build) =
                cache.make_ready(game, &bot, &published, version, shared, builds)?;
            if let Some(build) = build {
                shared.note_build(run, &build)?;
            }
            anyhow::Ok(ready)
        });
        match fetched {
            Ok(ready) => self.ready[number] = Some(ready),
            Err(error) if error.is::<StoreError>() => return Err(error),
            Err(error) => {
                let told = printable(format!("{error:#}"));
                self.news
                    .push(format!("{} does not play here: {told}", bot.name));
                self.draw_up();
            }
        }
        Ok(())
    }

    /// Lets a bot play no more that fails to start: nowhere, or, for a worker, not on this machine.
    pub(super) fn give_up(&mut self, name: &str, reason: &str) -> anyhow::Result<()> {
        if self.worker.is_none() {
            return self.disable(name, reason);
        }
        if let Some(number) = self.config.number_of(name) {
            self.ready[number] = None;
        }
        self.news
            .push(format!("{name} does not play here any more: it {reason}"));
        self.draw_up();
        Ok(())
    }

    /// Whether a bot may be played on a machine of this speed.
    pub(super) fn is_fit(&self, number: usize) -> bool {
        let is_bound = self
            .worker
            .as_ref()
            .is_some_and(|worker| worker.repeatable_alone);
        !is_bound || self.is_repeatable(number)
    }

    /// Whether a bot that is ready answers alike on every machine.
    fn is_repeatable(&self, number: usize) -> bool {
        let ready = self.ready[number].as_ref();
        ready.is_some_and(|ready| {
            let known = ready.participant.spec.is_repeatable();
            known.unwrap_or(self.config.bots[number].repeatable)
        })
    }

    /// A pair that another worker has played, to be played again here.
    pub(super) fn next_replay(&mut self) -> anyhow::Result<Option<PairJob>> {
        let Some(worker) = &mut self.worker else {
            return Ok(None);
        };
        if worker.looked.elapsed() < REPLAYS {
            return Ok(None);
        }
        let looked = std::mem::replace(&mut worker.looked, Instant::now());
        let percent = self.config.workers.replays;
        let bots = self
            .active()
            .into_iter()
            .filter(|&number| self.is_repeatable(number));
        let names: Vec<String> = bots
            .map(|number| self.config.bots[number].name.clone())
            .collect();
        if percent == 0 || names.len() < 2 {
            return Ok(None);
        }
        let replay = self.stored(|store, run| shared(store)?.claim_replay(run, &names, percent))?;
        let Some(replay) = replay else {
            return Ok(None);
        };
        let entrant = |number: usize| self.ready[number].as_ref().map(|ready| ready.entrant());
        let numbers = replay.bots.each_ref().map(|known| {
            let number = self.config.number_of(&known.bot);
            number.filter(|&number| entrant(number).as_ref() == Some(known))
        });
        let first: Result<GameRecord, _> = serde_json::from_str(&replay.records[0]);
        let ([Some(one), Some(other)], Ok(first)) = (numbers, first) else {
            return Ok(None);
        };
        // The bot that moves first in the first game is the first of the two.
        let mover = match self.settings.rules.moves_first {
            Side::Black => &first.black,
            Side::White => &first.white,
        };
        let bots = match mover.name == replay.bots[0].bot {
            true => [one, other],
            false => [other, one],
        };
        let lease = Lease {
            pair: replay.pair,
            fence: 0,
        };
        let mut job = self.job_of(lease, bots, replay.round)?;
        job.again = Some(Box::new(replay));
        // There may be more.
        if let Some(worker) = &mut self.worker {
            worker.looked = looked;
        }
        Ok(Some(job))
    }

    /// Notes what came of a pair that was played again; nothing where that was cut short, or the referee stood still.
    pub(super) fn compare(
        &mut self,
        replay: &Replay,
        pair: Option<PlayedPair>,
    ) -> anyhow::Result<()> {
        let tells = |game: &GameRecord| game.result.is_some() && !game.is_unwatched_timeout();
        let Some(pair) = pair.filter(|pair| pair.games.iter().all(tells)) else {
            return Ok(());
        };
        let games = replay.records.iter().zip(&pair.games);
        let difference = games
            .map(|(before, now)| difference(before, now))
            .find_map(|told| told);
        if let Some(told) = &difference {
            let [one, other] = &replay.bots;
            self.news.push(format!(
                "a pair of {} and {} comes out otherwise here than where it was played first: {told}",
                one.bot, other.bot
            ));
        }
        let pair = replay.pair;
        self.stored(|store, run| shared(store)?.finish_replay(run, pair, difference.as_deref()))
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
    (before.result != now.result).then(|| format!("game {}: another result", now.number))
}
