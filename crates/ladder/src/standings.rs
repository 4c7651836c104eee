//! The table of a ladder and its history, from stored pairs alone.

use super::config::Config;
use super::roster::Roster;
use crate::store::StoredPair;
use crownhead_record::totals::{place_by_points, unconnected};
use crownhead_record::{GameSummary, Termination};
use crownhead_stats::rating::{Prior, Ratings, Results, fit};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// A ladder's table, the strongest first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// How many players a game has.
    #[serde(skip_serializing_if = "is_two")]
    pub players: usize,
    /// Finished pairs of games; rounds, if games have more than two players.
    pub pairs: u64,
    /// The bots by rank.
    pub rows: Vec<StandingsRow>,
    /// Remarks about it, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// One bot's line.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StandingsRow {
    /// From 1.
    pub rank: usize,
    /// Its name.
    pub bot: String,
    /// Its version; earlier versions are rated apart. `None` if no version was ever known.
    pub version: Option<String>,
    /// Whether this is the version that plays.
    pub current: bool,
    /// Its rating; `null` before its first pair.
    pub rating: Option<f64>,
    /// The margin of the rating's 95 % interval.
    pub margin: Option<f64>,
    /// Its group. Ratings compare only within a group, because no games connect it with the others. Group 1 has the
    /// anchor, or else is the largest; `null` before its first pair.
    pub group: Option<usize>,
    /// The chance that it is stronger than the next bot below; `null` for the last of its group.
    pub superiority: Option<f64>,
    /// Pairs of games, or rounds.
    pub pairs: u64,
    /// Void pairs, which are not among those.
    pub void: u64,
    /// Points a game; `null` before the first.
    pub score: Option<f64>,
    /// Among more than two players, its mean place, 1 for the first. Those that are level share the mean of theirs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_place: Option<f64>,
    /// The share of its games that were drawn; `null` if games have more than two players.
    pub draws: Option<f64>,
    /// Its total thinking time.
    #[serde(rename = "time_us", with = "crownhead_record::judge::microseconds")]
    pub time: Duration,
    /// The games that it lost by its own faults, by kind.
    pub faults: BTreeMap<Termination, u64>,
    /// Whether it is retired.
    pub retired: bool,
    /// Why it is disabled, if it is.
    pub disabled: Option<String>,
    /// Its name in tables.
    #[serde(skip)]
    pub label: String,
    /// Its number in the results.
    #[serde(skip)]
    pub number: usize,
    /// Its rated games.
    #[serde(skip)]
    pub games: u64,
}

fn is_two(players: &usize) -> bool {
    *players == 2
}

impl StandingsRow {
    /// How long it thought in a game, on average; `None` before the first.
    pub fn time_per_game(&self) -> Option<Duration> {
        let games = u32::try_from(self.games).ok().filter(|&games| games > 0);
        games.map(|games| self.time / games)
    }
}

/// The counts that ratings need, added up pair by pair.
#[derive(Clone, Default, Debug)]
pub struct LadderTally {
    /// The pairs' results between bots.
    pub results: Results,
    bots: HashMap<usize, BotTally>,
    /// The points of a bot in its games with another, which others played too, and how many these are.
    among_others: HashMap<(usize, usize), (f64, u64)>,
    /// The bots' numbers in the results.
    pub(super) roster: Roster,
    pub(super) pairs: u64,
    pub(super) void: u64,
}

#[derive(Clone, Default, Debug)]
struct BotTally {
    pairs: u64,
    void: u64,
    points: f64,
    games: u64,
    draws: u64,
    time: Duration,
    faults: BTreeMap<Termination, u64>,
}

impl LadderTally {
    /// Empty counts for these bots.
    pub fn new(roster: Roster) -> LadderTally {
        LadderTally {
            roster,
            ..LadderTally::default()
        }
    }

