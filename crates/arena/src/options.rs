//! How games are played, as a person writes it: flags of a command, keys of a ladder's file.
//!
//! One type is read by clap, as flags, and by serde, as keys. A key is called like its flag, except that `stderr` is
//! `--keep-stderr`. Only the flags state the defaults. Who plays, how often, and where games are kept is declared
//! elsewhere; `settings` puts the options in force.

use crate::contest::RefereeFlags;
use crate::environment::Variable;
use crate::headings::{BOTS, OPENINGS, OUTPUT, RULES, SANDBOX};
use crate::seat::SuspendIdle;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, FromArgMatches};
use crownhead::rules::RuleBook;
pub use crownhead_bots::command_line::parse_time;
use crownhead_bots::options::game_parser;
use crownhead_bots::{BoardGame, games};
use crownhead_record::StderrKept;
use crownhead_record::format_error::unknown_name;
use crownhead_record::judge::profile::STRICT;
use crownhead_record::judge::{Clock, ColourLine, Profile, TimeLimits};
use crownhead_record::openings::Source;
use crownhead_sandbox::SandboxMode;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, de};
use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::path::PathBuf;
use std::time::Duration;

/// The most games at once: each has a thread here and two processes.
pub(crate) const MOST_AT_ONCE: u16 = 1024;

/// How games are played, as flags of a command or keys of a file.
#[derive(Clone, PartialEq, Eq, Debug, Args, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GameOptions {
    /// Where games start [default: automatic]
    ///
    /// Both games of a pair start alike. `ballots` are the 3-move openings of tournament checkers. `random N` plays N random moves, `random N balanced`
    /// keeps only those that the built-in search calls about even. A file of FENs or PDN games also works. `none` is the
    /// usual start. With --referee: `seeds`, `seeds 1` for the seeds 1, 2, 3 and so on, or `random N` for N random
    /// answers of those that the referee lists as legal.
    ///
    /// Without this option, checkers uses `ballots`, other games use `random 6`, the contest profile uses `none`, and
    /// games with --referee use `seeds`.
    #[arg(long, value_name = "SOURCE", help_heading = OPENINGS)]
    #[serde(deserialize_with = "openings")]
    pub openings: Option<Source>,
    /// Seed, to repeat games exactly [default: random]
    ///
    /// It decides the openings and the random choices of built-in bots. The output shows it.
    #[arg(long, short, value_name = "N", help_heading = OPENINGS)]
    pub seed: Option<u64>,
    /// Time limit of a turn
    #[arg(
        long,
        short,
        value_name = "TIME",
        default_value = "100ms",
        help_heading = RULES,
        value_parser = parse_time
    )]
    #[serde(deserialize_with = "time")]
    pub time: Duration,
    /// Time limit of a bot's first turn
    #[arg(long, value_name = "TIME", default_value = "1s", help_heading = RULES, hide_short_help = true, value_parser = parse_time)]
    #[serde(deserialize_with = "time")]
    pub first_turn: Duration,
    /// Draw after N turns (a turn is one side's move) [default: set by the rules]
    #[arg(
        long,
        value_name = "N",
        help_heading = RULES,
        hide_short_help = true,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    #[serde(deserialize_with = "max_turns")]
    pub max_turns: Option<u32>,
    /// Game to play
    #[arg(long, value_name = "NAME", default_value = games::usual().name(), value_parser = game_parser(), help_heading = RULES)]
    #[serde(deserialize_with = "game")]
    pub game: &'static dyn BoardGame,
    /// Rule book; checkers has contest and classroom [default: the game's first]
    #[arg(long, value_name = "NAME", help_heading = RULES, hide_short_help = true)]
    pub rules: Option<String>,
    /// Games to play at once [default: half the cores]
    #[arg(
        long,
        short = 'j',
        value_name = "N",
        help_heading = BOTS,
        value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_AT_ONCE))
    )]
    #[serde(deserialize_with = "concurrency")]
    pub concurrency: Option<u16>,
    /// Flags and keys of their own, because `ask` takes no others.
    #[command(flatten)]
    #[serde(skip)]
    pub bots: BotOptions,
    /// Flags and keys of their own.
    #[command(flatten)]
    #[serde(skip)]
    pub referee: RefereeFlags,
    /// What to record of the bots' standard error [default: all; in a ladder faults]
    #[arg(
        long = "keep-stderr",
        alias = "stderr",
        value_name = "WHAT",
        help_heading = OUTPUT,
        hide_short_help = true
    )]
    pub stderr: Option<StderrKept>,
}

