//! Numbers for the bots of a table and their versions.

use super::config::Config;
use crate::store::{BotVersion, Entrant, UNKNOWN_VERSION, label_of_earlier};
use std::collections::HashMap;

/// Numbers for everything that is rated: first the bots of the configuration in their present versions, in its order,
/// then earlier versions in order of appearance.
#[derive(Clone, Default, Debug)]
pub struct Roster {
    /// The configuration's bots.
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    /// For each number, the bot and its version; `None` if no version is known yet.
    rated: Vec<(usize, Option<String>)>,
}

impl Roster {
    /// The bots of this configuration, with these known versions.
    pub fn new(config: &Config, versions: &[BotVersion]) -> Roster {
        let current = |(number, name): (usize, &String)| {
            let mut current = versions.iter().filter(|version| version.current);
            let own = current.find(|version| &version.bot == name);
            (number, own.map(|own| own.version.clone()))
        };
        let names: Vec<String> = config.bots.iter().map(|bot| bot.name.clone()).collect();
        Roster {
            numbers: names.iter().cloned().zip(0..).collect(),
            rated: names.iter().enumerate().map(current).collect(),
            names,
        }
    }

    /// The number of the bot in the version that played, if the configuration still has the bot.
    pub fn number_of(&mut self, entrant: &Entrant) -> Option<usize> {
        let bot = *self.numbers.get(&entrant.bot)?;
        let version = Some(&entrant.version);
        if entrant.version == UNKNOWN_VERSION || self.rated[bot].1.as_ref() == version {
            return Some(bot);
        }
        let mut known = self.rated.iter();
        let known = known.position(|(of, earlier)| *of == bot && earlier.as_ref() == version);
        Some(known.unwrap_or_else(|| {
            self.rated.push((bot, version.cloned()));
            self.rated.len() - 1
        }))
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.rated.len()
    }

    /// The number of the bot in the configuration, for any of its versions.
    pub fn bot(&self, number: usize) -> usize {
        self.rated[number].0
    }

    /// The version, if known.
    pub fn version(&self, number: usize) -> Option<&str> {
        self.rated[number].1.as_deref()
    }

    /// Its name in tables; see [`BotVersion::label`].
    pub fn label(&self, number: usize) -> String {
        let name = &self.names[self.bot(number)];
        match self.version(number) {
            Some(version) if number >= self.names.len() => label_of_earlier(name, version),
            _ => name.clone(),
        }
    }

    /// The name in tables of a bot in the version that played; its plain name if it is not in the configuration.
    pub fn label_of(&mut self, entrant: &Entrant) -> String {
        match self.number_of(entrant) {
            Some(number) => self.label(number),
            None => entrant.bot.clone(),
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
    fn games_of_unknown_version_count_for_the_current_one_and_earlier_versions_stay_apart() {
        let config = "[[bot]]\nname = \"other\"\ncommand = \"random\"\n\
            [[bot]]\nname = \"mine\"\ncommand = \"random\"";
        let config = Config::parse(config).unwrap();
        let version = |version: &str, current| BotVersion {
            bot: "mine".into(),
            version: version.into(),
            description: String::new(),
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
        assert_eq!(roster.label_of(&entrant("aa")), "mine@aa");
        assert_eq!(roster.label_of(&stranger), "gone");
    }
}
