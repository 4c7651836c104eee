//! How games are played.

use crate::judge::TimeLimits;
use crate::seat::Conditions;
use crownhead::rules::RuleBook;
use std::path::PathBuf;

/// What all games of a run have in common.
#[derive(Clone, Debug)]
pub struct GameSettings {
    /// The rule book, with the limit on turns that is in force.
    pub rules: RuleBook,
    /// How long a bot may think.
    pub limits: TimeLimits,
    /// What else holds for every bot.
    pub conditions: Conditions,
    /// Whether a game that was lost on time while the bot wanted a core is played again.
    pub replay_suspect: bool,
    /// All chance follows from it.
    pub seed: u64,
    /// The program `crownhead`, which runs the built-in bots.
    pub crownhead: PathBuf,
}

impl GameSettings {
    /// The usual limits and conditions under these rules, with seed 1, in no sandbox.
    pub fn new(rules: RuleBook, crownhead: impl Into<PathBuf>) -> GameSettings {
        GameSettings {
            rules,
            limits: TimeLimits::default(),
            conditions: Conditions::default(),
            replay_suspect: false,
            seed: 1,
            crownhead: crownhead.into(),
        }
    }
}
