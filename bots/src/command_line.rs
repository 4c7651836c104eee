//! What is wrong with a command line, as a sentence: what clap reports, in words for people.
//!
//! Each sentence names what the user typed, says what was expected, and what to type instead.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use std::error::Error as _;
use std::ffi::OsString;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::time::Duration;

/// More options than these are not listed in a message.
const LISTED_OPTIONS: usize = 10;

/// From this bound on, a limit is that of the number's type and no limit for people.
const NO_LIMIT: i128 = i32::MAX as i128;

/// Says why these words, those after the program's name, are no command line of `program`.
pub fn describe(error: &Error, mut program: Command, words: &[OsString]) -> String {
    program.build();
    let words: Vec<String> = words
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let mut command = &program;
    let mut at = 0;
    for (place, word) in words.iter().enumerate() {
        if let Some(inner) = command.find_subcommand(word) {
            (command, at) = (inner, place + 1);
        }
    }
    let refused = Refused {
        error,
        program: &program,
        command,
        words: &words,
        own: &words[at..],
    };
    refused.describe()
}

/// A time such as `100ms` or `1s`, more than nothing.
///
/// # Errors
/// When it is none, with what was expected.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(time) if time.is_zero() => Err("expected more than 0, such as `100ms`".into()),
        Ok(time) => Ok(time),
        Err(_) => Err("expected a time with its unit, such as `100ms` or `1s`".into()),
    }
}

/// A command line that clap refused.
struct Refused<'a> {
    error: &'a Error,
    program: &'a Command,
    /// The command that is meant.
    command: &'a Command,
    words: &'a [String],
    /// The words after the command's name.
    own: &'a [String],
}

