//! Rounds of three players and more, against simulated truth.

use super::super::*;
use crate::{Cluster, score_interval};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A contest of bots, by the logarithms of their strengths, with this many players in a game.
#[derive(Clone, Copy, Debug)]
struct Contest {
    strengths: &'static [f64],
    players: usize,
}

/// Contests of 3 and 4 players: of equals, of bots of very different strength, and with more bots than seats.
const CONTESTS: [Contest; 5] = [
    contest(&[0.0; 3], 3),
    contest(&[-0.5, 0.0, 1.5], 3),
    contest(&[-0.8, -0.2, 0.0, 0.4, 0.9], 3),
    contest(&[0.0; 4], 4),
    contest(&[-2.0, 0.0, 0.5, 2.5], 4),
];

const fn contest(strengths: &'static [f64], players: usize) -> Contest {
    Contest { strengths, players }
}

/// How much a seed favours a bot or a seat in all its games.
const FAVOUR: f64 = 8.0;

/// How often a bot fails.
const FAULTS: f64 = 0.03;

/// Gumbel noise: with it, scores have the order of Plackett and Luce's model.
pub(super) fn noise(rng: &mut impl Rng) -> f64 {
    -(-rng.random::<f64>().max(1e-12).ln()).ln()
}

impl Contest {
    /// Every choice of bots for the seats of a game.
    fn fields(&self) -> Vec<Vec<usize>> {
        let bots = self.strengths.len();
        let of = |set: u32| (0..bots).filter(move |bot| set >> bot & 1 == 1).collect();
        let fields = (0..1_u32 << bots).map(of);
        fields
            .filter(|field: &Vec<usize>| field.len() == self.players)
            .collect()
    }

    /// The points of these bots in the games of one seed, with the seats rotated. Scores are whole numbers, so that
    /// there are ties. A bot that fails is behind the others.
    fn play(&self, field: &[usize], rng: &mut impl Rng) -> Vec<Vec<f64>> {
        let mut favours = || -> Vec<f64> {
            field
                .iter()
                .map(|_| FAVOUR * (rng.random::<f64>() - 0.5))
                .collect()
        };
        let (bots, seats) = (favours(), favours());
        let game = |rotation: usize| {
            let mut scores = Vec::new();
            for (place, &bot) in field.iter().enumerate() {
                let seat = (place + rotation) % field.len();
                let score = self.strengths[bot] + bots[place] + seats[seat] + noise(rng);
                let failed = rng.random_bool(FAULTS);
                scores.push(if failed {
                    f64::NEG_INFINITY
                } else {
                    (2.0 * score).round()
                });
            }
            points(&scores)
        };
        (0..field.len()).map(game).collect()
    }

    /// The results of this many rounds, of each field in turn.
    fn results(&self, rounds: usize, clusters: Clusters, rng: &mut impl Rng) -> Results {
        let mut results = Results::default();
        for field in self.fields().iter().cycle().take(rounds) {
            clusters.add(&mut results, field, &self.play(field, rng));
        }
        results
    }

    fn rate(&self, rounds: usize, clusters: Clusters, rng: &mut impl Rng) -> Ratings {
        let results = self.results(rounds, clusters, rng);
        fit(self.strengths.len(), &results, &Prior::WEAK, None)
    }

    /// The share of the bots whose ratings after 40 rounds are within their margins of the ratings after very many
    /// rounds.
    fn coverage(&self, clusters: Clusters) -> f64 {
        const RUNS: usize = 800;
        let mut rng = Pcg64::seed_from_u64(1975);
        let truth = self.rate(15_000, Clusters::Pairings, &mut rng).ratings;
        let held = (0..RUNS).map(|_| {
            let seen = self.rate(40, clusters, &mut rng);
            let off = |bot: usize| (seen.ratings[bot] - truth[bot]).abs();
            let bots = 0..truth.len();
            bots.filter(|&bot| off(bot) <= seen.margins[bot]).count()
        });
        held.sum::<usize>() as f64 / (RUNS * truth.len()) as f64
    }
}

/// The points of players with these scores: the share of the opponents that were beaten, ties counting half.
pub(super) fn points(scores: &[f64]) -> Vec<f64> {
    let others = (scores.len() - 1) as f64;
    let of = |score: &f64| {
        let beaten = scores.iter().filter(|other| *other < score).count();
        let tied = scores.iter().filter(|other| *other == score).count() - 1;
        (beaten as f64 + tied as f64 / 2.0) / others
    };
    scores.iter().map(of).collect()
}

/// Which results count as one cluster.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Clusters {
    Rounds,
    /// The results of a round between two bots.
    Pairings,
    Games,
}

impl Clusters {
    fn add(self, results: &mut Results, bots: &[usize], games: &[Vec<f64>]) {
        let slices = games.iter().map(Vec::as_slice);
        match self {
            Clusters::Rounds => results.add_round(bots, slices),
            Clusters::Games => slices.for_each(|game| results.add_round(bots, [game])),
            Clusters::Pairings => {
                for (place, &first) in bots.iter().enumerate() {
                    for (other, &second) in bots.iter().enumerate().skip(place + 1) {
                        let games = slices.clone().map(|game| [game[place], game[other]]);
                        let games: Vec<_> = games.collect();
                        let games = games.iter().map(<[f64; 2]>::as_slice);
                        results.add_round(&[first, second], games);
                    }
                }
            }
        }
    }
}

#[test]
fn the_margins_hold_the_truth_about_95_times_in_100_where_more_than_two_play() {
    for contest in CONTESTS {
        let share = contest.coverage(Clusters::Rounds);

        assert!((0.93..=0.97).contains(&share), "{contest:?}: {share}");
    }
}

