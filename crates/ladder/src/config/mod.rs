//! A ladder's configuration: one TOML file, written by people. Errors name the line.

mod file;

pub use file::{Bot, ConfigError};

use crate::schedule::Schedule;
use crate::store::Address;
use crownhead_arena::contest::{Contest, ContestName};
use crownhead_arena::environment::{Variable, last_of_each};
use crownhead_arena::options::GameOptions;
use crownhead_arena::seat::BotSpec;
use crownhead_bots::BoardGame;
use crownhead_record::openings::Source;
use crownhead_stats::rating::Anchor;
use file::{KeyLines, LadderKeys, number_of, read};
use std::mem::take;

/// The file's name within a ladder's folder.
pub const CONFIG_FILE: &str = "ladder.toml";

/// The most pairs of a ladder, because their list is in memory and all are rated together.
const MOST_PAIRS: u64 = 1_000_000;

/// How far from 0 an anchor may be: beyond any rating, but near enough to keep differences exact.
const FARTHEST_ANCHOR: f64 = 10_000.0;

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
    lines: KeyLines,
}

impl Config {
    /// Reads a configuration.
    ///
    /// # Errors
    /// With the line and what was expected there.
    pub fn parse(text: &str) -> Result<Config, ConfigError> {
        let (mut options, mut keys, lines) = read(text)?;
        let rules = options.rules();
        let rules = rules.map_err(|reason| lines.error(&["rules"], 0, reason))?;
        if let Some((keys, reason)) = options.referee.problem() {
            return Err(lines.error(keys, 0, reason));
        }
        let contest = match options.referee.contest_name() {
            Some(_) if options.rules.is_some() || options.max_turns.is_some() => {
                let reason = "the referee has rules of its own: leave it out, or the referee";
                return Err(lines.error(&["rules", "max_turns"], 0, reason));
            }
            Some(contest) => contest,
            None => {
                let (profile, turns) = (options.bots.profile_in_force(), rules.length.max_turns);
                if let Some(why) = profile.too_long(options.limits(), turns) {
                    return Err(lines.error(&["time", "profile"], 0, why));
                }
                let game = options.game;
                Contest::Board { game, rules }.contest_name()
            }
        };
        take_names(&mut keys.bot, &lines)?;
        give_variables(&mut keys.bot, &take(&mut options.bots.env));
        Ok(Config {
            openings: options
                .openings
                .clone()
                .unwrap_or(match options.referee.referee {
                    Some(_) => Source::Seeds(None),
                    None => Source::Ballots,
                }),
            concurrency: options.concurrency.map_or(1, usize::from),
            seed: options.seed.unwrap_or(1),
            options,
            anchor: anchor(&keys, &lines)?,
            schedule: schedule(&keys, contest.sides.len() as u64, &lines)?,
            store: store(&keys, &lines)?,
            contest,
            bots: keys.bot,
            lines,
        })
    }

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

    /// How many players a game has.
    pub fn players(&self) -> usize {
        self.contest.sides.len()
    }

    /// The number of the bot of this name.
    pub fn number_of(&self, name: &str) -> Option<usize> {
        self.bots.iter().position(|bot| bot.name == name)
    }

    /// The same, for a name that a user typed.
    ///
    /// # Errors
    /// When there is no such bot.
    pub fn expect_bot(&self, name: &str) -> Result<usize, String> {
        number_of(&self.bots, name)
    }
}

/// The database of the games, if they are not beside the file.
fn store(keys: &LadderKeys, lines: &KeyLines) -> Result<Option<Address>, ConfigError> {
    let address = keys.store.as_deref().map(Address::parse).transpose();
    address.map_err(|error| lines.error(&["store"], 0, format!("store: {error}")))
}

/// Checks the bots' names.
fn take_names(bots: &mut [Bot], lines: &KeyLines) -> Result<(), ConfigError> {
    for place in 0..bots.len() {
        let error = |reason: String| lines.error(&["bot.name"], place, reason);
        let name = BotSpec::parse_name(&bots[place].name).map_err(error)?;
        if let Some(first) = bots[..place].iter().position(|bot| bot.name == name) {
            let first = lines.error(&["bot.name"], first, "").line;
            let told = format!("a second bot named `{name}`; the first is on line {first}");
            return Err(error(told));
        }
        bots[place].name = name;
    }
    Ok(())
}

/// Gives the ladder's variables to its bots, except built-in ones, which read none and keep their version.
fn give_variables(bots: &mut [Bot], shared: &[Variable]) {
    for bot in bots {
        let is_built_in = || BotSpec::parse(&bot.command).is_ok_and(|it| it.built_in().is_some());
        let shared = if shared.is_empty() || is_built_in() {
            &[]
        } else {
            shared
        };
        let own = take(&mut bot.environment);
        bot.environment = last_of_each(shared.iter().cloned().chain(own));
    }
}

fn anchor(keys: &LadderKeys, lines: &KeyLines) -> Result<Option<Anchor>, ConfigError> {
    let Some(written) = &keys.anchor else {
        return Ok(None);
    };
    let (bot, rating) = (number_of(&keys.bot, &written.bot), written.rating);
    let bot = bot.map_err(|reason| lines.error(&["anchor.bot"], 0, reason))?;
    // NaN is rejected too.
    if !(-FARTHEST_ANCHOR..=FARTHEST_ANCHOR).contains(&rating) {
        let reason = format!("expected a rating between -{FARTHEST_ANCHOR} and {FARTHEST_ANCHOR}");
        return Err(lines.error(&["anchor.rating"], 0, reason));
    }
    Ok(Some(Anchor { bot, rating }))
}

/// The schedule, if it does not have too many pairs.
fn schedule(keys: &LadderKeys, players: u64, lines: &KeyLines) -> Result<Schedule, ConfigError> {
    let newcomer = keys.newcomer.as_deref();
    let newcomer = newcomer.map(|name| number_of(&keys.bot, name)).transpose();
    let newcomer = newcomer.map_err(|reason| lines.error(&["newcomer"], 0, reason))?;
    let count = keys.pairs.unwrap_or(10);
    let playing = keys.bot.iter().filter(|bot| !bot.retired).count() as u64;
    let error = |reason| Err(lines.error(&["schedule"], 0, reason));
    let (schedule, pairings) = match (keys.schedule.as_deref(), newcomer) {
        (None | Some("round robin"), _) => (
            Schedule::RoundRobin { rounds: count },
            (playing * playing.saturating_sub(1)).div_ceil(players * (players - 1)),
        ),
        (Some("matched"), _) => (Schedule::Matched { pairs: count }, 1),
        (Some("gauntlet"), Some(newcomer)) => {
            let rounds = count;
            let gauntlet = Schedule::Gauntlet { newcomer, rounds };
            (gauntlet, playing.saturating_sub(1).div_ceil(players - 1))
        }
        (Some("gauntlet"), None) => {
            let told = "a gauntlet needs `newcomer = \"NAME\"`, the bot that plays all others";
            return error(told.into());
        }
        (Some(other), _) => {
            let expected = "expected `round robin`, `gauntlet` or `matched`";
            return error(format!("`{other}` is no schedule; {expected}"));
        }
    };
    let all = count.saturating_mul(pairings.max(1));
    if keys.pairs.is_some() && all > MOST_PAIRS {
        let reason = format!("that makes {all} pairs in all; expected {MOST_PAIRS} at most");
        return Err(lines.error(&["pairs"], 0, reason));
    }
    Ok(schedule)
}

#[cfg(test)]
mod tests;
