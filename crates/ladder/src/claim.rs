//! A run's pairs: it claims them, makes jobs of them, and stores or gives back what was played.

use super::error::{LadderError, fail};
use super::groups::matched_group;
use super::ladder_run::LadderRun;
use super::policy::describe;
use super::schedule::{Planned, Schedule};
use super::version::Ready;
use crate::store::{Entrant, FinishedPair, Lease, PairKey, first_game};
use crownhead_arena::runner::{GameSpec, Participant, PlayedPair, Poll};
use crownhead_record::seed::Purpose;
use std::sync::Arc;

/// A pair to be played.
pub(super) struct PairJob {
    pub(super) lease: Lease,
    pub(super) bots: Vec<Arc<Participant>>,
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
        while let Some(pair) = self.plan.next_open() {
            if let Some(job) = self.claim(&pair)? {
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
            let has = |bots: &[Entrant], name: &String| bots.iter().any(|bot| bot.bot == *name);
            let have_both = |bots: &&Vec<Entrant>| has(bots, name(one)) && has(bots, name(other));
            under_way.values().filter(have_both).count() as u64
        };
        let (results, all) = (&tally.results, tally.roster.len());
        let (players, seed) = (self.config.players(), self.config.seed);
        let group = matched_group(&active, players, results, waiting, all, seed, started);
        let Some(bots) = group else {
            return Ok(Poll::Finished);
        };
        // The first free number between them.
        let mut pair = Planned { bots, round: 0 };
        for round in 0.. {
            pair.round = round;
            if self.plan.is_open(&pair)
                && let Some(job) = self.claim(&pair)?
            {
                return Ok(Poll::Ready(job));
            }
        }
        unreachable!("there are more numbers than pairs")
    }

    /// Claims a pair, unless it is finished or another run plays it.
    fn claim(&mut self, pair: &Planned) -> Result<Option<PairJob>, LadderError> {
        let entrants = pair.bots.iter().map(|&bot| self.ready(bot).entrant());
        let entrants: Vec<Entrant> = entrants.collect();
        let key = PairKey::new(entrants.clone(), pair.round);
        let Some(lease) = self.ask(|store, run| store.claim(run, &key))? else {
            return Ok(None);
        };
        self.under_way.insert(lease, entrants);
        self.job(lease, pair).map(Some)
    }

    fn ready(&self, bot: usize) -> &Ready {
        let ready = self.ready[bot].as_ref();
        ready.expect("only bots that are ready are scheduled")
    }

    /// A pair to be played. Everything about it follows from its bots, in this order, and its number between them.
    fn job(&self, lease: Lease, pair: &Planned) -> Result<PairJob, LadderError> {
        let (bots, round) = (pair.bots.iter(), pair.round);
        let names = bots.clone().map(|&bot| self.config.bots[bot].name.as_str());
        let names: Vec<&str> = names.collect();
        let opening = self.openings.between(&names, round);
        let opening =
            opening.ok_or_else(|| fail(format!("no random opening {round} could be found")))?;
        let purpose = |game, bot| Purpose::LadderBot {
            bots: &names,
            round,
            game,
            bot,
        };
        let first = first_game(lease.pair, names.len());
        Ok(PairJob {
            lease,
            bots: bots
                .map(|&bot| self.ready(bot).participant.clone())
                .collect(),
            specs: GameSpec::round(&self.settings, round, first, &opening, purpose),
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
                let names = pair.games[0].players.iter().map(|player| &*player.name);
                self.tell(format!(
                    "{} is not stored, and is played again: this run has lost its lease to it",
                    describe(&names.collect::<Vec<_>>())
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
