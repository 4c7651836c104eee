//! All games of a site without their moves, small enough to be held in memory: a hundred thousand games take some ten
//! megabytes.

use crownhead::board::Side;
use crownhead_record::Termination;
use crownhead_record::{GameSummary, RecordedResult};
use indexmap::IndexSet;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// How games came out for one bot.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub(super) struct Score {
    won: u64,
    drawn: u64,
    lost: u64,
}

impl Score {
    /// Counts a game that the bot played as `side`, if it is rated.
    pub(super) fn count(&mut self, game: &Entry, side: Side) {
        match game.points(side) {
            None => {}
            Some(1.0) => self.won += 1,
            Some(0.0) => self.lost += 1,
            Some(_) => self.drawn += 1,
        }
    }

    pub(super) fn games(self) -> u64 {
        self.won + self.drawn + self.lost
    }
}

/// How one bot did against another.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub(super) struct Meeting {
    black: Score,
    white: Score,
}

/// One game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Entry {
    /// Its number, or another one where several games of the site have the same.
    pub(super) id: u64,
    /// Where the site's origin has its record.
    #[serde(skip)]
    pub(super) place: u64,
    /// Who played black and white, by number.
    #[serde(skip)]
    pub(super) players: [u32; 2],
    pub(super) result: Option<RecordedResult>,
    pub(super) termination: Termination,
    pub(super) turns: u32,
    /// Where it began, by number.
    #[serde(skip)]
    pub(super) opening: u32,
    /// Whether it was played again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    replayed: bool,
}

impl Entry {
    /// The side that the bot of this number had, if it played.
    pub(super) fn side_of(&self, bot: u32) -> Option<Side> {
        let place = self.players.iter().position(|&player| player == bot)?;
        Some(Side::BOTH[place])
    }

    /// The points of a side, if the game is rated.
    pub(super) fn points(&self, side: Side) -> Option<f64> {
        let rated = self.result.filter(|_| !self.replayed);
        rated.map(|result| result.points(side))
    }
}

/// All games.
#[derive(Default, Debug)]
pub(super) struct Index {
    /// The names of the bots; a bot's number is its place.
    pub(super) bots: IndexSet<String>,
    /// Where games began, numbered likewise.
    pub(super) openings: IndexSet<String>,
    pub(super) entries: Vec<Entry>,
    places: HashMap<u64, usize>,
    /// The highest id of a game.
    highest: u64,
    /// How bots did against each other, by the numbers of a bot and its opponent.
    pub(super) meetings: BTreeMap<(u32, u32), Meeting>,
    /// How bots did in all their games.
    totals: HashMap<u32, Score>,
}

/// Which games are listed: those of which all that is given holds.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(default)]
pub(super) struct Filter {
    bot: Option<String>,
    opponent: Option<String>,
    /// The side that the bot had: `black` or `white`.
    side: Option<String>,
    /// `won`, `lost` or `drawn` by the bot; without a bot `black`, `white` or `draw`.
    result: Option<String>,
    /// By its name in records; `fault` means all that are one.
    termination: Option<String>,
    /// Its moves; `-` means the usual start.
    opening: Option<String>,
    /// Only games with a lower id.
    before: Option<u64>,
    limit: Option<usize>,
}

/// The most games in one answer.
const MOST_LISTED: usize = 500;

/// A list of games, the newest first.
#[derive(Debug, Serialize)]
pub(super) struct Listed<'a> {
    /// How many fit the filter in all.
    total: usize,
    games: Vec<GameRow<'a>>,
}

/// A game in a list.
#[derive(Debug, Serialize)]
struct GameRow<'a> {
    #[serde(flatten)]
    entry: &'a Entry,
    black: &'a str,
    white: &'a str,
    opening: &'a str,
}

fn number_of(texts: &mut IndexSet<String>, text: &str) -> u32 {
    texts.insert_full(text.into()).0 as u32
}

impl Index {
    /// Adds a game, whose record is at `place`.
    pub(super) fn add(&mut self, game: &GameSummary, place: u64) {
        let number = self.entries.len();
        let mut id = game.number;
        if let Some(&taken) = self.places.get(&id) {
            // Of a game that was played again, the one that counts has the number.
            let other = self.highest + 1;
            if self.entries[taken].replayed && !game.replayed {
                self.entries[taken].id = other;
                self.places.insert(other, taken);
            } else {
                id = other;
            }
            self.highest = other;
        }
        self.highest = self.highest.max(id);
        self.places.insert(id, number);
        let players = [0, 1].map(|player| number_of(&mut self.bots, &game.players[player]));
        let entry = Entry {
            id,
            place,
            players,
            result: game.result,
            termination: game.termination,
            turns: game.turns,
            opening: number_of(&mut self.openings, &game.opening),
            replayed: game.replayed,
        };
        if entry.points(Side::Black).is_some() {
            let [black, white] = players;
            let meeting = self.meetings.entry((black, white)).or_default();
            meeting.black.count(&entry, Side::Black);
            let meeting = self.meetings.entry((white, black)).or_default();
            meeting.white.count(&entry, Side::White);
            for (bot, side) in players.into_iter().zip(Side::BOTH) {
                self.totals.entry(bot).or_default().count(&entry, side);
            }
        }
        self.entries.push(entry);
    }

