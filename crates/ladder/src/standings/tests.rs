//! The table and its parts from pairs of made-up games.

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
