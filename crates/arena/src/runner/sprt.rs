//! Playing pairs of games until the sequential test has its verdict.

use super::live::LiveRun;
use super::match_::{MOST_SPOILED, MatchPlan};
use super::pair::{PlayedPair, VoidCause, play_pair};
use super::pool::{JobSource, Poll};
use super::spec::{GameSpec, Participant};
use crownhead_record::totals::sprt_pair;
use crownhead_stats::sprt::{OrderedSprt, Sprt, SprtVerdict};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A test cannot continue, because the referee or a bot would fail in the other pairs too.
#[derive(Debug, thiserror::Error)]
#[error("{MOST_SPOILED} pairs in a row are void: {reason}")]
pub struct SprtError {
    /// How the last game ended.
    pub reason: String,
}

/// Plays pairs of games until the test has its verdict or the plan's games are played. The plan has as many bots as a game
/// has players: the two that are compared, and where more than two play, the others of each game. A pair is then a round of
/// as many games. Each game is shown to `watch` while it is under way.
///
/// The test begins with the pairs that were played `earlier`, by their numbers; one that was interrupted is played on, and
/// one that the referee or a failed start made void is played again. Each pair goes to `finished` as soon as it is over, on
/// the calling thread, with the test as it then stands. A void pair says nothing of who is better, and is passed over; its
/// games go to `finished` too. With a verdict, `stop` is set, which interrupts pairs under way; setting it from outside ends
/// the test undecided. Of an interrupted pair `finished` is given the games that were played.
///
/// # Errors
/// When bots do not start, or the referee spoils every game, in three pairs in a row.
pub fn run_sprt(
    plan: &MatchPlan,
    test: Sprt,
    mut earlier: BTreeMap<u64, PlayedPair>,
    stop: &Arc<AtomicBool>,
    watch: Option<&LiveRun>,
    finished: impl FnMut(PlayedPair, &OrderedSprt),
) -> Result<OrderedSprt, SprtError> {
    earlier.retain(|_, pair| {
        let void = pair.void().filter(|_| !pair.interrupted);
        void.is_none_or(|(cause, _)| cause == VoidCause::Starved)
    });
    let mut pairs = Pairs {
        plan,
        next: 1,
        spoiled: 0,
        test: OrderedSprt::new(test, plan.settings.contest.players()),
        stop,
        finished,
        failed: None,
        earlier: BTreeMap::new(),
    };
    let whole = earlier.iter().filter(|(_, pair)| !pair.interrupted);
    whole.for_each(|(&number, pair)| pairs.count(number, pair));
    pairs.earlier = earlier;
    let Ok(()) = plan.work(&mut pairs, |bots, cores, (number, specs)| {
        let bots: Vec<&Participant> = bots.iter().collect();
        let pair = play_pair(&plan.settings, &bots, &specs, cores, stop, watch);
        (number, pair)
    });
    pairs.failed.map_or(Ok(pairs.test), Err)
}

/// The pairs of a test in their order.
struct Pairs<'a, F> {
    plan: &'a MatchPlan,
    next: u64,
    /// How many pairs in a row were void by the referee, or because a bot did not start.
    spoiled: usize,
    test: OrderedSprt,
    stop: &'a AtomicBool,
    finished: F,
    /// Why the test cannot continue. It ends after the pairs under way.
    failed: Option<SprtError>,
    earlier: BTreeMap<u64, PlayedPair>,
}

impl<F: FnMut(PlayedPair, &OrderedSprt)> JobSource for Pairs<'_, F> {
    type Job = (u64, Vec<GameSpec>);
    type Result = (u64, PlayedPair);
    type Error = Infallible;

    fn next(&mut self) -> Result<Poll<Self::Job>, Infallible> {
        let is_whole = |pair: &PlayedPair| !pair.interrupted;
        while self.earlier.get(&self.next).is_some_and(is_whole) {
            self.next += 1;
        }
        let number = self.next;
        let pairs = self.plan.games / self.plan.settings.contest.players() as u64;
        if self.stop.load(Ordering::Relaxed) || number > pairs {
            return Ok(Poll::Finished);
        }
        self.next += 1;
        // Records number the pairs of a test from 1, openings from 0.
        let Some((_, mut specs)) = self.plan.round(number - 1) else {
            return Ok(Poll::Finished);
        };
        if let Some(begun) = self.earlier.get(&number) {
            let is_played =
                |spec: &GameSpec| begun.games.iter().any(|game| game.number == spec.number);
            specs.retain(|spec| !is_played(spec));
        }
        Ok(Poll::Ready((number, specs)))
    }

    fn done(&mut self, pairs: Vec<Self::Result>) -> Result<(), Infallible> {
        for (number, mut pair) in pairs {
            if let Some(begun) = self.earlier.remove(&number) {
                pair.games.splice(0..0, begun.games);
            }
            if !pair.interrupted {
                self.count(number, &pair);
            }
            // The pair that ends the test is shown and recorded too.
            (self.finished)(pair, &self.test);
        }
        Ok(())
    }
}

impl<F> Pairs<'_, F> {
    /// Counts a pair that was played to its end, and stops the test if that decides it.
    fn count(&mut self, number: u64, pair: &PlayedPair) {
        match pair.void() {
            None => {
                self.spoiled = 0;
                let names = [0, 1].map(|bot: usize| self.plan.bots[bot].spec.name.as_str());
                self.test.add(number, sprt_pair(&pair.games, names));
            }
            Some((cause, game)) => {
                self.test.pass_over(number);
                let is_judged = || pair.games.iter().any(|one| one.scores.is_some());
                match cause {
                    VoidCause::Starved => {}
                    VoidCause::RefereeFault if is_judged() => self.spoiled = 0,
                    VoidCause::RefereeFault | VoidCause::DidNotStart => self.spoiled += 1,
                }
                if self.spoiled >= MOST_SPOILED {
                    let reason = game.reason.clone();
                    self.failed.get_or_insert(SprtError { reason });
                }
            }
        }
        if self.failed.is_some() || self.test.verdict() != SprtVerdict::Undecided {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}