    /// The game of this id.
    pub(super) fn find(&self, id: u64) -> Option<&Entry> {
        self.entries.get(*self.places.get(&id)?)
    }

    /// How `bot` did in all its games.
    pub(super) fn total(&self, bot: u32) -> Score {
        self.totals.get(&bot).copied().unwrap_or_default()
    }

    /// The games that fit, the newest first.
    pub(super) fn list(&self, filter: &Filter) -> Listed<'_> {
        let limit = filter.limit.unwrap_or(100).min(MOST_LISTED);
        let (mut total, mut games) = (0, Vec::new());
        let entries = self.entries.iter().rev();
        for entry in entries.filter(|entry| self.fits(entry, filter)) {
            total += 1;
            let comes = filter.before.is_none_or(|before| entry.id < before);
            if comes && games.len() < limit {
                let [black, white] = entry.players.map(|bot| &*self.bots[bot as usize]);
                games.push(GameRow {
                    entry,
                    black,
                    white,
                    opening: &self.openings[entry.opening as usize],
                });
            }
        }
        Listed { total, games }
    }

    fn fits(&self, entry: &Entry, filter: &Filter) -> bool {
        let side_of = |name: &str| {
            let bot = self.bots.get_index_of(name);
            bot.and_then(|bot| entry.side_of(bot as u32))
        };
        let own = filter.bot.as_deref().and_then(side_of);
        holds(&filter.bot, |_| own.is_some())
            && holds(&filter.opponent, |name| side_of(name).is_some())
            && holds(&filter.opening, |moves| {
                let moves = if moves == "-" { "" } else { moves };
                self.openings[entry.opening as usize] == moves
            })
            && holds(&filter.side, |wanted| {
                own.is_none_or(|side| wanted == ["black", "white"][side.index()])
            })
            && holds(&filter.result, |wanted| wanted == result_word(entry, own))
            && holds(&filter.termination, |wanted| match wanted {
                "fault" => entry.termination.is_fault(),
                name => serde_json::to_value(entry.termination).is_ok_and(|own| own == name),
            })
    }
}

/// Whether a condition holds that may not be given.
fn holds(given: &Option<String>, test: impl FnOnce(&str) -> bool) -> bool {
    given.as_deref().is_none_or(test)
}

/// How a game came out, for the side that is asked for, or by the winner.
fn result_word(entry: &Entry, side: Option<Side>) -> &'static str {
    let words = match side {
        Some(_) => ["lost", "drawn", "won"],
        None => ["white", "draw", "black"],
    };
    entry.result.map_or("none", |result| {
        words[(2.0 * result.points(side.unwrap_or(Side::Black))) as usize]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn game(number: u64, players: [&str; 2], result: RecordedResult) -> GameSummary {
        GameSummary {
            number,
            players: players.map(String::from),
            result: Some(result),
            termination: Termination::NoMoves,
            times: [Duration::ZERO; 2],
            turns: 40,
            opening: "A3B4".into(),
            replayed: false,
        }
    }

    fn ids(index: &Index, filter: &str) -> Vec<u64> {
        let filter = serde_json::from_str(filter).unwrap();
        index
            .list(&filter)
            .games
            .iter()
            .map(|game| game.entry.id)
            .collect()
    }

    #[test]
    fn games_are_filtered_by_bot_side_result_and_end() {
        let mut index = Index::default();
        index.add(&game(1, ["a", "b"], RecordedResult::Black), 0);
        index.add(&game(2, ["b", "a"], RecordedResult::Black), 0);
        let crash = GameSummary {
            termination: Termination::Crash,
            ..game(3, ["c", "a"], RecordedResult::Draw)
        };
        index.add(&crash, 0);
        assert_eq!(ids(&index, "{}"), [3, 2, 1]);
        assert_eq!(ids(&index, r#"{"bot":"a","result":"won"}"#), [1]);
        assert_eq!(ids(&index, r#"{"bot":"a","result":"lost"}"#), [2]);
        assert_eq!(ids(&index, r#"{"bot":"a","side":"white"}"#), [3, 2]);
        assert_eq!(ids(&index, r#"{"bot":"a","opponent":"c"}"#), [3]);
        assert_eq!(ids(&index, r#"{"termination":"fault"}"#), [3]);
        assert_eq!(ids(&index, r#"{"termination":"no-moves"}"#), [2, 1]);
        assert_eq!(ids(&index, r#"{"bot":"nobody"}"#), [0; 0]);
        assert_eq!(ids(&index, r#"{"before":3,"limit":1}"#), [2]);
    }

    #[test]
    fn of_a_game_that_was_played_again_the_one_that_counts_has_the_number() {
        let mut index = Index::default();
        let first = GameSummary {
            replayed: true,
            ..game(1, ["a", "b"], RecordedResult::White)
        };
        index.add(&first, 10);
        index.add(&game(1, ["a", "b"], RecordedResult::Black), 20);
        assert_eq!(index.find(1).unwrap().place, 20);
        assert_eq!(index.find(2).unwrap().place, 10);
        let [won, lost] = [(1, 0), (0, 1)].map(|(won, lost)| Score {
            won,
            drawn: 0,
            lost,
        });
        let meeting = Meeting {
            black: won,
            white: Score::default(),
        };
        assert_eq!(index.meetings[&(0, 1)], meeting);
        assert_eq!(index.total(1), lost);
    }
}