/// How bots are judged and where they run, as flags of a command or keys of a file.
#[derive(Clone, PartialEq, Eq, Debug, Args, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BotOptions {
    /// How to judge: strict or contest [default: strict]
    ///
    /// `strict` gives no grace: a late bot loses. `contest` judges as the contest's site does: up to 50 ms late is a
    /// strike, and the third strike in a game loses it. It also sends the site's colour line, `w` for red, and games start
    /// without an opening.
    #[arg(long, value_name = "NAME", help_heading = RULES, value_parser = Profile::named)]
    #[serde(deserialize_with = "profile")]
    pub profile: Option<Profile>,
    /// What counts as time [default: wall]
    ///
    /// With `cpu` a bot can sleep for up to ten limits a turn, so use it only for bots that you trust.
    #[arg(long, value_name = "CLOCK", help_heading = RULES, hide_short_help = true)]
    pub clock: Option<Clock>,
    /// Letter that tells a bot it plays red [default: statement]
    ///
    /// Under the contest profile, the default is `live`.
    #[arg(long, alias = "color-line", value_name = "LINE", help_heading = BOTS, hide_short_help = true)]
    pub colour_line: Option<ColourLine>,
    /// Pause a bot while its opponent thinks
    ///
    /// Bots that think in their opponent's time need `never`. A pause is on no bot's clock: a control group takes less
    /// than 100 µs a turn, signals about 300 µs.
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        default_value = "auto",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "always",
        help_heading = BOTS,
        hide_short_help = true
    )]
    #[serde(deserialize_with = "suspend_idle")]
    pub suspend_idle: SuspendIdle,
    /// Do not give JavaScript bots the site's readline(), print() and printErr()
    #[arg(long, help_heading = BOTS, hide_short_help = true)]
    pub no_js_globals: bool,
    /// Isolation: auto, require or off
    ///
    /// `auto` isolates them as far as the system allows, `require` fails if it does not allow everything. Only Linux isolates
    /// bots; elsewhere, the default is `off`.
    #[arg(
        long,
        value_name = "MODE",
        default_value = SandboxMode::default().name(),
        help_heading = SANDBOX,
        hide_possible_values = true,
        value_parser = sandbox_mode()
    )]
    pub sandbox: SandboxMode,
    /// Extra file or folder that bots may read (repeatable)
    #[arg(long, value_name = "PATH", help_heading = SANDBOX)]
    pub allow_read: Vec<PathBuf>,
    /// Extra folder that bots may write to (repeatable)
    #[arg(long, value_name = "DIR", help_heading = SANDBOX, hide_short_help = true)]
    pub allow_write: Vec<PathBuf>,
    /// Variable for bots: NAME (with its value here) or NAME=VALUE (repeatable)
    #[arg(long, value_name = "NAME[=VALUE]", help_heading = SANDBOX, hide_short_help = true)]
    #[serde(deserialize_with = "variables")]
    pub env: Vec<Variable>,
}

/// The names of these options, which are also keys of a ladder's file.
pub fn names_of<T: Args>() -> Vec<String> {
    let command = T::augment_args(clap::Command::new(""));
    let names = command
        .get_arguments()
        .map(|flag| flag.get_id().to_string());
    names.collect()
}

impl GameOptions {
    /// How long a bot may think.
    pub fn limits(&self) -> TimeLimits {
        TimeLimits {
            first_turn: self.first_turn,
            turn: self.time,
        }
    }

