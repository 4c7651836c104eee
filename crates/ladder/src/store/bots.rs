//! Versions of bots, and which bots are disabled.

/// The version of bots that played outside a ladder, where no versions are stored.
pub const UNKNOWN_VERSION: &str = "unknown";

/// A version of a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotVersion {
    /// Whose.
    pub bot: String,
    /// Its name: the beginning of the hash of its description.
    pub version: String,
    /// Its description, as text.
    pub description: String,
    /// Whether it is the version that plays.
    pub current: bool,
}

impl BotVersion {
    /// Its name in tables. An earlier version is `mine@0123456789ab`.
    pub fn label(&self) -> String {
        if self.current {
            return self.bot.clone();
        }
        label_of_earlier(&self.bot, &self.version)
    }
}

/// The name in tables of an earlier version.
pub(crate) fn label_of_earlier(bot: &str, version: &str) -> String {
    format!("{bot}@{version}")
}

/// Which bots are disabled, and which were enabled again.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct BotStates {
    /// The bots that are disabled, with their reasons.
    pub disabled: Vec<(String, String)>,
    /// The bots that were enabled, with the number of the last pair stored before.
    pub enabled: Vec<(String, u64)>,
}

impl BotStates {
    /// Whether a bot may not play.
    pub fn is_disabled(&self, name: &str) -> bool {
        self.disabled.iter().any(|(disabled, _)| disabled == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_earlier_version_has_its_version_in_its_name() {
        let mut version = BotVersion {
            bot: "mine".into(),
            version: "0123".into(),
            description: String::new(),
            current: true,
        };
        assert_eq!(version.label(), "mine");
        version.current = false;
        assert_eq!(version.label(), "mine@0123");
    }
}
