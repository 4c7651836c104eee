//! What a referee says by the lines that Crownhead adds: limits, boards, legal answers, scores and reasons.

use super::{crownhead, play, referee};
use serde_json::{Value, json};

/// What `replay` prints of the first game under this referee.
fn replayed(options: &str, arguments: &[&str]) -> String {
    let seed = ["--games", "1", "--openings", "seeds 5"];
    let played = play(&referee("lines", options), &["best", "worst"], &seed);
    let mut program = crownhead();
    program
        .arg("replay")
        .arg(played.folder.path("games.jsonl"))
        .args(arguments);
    String::from_utf8(program.output().unwrap().stdout).unwrap()
}

/// A part of each turn of a game.
fn of_turns(game: &Value, key: &str) -> Vec<Value> {
    let turns = game["turns"].as_array().unwrap().iter();
    turns.map(|turn| turn[key].clone()).collect()
}

#[test]
fn scores_and_the_reason_are_those_of_the_referee() {
    let options = "--scores --reason 'all dice are rolled'";
    let arguments = ["--games", "1", "--openings", "seeds 5"];
    let played = play(&referee("lines", options), &["best", "worst"], &arguments);
    let game = &played.games[0];
    // The dice of seed 5 are 5 3 6, 3 6 6 and 6 5 1, and the player's index counts.
    assert_eq!(game["referee"]["scores"], json!([18.0, 8.0]));
    assert_eq!(game["referee"]["reason"], "all dice are rolled");
    assert_eq!(game["reason"], "all dice are rolled: best 18, worst 8");
    let told = replayed(options, &[]);
    let end = "Scores: best 18, worst 8\nThe referee says: all dice are rolled\n";
    assert!(told.ends_with(end), "{told}");
}

#[test]
fn random_plays_what_the_referee_lists_and_its_seed_repeats_its_game() {
    let game = |random: &str| {
        let arguments = ["--games", "1", "--openings", "seeds 5"];
        let referee = referee("lines", "--legal --rounds 20");
        let played = play(&referee, &[random, "best"], &arguments);
        let game = &played.games[0];
        assert_eq!(game["termination"], "scores", "{game:#}");
        of_turns(game, "reply")
    };
    let first = game("random --seed 7");
    assert_eq!(game("random --seed 7"), first);
    assert_ne!(game("random --seed 8"), first);
    for answer in [
        "TAKE 0\nthe first",
        "TAKE 1\nthe second",
        "TAKE 2\nthe third",
    ] {
        assert!(first.contains(&json!(answer)), "{answer}: {first:?}");
    }
}

#[test]
fn the_games_of_a_round_begin_with_the_same_random_answers_and_bots_are_asked_all_the_same() {
    let arguments = ["--games", "4", "--seed", "3", "--openings", "random 3"];
    let referee = referee("lines", "--legal --scores");
    let played = play(&referee, &["best", "best again"], &arguments);
    let openings: Vec<Vec<Value>> = (played.games.iter())
        .map(|game| of_turns(game, "opening"))
        .collect();
    assert_eq!(openings[0], openings[1]);
    assert_ne!(openings[0], openings[2], "another round");
    for (game, opening) in played.games.iter().zip(&openings) {
        assert!(opening[..3].iter().all(Value::is_string), "{opening:?}");
        assert!(opening[3..].iter().all(Value::is_null), "{opening:?}");
        let dice = |turn: &Value| -> Vec<u64> {
            let sent = turn["sent"].as_str().unwrap();
            let dice = sent.lines().next_back().unwrap().split(' ').skip(1);
            dice.map(|die| die.parse().unwrap()).collect()
        };
        let mut scores = [0, 1];
        for turn in game["turns"].as_array().unwrap() {
            let reply = turn["reply"].as_str().unwrap();
            assert!(reply.contains("\nI take "), "{reply}");
            let taken = turn["opening"].as_str().unwrap_or(reply);
            let die: usize = taken[5..6].parse().unwrap();
            scores[turn["player"].as_u64().unwrap() as usize] += dice(turn)[die];
        }
        let told = game["referee"]["scores"].as_array().unwrap();
        let told: Vec<u64> = told
            .iter()
            .map(|score| score.as_f64().unwrap() as u64)
            .collect();
        assert_eq!(told, scores, "the referee was given the opening's answers");
    }
}

