//! Playing pairs of games until the sequential test has its verdict.

use super::live::LiveRun;
use super::match_::{MOST_SPOILED, MatchPlan};
use super::pair::{PlayedPair, VoidCause, play_pair};
use super::pool::{JobSource, Poll};
use super::spec::{GameSpec, Participant};
use crownhead_record::GameRecord;
use crownhead_record::totals::sprt_pair;
use crownhead_stats::sprt::{OrderedSprt, Sprt, SprtPair, SprtVerdict};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The times a pair is played before the test gives up on it.
const ATTEMPTS: u32 = 3;

/// Why a test cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum SprtError {
    /// One pair was void each time that it was played.
    #[error("pair {pair} was spoiled {ATTEMPTS} times: {reason}")]
    Void {
        /// Its number.
        pair: u64,
        /// How its last game ended.
        reason: String,
    },
    /// An external referee fails with every seed.
    #[error("the referee failed in every game of {MOST_SPOILED} pairs in a row: {reason}")]
    RefereeFails {
        /// How the last game ended.
        reason: String,
    },
}

/// Plays pairs of games until the test has its verdict or the plan's games are played. The plan has as many bots as a game
/// has players: the two that are compared, and where more than two play, the others of each game. A pair is then a round of
/// as many games. Each game is shown to `watch` while it is under way.
///
/// The test begins with the pairs that were played `earlier`, by their numbers; one that was interrupted or is void is
/// played on, or again. Each pair goes to `finished` as soon as it is over, on the calling thread, with the test as it then
/// stands. A void pair says nothing of who is better. One in which the referee was at fault or a bot did not start is
/// played again and holds the count; one that is void because the reason for a late answer is not known was played again
/// already, as often as a game is, and is passed over. Its games go to `finished` too. With a verdict, `stop` is set, which
/// interrupts pairs under way; setting it from outside ends the test undecided. Of an interrupted pair `finished` is given
/// the games that were played.
///
/// # Errors
/// When one pair is void three times, or an external referee spoils every game of three pairs in a row.
pub fn run_sprt(
    plan: &MatchPlan,
    test: Sprt,
    earlier: BTreeMap<u64, PlayedPair>,
    stop: &Arc<AtomicBool>,
    watch: Option<&LiveRun>,
    finished: impl FnMut(PlayedPair, &OrderedSprt),
) -> Result<OrderedSprt, SprtError> {
    let mut pairs = Pairs {
        plan,
        next: 1,
        again: Vec::new(),
        voided: BTreeMap::new(),
        spoiled: BTreeSet::new(),
        test: OrderedSprt::new(test, plan.settings.contest.players()),
        stop,
        finished,
        failed: None,
        taken: BTreeSet::new(),
        begun: BTreeMap::new(),
    };
    pairs.take_up(earlier);
    let Ok(()) = plan.work(&mut pairs, |bots, cores, (number, specs)| {
        let bots: Vec<&Participant> = bots.iter().collect();
        let pair = play_pair(&plan.settings, &bots, &specs, cores, stop, watch);
        (number, pair)
    });
    pairs.failed.map_or(Ok(pairs.test), Err)
}

/// The pairs of a test in their order; void ones come first, again.
struct Pairs<'a, F> {
    plan: &'a MatchPlan,
    next: u64,
    /// Pairs to be played again.
    again: Vec<u64>,
    /// How often pairs were void.
    voided: BTreeMap<u64, u32>,
    /// The pairs of which an external referee has spoiled every game, since it last judged one.
    spoiled: BTreeSet<u64>,
    test: OrderedSprt,
    stop: &'a AtomicBool,
    finished: F,
    /// Why the test cannot continue. It ends after the pairs under way.
    failed: Option<SprtError>,
    /// The pairs that were played earlier.
    taken: BTreeSet<u64>,
    /// The games that were played of pairs that were interrupted earlier.
    begun: BTreeMap<u64, PlayedPair>,
}

