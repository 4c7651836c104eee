//! All games of a site without their moves, small enough for memory: a hundred thousand games take about ten megabytes.

use crownhead_record::totals::place_by_points;
use crownhead_record::{GameSummary, Termination};
use indexmap::IndexSet;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// The results of one bot. Among several players, it came first, in between, or last.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
pub(super) struct Score {
    won: u64,
    drawn: u64,
    lost: u64,
    points: f64,
}

impl Score {
    /// Counts a game with these points for the bot, if it is rated.
    pub(super) fn count(&mut self, points: Option<f64>) {
        match points {
            None => {}
            Some(1.0) => self.won += 1,
            Some(0.0) => self.lost += 1,
            Some(_) => self.drawn += 1,
        }
        self.points += points.unwrap_or_default();
    }

    /// Points a game; `None` before the first.
    pub(super) fn share(self) -> f64 {
        self.points / self.games().max(1) as f64
    }

    pub(super) fn games(self) -> u64 {
        self.won + self.drawn + self.lost
    }
}

/// How a bot did in its games with another one.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Meeting {
    /// In the first and in the second seat; among several players, in an earlier and in a later one.
    pub(super) by_seat: [Score; 2],
    /// Its points in these games, against all others.
    points: f64,
}

impl Meeting {
    /// Its mean place in these games of several players.
    pub(super) fn mean_place(&self, players: usize) -> Option<f64> {
        let games: u64 = self.by_seat.into_iter().map(Score::games).sum();
        (players > 2).then(|| place_by_points(self.points / games as f64, players))
    }
}

/// One game.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Its number, or another one if several games of the site have the same.
    pub(super) id: u64,
    /// The position of its record in the site's source.
    pub(super) place: u64,
    /// Who played, by number, in the order of seats.
    pub(super) players: Vec<u32>,
    /// Their points; `None` if the game is void.
    pub(super) points: Option<Vec<f64>>,
    /// The scores that an external referee gave.
    pub(super) scores: Vec<f64>,
    pub(super) termination: Termination,
    pub(super) turns: u32,
    /// The number of its opening.
    pub(super) opening: u32,
    /// Whether it was played again.
    pub(super) replayed: bool,
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

    /// The points of a seat against only this other one, if the game is rated.
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
    /// The names of the bots; a bot's number is its index.
    pub(super) bots: IndexSet<String>,
    /// The openings of games, numbered likewise.
    pub(super) openings: IndexSet<String>,
    pub(super) entries: Vec<Entry>,
    /// Raised when a game that was there changes.
    pub(super) edition: u64,
    places: HashMap<u64, usize>,
    /// The highest id of a game.
    highest: u64,
    /// How bots did against each other, by the numbers of a bot and its opponent.
    pub(super) meetings: BTreeMap<(u32, u32), Meeting>,
    /// How bots did in all their games.
    totals: HashMap<u32, Score>,
}

/// The games of one list.
const LISTED: usize = 2000;

/// What the lists are, and the meaning of their numbers.
#[derive(Debug, Serialize)]
pub(super) struct Contents<'a> {
    /// Within an edition, games are only added.
    edition: u64,
    /// The games of a full list.
    size: usize,
    pub(super) lists: usize,
    bots: Vec<&'a String>,
    openings: Vec<&'a String>,
    /// The first game of each chunk of games, where these are files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) chunks: Vec<u64>,
}

fn number_of(texts: &mut IndexSet<String>, text: &str) -> u32 {
    texts.insert_full(text.into()).0 as u32
}

impl Index {
    /// Forgets all games.
    pub(super) fn begin_anew(&mut self) {
        let edition = self.edition + 1;
        *self = Index {
            edition,
            ..Index::default()
        };
    }

