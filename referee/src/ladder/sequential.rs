//! Playing pairs of games until the sequential test has its verdict.

use super::game::{self, Entrant, Fixture};
use super::plan::MatchPlan;
use super::pool::{self, Desk, Next};
use crate::record::GameRecord;
use crate::stats::sprt::{InOrder, Sprt, Verdict};
use crownhead::notation::Notation;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The times a pair is played before the referee gives up on it.
const ATTEMPTS: u32 = 3;

/// Plays pairs of games until the test has its verdict or the plan's games are played.
///
/// Each pair goes to `finished` as soon as it is over, on the calling thread, with the test as it then
/// stands. A pair that the referee spoiled is played again and holds the count; the spoiled games go to
/// `finished` too. With a verdict, `stop` is set, and games under way end as referee faults that nobody
/// sees; setting it from outside ends the test undecided.
///
/// # Errors
/// When `finished` fails, or the referee spoils one pair three times.
pub fn run_sprt<G: Notation>(
    plan: &MatchPlan,
    test: Sprt,
    stop: &Arc<AtomicBool>,
    finished: impl FnMut([GameRecord; 2], &InOrder) -> anyhow::Result<()>,
) -> anyhow::Result<InOrder> {
    let setting = plan.setting();
    let entrants = plan.bots.clone().map(Entrant::from);
    let mut pairs = Pairs {
        plan,
        next: 1,
        again: Vec::new(),
        spoiled: BTreeMap::new(),
        test: InOrder::new(test),
        stop,
        finished,
        game: PhantomData::<G>,
    };
    pool::work(plan.concurrency, false, &mut pairs, |(number, fixtures)| {
        let play =
            |fixture: &Fixture| game::settled::<G>(&setting, entrants.each_ref(), fixture, stop);
        (number, fixtures.each_ref().map(play))
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
    test: InOrder,
    stop: &'a AtomicBool,
    finished: F,
    game: PhantomData<G>,
}

impl<G: Notation, F> Desk for Pairs<'_, G, F>
where
    F: FnMut([GameRecord; 2], &InOrder) -> anyhow::Result<()>,
{
    type Job = (u64, [Fixture; 2]);
    type Result = (u64, [GameRecord; 2]);
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
        for (number, games) in pairs {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            match half_points(&games, &self.plan.bots[0].name) {
                Some(half_points) => {
                    self.test.add(number, half_points);
                }
                None => self.play_again(number, &games)?,
            }
            (self.finished)(games, &self.test)
                .inspect_err(|_| self.stop.store(true, Ordering::Relaxed))?;
            if self.test.verdict() != Verdict::Undecided {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }
}

impl<G, F> Pairs<'_, G, F> {
    fn play_again(&mut self, number: u64, games: &[GameRecord; 2]) -> anyhow::Result<()> {
        let spoiled = self.spoiled.entry(number).or_default();
        *spoiled += 1;
        if *spoiled == ATTEMPTS {
            let reason = games.iter().find(|game| game.result.is_none());
            let reason = reason.map_or("", |game| game.reason.as_str());
            self.stop.store(true, Ordering::Relaxed);
            anyhow::bail!("the referee spoiled pair {number} {ATTEMPTS} times: {reason}");
        }
        self.again.push(number);
        Ok(())
    }
}

/// The points of the named bot in a pair, in half points; `None` when a game counts for nothing.
fn half_points(games: &[GameRecord; 2], name: &str) -> Option<usize> {
    games.iter().try_fold(0, |sum, game| {
        Some(sum + (2.0 * game.points(name)?) as usize)
    })
}