#[test]
fn margins_are_too_narrow_where_pairings_or_games_of_a_seed_count_as_independent() {
    for contest in [CONTESTS[0], CONTESTS[4]] {
        for clusters in [Clusters::Pairings, Clusters::Games] {
            let share = contest.coverage(clusters);

            assert!(share < 0.93, "{contest:?} {clusters:?}: {share}");
        }
    }
}

#[test]
fn one_of_two_equal_bots_is_called_stronger_about_5_times_in_100() {
    for contest in [CONTESTS[0], CONTESTS[3]] {
        let share = |clusters: Clusters| {
            let mut rng = Pcg64::seed_from_u64(1977);
            let certain = (0..1000).filter(|_| {
                let results = contest.results(40, clusters, &mut rng);
                let ratings = fit(contest.players, &results, &Prior::WEAK, None);
                let stronger = ratings.superiority(&results, (0, 1));
                !(0.025..=0.975).contains(&stronger)
            });
            certain.count() as f64 / 1000.0
        };
        let (rounds, pairings) = (share(Clusters::Rounds), share(Clusters::Pairings));
        assert!((0.03..=0.07).contains(&rounds), "{contest:?}: {rounds}");
        assert!(pairings > 0.07, "{contest:?}: {pairings}");
    }
}

#[test]
fn the_intervals_of_scores_hold_the_truth_about_95_times_in_100_too() {
    for contest in CONTESTS
        .into_iter()
        .filter(|contest| contest.players == contest.strengths.len())
    {
        let mut rng = Pcg64::seed_from_u64(1927);
        let field: Vec<usize> = (0..contest.players).collect();
        let mut score = |rounds: usize| {
            let clusters = (0..rounds).map(|_| {
                let games = contest.play(&field, &mut rng);
                Cluster {
                    points: games.iter().map(|game| game[0]).sum(),
                    games: games.len() as f64,
                }
            });
            score_interval(&clusters.collect::<Vec<_>>()).unwrap()
        };
        let truth = score(30_000).score;
        let seen = (0..2000).map(|_| score(40));
        let held = seen.filter(|seen| (seen.low..=seen.high).contains(&truth));
        let share = held.count() as f64 / 2000.0;
        assert!((0.93..=0.97).contains(&share), "{contest:?}: {share}");
    }
}

#[test]
fn before_any_game_is_seen_games_of_several_players_vary_like_random_orders() {
    for players in [3, 4] {
        // Each order of the players occurs equally often, so that the observed results are the expected ones.
        let bots: Vec<usize> = (0..players).collect();
        let mut results = Results::default();
        let orders = (0..players.pow(players as u32)).map(|code| {
            let place = |&bot: &usize| (code / players.pow(bot as u32) % players) as f64;
            bots.iter().map(place).collect::<Vec<f64>>()
        });
        for order in
            orders.filter(|order| (1..players).all(|one| !order[..one].contains(&order[one])))
        {
            for _ in 0..100 {
                results.add_round(&bots, [order.as_slice()]);
            }
        }
        let deviation = |spread| {
            let prior = Prior {
                spread,
                ..Prior::WEAK
            };
            fit(players, &results, &prior, None).deviation(0, 1)
        };
        let (seen, expected) = (deviation(0.0), deviation(1e12));
        assert!((expected / seen - 1.0).abs() < 0.01, "{seen} {expected}");
    }
}

#[test]
fn a_round_of_two_is_a_pair() {
    let (mut pairs, mut rounds) = (Results::default(), Results::default());
    pairs.add(3, 1, PairResult::from_half_points([2, 1]));
    rounds.add_round(&[3, 1], [&[1.0, 0.0][..], &[0.5, 0.5]]);
    assert_eq!(rounds, pairs);
}

#[test]
fn the_player_with_more_points_has_beaten_the_other() {
    let mut results = Results::default();
    results.add_round(
        &[7, 2, 4],
        [&[1.0, 0.25, 0.25][..], &[0.0, 0.5, 1.0], &[0.75, 0.75, 0.0]],
    );
    let between = |first, second| results.points_between(first, second);
    assert_eq!((between(7, 2), between(2, 7)), ((1.5, 3.0), (1.5, 3.0)));
    assert_eq!((between(7, 4), between(4, 7)), ((2.0, 3.0), (1.0, 3.0)));
    assert_eq!((between(2, 4), between(4, 2)), ((1.5, 3.0), (1.5, 3.0)));
    assert_eq!([7, 2, 4, 0].map(|bot| results.rounds_of(bot)), [1, 1, 1, 0]);
    // An equal result is counted again, and the points are those of the requested bot.
    let won = PairResult::from_half_points([2, 2]);
    (0..3).for_each(|_| results.add(7, 2, won));
    let between = |first, second| results.points_between(first, second);
    assert_eq!((between(7, 2), between(2, 7)), ((7.5, 9.0), (1.5, 9.0)));
}

#[test]
fn the_order_of_rounds_and_of_the_bots_in_them_cannot_matter() {
    let contest = CONTESTS[2];
    let mut rng = Pcg64::seed_from_u64(5);
    let fields = contest.fields().into_iter();
    let mut played: Vec<_> = fields
        .map(|field| (contest.play(&field, &mut rng), field))
        .collect();
    let rate = |played: &[(Vec<Vec<f64>>, Vec<usize>)]| {
        let mut results = Results::default();
        for (games, field) in played {
            Clusters::Rounds.add(&mut results, field, games);
        }
        fit(5, &results, &Prior::WEAK, None)
    };
    let in_order = rate(&played);
    played.reverse();
    for (games, field) in &mut played {
        field.reverse();
        games.iter_mut().for_each(|game| game.reverse());
    }
    assert_eq!(rate(&played), in_order);
}
