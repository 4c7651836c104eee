//! A ladder's configuration: one TOML file that people write, read with errors that name the line.

use super::schedule::Schedule;
use crate::judge::{Clock, Profile, profile};
use crate::openings::Source;
use crate::room::Sandbox;
use crate::stats::rating::Anchor;
use clap::ValueEnum;
use crownhead::notation::{Notation, rule_book};
use crownhead::rules::RuleBook;
use crownhead_bots::games::GameName;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::Duration;
use toml::Spanned;

/// The file's name within a ladder's folder.
pub const CONFIG_FILE: &str = "ladder.toml";

/// A ladder as its file describes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The rule book, with the limit on turns that is in force.
    pub rules: RuleBook,
    /// Time limits of the first turn and of those after it.
    pub first_turn: Duration,
    /// See above.
    pub time: Duration,
    /// How strictly bots are judged.
    pub profile: Profile,
    /// What counts as time.
    pub clock: Clock,
    /// Whether bots are locked in.
    pub sandbox: Sandbox,
    /// Whether a game that was lost on time while the bot wanted a core is played again.
    pub replay_suspect: bool,
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
    /// Everybody who plays or has played.
    pub bots: Vec<Bot>,
}

/// A bot of a ladder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bot {
    /// What it is called, forever.
    pub name: String,
    /// A built-in's name with options, or a command line.
    pub command: String,
    /// The line of the file that says so, for errors.
    pub line: usize,
    /// The folder it runs in, relative to the ladder's.
    pub folder: PathBuf,
    /// What its environment has besides ours.
    pub environment: BTreeMap<String, String>,
    /// A shell command that is run before the first game.
    pub build: Option<String>,
    /// Whether it plays no more.
    pub retired: bool,
}