    /// The rule book, with the limit on turns that is in force.
    ///
    /// # Errors
    /// When the game has none of that name; the message lists those there are.
    pub fn rules(&self) -> Result<RuleBook, String> {
        let mut rules = self.game.rules(self.rules.as_deref())?;
        rules.length.max_turns = self.max_turns.or(rules.length.max_turns);
        Ok(rules)
    }
}

impl BotOptions {
    /// The profile that bots are judged by.
    pub fn profile_in_force(&self) -> Profile {
        self.profile.unwrap_or(STRICT)
    }

    /// The colour line that is sent: where none is named, the profile's.
    pub fn colour_line_in_force(&self) -> ColourLine {
        self.colour_line
            .unwrap_or(self.profile_in_force().colour_line)
    }
}

impl Default for GameOptions {
    fn default() -> GameOptions {
        without_flags()
    }
}

impl Default for BotOptions {
    fn default() -> BotOptions {
        without_flags()
    }
}

/// The defaults of the flags.
fn without_flags<T: Args + FromArgMatches>() -> T {
    let command = T::augment_args(clap::Command::new("")).no_binary_name(true);
    let matches = command.get_matches_from([""; 0]);
    T::from_arg_matches(&matches).expect("every flag has a default")
}

/// Reads the name of a mode of the sandbox.
pub fn sandbox_mode() -> impl TypedValueParser<Value = SandboxMode> {
    PossibleValuesParser::new(SandboxMode::ALL.map(SandboxMode::name)).map(|name| {
        let mut modes = SandboxMode::ALL.into_iter();
        let named = modes.find(|mode| mode.name() == name);
        named.expect("one of the possible values")
    })
}

/// What `parse` makes of a text; `expected` says what that is.
fn parsed<'de, T, E: Display, D: Deserializer<'de>>(
    from: D,
    expected: &'static str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, D::Error> {
    struct Text(&'static str);
    impl Visitor<'_> for Text {
        type Value = String;

        fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
            to.write_str(self.0)
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<String, E> {
            Ok(text.into())
        }
    }
    parse(&from.deserialize_str(Text(expected))?).map_err(de::Error::custom)
}

fn profile<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Profile>, D::Error> {
    let expected = "a profile such as \"contest\"";
    parsed(from, expected, |name| Profile::named(name).map(Some))
}

fn openings<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Source>, D::Error> {
    let expected = "openings such as \"ballots\"";
    parsed(from, expected, |source| source.parse().map(Some))
}

fn game<'de, D: Deserializer<'de>>(from: D) -> Result<&'static dyn BoardGame, D::Error> {
    parsed(from, "the name of a game", |name| {
        let known = games::all().iter();
        let known: Vec<&str> = known.map(|game| game.name()).collect();
        games::find(name).ok_or_else(|| unknown_name("game", name, &known))
    })
}

fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    parsed(from, "a time with its unit, such as \"100ms\"", parse_time)
}

/// Also true, and false, which in older files is what they mean without it.
fn suspend_idle<'de, D: Deserializer<'de>>(from: D) -> Result<SuspendIdle, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected \"auto\", \"always\" or \"never\"")]
    enum Written {
        When(SuspendIdle),
        IsAlways(bool),
    }
    Ok(match Written::deserialize(from)? {
        Written::When(when) => when,
        Written::IsAlways(true) => SuspendIdle::Always,
        Written::IsAlways(false) => SuspendIdle::Auto,
    })
}

/// Reads variables, a list as of `--env` or a table of names and values.
///
/// # Errors
/// When it is neither.
pub fn variables<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Variable>, D::Error> {
    #[derive(Deserialize)]
    #[serde(
        untagged,
        expecting = "expected [\"NAME\", \"NAME=VALUE\"] or { NAME = \"VALUE\" }"
    )]
    enum Written {
        List(Vec<Variable>),
        Table(BTreeMap<String, String>),
    }
    match Written::deserialize(from)? {
        Written::List(list) => Ok(list),
        Written::Table(table) => {
            let read = |(name, value)| Variable::try_from(format!("{name}={value}"));
            let read = table.into_iter().map(read).collect::<Result<_, _>>();
            read.map_err(de::Error::custom)
        }
    }
}