impl Refused<'_> {
    fn describe(&self) -> String {
        // What a parser of our own says stands by itself.
        if let Some(told) = self.context(ContextKind::Custom) {
            return told;
        }
        let described = match self.error.kind() {
            ErrorKind::UnknownArgument => self.unknown_word(),
            ErrorKind::InvalidSubcommand => self.unknown_command(),
            ErrorKind::InvalidValue => self.unknown_value(),
            ErrorKind::ValueValidation => self.refused_value(),
            ErrorKind::MissingRequiredArgument => self.missing(),
            ErrorKind::ArgumentConflict => self.conflict(),
            ErrorKind::MissingSubcommand => Some(self.needs("a command")),
            ErrorKind::TooManyValues => self.one_too_many(),
            ErrorKind::InvalidUtf8 => Some("an argument is not UTF-8 text".into()),
            _ => None,
        };
        described.unwrap_or_else(|| format!("these arguments cannot be read. {}", self.see_help()))
    }

    fn context(&self, kind: ContextKind) -> Option<String> {
        match self.error.get(kind)? {
            ContextValue::String(text) => Some(text.clone()),
            ContextValue::Strings(texts) => texts.first().cloned(),
            _ => None,
        }
    }

    /// All texts of a context.
    fn all(&self, kind: ContextKind) -> Vec<String> {
        match self.error.get(kind) {
            Some(ContextValue::Strings(texts)) => texts.clone(),
            _ => Vec::new(),
        }
    }

    /// The argument in question, and its name: `--games`, `BOT`.
    fn argument(&self) -> Option<(String, Option<&Arg>)> {
        let name = name_of(&self.context(ContextKind::InvalidArg)?);
        let is_it = |argument: &&Arg| name_of(&argument.to_string()) == name;
        let argument = self.command.get_arguments().find(is_it);
        Some((name, argument))
    }

    /// The command as a user types it.
    fn command_name(&self) -> &str {
        let named = self.command.get_bin_name();
        let named = named.filter(|_| !self.program.is_no_binary_name_set());
        named.unwrap_or(self.command.get_name())
    }

    fn see_help(&self) -> String {
        format!("See `{} --help`", self.command_name())
    }

    fn unknown_word(&self) -> Option<String> {
        let word = self.context(ContextKind::InvalidArg)?;
        if word.starts_with('-') && word.parse::<f64>().is_err() {
            return Some(self.unknown_option(&word));
        }
        let place = self.own.iter().position(|own| *own == word);
        let before = place.and_then(|place| self.own.get(place.checked_sub(1)?));
        let option = before.and_then(|before| self.option(before));
        if let (Some(option), true) = (option, word.starts_with('-')) {
            let name = name_of(&option.to_string());
            let example = example_of(Some(option), &word);
            return Some(format!(
                "`{name} {word}` is negative. Expected a number, such as `{name} {example}`"
            ));
        }
        let quotes = match before {
            Some(before) if option.is_none() && !before.starts_with('-') => {
                format!("If it belongs to the word before it, use quotes: `\"{before} {word}\"`")
            }
            _ => self.see_help(),
        };
        Some(format!(
            "`{word}` is one word too many for `{}`. {quotes}",
            self.command_name()
        ))
    }

    fn unknown_option(&self, word: &str) -> String {
        let unknown = format!("`{}` has no option `{word}`", self.command_name());
        if let Some(meant) = self.context(ContextKind::SuggestedArg) {
            return format!("{unknown}. Did you mean `{meant}`?");
        }
        let options = self.command.get_arguments();
        let options = options.filter(|option| !option.is_hide_set());
        let options: Vec<&str> = options
            .filter_map(Arg::get_long)
            .filter(|name| *name != "help")
            .collect();
        match options.len() {
            1..=LISTED_OPTIONS => {
                let listed: Vec<String> = options.iter().map(|name| format!("--{name}")).collect();
                format!("{unknown}. It has {}", list(&listed, "and"))
            }
            _ => format!("{unknown}. {}", self.see_help()),
        }
    }

    fn unknown_command(&self) -> Option<String> {
        let word = self.context(ContextKind::InvalidSubcommand)?;
        let advice = match self.context(ContextKind::SuggestedSubcommand) {
            Some(meant) => format!("Did you mean `{meant}`?"),
            None => self.see_help(),
        };
        let name = self.command_name();
        Some(match name == self.program.get_name() {
            true => format!("there is no command `{word}`. {advice}"),
            false => format!("`{name}` has no command `{word}`. {advice}"),
        })
    }

    /// A value that is none of those there are, or is missing.
    fn unknown_value(&self) -> Option<String> {
        let (name, argument) = self.argument()?;
        let value = self.context(ContextKind::InvalidValue)?;
        let known = list(&self.all(ContextKind::ValidValue), "or");
        if value.is_empty() {
            let example = match known.is_empty() {
                true => format!("such as `{name} {}`", example_of(argument, "")),
                false => format!("expected {known}"),
            };
            return Some(format!("`{name}` needs a value, {example}"));
        }
        let plural = format!("{name}s");
        let is_number = value.bytes().all(|letter| letter.is_ascii_digit());
        let meant = self.context(ContextKind::SuggestedValue);
        // A longer word that only begins alike is another word.
        let meant = meant.filter(|meant| meant.len().abs_diff(value.len()) <= 2);
        let advice = match meant {
            _ if is_number && self.option(&plural).is_some() => {
                format!("For a number, use `{plural} {value}`")
            }
            Some(meant) => format!("Did you mean `{meant}`?"),
            None => format!("Expected {known}"),
        };
        Some(format!("`{name}` has no value `{value}`. {advice}"))
    }

    /// A value that its parser refuses.
    fn refused_value(&self) -> Option<String> {
        let (name, argument) = self.argument()?;
        let value = self.context(ContextKind::InvalidValue)?;
        let cause = self.error.source()?;
        let example = example_of(argument, &value);
        let (typed, example) = match name.starts_with('-') {
            true => (
                format!("`{name} {value}`"),
                format!("such as `{name} {example}`"),
            ),
            false => (quoted(&value), format!("such as {example}")),
        };
        let what = match cause.downcast_ref::<ParseIntError>() {
            Some(cause) if *cause.kind() == IntErrorKind::PosOverflow => {
                "is too large for a number"
            }
            Some(_) if value.parse().is_ok_and(|number: f64| number < 0.0) => {
                "is not a number from 0"
            }
            Some(_) => "is not a whole number",
            None if cause.is::<ParseFloatError>() => "is not a number",
            None => {
                let cause = cause.to_string();
                return Some(match range_of(&cause) {
                    Some(range) => {
                        format!("{typed} is out of range. Expected a whole number {range}")
                    }
                    None => format!("{typed}: {cause}"),
                });
            }
        };
        Some(format!("{typed} {what}. Expected one, {example}"))
    }

    fn missing(&self) -> Option<String> {
        let (name, argument) = self.argument()?;
        if !name.starts_with('-') {
            return Some(self.needs(&name));
        }
        let missing = self.context(ContextKind::InvalidArg)?;
        let shown = missing.replace(['<', '>'], "");
        if let Some(asking) = self.asking_for(&missing) {
            return Some(format!("`{asking}` works only with `{shown}`"));
        }
        let known = argument.map(Arg::get_possible_values).unwrap_or_default();
        let known: Vec<String> = known.iter().map(|it| it.get_name().into()).collect();
        let advice = match known.is_empty() {
            true => self.see_help(),
            false => format!("Expected {}", list(&known, "or")),
        };
        Some(format!(
            "`{}` needs `{shown}`. {advice}",
            self.command_name()
        ))
    }

    /// A message that the command needs this word, with an example.
    fn needs(&self, name: &str) -> String {
        let advice = match example_in(self.command) {
            Some(example) => format!("For example: `{example}`"),
            None => self.see_help(),
        };
        format!("`{}` needs {name}. {advice}", self.command_name())
    }

    /// The option without which what is missing would not be missed.
    fn asking_for(&self, missing: &str) -> Option<String> {
        let program = self.program.clone().no_binary_name(true);
        (0..self.words.len()).find_map(|place| {
            let word = &self.words[place];
            let takes_values = self.option(word)?.get_num_args()?.takes_values();
            let length = 1 + usize::from(takes_values && !word.contains('='));
            let mut rest = self.words.to_vec();
            rest.drain(place..(place + length).min(rest.len()));
            let error = program.clone().try_get_matches_from(rest).err();
            let still = error.is_some_and(|error| {
                let without = Refused {
                    error: &error,
                    ..*self
                };
                error.kind() == ErrorKind::MissingRequiredArgument
                    && without
                        .all(ContextKind::InvalidArg)
                        .iter()
                        .any(|it| it == missing)
            });
            (!still).then(|| name_of(word))
        })
    }

    fn one_too_many(&self) -> Option<String> {
        let (name, _) = self.argument()?;
        let value = self.context(ContextKind::InvalidValue)?;
        let help = self.see_help();
        Some(format!(
            "`{value}` is one value too many for `{name}`. {help}"
        ))
    }

    fn conflict(&self) -> Option<String> {
        let (name, _) = self.argument()?;
        let other = name_of(&self.context(ContextKind::PriorArg)?);
        Some(match other == name {
            true => format!("`{name}` is given twice. Give it once"),
            false => format!("`{name}` cannot be used with `{other}`. Leave out one of them"),
        })
    }

    /// The option that a word names.
    fn option(&self, word: &str) -> Option<&Arg> {
        let name = word.strip_prefix("--")?.split('=').next()?;
        self.command.get_arguments().find(|option| {
            let mut aliases = option.get_all_aliases().into_iter().flatten();
            option.get_long() == Some(name) || aliases.any(|alias| alias == name)
        })
    }
}

