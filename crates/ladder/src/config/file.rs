//! The file as it is written: the settings of games, which are flags too, and the ladder's own keys.

use super::terms::{ConfigError, WorkerTerms};
use clap::Args;
use crownhead_arena::settings::{BotOptions, GameOptions};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::PathBuf;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

/// What the file says.
pub(super) struct ConfigFile {
    pub(super) options: GameOptions,
    pub(super) ladder: LadderKeys,
    pub(super) lines: KeyLines,
}

/// The keys that are not settings of games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LadderKeys {
    pub(super) schedule: Option<Spanned<String>>,
    pub(super) pairs: Option<Spanned<u64>>,
    pub(super) newcomer: Option<Spanned<String>>,
    pub(super) anchor: Option<FileAnchor>,
    pub(super) store: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) workers: WorkerTerms,
    #[serde(default)]
    pub(super) bot: Vec<FileBot>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileAnchor {
    pub(super) bot: Spanned<String>,
    pub(super) rating: Option<Spanned<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileBot {
    pub(super) name: Spanned<String>,
    pub(super) command: Spanned<String>,
    pub(super) folder: Option<PathBuf>,
    #[serde(default)]
    pub(super) env: BTreeMap<String, String>,
    pub(super) build: Option<String>,
    pub(super) files: Option<Vec<PathBuf>>,
    #[serde(default)]
    pub(super) repeatable: bool,
    #[serde(default)]
    pub(super) retired: bool,
}

impl ConfigFile {
    /// Reads the file.
    ///
    /// # Errors
    /// With the line and what was expected there.
    pub(super) fn read(text: &str) -> Result<ConfigFile, ConfigError> {
        let failed = |error: toml::de::Error| ConfigError {
            line: line_of(text, error.span().map_or(0, |span| span.start)),
            reason: error.message().replace('\n', "; "),
        };
        let document = DeTable::parse(text).map_err(failed)?;
        let lines = KeyLines::of(text, document.get_ref());
        let (flags, bot_flags) = (flags_of::<GameOptions>(), flags_of::<BotOptions>());
        let [mut game, mut bots, mut ladder] = [(); 3].map(|()| DeTable::new());
        for (key, value) in document.into_inner() {
            let is_in = |flags: &[String]| flags.iter().any(|flag| flag == key.get_ref());
            // The flags of games are with those of bots.
            let part = match (is_in(&bot_flags), is_in(&flags)) {
                (true, _) => &mut bots,
                (false, true) => &mut game,
                (false, false) => &mut ladder,
            };
            part.insert(key, value);
        }
        let keys: Vec<usize> = ladder.keys().map(|key| key.span().start).collect();
        let ladder = read_table(ladder).map_err(|error| {
            let at_key = error.span().is_some_and(|span| keys.contains(&span.start));
            let mut error = failed(error);
            if at_key && error.reason.starts_with("unknown field") {
                error.reason += &format!(", `{}`", flags.join("`, `"));
            }
            error
        })?;
        Ok(ConfigFile {
            options: GameOptions {
                bots: read_table(bots).map_err(failed)?,
                ..read_table(game).map_err(failed)?
            },
            ladder,
            lines,
        })
    }
}

fn read_table<T: DeserializeOwned>(table: DeTable<'_>) -> Result<T, toml::de::Error> {
    T::deserialize(Deserializer::from(Spanned::new(0..0, table)))
}

/// The names of the flags, which are keys of the file too.
fn flags_of<T: Args>() -> Vec<String> {
    let command = T::augment_args(clap::Command::new(""));
    let names = command
        .get_arguments()
        .map(|flag| flag.get_id().to_string());
    names.collect()
}

/// Where the file says what: for errors that show only when a setting is used.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct KeyLines(BTreeMap<String, Vec<usize>>);

impl KeyLines {
    fn of(text: &str, table: &DeTable<'_>) -> KeyLines {
        let line = |value: &Spanned<DeValue<'_>>| line_of(text, value.span().start);
        let lines = table.iter().map(|(key, value)| {
            let lines = match value.get_ref() {
                DeValue::Array(values) => values.iter().map(line).collect(),
                _ => vec![line(value)],
            };
            (key.get_ref().to_string(), lines)
        });
        KeyLines(lines.collect())
    }

    /// The line of the first of these keys that is in the file, for a list that of its element `place`; the
    /// first line where there is none.
    pub(super) fn of_first(&self, keys: &[&str], place: usize) -> usize {
        let lines = keys.iter().find_map(|key| self.0.get(*key));
        lines
            .and_then(|lines| lines.get(place))
            .map_or(1, |line| *line)
    }
}

/// The number of the line in which the byte at `offset` is.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    let before = &text.as_bytes()[..offset.min(text.len())];
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}
