//! Bots with their versions and pairs of games, for every kind of store. A pair of more than two bots is a round.

use crownhead_record::{GameRecord, GameSummary};

/// A bot that played: its name and its version.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entrant {
    /// Its name in the configuration.
    pub bot: String,
    /// Its version, or [`UNKNOWN_VERSION`].
    pub version: String,
}

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

/// Identifies a pair of games, or a round of games of more players: the bots, ordered by name, and its number between
/// them, from 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub struct PairKey {
    pub bots: Vec<Entrant>,
    pub round: u64,
}

impl PairKey {
    /// A pair between these bots, named in any order.
    pub fn new(mut bots: Vec<Entrant>, round: u64) -> PairKey {
        bots.sort_unstable();
        PairKey { bots, round }
    }
}

/// A pair that was played to its end.
#[derive(Clone, PartialEq, Debug)]
pub struct FinishedPair {
    /// The claim to it.
    pub lease: Lease,
    /// Its games: as many as bots.
    pub games: Vec<GameRecord>,
    /// Earlier games that these replaced, kept as void.
    pub replaced: Vec<GameRecord>,
    /// Why it is not rated, if it is void. Its games are kept, and it is not played again.
    pub void: Option<String>,
}

/// A problem of a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// What is wrong and where, as a line for people.
    pub told: String,
    /// The pair to play again as a repair; `None` if the file itself is damaged.
    pub pair: Option<u64>,
}

/// A finished pair and its games, without their records.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredPair {
    /// Its number in the store, from 1.
    pub number: u64,
    /// Which pair it is.
    pub key: PairKey,
    /// Its number in the order in which pairs were stored, from 1.
    pub finished: u64,
    /// Its games: as many as bots, each with points for all of them. `None` if it is void.
    pub games: Option<Vec<GameSummary>>,
}

impl StoredPair {
    /// Its rated games.
    pub fn rated(&self) -> &[GameSummary] {
        self.games.as_deref().unwrap_or_default()
    }
}

/// A claimed pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Lease {
    /// The pair's number.
    pub pair: u64,
    /// The number of the claim, higher than that of any before.
    pub fence: u64,
}

/// The number of a pair's first game in a ladder of so many players. The ladder's games are numbered through, as many for
/// each pair.
pub(crate) fn first_game(pair: u64, players: usize) -> u64 {
    let before = pair.saturating_sub(1).saturating_mul(players as u64);
    before.saturating_add(1)
}

/// The pair of the game of this number, and the game's place in it; `None` for 0.
pub(super) fn place_of(game: u64, players: usize) -> Option<(u64, u64)> {
    let (before, players) = (game.checked_sub(1)?, players as u64);
    Some((before / players + 1, before % players))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::key;

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

    #[test]
    fn games_are_numbered_through_as_many_for_each_pair_as_bots() {
        let places = |players| [1, 2, 3, 4].map(|game| place_of(game, players).unwrap());
        assert_eq!(places(2), [(1, 0), (1, 1), (2, 0), (2, 1)]);
        assert_eq!(places(3), [(1, 0), (1, 1), (1, 2), (2, 0)]);
        assert_eq!(place_of(0, 2), None);
        assert_eq!([1, 2, 3].map(|pair| first_game(pair, 3)), [1, 4, 7]);
        let _ = (place_of(u64::MAX, 2), first_game(u64::MAX, 3));
    }

    #[test]
    fn a_pair_is_named_alike_whoever_is_named_first() {
        let named = key(&["bert", "anna", "carl"], 3);
        assert_eq!(named, key(&["carl", "anna", "bert"], 3));
        let names = named.bots.iter().map(|entrant| &entrant.bot);
        assert!(names.eq(["anna", "bert", "carl"]));
        assert_ne!(named, key(&["anna", "bert", "carl"], 4));
    }
}
