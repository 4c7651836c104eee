//! The schedule of a match: a pure function of its settings and the number of a game.

use super::game::{GameSpec, Setting};
use crate::judge::TimeLimits;
use crate::openings::{Openings, seed_for};
use crate::seat::{BotSpec, Conditions};
use crownhead::board::Side;
use crownhead::notation::Notation;
use crownhead::rules::RuleBook;
use std::path::PathBuf;

/// A match between two bots.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// The two bots, under different names.
    pub bots: [BotSpec; 2],
    /// The rule book, with the limit on turns that is in force.
    pub rules: RuleBook,
    /// How long a bot may think.
    pub limits: TimeLimits,
    /// What else holds for every bot.
    pub conditions: Conditions,
    /// Whether a game that was lost on time while the bot wanted a core is played again.
    pub replay_suspect: bool,
    /// How many games are played.
    pub games: u64,
    /// All chance follows from it.
    pub seed: u64,
    /// Where games begin; the same for both games of a pair.
    pub openings: Openings,
    /// How many games are played at once.
    pub concurrency: usize,
    /// The program `crownhead`, which runs the built-in bots.
    pub crownhead: PathBuf,
}

/// What a seed is for; [`Openings`] have another.
const FOR_BOTS: u64 = 2;

impl MatchPlan {
    /// What all games of the match have in common.
    pub(super) fn setting(&self) -> Setting {
        Setting {
            rules: self.rules,
            limits: self.limits,
            conditions: self.conditions.clone(),
            replay_suspect: self.replay_suspect,
            seed: self.seed,
            crownhead: self.crownhead.clone(),
        }
    }

    /// Game `number`, from 1.
    ///
    /// Games `2n - 1` and `2n` are a pair: one opening, colours swapped. The first bot has the first move
    /// in the first of them. `None` when no random opening of the wanted length could be found.
    pub fn fixture<G: Notation>(&self, number: u64) -> Option<GameSpec> {
        let (pair, second) = ((number - 1) / 2, (number - 1) % 2);
        let opening = self.openings.get::<G>(pair)?;
        let first_mover_is_black = u64::from(self.rules.moves_first == Side::White);
        let bot_seeds = [0, 1].map(|bot| seed_for(self.seed, &[FOR_BOTS, number, bot]));
        let black = ((second + first_mover_is_black) % 2) as usize;
        Some(GameSpec {
            number,
            black,
            opening,
            bot_seeds,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead::games::checkers::{Checkers, rules};

    fn plan(rules: RuleBook) -> MatchPlan {
        let bot = |words| BotSpec::parse(words).unwrap();
        MatchPlan {
            bots: [bot("random"), bot("greedy")],
            rules,
            limits: TimeLimits::default(),
            conditions: Conditions::default(),
            replay_suspect: false,
            games: 4,
            seed: 1,
            openings: Openings::random(3, &rules, 1),
            concurrency: 1,
            crownhead: "crownhead".into(),
        }
    }

    #[test]
    fn a_pair_has_one_opening_and_colours_swapped() {
        let plan = plan(rules::CONTEST);
        let games: Vec<GameSpec> = (1..=4)
            .map(|n| plan.fixture::<Checkers>(n).unwrap())
            .collect();
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
        assert_eq!(plan.fixture::<Checkers>(1).unwrap().black, 1);
    }
}