#[test]
fn a_referee_that_lists_nothing_or_ends_the_game_too_early_is_at_fault() {
    let [none, legal] = ["", "--legal"].map(|options| referee("lines", options));
    let cases = [
        (
            &none,
            "random",
            "seeds 5",
            "without `###Legal`; expected it before `###Output`",
        ),
        (
            &none,
            "worst",
            "random 2",
            "the legal answers that an opening is made of",
        ),
        (
            &legal,
            "worst",
            "random 6",
            "ended the game within its opening of 6 random answers",
        ),
        (
            &referee("lines", "--legal --fault fickle"),
            "random",
            "seeds 5",
            "which it had listed as legal: the dice have changed",
        ),
    ];
    for (referee, other, openings, sentence) in cases {
        let arguments = ["--games", "1", "--openings", openings];
        let played = play(referee, &[other, "best"], &arguments);
        let game = &played.games[0];
        assert_eq!(game["termination"], "referee-fault", "{game:#}");
        let reason = game["reason"].as_str().unwrap();
        assert!(reason.contains(sentence), "{reason}");
    }
}

#[test]
fn a_refused_answer_is_reported_with_those_that_were_legal() {
    let refusal = |options: &str, how: &str| {
        let arguments = ["--games", "1", "--openings", "seeds 5"];
        let played = play(&referee("lines", options), &[how, "worst"], &arguments);
        let game = &played.games[0];
        assert_eq!(game["termination"], "illegal-reply", "{game:#}");
        game["reason"].as_str().unwrap().to_string()
    };
    let told = refusal("--legal", "garbage");
    let sentence =
        "found FOO; legal were `TAKE 0\\nthe first`, `TAKE 1\\nthe second`, `TAKE 2\\nthe third`";
    assert!(told.contains(sentence), "{told}");
    let told = refusal("", "garbage");
    assert!(!told.contains("legal"), "{told}");
}

#[test]
fn replay_shows_the_board_after_each_turn_and_nothing_steers_the_terminal() {
    let told = replayed("--show text", &[]);
    let boards: Vec<usize> = [
        "round 1\n|5|3|6|",
        "Turn 1:",
        "Turn 3:",
        "round 3\n|6|5|1|",
        "Turn 5:",
    ]
    .iter()
    .map(|part| told.find(part).unwrap_or_else(|| panic!("{part}: {told}")))
    .collect();
    assert!(boards.is_sorted(), "{told}");
    let told = replayed("--show text", &["--turn", "3"]);
    let asked = told.find("round 2\n|3|6|6|\n\nIt answered ");
    assert!(asked.is_some(), "the board that it was asked at: {told}");
    let told = replayed("--show svg", &[]);
    assert!(
        told.contains("(the referee shows a picture, which the page") && !told.contains("<svg"),
        "{told}"
    );
    let told = replayed("--show hostile", &[]);
    assert!(told.contains("\\x1b[2J</pre>"), "{told}");
    assert!(!told.contains('\u{1b}'), "{told}");
}

#[test]
fn replay_tells_which_answers_are_the_openings() {
    let arguments = ["--games", "1", "--openings", "random 1"];
    let played = play(&referee("lines", "--legal"), &["best", "worst"], &arguments);
    let mut program = crownhead();
    program.arg("replay").arg(played.folder.path("games.jsonl"));
    let told = String::from_utf8(program.output().unwrap().stdout).unwrap();
    let mark = "The referee was given the opening's answer instead:\n  TAKE ";
    assert_eq!(told.matches(mark).count(), 1, "{told}");
}
