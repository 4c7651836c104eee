//! The worker's role: a run on a machine without the ladder's folder. It plays what is published in the ladder's
//! database, reports about itself there, and replays pairs of other workers to compare the results.

use super::config::{Config, Outside};
use super::ladder_run::{LadderRun, PairJob};
use super::policy::PATIENCE;
use super::progress::Progress;
use super::published::{PublishedLadder, WorkerOptions};
use super::refuse;
use super::role::Role;
use super::run::play_all;
use crate::store::shared::{Publication, Replay, expect_shared};
use crate::store::{Access, Address, Lease, StoreError};
use crownhead_arena::runner::{PlayedPair, Poll};
use crownhead_record::GameRecord;
use crownhead_record::numbers::{counted, show_rate};
use crownhead_record::text::printable;
use crownhead_train::bench;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Interval between looks for a pair to replay.
const REPLAYS: Duration = Duration::from_secs(5);

/// How long it claims nothing after the referee has failed here. This doubles with each failure in a row.
const FIRST_REST: Duration = Duration::from_secs(1);
const LONGEST_REST: Duration = Duration::from_secs(60);

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
) -> anyhow::Result<Publication> {
    patiently(interrupted, tell, || fetch(address))
}

fn fetch(address: &Address) -> anyhow::Result<Publication> {
    let store = address.open(Access::Write)?;
    let published = expect_shared(store.as_ref())?.publication()?;
    Ok(published.ok_or_else(|| {
        refuse(format!(
            "{}: nothing is published for workers; type `crownhead ladder publish FOLDER` where the ladder's folder is",
            address.url()
        ))
    })?)
}

/// Repeats something while it fails for a temporary reason.
fn patiently<T>(
    interrupted: &AtomicBool,
    tell: &mut dyn FnMut(&str),
    mut work: impl FnMut() -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut is_told = false;
    loop {
        let error = match work() {
            Err(error) if !interrupted.load(Ordering::Relaxed) => error,
            done => return done,
        };
        if error.downcast_ref().and_then(StoreError::passing).is_none() {
            return Err(error);
        }
        if !std::mem::replace(&mut is_told, true) {
            tell(&format!("{error:#}; it is tried again until that works"));
        }
        std::thread::sleep(SERVER_PAUSE);
    }
}

