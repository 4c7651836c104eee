//! A ladder's configuration.

use super::file::{Bot, ConfigError, KeyLines, number_of};
use crate::schedule::Schedule;
use crate::store::Address;
use crate::{UnusableLadder, refuse};
use crownhead_arena::contest::ContestName;
use crownhead_arena::options::GameOptions;
use crownhead_bots::BoardGame;
use crownhead_record::openings::Source;
use crownhead_stats::rating::Anchor;

/// A ladder's configuration.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The options of games in the file.
    pub options: GameOptions,
    /// The game or external referee.
    pub contest: ContestName,
    /// Where games begin.
    pub openings: Source,
    /// Who plays whom, and how often.
    pub schedule: Schedule,
    /// How many pairs to play at once.
    pub concurrency: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// The bot whose rating is fixed.
    pub anchor: Option<Anchor>,
    /// The database of the games, if they are not in a file of the folder.
    pub store: Option<Address>,
    /// All bots that play or have played.
    pub bots: Vec<Bot>,
    pub(super) lines: KeyLines,
}

impl Config {
    /// Takes up the bots and the schedule of a file that changed during a run. `false` if other settings changed as
    /// well.
    pub(crate) fn take_up(&mut self, newer: Config) -> bool {
        let same = self.options == newer.options && self.store == newer.store;
        (self.schedule, self.anchor) = (newer.schedule, newer.anchor);
        (self.bots, self.lines) = (newer.bots, newer.lines);
        same
    }

    /// The error that a setting cannot be used, at the first of these keys that is in the file, or at element `place`
    /// of a list.
    pub(crate) fn refused(&self, keys: &[&str], place: usize, reason: String) -> ConfigError {
        self.lines.error(keys, place, reason)
    }

    /// The game; with an external referee, the game whose search measures machines.
    pub fn game(&self) -> &'static dyn BoardGame {
        self.options.game
    }

    /// The number of the bot of this name.
    pub fn number_of(&self, name: &str) -> Option<usize> {
        self.bots.iter().position(|bot| bot.name == name)
    }

    /// The same, for a name that a user typed.
    ///
    /// # Errors
    /// When there is no such bot.
    pub fn expect_bot(&self, name: &str) -> Result<usize, UnusableLadder> {
        number_of(&self.bots, name).map_err(refuse)
    }
}