    /// Adds a game, whose record is at `place`.
    pub(super) fn add(&mut self, game: &GameSummary, place: u64) {
        let number = self.entries.len();
        let mut id = game.number;
        if let Some(&taken) = self.places.get(&id) {
            // If a game was played again, the game that counts has the number.
            let other = self.highest + 1;
            if self.entries[taken].replayed && !game.replayed {
                self.entries[taken].id = other;
                self.places.insert(other, taken);
                self.edition += 1;
            } else {
                id = other;
            }
            self.highest = other;
        }
        self.highest = self.highest.max(id);
        self.places.insert(id, number);
        let players = game.players.iter();
        let players = players.map(|name| number_of(&mut self.bots, name));
        let entry = Entry {
            id,
            place,
            players: players.collect(),
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
            let total = self.totals.entry(bot).or_default();
            total.count(entry.points_of(seat));
            for (later, &other) in entry.players.iter().enumerate().skip(seat + 1) {
                let Some(points) = entry.points_against(seat, later) else {
                    continue;
                };
                let mut count = |pair, own: usize, of_own_seat: usize, points| {
                    let meeting = self.meetings.entry(pair).or_default();
                    meeting.by_seat[of_own_seat].count(Some(points));
                    meeting.points += entry.points_of(own).unwrap_or_default();
                };
                count((bot, other), seat, 0, points);
                count((other, bot), later, 1, 1.0 - points);
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

    /// What the lists are.
    pub(super) fn contents(&self) -> Contents<'_> {
        Contents {
            edition: self.edition,
            size: LISTED,
            lists: self.entries.len().div_ceil(LISTED),
            bots: self.bots.iter().collect(),
            openings: self.openings.iter().collect(),
            chunks: Vec::new(),
        }
    }

    /// The list of this number, if there is one: of each game its number, its players, their points and scores, its
    /// ending, its turns, its opening, and whether it was played again.
    pub(super) fn list(&self, number: usize) -> Option<Vec<impl Serialize>> {
        let entries = self.entries.chunks(LISTED).nth(number)?.iter();
        let row = entries.map(|entry| {
            (
                entry.id,
                &*entry.players,
                entry.points.as_deref(),
                &*entry.scores,
                entry.termination,
                entry.turns,
                entry.opening,
                entry.replayed,
            )
        });
        Some(row.collect())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::time::Duration;

    pub(crate) fn game<const N: usize>(
        number: u64,
        players: [&str; N],
        points: [f64; N],
    ) -> GameSummary {
        GameSummary {
            number,
            players: players.map(String::from).into(),
            points: Some(points.into()),
            referee_scores: Vec::new(),
            termination: Termination::NoMoves,
            faults: Vec::new(),
            times: vec![Duration::ZERO; N],
            turns: 40,
            opening: "A3B4".into(),
            replayed: false,
        }
    }

    #[test]
    fn a_game_played_again_keeps_the_number_of_the_game_that_counts() {
        let mut index = Index::default();
        let first = GameSummary {
            replayed: true,
            ..game(1, ["a", "b"], [0.0, 1.0])
        };
        index.add(&first, 10);
        index.add(&game(1, ["a", "b"], [1.0, 0.0]), 20);
        assert_eq!(index.find(1).unwrap().place, 20);
        assert_eq!(index.find(2).unwrap().place, 10);
        assert_eq!(index.edition, 1);
        let [won, lost] = [(1, 0), (0, 1)].map(|(won, lost)| Score {
            won,
            drawn: 0,
            lost,
            points: won as f64,
        });
        let meeting = index.meetings[&(0, 1)];
        assert_eq!(meeting.by_seat, [won, Score::default()]);
        assert_eq!(meeting.mean_place(2), None, "there are points");
        assert_eq!(index.total(1), lost);
    }

    #[test]
    fn the_later_of_two_games_with_one_number_gets_another() {
        let mut index = Index::default();
        index.add(&game(4, ["a", "b"], [1.0, 0.0]), 10);
        index.add(&game(4, ["b", "a"], [1.0, 0.0]), 20);
        index.add(&game(5, ["b", "a"], [1.0, 0.0]), 30);
        let places = [4, 5, 6].map(|id| index.find(id).unwrap().place);
        assert_eq!(places, [10, 20, 30]);
        assert!(index.find(7).is_none());
    }

    #[test]
    fn a_score_counts_games_and_its_share_is_points_a_game() {
        let mut score = Score::default();
        assert_eq!((score.games(), score.share()), (0, 0.0));
        for points in [1.0, 1.0, 0.5, 0.0, 0.0, 0.0] {
            score.count(Some(points));
        }
        score.count(None);
        assert_eq!((score.games(), score.points), (6, 2.5));
        assert_eq!(score.share(), 2.5 / 6.0);
    }

    #[test]
    fn with_several_players_every_two_have_met_and_seats_are_numbered() {
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
        let of_a_against_b = [score(0, 0, 1, 0.0), score(0, 1, 0, 0.5)];
        let meeting = index.meetings[&(0, 1)];
        assert_eq!(meeting.by_seat, of_a_against_b);
        assert_eq!(meeting.mean_place(3), Some(1.75));
    }
}
