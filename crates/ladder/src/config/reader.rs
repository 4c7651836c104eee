//! From what is written in the file to what is meant.

use super::file::{ConfigFile, FileAnchor, FileBot, LadderKeys, line_of};
use super::ladder::Config;
use super::terms::{Bot, ConfigError};
use crate::schedule::Schedule;
use crate::store::Address;
use crownhead_arena::seat::BotSpec;
use crownhead_record::openings::Source;
use crownhead_record::stats::rating::Anchor;
use std::collections::HashMap;

/// The most pairs of a ladder: their list is held in memory, and all are rated together.
const MOST_PAIRS: u64 = 1_000_000;

/// How far from 0 an anchor may be: beyond any rating, and not so far that differences are lost beside it.
const FARTHEST_ANCHOR: f64 = 10_000.0;

/// Turns what is written into what is meant.
pub(super) struct ConfigReader<'a> {
    text: &'a str,
}

impl<'a> ConfigReader<'a> {
    pub(super) fn new(text: &'a str) -> ConfigReader<'a> {
        ConfigReader { text }
    }

    pub(super) fn config(&self, file: ConfigFile) -> Result<Config, ConfigError> {
        let ConfigFile {
            options,
            ladder,
            lines,
        } = file;
        let at = |keys: &[&str], reason| ConfigError {
            line: lines.of_first(keys, 0),
            reason,
        };
        let rules = options.rules();
        let rules = rules.map_err(|reason| at(&["rules"], reason))?;
        if let Some(why) = options.too_long(&rules) {
            return Err(at(&["time", "profile"], why));
        }
        let LadderKeys {
            schedule,
            pairs,
            newcomer,
            anchor,
            store,
            workers,
            bot,
        } = ladder;
        if let Some(reason) = workers.problem() {
            return Err(at(&["workers"], reason));
        }
        let bots = self.bots(bot)?;
        let anchor = anchor
            .map(|anchor| self.anchor(&anchor, &bots))
            .transpose()?;
        let newcomer = newcomer
            .map(|name| self.number_of(&name, &bots))
            .transpose()?;
        let schedule = self.schedule(schedule.as_ref(), pairs.as_ref(), newcomer)?;
        self.bound(&schedule, pairs.as_ref(), &bots)?;
        Ok(Config {
            rules,
            openings: options.openings.clone().unwrap_or(Source::Ballots),
            concurrency: options.concurrency.map_or(1, usize::from),
            seed: options.seed.unwrap_or(1),
            options,
            schedule,
            anchor,
            store: self.store(store.as_ref())?,
            workers,
            bots,
            lines,
        })
    }

    /// The database that games are kept in, if they are not beside the file.
    pub(super) fn store(
        &self,
        written: Option<&toml::Spanned<String>>,
    ) -> Result<Option<Address>, ConfigError> {
        let address = written.map(|url| {
            let address = Address::parse(url.get_ref());
            address.map_err(|error| self.error(url, format!("store: {error}")))
        });
        address.transpose()
    }

    fn anchor(&self, written: &FileAnchor, bots: &[Bot]) -> Result<Anchor, ConfigError> {
        let bot = self.number_of(&written.bot, bots)?;
        let Some(rating) = &written.rating else {
            return Ok(Anchor { bot, rating: 0.0 });
        };
        // NaN is rejected too.
        if !(-FARTHEST_ANCHOR..=FARTHEST_ANCHOR).contains(rating.get_ref()) {
            let reason =
                format!("expected a rating between -{FARTHEST_ANCHOR} and {FARTHEST_ANCHOR}");
            return Err(self.error(rating, reason));
        }
        Ok(Anchor {
            bot,
            rating: *rating.get_ref(),
        })
    }

    fn number_of(&self, name: &toml::Spanned<String>, bots: &[Bot]) -> Result<usize, ConfigError> {
        let found = bots.iter().position(|bot| &bot.name == name.get_ref());
        found.ok_or_else(|| {
            let name_of_none = name.get_ref();
            self.error(
                name,
                format!("no bot is named `{name_of_none}`; expected the name of a [[bot]]"),
            )
        })
    }

    fn bots(&self, written: Vec<FileBot>) -> Result<Vec<Bot>, ConfigError> {
        let mut lines: HashMap<String, usize> = HashMap::new();
        let mut bots = Vec::with_capacity(written.len());
        for bot in written {
            let name = BotSpec::parse_name(bot.name.get_ref());
            let name = name.map_err(|why| self.error(&bot.name, why))?;
            let line = self.line(&bot.name);
            if let Some(first) = lines.insert(name.clone(), line) {
                let reason = format!("a second bot named `{name}`; the first is on line {first}");
                return Err(ConfigError { line, reason });
            }
            bots.push(Bot {
                name,
                line: self.line(&bot.command),
                command: bot.command.into_inner(),
                folder: bot.folder,
                environment: bot.env,
                build: bot.build,
                files: bot.files,
                repeatable: bot.repeatable,
                retired: bot.retired,
            });
        }
        Ok(bots)
    }

    fn schedule(
        &self,
        written: Option<&toml::Spanned<String>>,
        pairs: Option<&toml::Spanned<u64>>,
        newcomer: Option<usize>,
    ) -> Result<Schedule, ConfigError> {
        let count = pairs.map_or(10, |pairs| *pairs.get_ref());
        let Some(written) = written else {
            return Ok(Schedule::RoundRobin { rounds: count });
        };
        match (written.get_ref().as_str(), newcomer) {
            ("round robin", _) => Ok(Schedule::RoundRobin { rounds: count }),
            ("matched", _) => Ok(Schedule::Matched { pairs: count }),
            ("gauntlet", Some(newcomer)) => Ok(Schedule::Gauntlet {
                newcomer,
                rounds: count,
            }),
            ("gauntlet", None) => Err(self.error(
                written,
                "a gauntlet needs `newcomer = \"NAME\"`, the bot that plays all others",
            )),
            (other, _) => Err(self.error(
                written,
                format!(
                    "`{other}` is no schedule; expected `round robin`, `gauntlet` or `matched`"
                ),
            )),
        }
    }

    /// Refuses more pairs than can be held.
    fn bound(
        &self,
        schedule: &Schedule,
        pairs: Option<&toml::Spanned<u64>>,
        bots: &[Bot],
    ) -> Result<(), ConfigError> {
        let playing = bots.iter().filter(|bot| !bot.retired).count() as u64;
        let (pairings, count) = match *schedule {
            Schedule::RoundRobin { rounds } => (playing * playing.saturating_sub(1) / 2, rounds),
            Schedule::Gauntlet { rounds, .. } => (playing.saturating_sub(1), rounds),
            Schedule::Matched { pairs } => (1, pairs),
        };
        let all = count.saturating_mul(pairings.max(1));
        match pairs {
            Some(pairs) if all > MOST_PAIRS => Err(self.error(
                pairs,
                format!("that makes {all} pairs in all; expected {MOST_PAIRS} at most"),
            )),
            _ => Ok(()),
        }
    }

    fn error<T>(&self, at: &toml::Spanned<T>, reason: impl Into<String>) -> ConfigError {
        ConfigError {
            line: self.line(at),
            reason: reason.into(),
        }
    }

    fn line<T>(&self, at: &toml::Spanned<T>) -> usize {
        line_of(self.text, at.span().start)
    }
}

impl Config {
    /// Reads a configuration.
    ///
    /// # Errors
    /// With the line and what was expected there.
    pub fn parse(text: &str) -> Result<Config, ConfigError> {
        ConfigReader::new(text).config(ConfigFile::read(text)?)
    }

    /// The database that games are kept in, if not in a file of the folder.
    ///
    /// # Errors
    /// With the line and what was expected there.
    pub fn database(text: &str) -> Result<Option<Address>, ConfigError> {
        let file = ConfigFile::read(text)?;
        ConfigReader::new(text).store(file.ladder.store.as_ref())
    }
}
