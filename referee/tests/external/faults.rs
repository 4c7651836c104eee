//! Who fails: a bot, which ranks last with its sentence, or the referee, whose game is void.

use super::{AMPLE, crownhead, dice_bot, expect_failure, names, play, referee};
use crate::common::TestWorkspace;
use serde_json::json;

/// A bot that fails so, what its game ends by, and what the sentence has.
const FAULTS: [(&str, &str, &str); 6] = [
    ("crash", "crash", "ValueError: the dice are loaded"),
    (
        "exit",
        "exit",
        "ended with exit status 0 instead of answering",
    ),
    ("hang", "timeout", "did not answer within 300 ms"),
    (
        "one-line",
        "timeout",
        "It had answered 1 of the 2 lines that are wanted",
    ),
    (
        "flood",
        "unreadable-reply",
        "wrote more than 10000 bytes without ending the line",
    ),
    (
        "garbage",
        "illegal-reply",
        "answered `FOO\\nbar`, and the referee says: ",
    ),
];

#[test]
fn a_bot_that_fails_is_last_with_its_sentence_and_the_others_play_on() {
    for (how, termination, sentence) in FAULTS {
        let limit = if termination == "timeout" {
            "--limit 300"
        } else {
            AMPLE
        };
        let arguments = ["--players", "3", "--games", "1", "--openings", "seeds 5"];
        let bots = [how, "best", "worst"];
        let played = play(&referee("engine", limit), &bots, &arguments);
        let game = &played.games[0];
        expect_failure(game, how, termination, sentence);
        let faults = played.summary["bots"].as_array().unwrap().iter();
        let of =
            |name: &str| faults.clone().find(|bot| bot["name"] == name).unwrap()["faults"].clone();
        assert_eq!(of(how), json!({ termination: 1 }), "{how}");
        assert_eq!(of("worst"), json!({}), "{how}");
    }
}

#[test]
fn a_referee_of_lines_knows_no_timeouts_and_the_game_ends_with_the_loss() {
    let arguments = ["--games", "2", "--openings", "seeds 5"];
    let played = play(&referee("lines", ""), &["crash", "worst"], &arguments);
    for game in &played.games {
        assert_eq!(game["termination"], "crash");
        let crashed = names(game)
            .iter()
            .position(|name| *name == "crash")
            .unwrap();
        assert_eq!(
            (&game["scores"][crashed], &game["scores"][1 - crashed]),
            (&json!(0.0), &json!(1.0))
        );
        assert_eq!(game["referee"].get("scores"), None, "the referee gave none");
    }
    let played = play(&referee("lines", ""), &["garbage", "worst"], &arguments);
    for game in &played.games {
        assert_eq!(game["termination"], "illegal-reply", "{game:#}");
    }
}

#[test]
fn a_game_that_the_referee_fails_is_void_and_nobody_has_lost_it() {
    for fault in ["exit", "garbage"] {
        let options = format!("{AMPLE} --fault {fault}");
        let protocol = ["--referee-protocol", "engine"];
        let arguments = [&["--games", "1", "--openings", "seeds 5"][..], &protocol].concat();
        let played = play(&referee("engine", &options), &["best", "worst"], &arguments);
        let game = &played.games[0];
        assert_eq!(game["termination"], "referee-fault", "{fault}: {game:#}");
        assert_eq!(game["scores"], json!(null), "{fault}");
        let reason = game["reason"].as_str().unwrap();
        assert!(
            reason.starts_with("the referee engine "),
            "{fault}: {reason}"
        );
        let turns = game["turns"].as_array().unwrap();
        assert!(!turns.is_empty(), "{fault}: what was played is kept");
        assert_eq!(played.summary["unrated"], 1, "{fault}");
    }
}

#[test]
fn a_match_takes_a_referee_that_rolls_its_own_dice() {
    let options = format!("{AMPLE} --fault chance");
    let arguments = ["--games", "2", "--openings", "seeds 5"];
    let played = play(&referee("engine", &options), &["best", "worst"], &arguments);
    assert_eq!(played.summary["unrated"], 0, "{:#}", played.summary);
}

#[test]
fn impossible_options_are_refused_before_anything_is_played() {
    let engine = referee("engine", AMPLE);
    let refused = |arguments: &[&str], sentence: &str| {
        let mut command = crownhead();
        command
            .arg("match")
            .args([dice_bot("best"), dice_bot("worst")])
            .args(arguments);
        let output = command.output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).replace('\n', " ");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(sentence), "{arguments:?}: {error}");
    };
    refused(
        &["--referee", "nothing.jar"],
        "there is no program `nothing.jar`",
    );
    refused(
        &["--league", "3"],
        "`--league` works only with `--referee COMMAND`",
    );
    let of_engine = ["--referee", &*engine];
    let refused = |more: &[&str], sentence| refused(&[&of_engine[..], more].concat(), sentence);
    refused(&["--players", "3"], "2 bots for games of 3 players");
    refused(
        &["--openings", "ballots"],
        "seeds are the openings of games with a --referee",
    );
    refused(
        &["--openings", "random 3"],
        "with `###Legal`, and this one does not speak `lines`",
    );
    refused(&["--adjudicate", "9"], "--adjudicate needs a board");
    refused(&["--game", "chess"], "cannot be used with");
    refused(&["--referee-option", "seed=3"], "seeds are the openings");
    refused(&["--record", "games.pdn"], "PDN is for checkers");
}

