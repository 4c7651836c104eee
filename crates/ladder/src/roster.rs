//! Who is who in a table: the numbers of bots and of their versions.

use super::config::Config;
use crate::store::{BotVersion, Entrant, UNKNOWN_VERSION};
use std::collections::HashMap;

/// Numbers for all that is rated: the bots of the configuration, in its order, as they play now; behind them earlier
/// versions, as they are met.
#[derive(Clone, Default, Debug)]
pub struct Roster {
    /// The configuration's bots, with the versions that play; `None` before any is known.
    current: Vec<(String, Option<String>)>,
    numbers: HashMap<String, usize>,
    /// Which bot, and which version of it.
    earlier: Vec<(usize, String)>,
}

impl Roster {
    /// The bots of this configuration, of which these versions are known.
    pub fn new(config: &Config, versions: &[BotVersion]) -> Roster {
        let current = |name: &String| {
            let mut own = versions.iter().filter(|version| &version.bot == name);
            own.find(|version| version.current)
                .map(|version| version.version.clone())
        };
        let names = config.bots.iter().map(|bot| &bot.name);
        Roster {
            numbers: names.clone().cloned().zip(0..).collect(),
            current: names.map(|name| (name.clone(), current(name))).collect(),
            earlier: Vec::new(),
        }
    }

    /// The number of a bot as it played; `None` if it is not in the configuration.
    pub fn number_of(&mut self, entrant: &Entrant) -> Option<usize> {
        let bot = *self.numbers.get(&entrant.bot)?;
        let version = entrant.version.as_str();
        if version == UNKNOWN_VERSION || self.current[bot].1.as_deref() == Some(version) {
            return Some(bot);
        }
        let known = self.earlier.iter();
        let place = known
            .clone()
            .position(|(of, earlier)| *of == bot && earlier == version)
            .unwrap_or_else(|| {
                self.earlier.push((bot, version.into()));
                self.earlier.len() - 1
            });
        Some(self.current.len() + place)
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.current.len() + self.earlier.len()
    }

    /// The number of the bot in the configuration, whichever version this is.
    pub fn bot(&self, number: usize) -> usize {
        match number.checked_sub(self.current.len()) {
            None => number,
            Some(place) => self.earlier[place].0,
        }
    }

    /// Which version this is, if that is known.
    pub fn version(&self, number: usize) -> Option<&str> {
        match number.checked_sub(self.current.len()) {
            None => self.current[number].1.as_deref(),
            Some(place) => Some(&self.earlier[place].1),
        }
    }

    /// What tables call it: an earlier version is `mine@0123456789ab`.
    pub fn label(&self, number: usize) -> String {
        let name = &self.current[self.bot(number)].0;
        match number.checked_sub(self.current.len()) {
            None => name.clone(),
            Some(place) => format!("{name}@{}", self.earlier[place].1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entrant(version: &str) -> Entrant {
        Entrant {
            bot: "mine".into(),
            version: version.into(),
        }
    }

    #[test]
    fn what_is_of_no_known_version_counts_as_the_current_one_and_earlier_ones_are_apart() {
        let config = "[[bot]]\nname = \"other\"\ncommand = \"random\"\n\
            [[bot]]\nname = \"mine\"\ncommand = \"random\"";
        let config = Config::parse(config).unwrap();
        let version = |version: &str, current| BotVersion {
            bot: "mine".into(),
            version: version.into(),
            description: String::new(),
            interpreter: None,
            current,
        };
        let mut roster = Roster::new(&config, &[]);
        assert_eq!(roster.number_of(&entrant(UNKNOWN_VERSION)), Some(1));

        let mut roster = Roster::new(&config, &[version("aa", true)]);
        assert_eq!(roster.number_of(&entrant(UNKNOWN_VERSION)), Some(1));
        assert_eq!(roster.number_of(&entrant("aa")), Some(1));

        let mut roster = Roster::new(&config, &[version("aa", false), version("bb", true)]);
        assert_eq!(roster.number_of(&entrant("bb")), Some(1));
        assert_eq!(roster.number_of(&entrant(UNKNOWN_VERSION)), Some(1));
        assert_eq!(roster.number_of(&entrant("aa")), Some(2));
        assert_eq!(
            (roster.label(1), roster.label(2)),
            ("mine".into(), "mine@aa".into())
        );
        assert_eq!(
            (roster.bot(2), roster.version(2), roster.len()),
            (1, Some("aa"), 3)
        );
        let stranger = Entrant {
            bot: "gone".into(),
            ..entrant("aa")
        };
        assert_eq!(roster.number_of(&stranger), None);
    }
}