fn max_turns<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    match u32::deserialize(from)? {
        0 => Err(de::Error::custom("expected a whole number from 1")),
        turns => Ok(Some(turns)),
    }
}

fn concurrency<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u16>, D::Error> {
    let most = u64::from(MOST_AT_ONCE);
    match u64::deserialize(from)? {
        games if !(1..=most).contains(&games) => Err(de::Error::custom(format!(
            "expected a whole number from 1 to {most}"
        ))),
        games => Ok(Some(games as u16)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_says_nothing_means_what_a_command_without_flags_means() {
        let written: GameOptions = toml::from_str("").unwrap();
        assert_eq!(written, GameOptions::default());
        assert_eq!(written.limits(), TimeLimits::default());
        let bots: BotOptions = toml::from_str("").unwrap();
        assert_eq!((bots.sandbox, bots.clock), (SandboxMode::Auto, None));
    }

    #[test]
    fn a_key_means_what_the_flag_of_its_name_means() {
        fn of_flags<T: Args + FromArgMatches>(flags: &str) -> T {
            let command = T::augment_args(clap::Command::new("")).no_binary_name(true);
            let matches = command.try_get_matches_from(flags.split(' ')).unwrap();
            T::from_arg_matches(&matches).unwrap()
        }
        let game: GameOptions = toml::from_str(
            "seed = 7\nopenings = \"ballots\"\nconcurrency = 3\ntime = \"2s\"\nfirst_turn = \"5s\"\n\
             max_turns = 9\nstderr = \"faults\"\ngame = \"chess\"\nrules = \"x\"",
        )
        .unwrap();
        let flags = "--seed 7 --openings ballots --concurrency 3 --time 2s --first-turn 5s --max-turns 9 \
             --keep-stderr faults --game chess --rules x";
        assert_eq!(game, of_flags(flags));
        let bots: BotOptions = toml::from_str(
            "profile = \"contest\"\nclock = \"cpu\"\ncolour_line = \"live\"\nsandbox = \"require\"\n\
             allow_read = [\"a\", \"b\"]\nallow_write = [\"c\"]\nsuspend_idle = \"always\"\nno_js_globals = true\n\
             env = [\"HOME\", \"DEPTH=3\"]",
        )
        .unwrap();
        let flags = "--profile contest --clock cpu --colour-line live --sandbox require --allow-read a \
             --allow-read b --allow-write c --suspend-idle --no-js-globals --env HOME --env DEPTH=3";
        assert_eq!(bots, of_flags(flags));
    }

    #[test]
    fn a_file_lists_variables_or_has_a_table_of_their_values() {
        let read = |value: &str| {
            let read = toml::from_str::<BotOptions>(&format!("env = {value}"));
            read.map(|options| options.env)
        };
        assert_eq!(read("{ DEPTH = \"3\" }"), read("[\"DEPTH=3\"]"));
        for value in ["[\"=3\"]", "{ \"\" = \"3\" }", "3", "{ DEPTH = 3 }"] {
            let error = read(value).unwrap_err().to_string();
            assert!(error.contains("expected"), "{error}");
        }
    }

    #[test]
    fn a_file_says_when_idle_bots_stand_still_also_as_older_ones_do() {
        let read = |value: &str| {
            let read = toml::from_str::<BotOptions>(&format!("suspend_idle = {value}"));
            read.map(|options| options.suspend_idle)
        };
        for (value, meant) in [
            ("\"auto\"", SuspendIdle::Auto),
            ("\"always\"", SuspendIdle::Always),
            ("\"never\"", SuspendIdle::Never),
            ("true", SuspendIdle::Always),
            ("false", SuspendIdle::Auto),
        ] {
            assert_eq!(read(value).unwrap(), meant);
        }
        let error = read("\"sometimes\"").unwrap_err().to_string();
        assert!(
            error.contains("expected \"auto\", \"always\" or \"never\""),
            "{error}"
        );
    }
}
