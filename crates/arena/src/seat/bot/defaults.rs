//! What a built-in is told unless its words say otherwise.

use humantime::format_duration;
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
    /// The options that are added to the words of a built-in.
    pub(super) fn options_of(&self, words: &[String]) -> Vec<String> {
        let has = |option: &str| {
            let with_value = format!("{option}=");
            (words.iter()).any(|word| word == option || word.starts_with(&with_value))
        };
        let mut options = vec![("--game", self.game.into())];
        if words[0] == "alphabeta" {
            options.push(("--rules", self.rules.into()));
            if !has("--nodes") && !has("--depth") {
                let time = format_duration(self.time).to_string();
                options.push(("--time", time.replace(' ', "")));
            }
        } else {
            options.push(("--seed", self.seed.to_string()));
        }
        options.retain(|(option, _)| !has(option));
        let words = options
            .into_iter()
            .map(|(option, value)| [option.into(), value]);
        words.flatten().collect()
    }
}