    /// Counts a pair. Ignores pairs of bots that are no longer in the file, and counts void pairs separately.
    pub fn add(&mut self, pair: &StoredPair) {
        let entrants = &pair.key.bots;
        let numbers = entrants.iter().map(|bot| self.roster.number_of(bot));
        let Some(bots) = numbers.collect::<Option<Vec<usize>>>() else {
            return;
        };
        let points = |game: &GameSummary| {
            let points = entrants.iter().map(|it| game.points_of(&it.bot));
            points.map(Option::unwrap_or_default).collect()
        };
        let games: Vec<Vec<f64>> = pair.rated().iter().map(points).collect();
        match pair.games {
            Some(_) => {
                self.pairs += 1;
                let games = games.iter().map(Vec::as_slice);
                self.results.add_round(&bots, games);
            }
            None => self.void += 1,
        }
        for (place, (&bot, entrant)) in bots.iter().zip(entrants).enumerate() {
            let tally = self.bots.entry(bot).or_default();
            match pair.games {
                Some(_) => tally.pairs += 1,
                None => tally.void += 1,
            }
            for (game, points) in pair.rated().iter().zip(&games) {
                let seat = game.seat_of(&entrant.bot).unwrap_or_default();
                tally.games += 1;
                tally.points += points[place];
                tally.draws += u64::from(points[place] == 0.5);
                tally.time += game.times[seat];
                if let Some(fault) = game.fault_of(seat) {
                    *tally.faults.entry(fault).or_default() += 1;
                }
                let others = bots.iter().filter(|&&other| bots.len() > 2 && other != bot);
                for &other in others {
                    let (sum, games) = self.among_others.entry((bot, other)).or_default();
                    (*sum, *games) = (*sum + points[place], *games + 1);
                }
            }
        }
    }

    /// The mean place of the first bot in its games with the second, and how many these are, if games have more than two
    /// players; `None` if they have not met.
    pub fn mean_place(&self, first: usize, second: usize, players: usize) -> Option<(f64, u64)> {
        let &(points, games) = self.among_others.get(&(first, second))?;
        Some((place_by_points(points / games as f64, players), games))
    }

    /// How many pairs were counted, including void ones.
    pub(crate) fn all_pairs(&self) -> u64 {
        self.pairs + self.void
    }

    /// How long the bots of a pair have thought, on average; `None` before the first pair.
    pub(crate) fn thinking_per_pair(&self) -> Option<Duration> {
        let pairs = u32::try_from(self.pairs).ok().filter(|&pairs| pairs > 0)?;
        let bots = self.bots.values();
        Some(bots.map(|tally| tally.time).sum::<Duration>() / pairs)
    }

    /// The ratings of all bots of the file and of their earlier versions, by their numbers.
    pub fn ratings(&self, config: &Config) -> Ratings {
        let bots = self.roster.len();
        fit(bots, &self.results, &Prior::WEAK, config.anchor)
    }

    /// The table, without bots that retired before their first game.
    pub fn standings(&self, config: &Config, disabled: &[(String, String)]) -> Standings {
        let (ratings, players) = (self.ratings(config), config.players());
        let shown: Vec<usize> = ratings
            .ranking()
            .into_iter()
            .filter(|&number| {
                let is_retired = config.bots[self.roster.bot(number)].retired;
                !is_retired || self.bots.contains_key(&number)
            })
            .collect();
        let rows = shown.iter().enumerate().map(|(place, &bot)| {
            let tally = self.bots.get(&bot).cloned().unwrap_or_default();
            let own = &config.bots[self.roster.bot(bot)];
            let name = &own.name;
            let current = bot < config.bots.len();
            let share = |count: f64| (tally.games > 0).then(|| count / tally.games as f64);
            let group = ratings.groups[bot];
            let next = shown.get(place + 1);
            let next = next.filter(|&&next| ratings.are_connected(bot, next));
            StandingsRow {
                rank: place + 1,
                bot: name.clone(),
                version: self.roster.version(bot).map(Into::into),
                current,
                rating: group.map(|_| ratings.ratings[bot]),
                margin: group.map(|_| ratings.margins[bot]),
                group: group.map(|group| group + 1),
                superiority: next.map(|&next| ratings.superiority(&self.results, (bot, next))),
                pairs: tally.pairs,
                void: tally.void,
                score: share(tally.points),
                mean_place: share(tally.points)
                    .filter(|_| players > 2)
                    .map(|points| place_by_points(points, players)),
                draws: share(tally.draws as f64).filter(|_| players == 2),
                time: tally.time,
                faults: tally.faults,
                retired: own.retired,
                disabled: disabled
                    .iter()
                    .find(|(disabled, _)| current && disabled == name)
                    .map(|(_, reason)| reason.clone()),
                label: self.roster.label(bot),
                number: bot,
                games: tally.games,
            }
        });
        let rows: Vec<StandingsRow> = rows.collect();
        let groups: Vec<Option<usize>> = shown.iter().map(|&bot| ratings.groups[bot]).collect();
        let labels: Vec<&str> = rows.iter().map(|row| row.label.as_str()).collect();
        Standings {
            players,
            pairs: self.pairs,
            remarks: unconnected(&groups, &labels),
            rows,
        }
    }
}

/// The rating of each bot after numbers of pairs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RatingHistory {
    /// The bots' names.
    pub bots: Vec<String>,
    /// Pairs finished, and the ratings of all bots then.
    pub points: Vec<(u64, Vec<f64>)>,
}

/// The number of points of a history; a plot shows no more.
const POINTS: usize = 100;