#[test]
fn a_referee_that_fails_in_every_game_ends_a_match_a_test_and_a_ladder() {
    let folder = TestWorkspace::new();
    let referee = "import sys\nfor line in sys.stdin:\n    if line.startswith('###Start'):\n        \
                   print('###Input 0\\n0\\n###Output 0 1', flush=True)\n    elif not line.startswith('###'):\n        \
                   raise ValueError('no such thing')\n";
    std::fs::write(folder.path("broken.py"), referee).unwrap();
    let waits = "import sys\nfor line in sys.stdin:\n    print('WAIT', flush=True)\n";
    for name in ["one.py", "other.py"] {
        std::fs::write(folder.path(name), waits).unwrap();
    }
    let ladder = "referee = 'python3 broken.py'\nreferee_protocol = 'lines'\npairs = 20\nconcurrency = 1\n\
         [[bot]]\nname = \"one\"\ncommand = 'python3 one.py'\n\
         [[bot]]\nname = \"other\"\ncommand = 'python3 other.py'\n";
    std::fs::write(folder.path("ladder.toml"), ladder).unwrap();
    let run = |arguments: &[&str], options: &[&str]| {
        let mut command = crownhead();
        command
            .current_dir(folder.path(""))
            .args(arguments)
            .args(options);
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    let bots = ["python3 one.py", "python3 other.py"];
    let by = [
        "--referee",
        "python3 broken.py",
        "--referee-protocol",
        "lines",
        "--concurrency",
        "1",
    ];
    let (status, shown, error) = run(&["match", bots[0], bots[1], "--games", "30"], &by);
    assert_eq!(status, Some(1), "{error}");
    assert!(
        error.contains("error: the referee failed in 3 games in a row"),
        "{error}"
    );
    assert!(
        shown.contains("games 1–3: ") && shown.contains("not rated  3 "),
        "{shown}"
    );
    assert_eq!(
        (shown + &error)
            .matches("ValueError: no such thing")
            .count(),
        1
    );
    // Too few to know that it always fails, and still nothing was rated.
    let (status, _, error) = run(&["match", bots[0], bots[1], "--games", "2"], &by);
    assert_eq!(status, Some(1), "{error}");
    assert!(error.contains("error: no game could be rated"), "{error}");

    let (status, _, error) = run(&["sprt", bots[0], bots[1]], &by);
    assert_eq!(status, Some(4), "{error}");
    assert!(error.contains("3 pairs in a row are void: "), "{error}");
    run(&["ladder", "new", "."], &[]);
    let (status, _, error) = run(&["ladder", "run", "."], &[]);
    assert_eq!(status, Some(1), "{error}");
    assert!(
        error.contains("the referee failed in every game of 3 seeds in a row"),
        "{error}"
    );
}

#[test]
fn the_first_player_to_fail_ranks_below_later_ones() {
    let arguments = ["--players", "3", "--games", "6", "--openings", "seeds 5"];
    let played = play(
        &referee("engine", AMPLE),
        &["crash", "garbage", "best"],
        &arguments,
    );
    for game in &played.games {
        let failed = game["referee"]["failed"].as_array().unwrap();
        let turn = |place: usize| failed[place]["turn"].as_u64().unwrap() as usize;
        let player = |place| game["turns"][turn(place)]["player"].as_u64().unwrap() as usize;
        assert!(turn(0) < turn(1));
        let points = |player: usize| game["scores"][player].as_f64().unwrap();
        assert_eq!(
            [points(player(0)), points(player(1))],
            [0.0, 0.5],
            "{game:#}"
        );
        let kind = if names(game)[player(0)] == "crash" {
            "crash"
        } else {
            "illegal-reply"
        };
        assert_eq!(failed[0]["termination"], kind);
    }
    let bots = played.summary["bots"].as_array().unwrap().iter();
    let faults: Vec<_> = bots.map(|bot| (&bot["name"], &bot["faults"])).collect();
    assert!(
        faults.contains(&(&json!("crash"), &json!({"crash": 6}))),
        "{faults:?}"
    );
    assert!(
        faults.contains(&(&json!("garbage"), &json!({"illegal-reply": 6}))),
        "{faults:?}"
    );
}
