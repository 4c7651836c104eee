//! A match: games between two bots in their order, several at once.
//!
//! What is played is a pure function of the plan and the number of a game.

use super::game::Participant;
use super::pair::{GameSpec, play_counted};
use super::pool::{JobSource, Poll, work};
use super::watch::Watch;
use crate::openings::Openings;
use crate::record::GameRecord;
use crate::seat::BotSpec;
use crate::seed::Purpose;
use crate::settings::GameSettings;
use crownhead::explain::Explain;
use crownhead::notation::Notation;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A match between two bots.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// The two bots, under different names.
    pub bots: [BotSpec; 2],
    /// How each game is played.
    pub settings: GameSettings,
    /// How many games are played.
    pub games: u64,
    /// Where games begin; the same for both games of a pair.
    pub openings: Openings,
    /// How many games are played at once.
    pub concurrency: usize,
}

impl MatchPlan {
    /// Pair `number`, from 0: games `2 number + 1` and `2 number + 2`. `None` when no random opening of the
    /// wanted length could be found.
    pub fn pair<G: Notation>(&self, number: u64) -> Option<[GameSpec; 2]> {
        let opening = self.openings.get::<G>(number)?;
        let first = 2 * number + 1;
        let purpose = |game, bot| Purpose::MatchBot {
            game: first + game,
            bot,
        };
        Some(GameSpec::pair(&self.settings, first, &opening, purpose))
    }

    /// Game `number`, from 1; `None` as for its [pair](MatchPlan::pair).
    fn game<G: Notation>(&self, number: u64) -> Option<GameSpec> {
        let (pair, place) = ((number - 1) / 2, (number - 1) % 2);
        self.pair::<G>(pair)?.into_iter().nth(place as usize)
    }
}

/// Plays the whole match and hands each game to `finished` as soon as it is over, on the calling thread.
///
/// Games come in the order in which they end. Once `interrupted` is set, no game starts and those under way
/// end as referee faults. When `finished` fails, the match ends early with its error.
///
/// # Errors
/// When `finished` fails.
pub fn run_match<G: Explain, E>(
    plan: &MatchPlan,
    interrupted: &Arc<AtomicBool>,
    finished: impl FnMut(GameRecord) -> Result<(), E>,
) -> Result<(), E> {
    watch_match::<G, E>(plan, interrupted, None, finished)
}

/// The same, and shows each game to `watch` while it is under way.
///
/// # Errors
/// When `finished` fails.
pub fn watch_match<G: Explain, E>(
    plan: &MatchPlan,
    interrupted: &Arc<AtomicBool>,
    watch: Option<&dyn Watch<G>>,
    finished: impl FnMut(GameRecord) -> Result<(), E>,
) -> Result<(), E> {
    let participants = plan.bots.clone().map(Participant::from);
    let mut games = MatchGames {
        plan,
        next: 1,
        interrupted,
        finished,
        game: PhantomData::<G>,
    };
    work(plan.concurrency, false, &mut games, |spec: GameSpec| {
        let bots = participants.each_ref();
        play_counted::<G>(&plan.settings, bots, &spec, interrupted, watch)
    })
}

/// The games of a match in their order.
struct MatchGames<'a, G, F> {
    plan: &'a MatchPlan,
    next: u64,
    interrupted: &'a AtomicBool,
    finished: F,
    game: PhantomData<G>,
}

impl<G: Explain, E, F: FnMut(GameRecord) -> Result<(), E>> JobSource for MatchGames<'_, G, F> {
    type Job = GameSpec;
    type Result = Vec<GameRecord>;
    type Error = E;

    fn next(&mut self) -> Result<Poll<GameSpec>, E> {
        if self.next > self.plan.games || self.interrupted.load(Ordering::Relaxed) {
            return Ok(Poll::Finished);
        }
        let spec = self.plan.game::<G>(self.next);
        self.next += 1;
        Ok(spec.map_or(Poll::Finished, Poll::Ready))
    }

    fn done(&mut self, games: Vec<Vec<GameRecord>>) -> Result<(), E> {
        games.into_iter().flatten().try_for_each(|game| {
            (self.finished)(game).inspect_err(|_| self.interrupted.store(true, Ordering::Relaxed))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead::games::checkers::{Checkers, rules};
    use crownhead::rules::RuleBook;

    fn plan(rules: RuleBook) -> MatchPlan {
        let bot = |words| BotSpec::parse(words).unwrap();
        MatchPlan {
            bots: [bot("random"), bot("greedy")],
            settings: GameSettings::new(rules, "crownhead"),
            games: 4,
            openings: Openings::random(3, &rules, 1),
            concurrency: 1,
        }
    }

    #[test]
    fn a_pair_has_one_opening_and_colours_swapped() {
        let plan = plan(rules::CONTEST);
        let games: Vec<GameSpec> = (1..=4).map(|n| plan.game::<Checkers>(n).unwrap()).collect();
        assert_eq!(
            games.iter().map(|game| game.black).collect::<Vec<_>>(),
            [0, 1, 0, 1]
        );
        assert_eq!(games[0].opening, games[1].opening);
        assert_eq!(games[2].opening, games[3].opening);
        assert_ne!(games[0].opening, games[2].opening);
        assert_ne!(games[0].bot_seeds, games[1].bot_seeds);
        assert_ne!(games[0].bot_seeds[0], games[0].bot_seeds[1]);
    }

    #[test]
    fn the_first_bot_moves_first_in_the_first_game_whichever_colour_that_is() {
        let plan = plan(rules::CLASSROOM);
        assert_eq!(plan.game::<Checkers>(1).unwrap().black, 1);
    }
}
