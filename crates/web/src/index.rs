//! All games of a site without their moves, small enough to be held in memory: a hundred thousand games take some ten
//! megabytes.

use crownhead_board::winner;
use crownhead_record::{GameSummary, Termination};
use indexmap::IndexSet;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// How games came out for one bot: among several players, it came first, in between, or last.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
pub(super) struct Score {
    won: u64,
    drawn: u64,
    lost: u64,
    points: f64,
}

impl Score {
    /// Counts a game in which the bot had these points, if it is rated.
    pub(super) fn count(&mut self, points: Option<f64>) {
        match points {
            None => {}
            Some(1.0) => self.won += 1,
            Some(0.0) => self.lost += 1,
            Some(_) => self.drawn += 1,
        }
        self.points += points.unwrap_or_default();
    }

    /// Points a game; nothing before the first.
    pub(super) fn share(self) -> f64 {
        self.points / self.games().max(1) as f64
    }

    pub(super) fn games(self) -> u64 {
        self.won + self.drawn + self.lost
    }
}

/// How one bot did against another: as black and as white, among several players in an earlier and in a later seat.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
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
    /// Who played, by number, in the order of seats: black and white.
    #[serde(skip)]
    pub(super) players: Vec<u32>,
    /// What they scored; `None` where the game is void.
    pub(super) points: Option<Vec<f64>>,
    /// The scores that an external referee gave.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) scores: Vec<f64>,
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
    /// The seat that the bot of this number had, if it played.
    pub(super) fn seat_of(&self, bot: u32) -> Option<usize> {
        self.players.iter().position(|&player| player == bot)
    }

    /// The points of a seat, if the game is rated.
    pub(super) fn points_of(&self, seat: usize) -> Option<f64> {
        let rated = self.points.as_ref().filter(|_| !self.replayed);
        rated?.get(seat).copied()
    }

    /// What a seat has of the game against another alone, if the game is rated.
    fn points_against(&self, seat: usize, other: usize) -> Option<f64> {
        let (own, other) = (self.points_of(seat)?, self.points_of(other)?);
        Some(if own == other {
            0.5
        } else {
            f64::from(u8::from(own > other))
        })
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
    /// The seat that the bot had: `black`, `white`, or its number from 1.
    side: Option<String>,
    /// `won`, `lost` or `drawn` by the bot; without a bot `black`, `white` or `draw`.
    result: Option<String>,
    /// By its name in records; `fault` means all that are one.
    termination: Option<String>,
    /// Its moves, or its seed, such as `seed 7`; `-` means the usual start.
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
    players: Vec<&'a str>,
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
        let players = game.players.iter();
        let entry = Entry {
            id,
            place,
            players: players
                .map(|name| number_of(&mut self.bots, name))
                .collect(),
            points: game.points.clone(),
            scores: game.referee_scores.clone(),
            termination: game.termination,
            turns: game.turns,
            opening: number_of(&mut self.openings, &game.opening),
            replayed: game.replayed,
        };
        self.count(&entry);
        self.entries.push(entry);
    }

    /// Counts a game for each of its players and for each two of them.
    fn count(&mut self, entry: &Entry) {
        for (seat, &bot) in entry.players.iter().enumerate() {
            self.totals
                .entry(bot)
                .or_default()
                .count(entry.points_of(seat));
            for (later, &other) in entry.players.iter().enumerate().skip(seat + 1) {
                let points = entry.points_against(seat, later);
                if points.is_some() {
                    let meeting = self.meetings.entry((bot, other)).or_default();
                    meeting.black.count(points);
                    let meeting = self.meetings.entry((other, bot)).or_default();
                    meeting.white.count(points.map(|points| 1.0 - points));
                }
            }
        }
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
                let players = entry.players.iter();
                games.push(GameRow {
                    entry,
                    players: players.map(|&bot| &*self.bots[bot as usize]).collect(),
                    opening: &self.openings[entry.opening as usize],
                });
            }
        }
        Listed { total, games }
    }

    fn fits(&self, entry: &Entry, filter: &Filter) -> bool {
        let seat_of = |name: &str| entry.seat_of(self.bots.get_index_of(name)? as u32);
        let own = filter.bot.as_deref().and_then(seat_of);
        holds(&filter.bot, |_| own.is_some())
            && holds(&filter.opponent, |name| seat_of(name).is_some())
            && holds(&filter.opening, |moves| {
                let moves = if moves == "-" { "" } else { moves };
                self.openings[entry.opening as usize] == moves
            })
            && holds(&filter.side, |wanted| {
                own.is_none_or(|seat| wanted == seat_word(seat) || wanted == (seat + 1).to_string())
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

/// What a filter calls one of the first two seats.
fn seat_word(seat: usize) -> &'static str {
    ["black", "white"].get(seat).copied().unwrap_or_default()
}

/// How a game came out, for the seat that is asked for, or by the winner.
fn result_word(entry: &Entry, seat: Option<usize>) -> &'static str {
    let Some(points) = &entry.points else {
        return "none";
    };
    match seat.map(|seat| points[seat]) {
        Some(1.0) => "won",
        Some(0.0) => "lost",
        Some(_) => "drawn",
        None => winner(points).map_or("draw", seat_word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn game<const N: usize>(number: u64, players: [&str; N], points: [f64; N]) -> GameSummary {
        GameSummary {
            number,
            players: players.map(String::from).into(),
            points: Some(points.into()),
            referee_scores: Vec::new(),
            termination: Termination::NoMoves,
            times: vec![Duration::ZERO; N],
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
        index.add(&game(1, ["a", "b"], [1.0, 0.0]), 0);
        index.add(&game(2, ["b", "a"], [1.0, 0.0]), 0);
        let crash = GameSummary {
            termination: Termination::Crash,
            ..game(3, ["c", "a"], [0.5, 0.5])
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
            ..game(1, ["a", "b"], [0.0, 1.0])
        };
        index.add(&first, 10);
        index.add(&game(1, ["a", "b"], [1.0, 0.0]), 20);
        assert_eq!(index.find(1).unwrap().place, 20);
        assert_eq!(index.find(2).unwrap().place, 10);
        let [won, lost] = [(1, 0), (0, 1)].map(|(won, lost)| Score {
            won,
            drawn: 0,
            lost,
            points: won as f64,
        });
        let meeting = Meeting {
            black: won,
            white: Score::default(),
        };
        assert_eq!(index.meetings[&(0, 1)], meeting);
        assert_eq!(index.total(1), lost);
    }

    #[test]
    fn of_several_players_each_two_have_met_and_a_seat_is_told_by_its_number() {
        let mut index = Index::default();
        index.add(&game(1, ["a", "b", "c"], [0.5, 1.0, 0.0]), 0);
        index.add(&game(2, ["b", "c", "a"], [0.75, 0.0, 0.75]), 0);
        let score = |won, drawn, lost, points| Score {
            won,
            drawn,
            lost,
            points,
        };
        assert_eq!(index.total(0), score(0, 2, 0, 1.25));
        assert_eq!(index.total(1), score(1, 1, 0, 1.75));
        let of_a_against_b = Meeting {
            black: score(0, 0, 1, 0.0),
            white: score(0, 1, 0, 0.5),
        };
        assert_eq!(index.meetings[&(0, 1)], of_a_against_b);
        assert_eq!(ids(&index, r#"{"bot":"a","side":"3"}"#), [2]);
        assert_eq!(
            ids(&index, r#"{"bot":"c","result":"lost","opponent":"b"}"#),
            [2, 1]
        );
        assert_eq!(ids(&index, r#"{"bot":"a","result":"drawn"}"#), [2, 1]);
    }
}
