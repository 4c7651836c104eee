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
            ErrorKind::TooFewValues => self.too_few(),
            ErrorKind::ArgumentConflict => self.conflict(),
            ErrorKind::MissingSubcommand => {
                Some(format!("{} needs a command", quoted(self.command_name())))
            }
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

    /// What clap calls the argument in question: `--games <N>`, `<BOT>`.
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
            let (name, example) = (name_of(&option.to_string()), example_of(option, &word));
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
        Some(match self.command_name() == self.program.get_name() {
            true => format!("there is no command `{word}`. {advice}"),
            false => format!(
                "`{}` has no command `{word}`. {advice}",
                self.command_name()
            ),
        })
    }

    /// A value that is none of those there are, or is missing.
    fn unknown_value(&self) -> Option<String> {
        let (name, argument) = self.argument()?;
        let value = self.context(ContextKind::InvalidValue)?;
        let known = match self.error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(known)) => known.clone(),
            _ => Vec::new(),
        };
        if value.is_empty() {
            let example = match (known.is_empty(), argument) {
                (true, Some(argument)) => format!("such as `{name} {}`", example_of(argument, "")),
                (true, None) => self.see_help(),
                (false, _) => format!("expected {}", list(&known, "or")),
            };
            return Some(format!("`{name}` needs a value, {example}"));
        }
        let plural = format!("{}s", name.trim_start_matches('-'));
        let is_number = value.bytes().all(|letter| letter.is_ascii_digit());
        let counts = is_number
            && self
                .command
                .get_arguments()
                .any(|it| it.get_long() == Some(&plural));
        let meant = self.context(ContextKind::SuggestedValue);
        // A longer word that only begins alike is another word.
        let meant = meant.filter(|meant| meant.len().abs_diff(value.len()) <= 2);
        let advice = match meant {
            _ if counts => format!("For a number, use `--{plural} {value}`"),
            Some(meant) => format!("Did you mean `{meant}`?"),
            None => format!("Expected {}", list(&known, "or")),
        };
        Some(format!("`{name}` has no value `{value}`. {advice}"))
    }

    /// A value that its parser refuses.
    fn refused_value(&self) -> Option<String> {
        let (name, argument) = self.argument()?;
        let value = self.context(ContextKind::InvalidValue)?;
        let typed = match name.starts_with('-') {
            true => format!("`{name} {value}`"),
            false => quoted(&value),
        };
        let cause = self.error.source()?;
        let example = || {
            let example = argument.map_or_else(|| "1".into(), |it| example_of(it, &value));
            match name.starts_with('-') {
                true => format!("such as `{name} {example}`"),
                false => format!("such as {example}"),
            }
        };
        if let Some(cause) = cause.downcast_ref::<ParseIntError>() {
            let is_too_large = *cause.kind() == IntErrorKind::PosOverflow;
            let what = match value.parse::<f64>() {
                _ if is_too_large => "is too large for a number",
                Ok(number) if number < 0.0 => "is not a number from 0",
                _ => "is not a whole number",
            };
            return Some(format!("{typed} {what}. Expected one, {}", example()));
        }
        if cause.is::<ParseFloatError>() {
            return Some(format!(
                "{typed} is not a number. Expected one, {}",
                example()
            ));
        }
        let cause = cause.to_string();
        Some(match range_of(&cause) {
            Some(range) => format!("{typed} is out of range. Expected a whole number {range}"),
            None => format!("{typed}: {cause}"),
        })
    }

    fn missing(&self) -> Option<String> {
        let missing = self.context(ContextKind::InvalidArg)?;
        let name = name_of(&missing);
        if !name.starts_with('-') {
            return Some(self.needs(&name));
        }
        let shown = missing.replace(['<', '>'], "");
        Some(match self.asking_for(&missing) {
            Some(asking) => format!("`{asking}` works only with `{shown}`"),
            None => {
                let is_it = |argument: &&Arg| name_of(&argument.to_string()) == name;
                let argument = self.command.get_arguments().find(is_it);
                let known = argument.map(Arg::get_possible_values).unwrap_or_default();
                let known: Vec<String> = known.iter().map(|it| it.get_name().into()).collect();
                let advice = match known.is_empty() {
                    true => self.see_help(),
                    false => format!("Expected {}", list(&known, "or")),
                };
                format!("`{}` needs `{shown}`. {advice}", self.command_name())
            }
        })
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
        let options = self.words.iter().enumerate();
        let options = options.filter_map(|(place, word)| Some((place, word, self.option(word)?)));
        options.into_iter().find_map(|(place, word, option)| {
            let has_value = option
                .get_num_args()
                .is_some_and(|count| count.takes_values());
            let length = if has_value && !word.contains('=') {
                2
            } else {
                1
            };
            let mut rest = self.words.to_vec();
            rest.drain(place..(place + length).min(rest.len()));
            let mut program = self.program.clone();
            let parsed = match program.is_no_binary_name_set() {
                true => program.try_get_matches_from_mut(rest),
                false => program.try_get_matches_from_mut(
                    [&[self.program.get_name().to_string()], &rest[..]].concat(),
                ),
            };
            let still = parsed.err().is_some_and(|error| {
                let names = match error.get(ContextKind::InvalidArg) {
                    Some(ContextValue::Strings(names)) => names.clone(),
                    _ => Vec::new(),
                };
                error.kind() == ErrorKind::MissingRequiredArgument
                    && names.iter().any(|name| name == missing)
            });
            (!still).then(|| name_of(word))
        })
    }

    fn too_few(&self) -> Option<String> {
        let (name, _) = self.argument()?;
        let number = |kind| match self.error.get(kind) {
            Some(ContextValue::Number(number)) => Some(*number),
            _ => None,
        };
        let (least, actual) = (
            number(ContextKind::MinValues)?,
            number(ContextKind::ActualNumValues)?,
        );
        let advice = match example_in(self.command) {
            Some(example) => format!("For example: `{example}`"),
            None => self.see_help(),
        };
        Some(format!(
            "`{}` needs {name} {least} times and has it {actual} times. {advice}",
            self.command_name()
        ))
    }

    fn one_too_many(&self) -> Option<String> {
        let (name, _) = self.argument()?;
        let value = self.context(ContextKind::InvalidValue)?;
        Some(format!(
            "`{value}` is one value too many for `{name}`. {}",
            self.see_help()
        ))
    }

    fn conflict(&self) -> Option<String> {
        let (name, _) = self.argument()?;
        let other = self
            .context(ContextKind::PriorArg)
            .map(|other| name_of(&other));
        Some(match other {
            Some(other) if name.starts_with('-') != other.starts_with('-') => {
                let option = if name.starts_with('-') { name } else { other };
                let place = self.own.iter().position(|word| *word == option)?;
                let (value, extra) = (self.own.get(place + 1)?, self.own.get(place + 2)?);
                format!(
                    "`{extra}` is one word too many. Quote a text of several words: `{option} \"{value} {extra}\"`"
                )
            }
            Some(other) if other != name => {
                format!("`{name}` cannot be used with `{other}`. Leave out one of them")
            }
            Some(_) => format!("`{name}` is given twice. Give it once"),
            None => format!(
                "`{name}` cannot be used with the other arguments. {}",
                self.see_help()
            ),
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

/// The name in `--games <N>`, `--force`, `[BOT]` or `<BOT>...`.
fn name_of(shown: &str) -> String {
    let word = shown.split([' ', '=']).next().unwrap_or(shown);
    let is_option = word.starts_with('-');
    let word = if is_option {
        word.trim_end_matches('[')
    } else {
        word
    };
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
fn example_of(argument: &Arg, typed: &str) -> String {
    let plain = typed.replace([',', '_', '\''], "");
    // Whole numbers up to 2^53 are exact.
    let meant = plain.parse::<f64>().ok();
    let meant = meant.filter(|number| (1.0..9e15).contains(number) && number.fract() == 0.0);
    let default = argument.get_default_values().first();
    match (meant, default) {
        (Some(number), _) => format!("{number}"),
        (None, Some(default)) => default.to_string_lossy().into_owned(),
        (None, None) => {
            let is_known = argument
                .get_possible_values()
                .first()
                .map(|it| it.get_name().to_string());
            is_known.unwrap_or_else(|| "1".into())
        }
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
    let texts = [
        command.get_before_help(),
        command.get_before_long_help(),
        command.get_after_help(),
        command.get_after_long_help(),
    ];
    texts.into_iter().flatten().find_map(|text| {
        let text = text.to_string();
        let name = command.get_bin_name()?;
        let line = text
            .lines()
            .find(|line| line.trim_start().starts_with(name));
        line.map(|line| line.trim().to_string())
    })
}
