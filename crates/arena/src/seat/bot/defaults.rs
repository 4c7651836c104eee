//! What a built-in is told unless its words say otherwise.

use std::ffi::OsString;
use std::path::PathBuf;

/// What a built-in is told unless its words say otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defaults {
    /// The program `crownhead`, which runs the built-ins.
    pub crownhead: PathBuf,
    /// For those that play by chance.
    pub seed: u64,
    /// The time limit of a turn, for those that search.
    pub time: std::time::Duration,
    /// The name of the game.
    pub game: &'static str,
    /// The name of the rule book, for those that search.
    pub rules: &'static str,
}

impl Defaults {
    /// The options that are added to those that were `given`.
    pub(super) fn options_of(&self, bot: &str, given: &[String]) -> Vec<OsString> {
        let has = |option: &str| {
            given
                .iter()
                .any(|word| word == option || word.starts_with(&format!("{option}=")))
        };
        let mut options = Vec::new();
        let mut add = |option: &str, value: String| {
            if !has(option) {
                options.extend([OsString::from(option), value.into()]);
            }
        };
        add("--game", self.game.into());
        if bot == "alphabeta" {
            add("--rules", self.rules.into());
            if !has("--nodes") && !has("--depth") {
                add(
                    "--time",
                    humantime::format_duration(self.time)
                        .to_string()
                        .replace(' ', ""),
                );
            }
        } else {
            add("--seed", self.seed.to_string());
        }
        options
    }
}
