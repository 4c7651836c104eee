//! The file as written: the settings of games, which are also options, and the ladder's own keys.

use crownhead_arena::contest::RefereeFlags;
use crownhead_arena::environment::Variable;
use crownhead_arena::options::{BotOptions, GameOptions, names_of, variables};
use crownhead_record::format_error::{plain_format, unknown_name};
use crownhead_record::text::excerpt;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::PathBuf;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

/// The keys other than settings of games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LadderKeys {
    pub(super) schedule: Option<String>,
    pub(super) pairs: Option<u64>,
    pub(super) newcomer: Option<String>,
    pub(super) anchor: Option<FileAnchor>,
    pub(super) store: Option<String>,
    #[serde(default)]
    pub(super) bot: Vec<Bot>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileAnchor {
    pub(super) bot: String,
    #[serde(default)]
    pub(super) rating: f64,
}

/// A bot of a ladder.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bot {
    /// Its name, which cannot change once it has played.
    pub name: String,
    /// A built-in's name with options, or a command line.
    pub command: String,
    /// The folder that its command is written for and runs in, relative to the ladder's. Without it, the command is
    /// written for the ladder's folder, and the bot runs in that of its first file.
    pub folder: Option<PathBuf>,
    /// Its extra variables: the ladder's `env`, unless it is built in, and its own.
    #[serde(default, rename = "env", deserialize_with = "variables")]
    pub environment: Vec<Variable>,
    /// A shell command that runs before the first game.
    pub build: Option<String>,
    /// Its files and folders in addition to those that its command names, if it does not consist of all of its folder.
    pub files: Option<Vec<PathBuf>>,
    /// Whether it is retired.
    #[serde(default)]
    pub retired: bool,
}

/// The number of the bot of this name.
///
/// # Errors
/// When there is none, with a similar name if there is one.
pub(super) fn number_of(bots: &[Bot], name: &str) -> Result<usize, String> {
    let names: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
    let number = names.iter().position(|known| *known == name);
    number.ok_or_else(|| unknown_name("bot", name, &names))
}

/// An error of the configuration.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ConfigError {
    /// The number of the line.
    pub line: usize,
    /// What is wrong and what was expected.
    pub reason: String,
}

impl Bot {
    /// Whether both play alike, retired or not.
    pub(crate) fn is_same(&self, other: &Bot) -> bool {
        let retired = self.retired;
        *self
            == Bot {
                retired,
                ..other.clone()
            }
    }
}

/// Reads the file: the options of games, the other keys, and the lines of all.
///
/// # Errors
/// With the line and what was expected there.
pub(super) fn read(text: &str) -> Result<(GameOptions, LadderKeys, KeyLines), ConfigError> {
    let refused = |error: &toml::de::Error, message: &str| {
        let line = line_of(text, error.span().map_or(0, |span| span.start));
        let reason = plain_format(message);
        let reason = match reason.strip_prefix("expected ") {
            Some(_) => {
                let written = text.lines().nth(line - 1).unwrap_or_default();
                format!("`{}`: {reason}", excerpt(written.trim()))
            }
            None => reason,
        };
        ConfigError { line, reason }
    };
    let failed = |error: toml::de::Error| refused(&error, error.message());
    let document = DeTable::parse(text).map_err(failed)?;
    let lines = KeyLines::of(text, document.get_ref());
    let flags = names_of::<GameOptions>();
    // The options of games include those of bots and referees, which come first therefore.
    let names = [
        names_of::<BotOptions>(),
        names_of::<RefereeFlags>(),
        flags.clone(),
    ];
    let mut parts = [(); 4].map(|()| DeTable::new());
    for (key, mut value) in document.into_inner() {
        if !is_without_effect(key.get_ref(), &mut value) {
            let is_in = |names: &Vec<String>| names.iter().any(|name| name == key.get_ref());
            let part = names.iter().position(is_in).unwrap_or(names.len());
            parts[part].insert(key, value);
        }
    }
    let [bots, referee, game, ladder] = parts;
    let keys: Vec<usize> = ladder.keys().map(|key| key.span().start).collect();
    let ladder = read_table(ladder).map_err(|error| {
        let at_key = error.span().is_some_and(|span| keys.contains(&span.start));
        let mut message = error.message().to_string();
        if at_key && message.starts_with("unknown field") {
            message += &format!(", `{}`", flags.join("`, `"));
        }
        refused(&error, &message)
    })?;
    let options = GameOptions {
        bots: read_table(bots).map_err(failed)?,
        referee: read_table(referee).map_err(failed)?,
        ..read_table(game).map_err(failed)?
    };
    Ok((options, ladder, lines))
}

/// Whether a key has no effect any more, though earlier versions knew it: `workers`, and `repeatable` of a bot.
fn is_without_effect(key: &str, value: &mut Spanned<DeValue<'_>>) -> bool {
    if let ("bot", DeValue::Array(bots)) = (key, value.get_mut()) {
        let tables = bots.iter_mut().filter_map(|bot| match bot.get_mut() {
            DeValue::Table(table) => Some(table),
            _ => None,
        });
        tables.for_each(|bot| drop(bot.remove("repeatable")));
    }
    key == "workers"
}

fn read_table<T: DeserializeOwned>(table: DeTable<'_>) -> Result<T, toml::de::Error> {
    T::deserialize(Deserializer::from(Spanned::new(0..0, table)))
}

/// The lines of keys such as `anchor.bot`; a line for each element of a list.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct KeyLines(BTreeMap<String, Vec<usize>>);

impl KeyLines {
    fn of(text: &str, table: &DeTable<'_>) -> KeyLines {
        let mut lines = KeyLines::default();
        for (key, value) in table {
            lines.note(text, key.get_ref(), value);
        }
        lines
    }

    fn note(&mut self, text: &str, key: &str, value: &Spanned<DeValue<'_>>) {
        if let DeValue::Array(values) = value.get_ref() {
            return values.iter().for_each(|value| self.note(text, key, value));
        }
        let lines = self.0.entry(key.into()).or_default();
        lines.push(line_of(text, value.span().start));
        for (inner, value) in value.get_ref().as_table().into_iter().flatten() {
            self.note(text, &format!("{key}.{}", inner.get_ref()), value);
        }
    }

    /// An error at the first of these keys that is in the file, or at element `place` of a list. At line 1 if there is
    /// none.
    pub(super) fn error(
        &self,
        keys: &[&str],
        place: usize,
        reason: impl Into<String>,
    ) -> ConfigError {
        let lines = keys.iter().find_map(|key| self.0.get(*key));
        let line = lines.and_then(|lines| lines.get(place)).copied();
        ConfigError {
            line: line.unwrap_or(1),
            reason: reason.into(),
        }
    }
}

/// The number of the line in which the byte at `offset` is.
fn line_of(text: &str, offset: usize) -> usize {
    let before = &text.as_bytes()[..offset.min(text.len())];
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}
