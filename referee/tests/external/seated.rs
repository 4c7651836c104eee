//! Games of a referee that starts the bots itself: they run in our sandboxes and by our clock all the same.

use super::{Played, expect_failure, names, play, referee};
use serde_json::{Value, json};

/// Plays these bots under such a referee, with limits for a busy machine unless others are named.
fn play_seated(options: &str, bots: &[&str], arguments: &[&str]) -> Played {
    let protocol = ["--referee-protocol", "command", "--openings", "seeds 5"];
    let arguments = [&protocol[..], arguments].concat();
    play(&referee("command", options), bots, &arguments)
}

#[test]
fn a_pair_is_one_seed_with_seats_swapped_and_scores_are_the_referees() {
    let played = play_seated("", &["best", "worst"], &["--games", "2"]);
    let seats: Vec<_> = played.games.iter().map(names).collect();
    assert_eq!(seats, [["best", "worst"], ["worst", "best"]]);
    for game in &played.games {
        assert_eq!(game["termination"], "scores", "{game:#}");
        assert_eq!(game["referee"]["protocol"], "command");
        assert_eq!(game["referee"]["seed"], 5);
        assert_eq!(game["referee"]["input"], json!(["seed=5"]));
        let best = usize::from(names(game)[1] == "best");
        assert_eq!(game["scores"][best], 1.0, "{game:#}");
    }
    // The dice of seed 5 are 5 3 6, 3 6 6 and 6 5 1, and the player's index counts.
    let scores = |game: &Value| game["referee"]["scores"].clone();
    assert_eq!(scores(&played.games[0]), json!([18.0, 8.0]));
    assert_eq!(scores(&played.games[1]), json!([7.0, 19.0]));
}

#[test]
fn a_record_holds_what_a_bot_was_sent_until_it_answered_and_all_its_lines() {
    let played = play_seated("", &["best", "worst"], &["--games", "1"]);
    let game = &played.games[0];
    let turns = game["turns"].as_array().unwrap();
    let players: Vec<&Value> = turns.iter().map(|turn| &turn["player"]).collect();
    assert_eq!(players, [0, 1, 0, 1, 0, 1]);
    for (place, turn) in turns.iter().enumerate() {
        let sent = turn["sent"].as_str().unwrap();
        let round = place / 2 + 1;
        let begins = match round {
            1 => format!("{} 2\n1 ", turn["player"]),
            _ => format!("{round} "),
        };
        assert!(sent.starts_with(&begins), "{sent}");
        let reply = turn["reply"].as_str().unwrap();
        assert!(
            reply.starts_with("TAKE ") && reply.contains("\nI take "),
            "{reply}"
        );
        assert_eq!(turn["lines"], 2);
        assert!(turn["us"].as_u64().unwrap() > 0);
    }
    for player in 0..2 {
        let own = turns.iter().filter(|turn| turn["player"] == player);
        // On a busy machine, some of it may be read a turn later, or after the game.
        let parts = own.map(|turn| &turn["stderr"]);
        let parts = parts.chain([&game["players"][player]["stderr_after"]]);
        let words: String = parts.filter_map(|part| part["text"].as_str()).collect();
        assert_eq!(
            words,
            "turn=1 highest=6\nturn=2 highest=6\nturn=3 highest=6\n"
        );
    }
    let frames = game["referee"]["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 3);
    assert!(
        frames[0]["summary"][0]
            .as_str()
            .unwrap()
            .starts_with("$0 takes ")
    );
}

#[test]
fn a_bot_that_fails_is_last_with_its_sentence_and_the_others_play_on() {
    let ample = ["--time", "10s"];
    let faults = [
        ("crash", "crash", "ValueError: the dice are loaded", ample),
        ("exit", "exit", "ended with exit status 0", ample),
        (
            "hang",
            "timeout",
            "did not answer within 500ms",
            ["--time", "500ms"],
        ),
        (
            "flood",
            "unreadable-reply",
            "wrote more than 10000 bytes",
            ample,
        ),
    ];
    for (how, termination, sentence, limit) in faults {
        let arguments = [&["--players", "3", "--games", "1"][..], &limit].concat();
        let played = play_seated("", &[how, "best", "worst"], &arguments);
        let game = &played.games[0];
        expect_failure(game, how, termination, sentence);
        let place = names(game).iter().position(|own| *own == how).unwrap();
        let of_referee = &game["referee"]["scores"][place];
        assert_eq!(*of_referee, -1.0, "{how}: it saw it end");
    }
}

#[test]
fn a_bot_that_is_told_something_while_another_is_asked_has_not_failed() {
    let limit = ["--games", "1", "--first-turn", "1s"];
    let played = play_seated("-reverse", &["best", "worst"], &limit);
    let game = &played.games[0];
    assert_eq!(game["termination"], "scores", "{game:#}");
    assert_eq!(game["referee"]["scores"], json!([18.0, 8.0]));
    let turns = game["turns"].as_array().unwrap();
    let players: Vec<&Value> = turns.iter().map(|turn| &turn["player"]).collect();
    assert_eq!(players, [1, 0, 1, 0, 1, 0]);
    assert_eq!(turns[1]["sent"], "0 2\n1 5 3 6\n");
}

#[test]
fn a_game_that_the_referee_fails_is_void_and_nobody_has_lost_it() {
    let faults = [
        ("exit", "ended with exit status 1"),
        ("seed", "played seed 6; expected seed 5"),
        ("scores", "gave no score for each of 2 players"),
        ("fail", "failed: no dice"),
    ];
    for (fault, sentence) in faults {
        let options = format!("-fault {fault}");
        let played = play_seated(&options, &["best", "worst"], &["--games", "1"]);
        let game = &played.games[0];
        assert_eq!(game["termination"], "referee-fault", "{fault}: {game:#}");
        assert_eq!(game["scores"], json!(null), "{fault}");
        let reason = game["reason"].as_str().unwrap();
        assert!(reason.contains(sentence), "{fault}: {reason}");
        assert_eq!(played.summary["unrated"], 1, "{fault}");
    }
}
