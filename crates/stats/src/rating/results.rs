//! The games as ratings need them: the results between every two bots, and which of them belong together.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The result of a round between two bots, as the first of them sees it. With two players, a round is a pair of games:
/// one opening, colours swapped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PairResult {
    half_points: u8,
    games: u8,
}

impl PairResult {
    /// A round from the first bot's points in each of its games, in half points.
    pub fn from_half_points(games: impl IntoIterator<Item = u8>) -> PairResult {
        let (mut half_points, mut count) = (0, 0);
        for game in games {
            half_points += game;
            count += 1;
        }
        PairResult {
            half_points,
            games: count,
        }
    }

    pub(super) fn points(self) -> f64 {
        f64::from(self.half_points) / 2.0
    }

    pub(super) fn games(self) -> f64 {
        self.games.into()
    }

    /// The same round as the second bot sees it.
    fn turned(self) -> PairResult {
        PairResult {
            half_points: 2 * self.games - self.half_points,
            ..self
        }
    }
}

/// Two bots by their numbers, the lower first.
pub(super) type Pairing = (usize, usize);

/// A round of three or more players: its result between every two of them, as the first of the two sees it.
pub(super) type Round = Vec<(Pairing, PairResult)>;

/// How often each result of two bots' rounds occurred.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Meetings {
    /// By the result, as the bot with the lower number sees it.
    pub(super) counts: BTreeMap<PairResult, u64>,
    /// The number of players of their games; the largest if it varies.
    pub(super) players: usize,
}

/// How often each result of rounds occurred: all that ratings need to know about the games.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Results {
    /// Between every two bots.
    pub(super) meetings: BTreeMap<Pairing, Meetings>,
    /// The rounds of three or more players: the same results, grouped by round.
    pub(super) rounds: BTreeMap<Round, u64>,
    /// How many rounds each bot has played.
    played: BTreeMap<usize, u64>,
}

impl Results {
    /// Counts one pair of games between the bots of these numbers.
    pub fn add(&mut self, first: usize, second: usize, result: PairResult) {
        self.meet((first, second), result, 2);
        self.play([first, second]);
    }

    /// Counts one round: games of the same bots from the same opening or seed, with the seats rotated. Takes the points
    /// of each game, in the order of the bots. Of two bots, the one with more points has won; equal points are a draw.
    pub fn add_round<'a>(
        &mut self,
        bots: &[usize],
        games: impl IntoIterator<Item = &'a [f64], IntoIter: Clone>,
    ) {
        let games = games.into_iter();
        let mut round = Round::new();
        for (place, &first) in bots.iter().enumerate() {
            for (other, &second) in bots.iter().enumerate().skip(place + 1) {
                let half_points = |game: &[f64]| match game[place].total_cmp(&game[other]) {
                    Ordering::Less => 0,
                    Ordering::Equal => 1,
                    Ordering::Greater => 2,
                };
                let result = PairResult::from_half_points(games.clone().map(half_points));
                round.push(self.meet((first, second), result, bots.len()));
            }
        }
        self.play(bots.iter().copied());
        if bots.len() > 2 {
            round.sort_unstable();
            *self.rounds.entry(round).or_default() += 1;
        }
    }

    fn meet(
        &mut self,
        (first, second): (usize, usize),
        result: PairResult,
        players: usize,
    ) -> (Pairing, PairResult) {
        let (pairing, result) = if first <= second {
            ((first, second), result)
        } else {
            ((second, first), result.turned())
        };
        let meetings = self.meetings.entry(pairing).or_default();
        *meetings.counts.entry(result).or_default() += 1;
        meetings.players = meetings.players.max(players);
        (pairing, result)
    }

    fn play(&mut self, bots: impl IntoIterator<Item = usize>) {
        for bot in bots {
            *self.played.entry(bot).or_default() += 1;
        }
    }

    /// How many rounds this bot has played. With two players, a round is a pair of games.
    pub fn rounds_of(&self, bot: usize) -> u64 {
        self.played.get(&bot).copied().unwrap_or_default()
    }

    /// The points of the first of these two bots against the second, and the games they played.
    pub fn points_between(&self, first: usize, second: usize) -> (f64, f64) {
        let meetings = self.meetings.get(&(first.min(second), first.max(second)));
        let (mut points, mut games) = (0.0, 0.0);
        for (result, &count) in meetings.iter().flat_map(|meetings| &meetings.counts) {
            let seen = if first < second {
                *result
            } else {
                result.turned()
            };
            points += seen.points() * count as f64;
            games += seen.games() * count as f64;
        }
        (points, games)
    }
}
