//! Bots with their versions and pairs of games, for every kind of store.

use crownhead::board::Side;
use crownhead_record::Termination;
use crownhead_record::{GameRecord, GameSummary, RecordedResult};
use crownhead_stats::rating::PairResult;
use std::time::Duration;

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

/// Identifies a pair of games: the two bots, ordered by name, and its number between them, from 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub struct PairKey {
    pub first: Entrant,
    pub second: Entrant,
    pub round: u64,
}

impl PairKey {
    /// A pair between these two bots, named in either order.
    pub fn new(one: &Entrant, other: &Entrant, round: u64) -> PairKey {
        PairKey {
            first: one.min(other).clone(),
            second: one.max(other).clone(),
            round,
        }
    }
}

/// A pair that was played to its end.
#[derive(Clone, PartialEq, Debug)]
pub struct FinishedPair {
    /// The claim to it.
    pub lease: Lease,
    /// Its games.
    pub games: [GameRecord; 2],
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredPair {
    /// Its number in the store, from 1.
    pub number: u64,
    /// Which pair it is.
    pub key: PairKey,
    /// Its number in the order in which pairs were stored, from 1.
    pub finished: u64,
    /// Its two games; `None` if it is void.
    pub games: Option<[StoredGame; 2]>,
}

impl StoredPair {
    /// The result for its first bot; `None` if it is void.
    pub fn result(&self) -> Option<PairResult> {
        let first = &self.key.first.bot;
        let games = self.games.as_ref()?.iter();
        Some(PairResult::from_half_points(
            games.map(|game| game.half_points(first)),
        ))
    }

    /// Its rated games, for lists. The ladder's games are numbered through, two for each pair.
    pub fn summaries(&self) -> impl Iterator<Item = GameSummary> {
        let games = self.games.iter().flatten().zip(2 * self.number - 1..);
        games.map(|(game, number)| {
            let (one, other) = (&self.key.first.bot, &self.key.second.bot);
            let white = if game.black == *one { other } else { one };
            GameSummary {
                number,
                players: vec![game.black.clone(), white.clone()],
                points: Some(Side::BOTH.map(|side| game.result.points(side)).into()),
                referee_scores: Vec::new(),
                termination: game.termination,
                times: game.times.into(),
                turns: game.turns,
                opening: game.opening.clone(),
                replayed: false,
            }
        })
    }
}

/// A rated game without its record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredGame {
    /// Who played black.
    pub black: String,
    /// Who won.
    pub result: RecordedResult,
    /// How it ended.
    pub termination: Termination,
    /// How long black and white thought.
    pub times: [Duration; 2],
    /// See [`GameSummary::turns`].
    pub turns: u32,
    /// Its opening, in words.
    pub opening: String,
}

impl StoredGame {
    /// The points of the named bot, in half points.
    pub fn half_points(&self, name: &str) -> u8 {
        (2.0 * self.result.points(self.side_of(name))) as u8
    }

    /// The side that the named bot had.
    pub fn side_of(&self, name: &str) -> Side {
        if self.black == name {
            Side::Black
        } else {
            Side::White
        }
    }

    /// Whether the named bot lost it by a fault of its own.
    pub(crate) fn is_fault_of(&self, name: &str) -> bool {
        self.half_points(name) == 0 && self.termination.is_fault()
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

/// The pair of the game of this number, and the game's place in it.
pub(super) fn place_of(game: u64) -> (u64, u64) {
    let next = game.saturating_add(1);
    (next / 2, next % 2)
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
    fn games_are_numbered_through_two_for_each_pair() {
        assert_eq!([1, 2, 3, 4].map(place_of), [(1, 0), (1, 1), (2, 0), (2, 1)]);
        let _ = place_of(u64::MAX);
    }

    #[test]
    fn a_pair_is_named_alike_whoever_is_named_first() {
        let named = key("bert", "anna", 3);
        assert_eq!(named, key("anna", "bert", 3));
        assert_eq!([&named.first.bot, &named.second.bot], ["anna", "bert"]);
        assert_ne!(named, key("anna", "bert", 4));
    }

    #[test]
    fn a_game_has_points_for_its_bots_and_a_fault_for_the_one_that_lost_by_it() {
        let game = |result, termination| StoredGame {
            black: "anna".into(),
            result,
            termination,
            times: [Duration::ZERO; 2],
            turns: 3,
            opening: String::new(),
        };
        let crashed = game(RecordedResult::Black, Termination::Crash);
        assert_eq!(
            ["anna", "bert"].map(|name| crashed.half_points(name)),
            [2, 0]
        );
        assert_eq!(
            ["anna", "bert"].map(|name| crashed.is_fault_of(name)),
            [false, true]
        );
        let lost = game(RecordedResult::Black, Termination::NoMoves);
        assert!(!lost.is_fault_of("bert"));
        let drawn = game(RecordedResult::Draw, Termination::Timeout);
        assert_eq!(["anna", "bert"].map(|name| drawn.half_points(name)), [1, 1]);
        assert!(!drawn.is_fault_of("bert"));
        let pair = |games| StoredPair {
            number: 2,
            key: key("anna", "bert", 0),
            finished: 1,
            games,
        };
        let played = pair(Some([crashed, drawn]));
        assert_eq!(played.result().unwrap().half_points(), 3);
        let numbers = played.summaries().map(|game| game.number);
        assert_eq!(numbers.collect::<Vec<_>>(), [3, 4]);
        assert_eq!(pair(None).result(), None);
    }
}
