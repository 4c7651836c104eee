//! A ladder as its configuration describes it.

use super::file::KeyLines;
use super::terms::{Bot, ConfigError, WorkerTerms};
use crate::schedule::Schedule;
use crate::store::Address;
use crownhead_arena::contest::ContestName;
use crownhead_arena::options::GameOptions;
use crownhead_board::GameRules;
use crownhead_record::openings::Source;
use crownhead_stats::rating::Anchor;

/// A ladder as its file describes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// How games are played, as the file says it.
    pub options: GameOptions,
    /// What is played.
    pub contest: ContestName,
    /// Where games begin.
    pub openings: Source,
    /// Who plays whom, and how often.
    pub schedule: Schedule,
    /// How many games are played at once.
    pub concurrency: usize,
    /// All chance follows from it.
    pub seed: u64,
    /// The bot whose rating is fixed.
    pub anchor: Option<Anchor>,
    /// The database that games are kept in, if not in a file of the folder.
    pub store: Option<Address>,
    /// What workers on other machines must hold to.
    pub workers: WorkerTerms,
    /// All bots that play or have played.
    pub bots: Vec<Bot>,
    pub(super) lines: KeyLines,
}

impl Config {
    /// Takes up the bots and the schedule of a file that was changed while games are played; `false` if it says
    /// something else about how they are played too.
    pub(crate) fn take_up(&mut self, newer: Config) -> bool {
        let same = self.options == newer.options && self.store == newer.store;
        *self = Config {
            options: self.options.clone(),
            contest: self.contest.clone(),
            openings: self.openings.clone(),
            concurrency: self.concurrency,
            seed: self.seed,
            store: self.store.clone(),
            ..newer
        };
        same
    }

    /// The error that a setting cannot be used, told by the first of these keys that is in the file, for a list by
    /// its element `place`.
    pub(crate) fn refused(&self, keys: &[&str], place: usize, reason: String) -> ConfigError {
        self.lines.error(keys, place, reason)
    }

    /// The game that is played; with an external referee the one whose search measures machines.
    pub fn game(&self) -> &'static dyn GameRules {
        self.options.game.object()
    }

    /// The number of the bot of this name.
    pub fn number_of(&self, name: &str) -> Option<usize> {
        self.bots.iter().position(|bot| bot.name == name)
    }
}