/// The ratings after each of up to a hundred equal steps of these pairs, in the order of storing. A version that comes
/// later has the rating of a bot without games until then.
pub fn ratings_over_pairs(config: &Config, roster: &Roster, pairs: &[StoredPair]) -> RatingHistory {
    let step = pairs.len().div_ceil(POINTS).max(1);
    // Assign all numbers first, so that every point has the same number of ratings.
    let mut tally = LadderTally::new(roster.clone());
    pairs.iter().for_each(|pair| tally.add(pair));
    let mut tally = LadderTally::new(tally.roster);
    let mut points = Vec::new();
    for chunk in pairs.chunks(step) {
        for pair in chunk {
            tally.add(pair);
        }
        points.push((tally.pairs, tally.ratings(config).ratings));
    }
    RatingHistory {
        bots: (0..tally.roster.len())
            .map(|number| tally.roster.label(number))
            .collect(),
        points,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Entrant, PairKey};
    use crate::tests::summary;

    const BLACK: [f64; 2] = [1.0, 0.0];
    const WHITE: [f64; 2] = [0.0, 1.0];
    const DRAW: [f64; 2] = [0.5, 0.5];

    /// The ladder of anna (the anchor), bert, and carl (retired).
    fn config() -> Config {
        let bot = |name| format!("[[bot]]\ncommand = \"random\"\nname = \"{name}\"\n");
        let bots = ["anna", "bert", "carl"].map(bot).concat();
        Config::parse(&(bots + "retired = true\n")).unwrap()
    }

    fn entrant(name: &str, version: &str) -> Entrant {
        Entrant {
            bot: name.into(),
            version: version.into(),
        }
    }

    /// A pair of anna, black in the first game, and this bot; void if it has no games.
    fn pair(other: Entrant, games: Option<[([f64; 2], Termination); 2]>) -> StoredPair {
        let mut players = ["anna", &other.bot];
        let games = games.map(|games| {
            let game = |(points, termination): ([f64; 2], Termination)| {
                let game = GameSummary {
                    times: [1, 10].map(Duration::from_secs).into(),
                    ..summary(&players, &points, termination)
                };
                players.reverse();
                game
            };
            games.map(game).into()
        });
        let anna = entrant("anna", crate::store::UNKNOWN_VERSION);
        StoredPair {
            number: 1,
            key: PairKey::new(vec![anna, other], 0),
            finished: 1,
            games,
        }
    }

    const ENDED: Termination = Termination::NoMoves;

    fn unknown(name: &str) -> Entrant {
        entrant(name, crate::store::UNKNOWN_VERSION)
    }

    fn tally(pairs: &[StoredPair]) -> LadderTally {
        let mut tally = LadderTally::new(Roster::new(&config(), &[]));
        pairs.iter().for_each(|pair| tally.add(pair));
        tally
    }

    #[test]
    fn a_line_counts_the_pairs_points_draws_time_and_faults_of_its_bot() {
        let tally = tally(&[
            // Anna wins as black, and draws as white.
            pair(
                unknown("bert"),
                Some([(BLACK, Termination::Crash), (DRAW, ENDED)]),
            ),
            // She wins both.
            pair(
                unknown("bert"),
                Some([(BLACK, ENDED), (WHITE, Termination::Timeout)]),
            ),
            pair(unknown("bert"), None),
            pair(unknown("dora"), Some([(WHITE, ENDED); 2])),
        ]);
        assert_eq!((tally.pairs, tally.all_pairs()), (2, 3));
        let table = tally.standings(&config(), &[("bert".into(), "it crashes".into())]);
        let [anna, bert] = &table.rows[..] else {
            panic!("carl has not played, and dora is no bot of the ladder: {table:?}");
        };
        assert_eq!(
            (
                anna.rank,
                anna.label.as_str(),
                bert.rank,
                bert.label.as_str()
            ),
            (1, "anna", 2, "bert")
        );
        assert_eq!((anna.pairs, anna.void, bert.pairs, bert.void), (2, 1, 2, 1));
        assert_eq!((anna.score, bert.score), (Some(0.875), Some(0.125)));
        assert_eq!((anna.draws, bert.draws), (Some(0.25), Some(0.25)));
        assert_eq!((anna.time.as_secs(), bert.time.as_secs()), (22, 22));
        assert_eq!(anna.time_per_game(), Some(Duration::from_millis(5500)));
        let faults = [(Termination::Crash, 1), (Termination::Timeout, 1)];
        assert_eq!(
            (&anna.faults, &bert.faults),
            (&BTreeMap::new(), &BTreeMap::from(faults))
        );
        assert_eq!(
            (anna.disabled.as_deref(), bert.disabled.as_deref()),
            (None, Some("it crashes"))
        );
        assert!(anna.superiority.unwrap() > 0.5 && bert.superiority.is_none());
        assert!(anna.current && !anna.retired && anna.rating > bert.rating);
    }

    #[test]
    fn a_retired_bot_is_listed_if_it_has_played_and_without_games_there_is_no_score() {
        let table = tally(&[pair(
            unknown("carl"),
            Some([(WHITE, ENDED), (BLACK, ENDED)]),
        )])
        .standings(&config(), &[]);
        let carl = &table.rows[0];
        assert!(carl.bot == "carl" && carl.retired && carl.score == Some(1.0));
        let bert = table.rows.iter().find(|row| row.bot == "bert").unwrap();
        assert_eq!((bert.score, bert.draws, bert.pairs), (None, None, 0));
        assert_eq!(bert.time_per_game(), None);
        assert_eq!((bert.rating, bert.margin, bert.group), (None, None, None));
        assert_eq!(table.rows[2].bot, "bert", "who has not played comes last");
        assert_eq!(table.rows[1].superiority, None);
    }

    #[test]
    fn a_bot_without_games_changes_no_rating() {
        let drawn = pair(unknown("bert"), Some([(DRAW, ENDED); 2]));
        let pairs = vec![drawn; 4];
        let more = config();
        let mut two = more.clone();
        two.bots.truncate(2);
        let rated = |config: &Config| {
            let mut tally = LadderTally::new(Roster::new(config, &[]));
            pairs.iter().for_each(|pair| tally.add(pair));
            let rows = tally.standings(config, &[]).rows.into_iter();
            let rated = rows.filter(|row| row.pairs > 0);
            rated
                .map(|row| (row.rating, row.margin, row.superiority))
                .collect::<Vec<_>>()
        };
        assert_eq!(rated(&more), rated(&two));
    }

    #[test]
    fn in_games_of_three_bots_have_mean_places_in_all_and_among_those_of_another() {
        let referee = "referee = \"r\"\nreferee_protocol = \"lines\"\nplayers = 3\n";
        let bots = ["anna", "bert", "carl", "dora"];
        let bot = |name| format!("[[bot]]\ncommand = \"x\"\nname = \"{name}\"\n");
        let config = Config::parse(&(referee.to_string() + &bots.map(bot).concat())).unwrap();
        let mut tally = LadderTally::new(Roster::new(&config, &[]));
        let round = |players: [&str; 3], games: &[[f64; 3]]| {
            let game = |points: &[f64; 3]| summary(&players, points, Termination::Crash);
            let key = PairKey::new(players.map(unknown).into(), 0);
            StoredPair {
                number: 1,
                key,
                finished: 1,
                games: Some(games.iter().map(game).collect()),
            }
        };
        // Seats need not be in the order of names.
        tally.add(&round(["bert", "anna", "carl"], &[[0.0, 1.0, 0.5]; 3]));
        tally.add(&round(["dora", "anna", "bert"], &[[1.0, 0.25, 0.25]; 3]));
        let table = tally.standings(&config, &[]);
        assert_eq!((table.players, table.pairs), (3, 2));
        let anna = table.rows.iter().find(|row| row.bot == "anna").unwrap();
        assert_eq!((anna.pairs, anna.games, anna.draws), (2, 6, None));
        assert_eq!((anna.score, anna.mean_place), (Some(0.625), Some(1.75)));
        let bert = table.rows.iter().find(|row| row.bot == "bert").unwrap();
        assert_eq!(bert.faults, [(Termination::Crash, 3)].into());
        assert_eq!(tally.mean_place(0, 2, 3), Some((1.0, 3)));
        assert_eq!(tally.mean_place(0, 1, 3), Some((1.75, 6)));
        assert_eq!(tally.mean_place(2, 3, 3), None, "they have not met");
        assert_eq!(tally.results.points_between(0, 1), (4.5, 6.0));
    }

    #[test]
    fn an_earlier_version_has_a_line_of_its_own_which_nobody_disables() {
        let pairs = [
            pair(unknown("bert"), Some([(BLACK, ENDED), (WHITE, ENDED)])),
            pair(
                entrant("bert", "old"),
                Some([(WHITE, ENDED), (BLACK, ENDED)]),
            ),
        ];
        let table = tally(&pairs).standings(&config(), &[("bert".into(), "slow".into())]);
        let lines = table
            .rows
            .iter()
            .map(|row| (row.label.as_str(), row.current, row.disabled.is_some()));
        let expected = [
            ("bert@old", false, false),
            ("anna", true, false),
            ("bert", true, true),
        ];
        assert_eq!(lines.collect::<Vec<_>>(), expected);
    }
}
