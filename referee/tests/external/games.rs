//! Whole games: who sits where, what counts, and that a seed is a game.

use super::{AMPLE, names, play, referee};
use serde_json::{Value, json};
use std::collections::HashSet;

#[test]
fn a_pair_is_one_seed_with_seats_swapped_and_scores_are_the_referees() {
    let arguments = ["--games", "4", "--openings", "seeds 5"];
    let played = play(&referee("lines", ""), &["best", "worst"], &arguments);
    let seeds: Vec<&Value> = played
        .games
        .iter()
        .map(|game| &game["referee"]["seed"])
        .collect();
    assert_eq!(seeds, [5, 5, 6, 6]);
    let seats: Vec<_> = played.games.iter().map(names).collect();
    let [one, other] = [vec!["best", "worst"], vec!["worst", "best"]];
    assert_eq!(seats, [one.clone(), other.clone(), one, other]);
    for game in &played.games {
        assert_eq!(game["referee"]["protocol"], "lines");
        assert_eq!(game["termination"], "scores", "{game:#}");
        let best = usize::from(names(game)[1] == "best");
        assert_eq!(game["scores"][best], 1.0, "{game:#}");
        let scores = &game["referee"]["scores"];
        let [own, others] = [best, 1 - best].map(|player| scores[player].as_f64());
        assert!(own > others, "{scores}");
    }
    let best = &played.summary["bots"][0];
    let wins = (&best["name"], &best["total"]["wins"]);
    assert_eq!(wins, (&json!("best"), &json!(4)));
}

#[test]
fn a_record_holds_what_was_sent_and_answered_and_what_the_referee_said() {
    let played = play(
        &referee("engine", AMPLE),
        &["best", "worst"],
        &["--games", "1"],
    );
    let game = &played.games[0];
    let first = &game["turns"][0];
    let sent = first["sent"].as_str().unwrap();
    assert!(
        sent.starts_with("0 2\n1 "),
        "what it was told before is part of its turn: {sent}"
    );
    assert_eq!(first["lines"], 2);
    let reply = first["reply"].as_str().unwrap();
    assert!(
        reply.starts_with("TAKE ") && reply.contains("\nI take "),
        "{reply}"
    );
    assert_eq!(first["limit_us"], 10_000_000);
    // On a busy machine words may be read late, and stand in the next turn.
    let mut turns = game["turns"].as_array().unwrap().iter();
    assert!(turns.any(|turn| turn["said"]["turn"].is_number()));
    let frames = game["referee"]["frames"].as_array().unwrap();
    let is_key = |frame: &Value| {
        frame["view"].as_str().is_some_and(|view| {
            view.starts_with(
                "KEY_FRAME
",
            )
        })
    };
    assert!(frames.iter().any(is_key), "{frames:#?}");
    let said = frames
        .iter()
        .flat_map(|frame| frame["summary"].as_array().into_iter().flatten());
    assert!(said.count() > 0, "{frames:#?}");
    assert_eq!(game["rules"], "");
    assert_eq!(game["game"], "engine");
}

#[test]
fn three_players_take_all_seats_of_a_seed_and_are_ranked() {
    let arguments = ["--players", "3", "--games", "6", "--openings", "seeds 1"];
    let bots = ["best", "worst", "garbage"];
    let played = play(&referee("engine", AMPLE), &bots, &arguments);
    // Which bot is followed by which, in the games of each seed: rotated, and in the next seed the other way round.
    let after = |game: &Value, name: &str| {
        let names = names(game);
        let place = names.iter().position(|own| *own == name).unwrap();
        names[(place + 1) % 3].to_string()
    };
    let next = after(&played.games[0], "best");
    for (games, same) in [(&played.games[..3], true), (&played.games[3..], false)] {
        let firsts: HashSet<&str> = games.iter().map(|game| names(game)[0]).collect();
        assert_eq!(firsts.len(), 3, "each bot begins once");
        assert!(
            games
                .iter()
                .all(|game| (after(game, "best") == next) == same)
        );
    }
    for game in &played.games {
        let place = |name| names(game).iter().position(|own| *own == name).unwrap();
        let points = |name| game["scores"][place(name)].as_f64().unwrap();
        assert_eq!(
            [points("best"), points("worst"), points("garbage")],
            [1.0, 0.5, 0.0]
        );
        assert_eq!(game["termination"], "illegal-reply");
    }
    let order: Vec<&Value> = played.summary["bots"]
        .as_array()
        .unwrap()
        .iter()
        .map(|bot| &bot["name"])
        .collect();
    assert_eq!(order, bots);
    let best = &played.summary["bots"][0];
    assert_eq!(best["mean_place"], 1.0);
    assert_eq!(best["by_seat"][2]["wins"], 2, "{best:#}");
}