/// Plays pairs of the ladder until `interrupted` is set. `look` gets the progress, as in
/// [`run_ladder`](super::run_ladder). `tell` gets a message if the server keeps it waiting before it plays; then it
/// starts over.
///
/// # Errors
/// When this machine may not play the ladder, or the store fails for good.
pub fn run_worker(
    options: WorkerOptions,
    published: Publication,
    interrupted: &Arc<AtomicBool>,
    tell: &mut dyn FnMut(&str),
    look: &mut dyn FnMut(&Progress<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut published = Some(published);
    patiently(interrupted, tell, || {
        let published = match published.take() {
            Some(published) => published,
            None => fetch(&options.address)?,
        };
        play_published(options.clone(), published, interrupted, look)
    })
}

/// Plays until `interrupted` is set, or the server fails at a point where it does not wait for it.
fn play_published(
    options: WorkerOptions,
    published: Publication,
    interrupted: &Arc<AtomicBool>,
    look: &mut dyn FnMut(&Progress<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let (ladder, folder) = PublishedLadder::new(options, published)?;
    let mut config = ladder.as_here(folder.config()?);
    let signature = bench::signature(config.game());
    if signature != ladder.published.signature {
        let told = format!(
            "the built-in search of this Crownhead has the signature {signature}, that of the ladder {}: expected the \
             same version of Crownhead on all machines",
            ladder.published.signature
        );
        return Err(refuse(told).into());
    }
    config.concurrency = usize::try_from(ladder.options.machine.concurrency).unwrap_or(1);
    let role = WorkerRole {
        ladder,
        looked: Instant::now(),
        paused: None,
        told_of_idling: false,
    };
    let store = folder.store()?;
    play_all(&folder, config, store, interrupted, look, None, role)
}

/// A run on a machine that has only what is published.
struct WorkerRole {
    ladder: PublishedLadder,
    /// When it last looked for a pair to replay.
    looked: Instant,
    /// Claims no pairs before this time, because the referee failed here.
    paused: Option<Instant>,
    /// Whether it has reported that it can play nothing.
    told_of_idling: bool,
}

impl WorkerRole {
    /// Whether this machine's speed is outside the ladder's band, but it may still play.
    ///
    /// # Errors
    /// When it may not.
    fn is_outside_band(&self, run: &mut LadderRun<'_>) -> anyhow::Result<bool> {
        let (machine, terms) = (&self.ladder.options.machine, run.config.workers);
        let reference = match terms.speed {
            None => run.ask(|store, _| expect_shared(store)?.reference_speed())?,
            speed => speed,
        };
        let Some(reference) = reference else {
            return Ok(false);
        };
        let difference = 100.0 * (machine.speed / reference - 1.0);
        if difference.abs() <= terms.band {
            return Ok(false);
        }
        match terms.outside {
            Outside::Repeatable => Ok(true),
            Outside::Refuse => Err(refuse(format!(
                "this machine searches {} positions/s with {} at once, {:+.0} % of the {} that \
                 the ladder asks for, which lets {:.0} % pass: bots would think more or less here than elsewhere. \
                 `[workers] outside = \"repeatable\"` in ladder.toml lets such machines play bots that are limited by \
                 nodes or depth, `band` lets more pass",
                show_rate(machine.speed),
                counted(machine.concurrency, "game"),
                difference,
                show_rate(reference),
                terms.band
            ))
            .into()),
        }
    }

    /// # Errors
    /// When this worker's pairs are not rated, because it would only use them up.
    fn expect_rated(&self, run: &mut LadderRun<'_>) -> anyhow::Result<()> {
        let name = &self.ladder.options.machine.name;
        let workers = run.ask(|store, _| expect_shared(store)?.workers())?;
        let own = workers.into_iter().find(|worker| worker.name == *name);
        match own.and_then(|worker| worker.excluded) {
            None => Ok(()),
            Some(reason) => Err(refuse(format!(
                "worker {name} is excluded: {reason}. `crownhead ladder include` lets it play again"
            ))
            .into()),
        }
    }

    /// A pair of another worker, to be replayed here.
    fn next_replay(&mut self, run: &mut LadderRun<'_>) -> anyhow::Result<Option<PairJob>> {
        if self.looked.elapsed() < REPLAYS {
            return Ok(None);
        }
        let looked = std::mem::replace(&mut self.looked, Instant::now());
        let percent = run.config.workers.replays;
        let mut bots = run.active();
        bots.retain(|&number| run.is_repeatable(number));
        let names: Vec<String> = bots.iter().map(|&number| run.name_of(number)).collect();
        if percent == 0 || names.len() < 2 {
            return Ok(None);
        }
        let claim = run.ask(|store, run| expect_shared(store)?.claim_replay(run, &names, percent));
        let Some(replay) = claim? else {
            return Ok(None);
        };
        let numbers = replay.bots.each_ref().map(|known| {
            let number = run.config.number_of(&known.bot);
            number.filter(|&number| run.entrant(number).as_ref() == Some(known))
        });
        let first: Result<GameRecord, _> = serde_json::from_str(&replay.records[0]);
        let ([Some(one), Some(other)], Ok(first)) = (numbers, first) else {
            return Ok(None);
        };
        // The bot that moves first in the first game is the first of the two.
        let mover = &first.players[run.settings.contest.first_player()];
        let bots = if mover.name == replay.bots[0].bot {
            [one, other]
        } else {
            [other, one]
        };
        let lease = Lease {
            pair: replay.pair,
            fence: 0,
        };
        let mut job = run.job(lease, bots, replay.round)?;
        job.again = Some(Box::new(replay));
        // There may be more.
        self.looked = looked;
        Ok(Some(job))
    }
}

impl Role for WorkerRole {
    const ASKS_OFTEN: bool = false;

    fn join(&mut self, run: &mut LadderRun<'_>) -> anyhow::Result<()> {
        run.repeatable_alone = self.is_outside_band(run)?;
        let machine = &self.ladder.options.machine;
        run.ask(|store, run| expect_shared(store)?.join(run, machine))?;
        self.expect_rated(run)
    }

    fn next(&mut self, run: &mut LadderRun<'_>) -> anyhow::Result<Poll<PairJob>> {
        if self.paused.is_some_and(|until| Instant::now() < until) {
            return Ok(Poll::Pending);
        }
        let can_play = run.active().len() > 1;
        if !can_play && !self.told_of_idling {
            let told = "fewer than two of the ladder's bots can play here: this worker waits until others are published";
            run.tell(told);
        }
        self.told_of_idling = !can_play;
        if let Some(job) = self.next_replay(run)? {
            return Ok(Poll::Ready(job));
        }
        // It waits for more.
        Ok(match run.next_pair()? {
            Poll::Finished => Poll::Pending,
            next => next,
        })
    }

    /// Takes the published version. A bot that cannot play on this machine may play on others.
    fn make_ready(&mut self, run: &mut LadderRun<'_>, number: usize) -> anyhow::Result<()> {
        run.ready[number] = None;
        let (config, bot) = (run.config.clone(), run.config.bots[number].clone());
        let ladder = &self.ladder;
        let fetched = run.ask(|store, run| {
            let (ready, build) = ladder.make_ready(&config, &bot, store)?;
            if let Some(build) = build {
                expect_shared(store)?.note_build(run, &build)?;
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
        Ok(())
    }

    /// Only on this machine; the bot may play on others.
    fn give_up(&self, run: &mut LadderRun<'_>, name: &str, reason: &str) -> anyhow::Result<()> {
        if let Some(number) = run.config.number_of(name) {
            run.ready[number] = None;
        }
        run.tell(format!("{name} does not play here any more: it {reason}"));
        run.rebuild_plan();
        Ok(())
    }

    /// # Errors
    /// When another worker has taken its name.
    fn tell_of_itself(&self, run: &mut LadderRun<'_>, is_over: bool) -> anyhow::Result<()> {
        let name = &self.ladder.options.machine.name;
        let pairs = run.playing();
        let pairs: Vec<String> = pairs.map(|pair| pair.join(" : ")).collect();
        let doing = if pairs.is_empty() {
            "waits for pairs".into()
        } else {
            format!("plays {}", pairs.join(", "))
        };
        let doing = (!is_over).then_some(doing.as_str());
        if run.ask(|store, run| expect_shared(store)?.seen(run, name, doing))? || is_over {
            return Ok(());
        }
        Err(refuse(format!(
            "another worker has joined as {name}, so this one ends; call one of them otherwise with --name"
        ))
        .into())
    }

    fn take_up_publication(&mut self, run: &mut LadderRun<'_>) -> anyhow::Result<()> {
        self.expect_rated(run)?;
        let published = run.ask(|store, _| expect_shared(store)?.publication())?;
        if let Some(published) = published
            && self.ladder.published != published
        {
            self.ladder.replace(published)?;
            // Bots may play in other versions.
            run.ready.fill(None);
        }
        Ok(())
    }

    fn as_here(&self, config: Config) -> Config {
        self.ladder.as_here(config)
    }

    /// The failure may be this machine's and may pass. Meanwhile, others take the pair.
    fn referee_failed(
        &mut self,
        run: &mut LadderRun<'_>,
        times: u32,
        told: String,
    ) -> anyhow::Result<()> {
        let doubled = times.saturating_sub(PATIENCE).min(10);
        let pause = (FIRST_REST * 2_u32.pow(doubled)).min(LONGEST_REST);
        self.paused = Some(Instant::now() + pause);
        run.tell(format!(
            "{told}; this worker claims no pair for {} s, and others may play it",
            pause.as_secs()
        ));
        Ok(())
    }

    /// Reports where the result differs; nothing if the referee failed or was stopped.
    fn compare(
        &self,
        run: &mut LadderRun<'_>,
        replay: &Replay,
        pair: PlayedPair,
    ) -> anyhow::Result<()> {
        let tells = |game: &GameRecord| game.scores.is_some() && !game.is_unwatched_timeout();
        if !pair.games.iter().all(tells) {
            return Ok(());
        }
        let mut games = replay.records.iter().zip(&pair.games);
        let difference = games.find_map(|(before, now)| difference(before, now));
        if let Some(told) = &difference {
            let [one, other] = &replay.bots;
            run.tell(format!(
                "a pair of {} and {} comes out otherwise here than where it was played first: {told}",
                one.bot, other.bot
            ));
        }
        let (pair, difference) = (replay.pair, difference.as_deref());
        run.ask(|store, run| expect_shared(store)?.finish_replay(run, pair, difference))
    }
}

/// The first difference between a replayed game and its record.
fn difference(before: &str, now: &GameRecord) -> Option<String> {
    let before: GameRecord = match serde_json::from_str(before) {
        Ok(before) => before,
        Err(error) => return Some(format!("its record cannot be read: {error}")),
    };
    let reply = |game: &GameRecord, turn: usize| Some(game.turns.get(turn)?.reply.clone());
    let mut turns = 0..before.turns.len().max(now.turns.len());
    if let Some(turn) = turns.find(|&turn| reply(&before, turn) != reply(now, turn)) {
        let told = |game| match reply(game, turn) {
            Some(Some(reply)) => format!("`{}`", printable(reply)),
            Some(None) => "no answer".into(),
            None => "nothing".into(),
        };
        return Some(format!(
            "game {}, turn {}: {} then, {} now",
            now.number,
            turn + 1,
            told(&before),
            told(now)
        ));
    }
    (before.scores != now.scores).then(|| format!("game {}: another result", now.number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_games::game;
    use crownhead_record::TurnRecord;
    use std::time::Duration;

    #[test]
    fn a_game_that_was_played_again_differs_by_its_first_other_answer_or_by_its_result() {
        let played = |replies: &[Option<&str>]| {
            let turn = |reply: &Option<&str>| {
                TurnRecord::new(0, reply.map(String::from), Duration::from_millis(1))
            };
            let mut game = game(7, "anna", "bert", [1.0, 0.0]);
            game.turns = replies.iter().map(turn).collect();
            game
        };
        let before = played(&[Some("A3B4"), Some("B6A5")]);
        let text = serde_json::to_string(&before).unwrap();
        let told = |now: &GameRecord| difference(&text, now);
        assert_eq!(told(&before), None);
        // The time may differ.
        let mut slower = before.clone();
        slower.turns[0].time = Duration::from_secs(1);
        assert_eq!(told(&slower), None);
        for (replies, expected) in [
            (
                &[Some("A3B4"), Some("D6C5")][..],
                "game 7, turn 2: `B6A5` then, `D6C5` now",
            ),
            (&[None], "game 7, turn 1: `A3B4` then, no answer now"),
            (&[Some("A3B4")], "game 7, turn 2: `B6A5` then, nothing now"),
            (
                &[Some("A3B4"), Some("B6A5"), Some("\n")],
                r"game 7, turn 3: nothing then, `\x0a` now",
            ),
        ] {
            assert_eq!(told(&played(replies)).as_deref(), Some(expected));
        }
        let mut lost = before.clone();
        lost.scores = Some(vec![0.0, 1.0]);
        assert_eq!(told(&lost).as_deref(), Some("game 7: another result"));
        let damaged = difference("{", &before).unwrap();
        assert!(
            damaged.starts_with("its record cannot be read: "),
            "{damaged}"
        );
    }
}