impl<F: FnMut(PlayedPair, &OrderedSprt)> JobSource for Pairs<'_, F> {
    type Job = (u64, Vec<GameSpec>);
    type Result = (u64, PlayedPair);
    type Error = Infallible;

    fn next(&mut self) -> Result<Poll<Self::Job>, Infallible> {
        if self.stop.load(Ordering::Relaxed) {
            return Ok(Poll::Finished);
        }
        while self.taken.remove(&self.next) {
            self.next += 1;
        }
        let number = self.again.pop().unwrap_or(self.next);
        let pairs = self.plan.games / self.plan.settings.contest.players() as u64;
        if number > pairs {
            // One that is under way may have to be played again.
            let all_known = self.test.known() >= pairs;
            let more = if all_known {
                Poll::Finished
            } else {
                Poll::Pending
            };
            return Ok(more);
        }
        self.next = self.next.max(number + 1);
        // Records number the pairs of a test from 1, openings from 0.
        let Some((_, mut specs)) = self.plan.round(number - 1) else {
            return Ok(Poll::Finished);
        };
        if let Some(begun) = self.begun.get(&number) {
            let is_played =
                |spec: &GameSpec| begun.games.iter().any(|game| game.number == spec.number);
            specs.retain(|spec| !is_played(spec));
        }
        Ok(Poll::Ready((number, specs)))
    }

    fn done(&mut self, pairs: Vec<Self::Result>) -> Result<(), Infallible> {
        for (number, mut pair) in pairs {
            if let Some(begun) = self.begun.remove(&number) {
                pair.games.splice(0..0, begun.games);
            }
            if pair.games.iter().any(|game| game.scores.is_some()) {
                self.spoiled.clear();
            }
            let failure = match pair.void() {
                _ if pair.interrupted => Ok(()),
                None => {
                    self.test.add(number, self.points_of(&pair));
                    Ok(())
                }
                Some(void) if void.cause == VoidCause::Starved => {
                    self.test.pass_over(number);
                    Ok(())
                }
                Some(void) => self.play_again(number, &pair.games, void.game),
            };
            // The pair that ends the test is shown and recorded too.
            (self.finished)(pair, &self.test);
            if let Err(failure) = failure {
                self.failed.get_or_insert(failure);
            }
            if self.failed.is_some() || self.test.verdict() != SprtVerdict::Undecided {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }
}

impl<F> Pairs<'_, F> {
    /// Counts what was played earlier.
    fn take_up(&mut self, earlier: BTreeMap<u64, PlayedPair>) {
        for (number, pair) in earlier {
            match pair.void().map(|void| void.cause) {
                _ if pair.interrupted => drop(self.begun.insert(number, pair)),
                Some(VoidCause::DidNotStart | VoidCause::RefereeFault) => {}
                void => {
                    self.taken.insert(number);
                    match void {
                        None => self.test.add(number, self.points_of(&pair)),
                        Some(_) => self.test.pass_over(number),
                    };
                }
            }
        }
        if self.test.verdict() != SprtVerdict::Undecided {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn points_of(&self, pair: &PlayedPair) -> SprtPair {
        let names = [0, 1].map(|bot: usize| self.plan.bots[bot].spec.name.as_str());
        sprt_pair(&pair.games, names)
    }

    fn play_again(
        &mut self,
        pair: u64,
        games: &[GameRecord],
        void: &GameRecord,
    ) -> Result<(), SprtError> {
        if void.referee.is_some() && games.iter().all(|game| game.scores.is_none()) {
            self.spoiled.insert(pair);
        }
        if self.spoiled.len() >= MOST_SPOILED {
            let reason = void.reason.clone();
            return Err(SprtError::RefereeFails { reason });
        }
        let voided = self.voided.entry(pair).or_default();
        *voided += 1;
        if *voided >= ATTEMPTS {
            // The same seed makes an external referee fail each time.
            if void.referee.is_some() {
                self.test.pass_over(pair);
                return Ok(());
            }
            let reason = void.reason.clone();
            return Err(SprtError::Void { pair, reason });
        }
        self.again.push(pair);
        Ok(())
    }
}
