//! Playing pairs of games until the sequential test has its verdict.

use super::game::{self, GameSpec, Participant, PlayedPair};
use super::plan::MatchPlan;
use super::pool::{self, JobSource, Next};
use crate::record::GameRecord;
use crate::stats::sprt::{OrderedSprt, Sprt, Verdict};
use crate::table::Termination;
use crownhead::notation::Notation;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The times a pair is played before the test gives up on it.
const ATTEMPTS: u32 = 3;
/// The games in a row that a bot may fail to start.
const FAILED_STARTS: u32 = 3;

/// Plays pairs of games until the test has its verdict or the plan's games are played.
///
/// Each pair goes to `finished` as soon as it is over, on the calling thread, with the test as it then
/// stands. A pair that the referee spoiled, or in which a bot did not start, is played again and holds the
/// count: it says nothing of who is better. Its games go to `finished` too. With a verdict, `stop` is set, and games under way end as referee faults that nobody
/// sees; setting it from outside ends the test undecided.
///
/// # Errors
/// When `finished` fails, a bot does not start three times in a row, or one pair is spoiled three times.
pub fn run_sprt<G: Notation>(
    plan: &MatchPlan,
    test: Sprt,
    stop: &Arc<AtomicBool>,
    finished: impl FnMut(PlayedPair, &OrderedSprt) -> anyhow::Result<()>,
) -> anyhow::Result<OrderedSprt> {
    let setting = plan.setting();
    let participants = plan.bots.clone().map(Participant::from);
    let mut pairs = Pairs {
        plan,
        next: 1,
        again: Vec::new(),
        spoiled: BTreeMap::new(),
        not_started: [0; 2],
        test: OrderedSprt::new(test),
        stop,
        finished,
        game: PhantomData::<G>,
    };
    pool::work(plan.concurrency, false, &mut pairs, |(number, fixtures)| {
        let pair = game::play_pair::<G>(&setting, participants.each_ref(), &fixtures, stop);
        (number, pair)
    })?;
    Ok(pairs.test)
}

/// The pairs of a test in their order; those that were spoiled come first.
struct Pairs<'a, G, F> {
    plan: &'a MatchPlan,
    next: u64,
    /// Pairs to be played again.
    again: Vec<u64>,
    /// How often pairs were spoiled.
    spoiled: BTreeMap<u64, u32>,
    /// How many games in a row each bot did not start.
    not_started: [u32; 2],
    test: OrderedSprt,
    stop: &'a AtomicBool,
    finished: F,
    game: PhantomData<G>,
}

impl<G: Notation, F> JobSource for Pairs<'_, G, F>
where
    F: FnMut(PlayedPair, &OrderedSprt) -> anyhow::Result<()>,
{
    type Job = (u64, [GameSpec; 2]);
    type Result = (u64, PlayedPair);
    type Error = anyhow::Error;

    fn next(&mut self) -> anyhow::Result<Next<Self::Job>> {
        if self.stop.load(Ordering::Relaxed) {
            return Ok(Next::Over);
        }
        let number = self.again.pop().unwrap_or(self.next);
        if number > self.plan.games / 2 {
            // One that is under way may have to be played again.
            let all_counted = self.test.counts().pairs() == self.plan.games / 2;
            return Ok(if all_counted { Next::Over } else { Next::Later });
        }
        self.next = self.next.max(number + 1);
        let fixture = |game| self.plan.fixture::<G>(game);
        let pair = fixture(2 * number - 1).zip(fixture(2 * number));
        Ok(pair.map_or(Next::Over, |(one, two)| Next::Job((number, [one, two]))))
    }

    fn done(&mut self, pairs: Vec<Self::Result>) -> anyhow::Result<()> {
        for (number, pair) in pairs {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let counted = half_points(&pair, &self.plan.bots[0].name);
            let failure = match counted {
                Some(half_points) => {
                    self.test.add(number, half_points);
                    self.not_started = [0; 2];
                    Ok(())
                }
                None => self.play_again(number, &pair),
            };
            // Also what ends the test is told and recorded.
            (self.finished)(pair, &self.test)
                .and(failure)
                .inspect_err(|_| self.stop.store(true, Ordering::Relaxed))?;
            if self.test.verdict() != Verdict::Undecided {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }
}

impl<G, F> Pairs<'_, G, F> {
    fn play_again(&mut self, number: u64, pair: &PlayedPair) -> anyhow::Result<()> {
        self.count_failed_starts(&pair.games)?;
        let spoiled = self.spoiled.entry(number).or_default();
        *spoiled += 1;
        let reason = pair.spoiled().map_or("", |game| game.reason.as_str());
        anyhow::ensure!(
            *spoiled < ATTEMPTS,
            "pair {number} was spoiled {ATTEMPTS} times: {reason}"
        );
        self.again.push(number);
        Ok(())
    }

    fn count_failed_starts(&mut self, games: &[GameRecord; 2]) -> anyhow::Result<()> {
        for game in games {
            if game.termination != Termination::CannotStart {
                self.not_started = [0; 2];
                continue;
            }
            let first_did = game.points(&self.plan.bots[0].name) == Some(1.0);
            let bot = usize::from(first_did);
            self.not_started[bot] += 1;
            anyhow::ensure!(
                self.not_started[bot] < FAILED_STARTS,
                "{} could not start {FAILED_STARTS} times in a row: {}",
                self.plan.bots[bot].name,
                game.reason
            );
        }
        Ok(())
    }
}

/// The points of the named bot in a pair, in half points; `None` when the pair counts for nothing.
fn half_points(pair: &PlayedPair, name: &str) -> Option<usize> {
    if pair.spoiled().is_some() {
        return None;
    }
    pair.games.iter().try_fold(0, |sum, game| {
        Some(sum + (2.0 * game.points(name)?) as usize)
    })
}