/// The name in `--games <N>`, `--force`, `--cores[=<N>]`, `[BOT]` or `<BOT>...`.
fn name_of(shown: &str) -> String {
    let word = shown.split([' ', '=']).next().unwrap_or(shown);
    word.trim_matches(['<', '>', '[', ']', '.']).into()
}

fn quoted(text: &str) -> String {
    format!("`{text}`")
}

/// `a`, `b` and `c`.
fn list(words: &[String], last: &str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((end, before)) => format!("{} {last} {end}", before.join(", ")),
    }
}

/// A value to type for this argument: what a number that was typed otherwise means, or else the default.
fn example_of(argument: Option<&Arg>, typed: &str) -> String {
    let plain = typed.replace([',', '_', '\''], "");
    // Whole numbers up to 2^53 are exact.
    let meant = plain.parse::<f64>().ok();
    let meant = meant.filter(|number| (1.0..9e15).contains(number) && number.fract() == 0.0);
    let default = argument.and_then(|argument| argument.get_default_values().first());
    match (meant, default) {
        (Some(number), _) => format!("{number}"),
        (None, Some(default)) => default.to_string_lossy().into_owned(),
        (None, None) => "1".into(),
    }
}

/// The range in clap's `0 is not in 1..=1024`, for people.
fn range_of(cause: &str) -> Option<String> {
    let (_, range) = cause.split_once(" is not in ")?;
    let (first, last) = range.split_once("..")?;
    let first: i128 = first.parse().ok()?;
    let last: i128 = match last.strip_prefix('=') {
        Some(last) => last.parse().ok()?,
        None => last.parse::<i128>().ok()? - 1,
    };
    Some(match last < NO_LIMIT {
        true => format!("from {first} to {last}"),
        false => format!("from {first}"),
    })
}

/// The first command among the examples of a command's help.
fn example_in(command: &Command) -> Option<String> {
    let text = command.get_before_help()?.to_string();
    let name = command.get_bin_name()?;
    let mut lines = text.lines().map(str::trim);
    Some(lines.find(|line| line.starts_with(name))?.into())
}
