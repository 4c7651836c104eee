//! From what is written in the file to what is meant.

use super::file::{File, FileAnchor, FileBot};
use super::{Bot, Config, ConfigError, Spanned};
use crate::judge::{ColourLine, Profile, TimeLimits, profile};
use crate::ladder::schedule::Schedule;
use crate::openings::Source;
use crate::seat::BotSpec;
use crate::stats::rating::Anchor;
use crownhead::notation::{Notation, rule_book};
use crownhead::rules::RuleBook;
use crownhead_sandbox::SandboxMode;
use std::collections::HashMap;
use std::time::Duration;

/// The most games at once: each has a thread here and two processes.
pub const MOST_AT_ONCE: u16 = 1024;

/// The most pairs of a ladder: their list is held in memory, and all are rated together.
const MOST_PAIRS: u64 = 1_000_000;

/// How far from 0 an anchor may be: beyond any rating, and not so far that differences are lost beside it.
const FARTHEST_ANCHOR: f64 = 10_000.0;

/// Turns what is written into what is meant.
pub(super) struct Reader<'a> {
    text: &'a str,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Reader<'a> {
        Reader { text }
    }

    pub(super) fn config<G: Notation>(&self, file: File) -> Result<Config, ConfigError> {
        let rules = self.rules::<G>(&file)?;
        let limits = TimeLimits {
            first_turn: self.time(file.first_turn.as_ref(), Duration::from_secs(1))?,
            turn: self.time(file.time.as_ref(), Duration::from_millis(100))?,
        };
        let profile = self.profile(&file, limits, &rules)?;
        let colour_line = self.colour_line(file.colour_line.as_ref(), &profile)?;
        let sandbox = self.sandbox(file.sandbox.as_ref())?;
        let openings = self.openings(&file)?;
        let concurrency = self.concurrency(file.concurrency.as_ref())?;
        let bots = self.bots(file.bot)?;
        let anchor = file.anchor.as_ref();
        let anchor = anchor
            .map(|anchor| self.anchor(anchor, &bots))
            .transpose()?;
        let newcomer = file.newcomer.as_ref();
        let newcomer = newcomer
            .map(|name| self.number_of(name, &bots))
            .transpose()?;
        let schedule = self.schedule(file.schedule.as_ref(), file.pairs.as_ref(), newcomer)?;
        self.bound(&schedule, file.pairs.as_ref(), &bots)?;
        let allow_read = file.allow_read.into_iter().map(|path| Spanned {
            line: self.line(&path),
            value: path.into_inner(),
        });
        Ok(Config {
            rules,
            first_turn: limits.first_turn,
            time: limits.turn,
            profile,
            clock: file.clock,
            colour_line,
            sandbox,
            allow_read: allow_read.collect(),
            suspend_idle: file.suspend_idle,
            replay_suspect: file.replay_suspect,
            openings,
            schedule,
            concurrency,
            seed: file.seed.unwrap_or(1),
            anchor,
            bots,
        })
    }

    fn rules<G: Notation>(&self, file: &File) -> Result<RuleBook, ConfigError> {
        let mut rules = G::RULE_BOOKS[0];
        if let Some(name) = &file.rules {
            let books: Vec<&str> = G::RULE_BOOKS.iter().map(|book| book.name).collect();
            rules = *rule_book::<G>(name.get_ref()).ok_or_else(|| {
                let found = name.get_ref();
                self.error(
                    name,
                    format!("no rule book `{found}`; expected {}", books.join(" or ")),
                )
            })?;
        }
        if let Some(max_turns) = &file.max_turns {
            if *max_turns.get_ref() == 0 {
                return Err(self.error(max_turns, "expected a limit of one turn or more"));
            }
            rules.length.max_turns = Some(*max_turns.get_ref());
        }
        Ok(rules)
    }

    fn profile(
        &self,
        file: &File,
        limits: TimeLimits,
        rules: &RuleBook,
    ) -> Result<Profile, ConfigError> {
        let Some(name) = &file.profile else {
            return Ok(profile::STRICT);
        };
        let profile = Profile::named(name.get_ref()).map_err(|why| self.error(name, why))?;
        match profile.too_long(limits, rules.length.max_turns) {
            Some(why) => Err(self.error(file.time.as_ref().unwrap_or(name), why)),
            None => Ok(profile),
        }
    }

    /// Where they are not said, it is the game that they may not fit.
    fn openings(&self, file: &File) -> Result<Spanned<Source>, ConfigError> {
        let Some(source) = &file.openings else {
            return Ok(Spanned {
                value: Source::Ballots,
                line: file.game.as_ref().map_or(1, |game| self.line(game)),
            });
        };
        let parsed = source.get_ref().parse();
        Ok(Spanned {
            value: parsed.map_err(|reason: String| self.error(source, reason))?,
            line: self.line(source),
        })
    }

    fn concurrency(&self, written: Option<&toml::Spanned<u64>>) -> Result<usize, ConfigError> {
        match written.map(|games| (games, *games.get_ref())) {
            None => Ok(1),
            Some((written, 0)) => Err(self.error(written, "expected one game at once or more")),
            Some((written, games)) if games > u64::from(MOST_AT_ONCE) => Err(self.error(
                written,
                format!("expected {MOST_AT_ONCE} games at once at most"),
            )),
            Some((_, games)) => Ok(games as usize),
        }
    }

    fn anchor(&self, written: &FileAnchor, bots: &[Bot]) -> Result<Anchor, ConfigError> {
        let bot = self.number_of(&written.bot, bots)?;
        let Some(rating) = &written.rating else {
            return Ok(Anchor { bot, rating: 0.0 });
        };
        // Nor is what is no number within any bounds.
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

    fn colour_line(
        &self,
        written: Option<&toml::Spanned<String>>,
        profile: &Profile,
    ) -> Result<ColourLine, ConfigError> {
        match written.map(|written| (written, written.get_ref().as_str())) {
            None => Ok(profile.colour_line),
            Some((_, "statement")) => Ok(ColourLine::Statement),
            Some((_, "live")) => Ok(ColourLine::Live),
            Some((written, other)) => Err(self.error(
                written,
                format!("`{other}` is no colour line; expected `statement` or `live`"),
            )),
        }
    }

    fn sandbox(&self, written: Option<&toml::Spanned<String>>) -> Result<SandboxMode, ConfigError> {
        match written.map(|written| (written, written.get_ref().as_str())) {
            None | Some((_, "auto")) => Ok(SandboxMode::Auto),
            Some((_, "require")) => Ok(SandboxMode::Require),
            Some((_, "off")) => Ok(SandboxMode::Off),
            Some((written, other)) => Err(self.error(
                written,
                format!("`{other}` is no way to lock bots in; expected `auto`, `require` or `off`"),
            )),
        }
    }

    fn time(
        &self,
        written: Option<&toml::Spanned<String>>,
        usual: Duration,
    ) -> Result<Duration, ConfigError> {
        let Some(written) = written else {
            return Ok(usual);
        };
        let time = humantime::parse_duration(written.get_ref()).ok();
        time.filter(|time| !time.is_zero()).ok_or_else(|| {
            let found = written.get_ref();
            self.error(
                written,
                format!("`{found}` is no time; expected, for example, `100ms` or `1s`"),
            )
        })
    }

    pub(super) fn error<T>(&self, at: &toml::Spanned<T>, reason: impl Into<String>) -> ConfigError {
        ConfigError {
            line: self.line(at),
            reason: reason.into(),
        }
    }

    fn line<T>(&self, at: &toml::Spanned<T>) -> usize {
        line_of(self.text, at.span().start)
    }
}

/// The number of the line in which the byte at `offset` is.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    let before = &text.as_bytes()[..offset.min(text.len())];
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}
