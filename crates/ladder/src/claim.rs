//! A run's pairs: it claims them, makes jobs of them, and stores or gives back what was played.

use super::error::{LadderError, fail};
use super::ladder_run::LadderRun;
use super::schedule::{Schedule, matched};
use super::version::Ready;
use crate::store::{Entrant, FinishedPair, Lease, PairKey};
use crownhead_arena::runner::{GameSpec, Participant, PlayedPair, Poll};
use crownhead_record::seed::Purpose;
use std::sync::Arc;

/// A pair to be played.
pub(super) struct PairJob {
    pub(super) lease: Lease,
    pub(super) bots: [Arc<Participant>; 2],
    pub(super) specs: Vec<GameSpec>,
}

/// A played pair; without games if the run was interrupted before its end.
pub(super) type PlayedJob = (PairJob, Option<PlayedPair>);

impl LadderRun<'_> {
    /// Claims the next open pair of the schedule.
    pub(super) fn next_pair(&mut self) -> Result<Poll<PairJob>, LadderError> {
        if let Schedule::Matched { pairs } = self.config.schedule {
            return self.next_matched(pairs);
        }
        while let Some((one, other, round)) = self.plan.next_open() {
            if let Some(job) = self.claim([one, other], round)? {
                return Ok(Poll::Ready(job));
            }
        }
        Ok(self.pending_or_finished())
    }

    fn pending_or_finished(&self) -> Poll<PairJob> {
        if self.left() > 0 {
            Poll::Pending
        } else {
            Poll::Finished
        }
    }

    fn next_matched(&mut self, pairs: u64) -> Result<Poll<PairJob>, LadderError> {
        let (tally, under_way) = (&self.tally, &self.under_way);
        let started = tally.all_pairs() + under_way.len() as u64;
        if started >= pairs {
            return Ok(self.pending_or_finished());
        }
        let active = self.active();
        let name = |number: usize| &self.config.bots[number].name;
        let waiting = |one: usize, other: usize| {
            let pair = [name(one), name(other)];
            let between = |bots: &&[Entrant; 2]| bots.iter().all(|bot| pair.contains(&&bot.bot));
            under_way.values().filter(between).count() as u64
        };
        let (results, all) = (&tally.results, tally.roster.len());
        let pairing = matched(&active, results, waiting, all, self.config.seed, started);
        let Some((one, other)) = pairing else {
            return Ok(Poll::Finished);
        };
        // The first free number between the two.
        for round in 0.. {
            if self.plan.is_open((one, other, round))
                && let Some(job) = self.claim([one, other], round)?
            {
                return Ok(Poll::Ready(job));
            }
        }
        unreachable!("there are more numbers than pairs")
    }

    /// Claims a pair, unless it is finished or another run plays it.
    fn claim(&mut self, bots: [usize; 2], round: u64) -> Result<Option<PairJob>, LadderError> {
        let entrants = bots.map(|bot| self.ready(bot).entrant());
        let key = PairKey::new(&entrants[0], &entrants[1], round);
        let Some(lease) = self.ask(|store, run| store.claim(run, &key))? else {
            return Ok(None);
        };
        self.under_way.insert(lease, entrants);
        self.job(lease, bots, round).map(Some)
    }

    fn ready(&self, bot: usize) -> &Ready {
        let ready = self.ready[bot].as_ref();
        ready.expect("only bots that are ready are scheduled")
    }

    /// A pair to be played. Everything about it follows from its bots, in this order, and its number between them.
    pub(super) fn job(
        &self,
        lease: Lease,
        bots: [usize; 2],
        round: u64,
    ) -> Result<PairJob, LadderError> {
        let names = bots.map(|bot| self.config.bots[bot].name.as_str());
        let opening = self.openings.between(&names, round);
        let opening =
            opening.ok_or_else(|| fail(format!("no random opening {round} could be found")))?;
        let purpose = |game, bot| Purpose::LadderBot {
            bots: names,
            round,
            game,
            bot,
        };
        Ok(PairJob {
            lease,
            bots: bots.map(|bot| self.ready(bot).participant.clone()),
            specs: GameSpec::round(&self.settings, round, 2 * lease.pair - 1, &opening, purpose),
        })
    }

    /// Gives a pair back to be played again, and keeps its games as void.
    pub(super) fn give_back(&mut self, lease: Lease, pair: &PlayedPair) -> Result<(), LadderError> {
        let games = [&pair.replaced[..], &pair.games].concat();
        self.ask(|store, run| store.give_back(run, lease, &games))?;
        self.plan.begin_anew();
        Ok(())
    }

    /// Stores pairs, and reports those that it may no longer store.
    pub(super) fn store(&mut self, pairs: Vec<FinishedPair>) -> Result<(), LadderError> {
        let stored = self.ask(|store, run| store.finish(run, &pairs))?;
        for (pair, is_stored) in pairs.into_iter().zip(stored) {
            if !is_stored {
                let [game, _] = &pair.games;
                self.tell(format!(
                    "a pair of {} and {} is not stored, and is played again: this run has lost its lease to it",
                    game.players[0].name, game.players[1].name
                ));
                continue;
            }
            self.stored += 1;
            let games = pair.games.into_iter();
            let lost_by_faults = games.filter(|game| game.fault_turn().is_some());
            self.faults.extend(lost_by_faults);
        }
        Ok(())
    }
}
