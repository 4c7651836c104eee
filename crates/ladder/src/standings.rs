//! The table of a ladder and its history, from stored pairs alone.

use super::config::Config;
use super::roster::Roster;
use crate::store::StoredPair;
use crownhead_record::Termination;
use crownhead_record::totals::unconnected;
use crownhead_stats::rating::{Prior, Ratings, Results, fit};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// A ladder's table, the strongest first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// Finished pairs of games.
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
    /// Pairs of games.
    pub pairs: u64,
    /// Void pairs, which are not among those.
    pub void: u64,
    /// Points a game; `null` before the first.
    pub score: Option<f64>,
    /// The share of its games that were drawn.
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
}

impl StandingsRow {
    /// How long it thought in a game, on average; `None` before the first.
    pub fn time_per_game(&self) -> Option<Duration> {
        let games = u32::try_from(2 * self.pairs)
            .ok()
            .filter(|&games| games > 0);
        games.map(|games| self.time / games)
    }
}

/// The counts that ratings need, added up pair by pair.
#[derive(Clone, Default, Debug)]
pub struct LadderTally {
    /// The pairs' results between bots.
    pub results: Results,
    bots: HashMap<usize, BotTally>,
    /// The bots' numbers in the results.
    pub(super) roster: Roster,
    pub(super) pairs: u64,
    pub(super) void: u64,
}

#[derive(Clone, Default, Debug)]
struct BotTally {
    pairs: u64,
    void: u64,
    half_points: u64,
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
        let entrants = [&pair.key.first, &pair.key.second];
        let [Some(first), Some(second)] = entrants.map(|bot| self.roster.number_of(bot)) else {
            return;
        };
        let names = entrants.map(|entrant| &entrant.bot);
        match pair.result() {
            Some(result) => {
                self.pairs += 1;
                self.results.add(first, second, result);
            }
            None => self.void += 1,
        }
        for (bot, name) in [(first, names[0]), (second, names[1])] {
            let tally = self.bots.entry(bot).or_default();
            match pair.games {
                Some(_) => tally.pairs += 1,
                None => tally.void += 1,
            }
            for game in pair.games.iter().flatten() {
                let half_points = game.half_points(name);
                tally.games += 1;
                tally.half_points += u64::from(half_points);
                tally.draws += u64::from(half_points == 1);
                tally.time += game.times[game.side_of(name).index()];
                if game.is_fault_of(name) {
                    *tally.faults.entry(game.termination).or_default() += 1;
                }
            }
        }
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
        let ratings = self.ratings(config);
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
            let share = |count: u64| (tally.games > 0).then(|| count as f64 / tally.games as f64);
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
                score: share(tally.half_points).map(|score| score / 2.0),
                draws: share(tally.draws),
                time: tally.time,
                faults: tally.faults,
                retired: own.retired,
                disabled: disabled
                    .iter()
                    .find(|(disabled, _)| current && disabled == name)
                    .map(|(_, reason)| reason.clone()),
                label: self.roster.label(bot),
                number: bot,
            }
        });
        let rows: Vec<StandingsRow> = rows.collect();
        let groups: Vec<Option<usize>> = shown.iter().map(|&bot| ratings.groups[bot]).collect();
        let labels: Vec<&str> = rows.iter().map(|row| row.label.as_str()).collect();
        Standings {
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
    use crate::store::{Entrant, PairKey, StoredGame};
    use crownhead_record::RecordedResult::{self, Black, Draw, White};

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
    fn pair(other: Entrant, games: Option<[(RecordedResult, Termination); 2]>) -> StoredPair {
        let mut number = 0;
        let mut game = |(result, termination)| {
            number += 1;
            let black = if number == 1 { "anna" } else { &other.bot };
            StoredGame {
                black: black.into(),
                result,
                termination,
                times: [1, 10].map(Duration::from_secs),
                turns: 1,
                opening: String::new(),
            }
        };
        let games = games.map(|games| games.map(&mut game));
        let key = PairKey::new(&entrant("anna", crate::store::UNKNOWN_VERSION), &other, 0);
        StoredPair {
            number: 1,
            key,
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
                Some([(Black, Termination::Crash), (Draw, ENDED)]),
            ),
            // She wins both.
            pair(
                unknown("bert"),
                Some([(Black, ENDED), (White, Termination::Timeout)]),
            ),
            pair(unknown("bert"), None),
            pair(unknown("dora"), Some([(White, ENDED); 2])),
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
            Some([(White, ENDED), (Black, ENDED)]),
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
        let drawn = pair(unknown("bert"), Some([(Draw, ENDED); 2]));
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
    fn an_earlier_version_has_a_line_of_its_own_which_nobody_disables() {
        let pairs = [
            pair(unknown("bert"), Some([(Black, ENDED), (White, ENDED)])),
            pair(
                entrant("bert", "old"),
                Some([(White, ENDED), (Black, ENDED)]),
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