/// The file is not what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ConfigError {
    /// The number of the line.
    pub line: usize,
    /// What is wrong and what was expected.
    pub reason: String,
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    game: Option<Spanned<String>>,
    rules: Option<Spanned<String>>,
    max_turns: Option<Spanned<u32>>,
    time: Option<Spanned<String>>,
    first_turn: Option<Spanned<String>>,
    profile: Option<Spanned<String>>,
    #[serde(default)]
    clock: Clock,
    sandbox: Option<Spanned<String>>,
    #[serde(default)]
    replay_suspect: bool,
    openings: Option<Spanned<String>>,
    schedule: Option<Spanned<String>>,
    pairs: Option<Spanned<u64>>,
    newcomer: Option<Spanned<String>>,
    concurrency: Option<Spanned<usize>>,
    seed: Option<u64>,
    anchor: Option<FileAnchor>,
    #[serde(default)]
    bot: Vec<FileBot>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileAnchor {
    bot: Spanned<String>,
    #[serde(default)]
    rating: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileBot {
    name: Spanned<String>,
    command: Spanned<String>,
    #[serde(default)]
    folder: PathBuf,
    #[serde(default)]
    env: BTreeMap<String, String>,
    build: Option<String>,
    #[serde(default)]
    retired: bool,
}

impl Config {
    /// Reads a configuration for game `G`.
    ///
    /// # Errors
    /// With the line and what was expected there.
    pub fn parse<G: Notation>(text: &str) -> Result<Config, ConfigError> {
        Reader { text }.config::<G>(read(text)?)
    }

    /// Which game the configuration is for.
    ///
    /// # Errors
    /// With the line and what was expected there.
    pub fn game(text: &str) -> Result<GameName, ConfigError> {
        let Some(game) = read(text)?.game else {
            return Ok(GameName::default());
        };
        GameName::find(game.get_ref()).ok_or_else(|| {
            let known: Vec<&str> = GameName::value_variants()
                .iter()
                .map(|game| game.name())
                .collect();
            let reason = format!(
                "no game `{}`; expected {}",
                game.get_ref(),
                known.join(", ")
            );
            Reader { text }.error(&game, reason)
        })
    }

    /// The number of the bot of this name.
    pub fn number_of(&self, name: &str) -> Option<usize> {
        self.bots.iter().position(|bot| bot.name == name)
    }
}

fn read(text: &str) -> Result<File, ConfigError> {
    toml::from_str(text).map_err(|error| ConfigError {
        line: line_of(text, error.span().map_or(0, |span| span.start)),
        reason: error.message().replace('\n', "; "),
    })
}

/// Turns what is written into what is meant.
struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn config<G: Notation>(&self, file: File) -> Result<Config, ConfigError> {
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
        let bots = self.bots(file.bot)?;
        let number_of = |name: &Spanned<String>| {
            let found = bots.iter().position(|bot| &bot.name == name.get_ref());
            found.ok_or_else(|| {
                self.error(
                    name,
                    format!(
                        "no bot is named `{}`; expected the name of a [[bot]]",
                        name.get_ref()
                    ),
                )
            })
        };
        let anchor = match &file.anchor {
            Some(anchor) => Some(Anchor {
                bot: number_of(&anchor.bot)?,
                rating: anchor.rating,
            }),
            None => None,
        };
        let newcomer = file.newcomer.as_ref().map(&number_of).transpose()?;
        let schedule = self.schedule(file.schedule.as_ref(), file.pairs.as_ref(), newcomer)?;
        let openings = match &file.openings {
            Some(source) => source
                .get_ref()
                .parse()
                .map_err(|reason: String| self.error(source, reason))?,
            None => Source::Ballots,
        };
        let concurrency = match &file.concurrency {
            Some(none) if *none.get_ref() == 0 => {
                return Err(self.error(none, "expected one game at once or more"));
            }
            Some(games) => *games.get_ref(),
            None => 1,
        };
        Ok(Config {
            rules,
            first_turn: self.time(file.first_turn.as_ref(), Duration::from_secs(1))?,
            time: self.time(file.time.as_ref(), Duration::from_millis(100))?,
            profile: match &file.profile {
                Some(name) => {
                    Profile::named(name.get_ref()).map_err(|why| self.error(name, why))?
                }
                None => profile::STRICT,
            },
            clock: file.clock,
            sandbox: self.sandbox(file.sandbox.as_ref())?,
            replay_suspect: file.replay_suspect,
            openings,
            schedule,
            concurrency,
            seed: file.seed.unwrap_or(1),
            anchor,
            bots,
        })
    }

    fn bots(&self, written: Vec<FileBot>) -> Result<Vec<Bot>, ConfigError> {
        let mut lines: HashMap<String, usize> = HashMap::new();
        let mut bots = Vec::with_capacity(written.len());
        for bot in written {
            let name = bot.name.get_ref().trim().to_string();
            if name.is_empty() {
                return Err(self.error(&bot.name, "expected a name of one letter or more"));
            }
            let line = line_of(self.text, bot.name.span().start);
            if let Some(first) = lines.insert(name.clone(), line) {
                let reason = format!("a second bot named `{name}`; the first is on line {first}");
                return Err(ConfigError { line, reason });
            }
            bots.push(Bot {
                name,
                line: line_of(self.text, bot.command.span().start),
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
        written: Option<&Spanned<String>>,
        pairs: Option<&Spanned<u64>>,
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

    fn sandbox(&self, written: Option<&Spanned<String>>) -> Result<Sandbox, ConfigError> {
        match written.map(|written| (written, written.get_ref().as_str())) {
            None | Some((_, "auto")) => Ok(Sandbox::Auto),
            Some((_, "require")) => Ok(Sandbox::Require),
            Some((_, "off")) => Ok(Sandbox::Off),
            Some((written, other)) => Err(self.error(
                written,
                format!("`{other}` is no way to lock bots in; expected `auto`, `require` or `off`"),
            )),
        }
    }

    fn time(
        &self,
        written: Option<&Spanned<String>>,
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

    fn error<T>(&self, at: &Spanned<T>, reason: impl Into<String>) -> ConfigError {
        ConfigError {
            line: line_of(self.text, at.span().start),
            reason: reason.into(),
        }
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    let before = &text.as_bytes()[..offset.min(text.len())];
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead::games::checkers::Checkers;

    fn parse(text: &str) -> Result<Config, ConfigError> {
        Config::parse::<Checkers>(text)
    }

    #[test]
    fn a_file_says_everything_and_what_it_leaves_out_is_usual() {
        let config = parse(
            r#"
            rules = "classroom"
            time = "50ms"
            schedule = "gauntlet"
            newcomer = "new"
            pairs = 3
            openings = "random 4"
            anchor = { bot = "old", rating = 1500.0 }
            [[bot]]
            name = "old"
            command = "greedy"
            [[bot]]
            name = "new"
            command = "./bot --fast"
            folder = "bots/new"
            build = "make"
            env = { RUST_BACKTRACE = "1" }
            "#,
        )
        .unwrap();
        assert_eq!(config.rules.name, "classroom");
        assert_eq!(
            (config.time, config.first_turn),
            (Duration::from_millis(50), Duration::from_secs(1))
        );
        let schedule = Schedule::Gauntlet {
            newcomer: 1,
            rounds: 3,
        };
        assert_eq!(config.schedule, schedule);
        assert_eq!(config.openings, Source::Random(4));
        assert_eq!(config.anchor.unwrap().rating, 1500.0);
        assert_eq!(config.bots[1].environment["RUST_BACKTRACE"], "1");
        assert_eq!(config.bots[1].folder, PathBuf::from("bots/new"));

        let usual = parse("").unwrap();
        assert_eq!(usual.openings, Source::Ballots);
        assert_eq!(usual.schedule, Schedule::RoundRobin { rounds: 10 });
    }

    #[test]
    fn every_mistake_is_named_with_its_line_and_what_was_expected() {
        let cases = [
            ("seed = 1\ntmie = \"1s\"", 2, "unknown field `tmie`"),
            ("seed = \"one\"", 1, "expected u64"),
            ("seed = 1\nseed = 2", 2, "duplicate key"),
            ("\n\ntime = \"fast\"", 3, "expected, for example, `100ms`"),
            ("rules = \"chess\"", 1, "expected contest or classroom"),
            (
                "schedule = \"random\"",
                1,
                "expected `round robin`, `gauntlet` or `matched`",
            ),
            ("schedule = \"gauntlet\"", 1, "needs `newcomer"),
            ("openings = \"balots\"", 1, "expected `ballots`"),
            ("concurrency = 0", 1, "one game at once"),
            ("max_turns = 0", 1, "one turn or more"),
            (
                "anchor = { bot = \"nobody\" }",
                1,
                "no bot is named `nobody`",
            ),
            ("[[bot]]\nname = \"a\"", 1, "missing field `command`"),
            (
                "[[bot]]\nname = \"a\"\ncommand = \"x\"\n[[bot]]\nname = \"a\"\ncommand = \"x\"",
                5,
                "the first is on line 2",
            ),
            ("[[bot]\n", 1, "]"),
        ];
        for (text, line, reason) in cases {
            let error = parse(text).unwrap_err();
            assert_eq!(error.line, line, "{text:?}: {error}");
            assert!(error.reason.contains(reason), "{text:?}: {error}");
        }
    }
}
