//! Totals of made-up games.

use super::*;
use crate::tests::{faulty, game};

const NAMES: [&str; 3] = ["anna", "bert", "carl"];

/// Two rounds of three players, the second without its last game.
fn games() -> Vec<GameRecord> {
    vec![
        game(1, &["anna", "bert", "carl"], &[1.0, 0.5, 0.0]),
        game(2, &["bert", "carl", "anna"], &[0.25, 0.25, 1.0]),
        game(3, &["carl", "anna", "bert"], &[0.75, 0.75, 0.0]),
        game(4, &["anna", "bert", "carl"], &[0.5, 0.5, 0.5]),
        faulty(5, &["bert", "carl", "anna"], &[0.0, 0.5, 1.0], &[0]),
    ]
}

#[test]
fn with_three_players_wins_places_and_seats_are_shown() {
    let summary = summarise(&games(), &NAMES);
    let [anna, bert, carl] =
        NAMES.map(|name| summary.bots.iter().find(|bot| bot.name == name).unwrap());
    let tally = |wins, draws, losses| Tally {
        wins,
        draws,
        losses,
    };
    assert_eq!(anna.total(), tally(3, 2, 0));
    assert_eq!(bert.total(), tally(0, 1, 4));
    assert_eq!(carl.total(), tally(0, 2, 3));
    let seats = [tally(1, 1, 0), tally(0, 1, 0), tally(2, 0, 0)];
    assert_eq!(anna.by_seat, seats);
    let place = |bot: &BotSummary| format!("{:.3}", bot.mean_place.unwrap());
    assert_eq!([anna, bert].map(place), ["1.300", "2.500"]);
    assert_eq!(anna.score.unwrap().score, 0.85);
    assert_eq!(bert.faults, [(Termination::Crash, 1)].into());
    assert!(anna.faults.is_empty() && carl.faults.is_empty());
}

#[test]
fn with_three_players_a_round_is_a_cluster_and_bots_are_rated() {
    let summary = summarise(&games(), &NAMES);
    let clusters = clusters(&games(), "anna");
    let sizes: Vec<f64> = clusters.iter().map(|round| round.games).collect();
    assert_eq!(sizes, [3.0, 2.0]);
    assert_eq!(summary.elo, None);
    let names: Vec<&str> = summary.bots.iter().map(|bot| bot.name.as_str()).collect();
    assert_eq!(names, ["anna", "carl", "bert"], "the strongest first");
    assert!(summary.bots.iter().all(|bot| bot.rating.is_some()));
    assert_eq!(summary.results.points_between(0, 2), (4.5, 5.0));
    assert_eq!(summary.results.rounds_of(0), 2);
}

#[test]
fn bots_that_no_games_connect_are_rated_apart_and_who_has_not_played_not_at_all() {
    let names = ["anna", "bert", "carl", "dora", "emil"];
    let games = [
        game(1, &["anna", "bert"], &[1.0, 0.0]),
        game(2, &["bert", "anna"], &[0.5, 0.5]),
        game(3, &["carl", "dora"], &[0.0, 1.0]),
        game(4, &["dora", "carl"], &[0.5, 0.5]),
    ];
    let alone = summarise(&games[..2], &names[..3]);
    let rated = |summary: &MatchSummary| -> Vec<(String, Option<[f64; 2]>)> {
        let bots = summary.bots.iter();
        bots.map(|bot| (bot.name.clone(), bot.rating)).collect()
    };
    assert_eq!(rated(&alone)[2], ("carl".into(), None));
    assert!(alone.remarks.is_empty(), "{:?}", alone.remarks);
    let both = summarise(&games, &names);
    let order: Vec<&str> = both.bots.iter().map(|bot| bot.name.as_str()).collect();
    assert_eq!(order, ["anna", "bert", "dora", "carl", "emil"]);
    assert_eq!(rated(&both)[..2], rated(&alone)[..2]);
    assert_eq!(
        both.remarks,
        ["No games connect carl, dora with the bots above: they are rated among themselves."]
    );
}

#[test]
fn time_given_back_is_summed_over_the_turns_that_got_some() {
    let mut games = games();
    let times = [0, 30, 0, 12].map(Duration::from_millis);
    let turn = |given_back| TurnRecord {
        given_back,
        ..TurnRecord::new(0, None, Duration::ZERO)
    };
    games[0].turns = times.map(turn).into();
    let summary = summarise(&games, &NAMES);
    let anna = summary.bots.iter().find(|bot| bot.name == "anna");
    let GivenBack { turns, time } = anna.unwrap().given_back;
    assert_eq!((turns, time), (2, Duration::from_millis(42)));
}

#[test]
fn a_round_is_void_with_one_of_its_games() {
    let mut games = games();
    let late = GameRecord {
        suspect: true,
        scores: None,
        termination: Termination::Timeout,
        ..games[4].clone()
    };
    games[4] = late;
    let summary = summarise(&games, &NAMES);
    assert_eq!(
        (summary.games, summary.unrated, summary.void_pairs),
        (3, 2, 1)
    );
}

#[test]
fn two_bots_that_played_with_others_are_neither_rated_nor_compared() {
    let summary = summarise(&games(), &NAMES[..2]);
    assert_eq!((summary.elo, summary.normalised_elo), (None, None));
    assert!(summary.bots.iter().all(|bot| bot.rating.is_none()));
    assert_eq!(summary.bots[1].faults, [(Termination::Crash, 1)].into());
}

#[test]
fn places_are_told_among_more_than_two_players_alone() {
    let pair = [
        game(1, &["anna", "bert"], &[1.0, 0.0]),
        game(2, &["bert", "anna"], &[0.5, 0.5]),
    ];
    let json = |games: &[GameRecord], names: &[&str]| {
        let summary = summarise(games, names);
        let anna = summary.bots.into_iter().find(|bot| bot.name == "anna");
        serde_json::to_value(anna.unwrap()).unwrap()
    };
    let two = json(&pair, &NAMES[..2]);
    assert!(two.get("mean_place").is_none(), "{two:#}");
    assert!(json(&games(), &NAMES)["mean_place"].is_number());
}
