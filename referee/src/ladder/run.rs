//! Playing the games of a match, several at once, one thread a game.

use super::game::{self, GameSpec, Participant};
use super::plan::MatchPlan;
use super::pool::{self, JobSource, Next};
use crate::record::GameRecord;
use crownhead::explain::Explain;
use crownhead::notation::Notation;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Plays the whole match and hands each game to `finished` as soon as it is over, on the calling thread.
///
/// Games come in the order in which they end. Once `interrupted` is set, no game begins and those under way
/// end as referee faults. When `finished` fails, the match ends early with its error.
///
/// # Errors
/// When `finished` fails.
pub fn run<G: Explain, E>(
    plan: &MatchPlan,
    interrupted: &Arc<AtomicBool>,
    finished: impl FnMut(GameRecord) -> Result<(), E>,
) -> Result<(), E> {
    let setting = plan.setting();
    let participants = plan.bots.clone().map(Participant::from);
    let mut games = Games {
        plan,
        next: 1,
        interrupted,
        finished,
        game: PhantomData::<G>,
    };
    pool::work(plan.concurrency, false, &mut games, |fixture: GameSpec| {
        game::play_out::<G>(&setting, participants.each_ref(), &fixture, interrupted)
    })
}

/// The games of a match in their order.
struct Games<'a, G, F> {
    plan: &'a MatchPlan,
    next: u64,
    interrupted: &'a AtomicBool,
    finished: F,
    game: PhantomData<G>,
}

impl<G: Notation, E, F: FnMut(GameRecord) -> Result<(), E>> JobSource for Games<'_, G, F> {
    type Job = GameSpec;
    type Result = Vec<GameRecord>;
    type Error = E;

    fn next(&mut self) -> Result<Next<GameSpec>, E> {
        if self.next > self.plan.games || self.interrupted.load(Ordering::Relaxed) {
            return Ok(Next::Over);
        }
        let fixture = self.plan.fixture::<G>(self.next);
        self.next += 1;
        Ok(fixture.map_or(Next::Over, Next::Job))
    }

    fn done(&mut self, games: Vec<Vec<GameRecord>>) -> Result<(), E> {
        games.into_iter().flatten().try_for_each(|game| {
            (self.finished)(game).inspect_err(|_| self.interrupted.store(true, Ordering::Relaxed))
        })
    }
}
