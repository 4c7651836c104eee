//! Ladders and sequential tests of bots that an external referee judges.

use super::{AMPLE, bot, crownhead, dice_bot, referee};
use crate::common::TestWorkspace;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Output;

/// A folder with a ladder of these bots.
fn ladder(referee: &str, bots: &[&str]) -> TestWorkspace {
    let folder = TestWorkspace::new();
    let mut text = format!("referee = '{referee}'\npairs = 2\nseed = 3\n");
    for how in bots {
        text += &format!("[[bot]]\nname = \"{how}\"\ncommand = '{}'\n", bot(how));
    }
    std::fs::write(folder.path("ladder.toml"), text).unwrap();
    folder
}

/// Runs a command of ladders in that folder: its status and all that it says.
fn run(folder: &TestWorkspace, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = crownhead();
    command
        .current_dir(folder.path(""))
        .arg("ladder")
        .args(arguments);
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[test]
fn a_ladder_plays_seeds_rates_the_bots_and_knows_its_referee() {
    let folder = ladder(&referee("engine", AMPLE), &["best", "worst", "garbage"]);
    for arguments in [["new", "."], ["run", "."]] {
        let (status, told) = run(&folder, &arguments);
        assert_eq!(status, Some(0), "{told}");
    }
    let (_, standings) = run(&folder, &["standings", ".", "--json"]);
    let standings: Value = serde_json::from_str(&standings).unwrap();
    let rows = standings["rows"].as_array().unwrap();
    let order: Vec<&Value> = rows.iter().map(|row| &row["bot"]).collect();
    assert_eq!(order, ["best", "worst", "garbage"]);
    let (_, checked) = run(&folder, &["check", "."]);
    assert!(
        checked.contains("3 bots and 12 games checked: no problems"),
        "{checked}"
    );

    // Games of another referee are not rated with these.
    let path = folder.path("ladder.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace(AMPLE, "--limit 9000")).unwrap();
    let (status, refused) = run(&folder, &["run", "."]);
    assert_ne!(status, Some(0));
    assert!(refused.contains("referee's hash was "), "{refused}");
    assert!(Path::new(&path).exists());
}

#[test]
fn random_plays_in_a_ladder_what_the_referee_lists_and_no_other_built_in_does() {
    let folder = ladder(&referee("lines", "--legal"), &["random", "best"]);
    for arguments in [["new", "."], ["run", "."]] {
        let (status, told) = run(&folder, &arguments);
        assert_eq!(status, Some(0), "{told}");
    }
    let (_, standings) = run(&folder, &["standings", ".", "--json"]);
    let standings: Value = serde_json::from_str(&standings).unwrap();
    assert_eq!(standings["pairs"], 2, "{standings}");
    let path = folder.path("ladder.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let greedy = "[[bot]]\nname = \"greed\"\ncommand = 'greedy'\n";
    std::fs::write(&path, text + greedy).unwrap();
    let (_, told) = run(&folder, &["check", "."]);
    let sentence =
        "greed: of the built-in bots random alone plays a game that only its referee knows";
    assert!(
        told.contains("line 12") && told.contains(sentence),
        "{told}"
    );
}

#[test]
fn a_referee_that_is_not_there_is_reported_with_its_line() {
    let folder = ladder("nothing.jar", &["best"]);
    let (status, told) = run(&folder, &["new", "."]);
    assert_eq!(status, Some(2), "{told}");
    assert!(
        told.contains("ladder.toml") && told.contains("line 1"),
        "{told}"
    );
    assert!(told.contains("there is no program `nothing.jar`"), "{told}");
}

/// A test of whether `best` is better than `worst`, with these arguments.
fn sprt(arguments: &[&str]) -> Output {
    let mut command = crownhead();
    command
        .arg("sprt")
        .args([dice_bot("best"), dice_bot("worst")])
        .args(["--names", "best,worst"])
        .args(["--elo1", "300", "--min-pairs", "4", "--seed", "1"])
        .args(["--referee", &referee("engine", AMPLE)])
        .args(arguments);
    command.output().unwrap()
}

fn result_of(arguments: &[&str]) -> Value {
    let output = sprt(&[arguments, &["--json"]].concat());
    let error = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{error}"))
}

#[test]
fn a_sequential_test_finds_the_better_bot() {
    let result = result_of(&[]);
    assert_eq!(result["verdict"], "better", "{result:#}");
}

#[test]
fn a_sequential_test_compares_two_bots_in_games_with_a_third() {
    let third = dice_bot("garbage");
    let arguments = ["--players", "3", "--also", &third];
    let result = result_of(&arguments);
    assert_eq!(result["verdict"], "better", "{result:#}");
    // Of seven results of a round, three games won by the first bot; the third's faults decide none of them.
    let rounds = &result["pairs_by_half_points"];
    let won = rounds[6].as_u64().unwrap();
    assert!(won >= 4, "{result:#}");
    assert_eq!(rounds, &json!([0, 0, 0, 0, 0, 0, won]));
    assert_eq!(result["decided_by_faults"], 0);
    assert_eq!(result["compared_by"], "rank");
    let faults = result["faults_by_bot"].as_object().unwrap();
    let [of_third] = faults.values().collect::<Vec<_>>()[..] else {
        panic!("{result:#}")
    };
    assert_eq!(of_third["illegal-reply"], 3 * won, "{result:#}");
    let output = sprt(&arguments);
    let text = String::from_utf8_lossy(&output.stdout);
    let field = "each game is a result between best and worst: the better rank wins";
    assert!(text.contains(field), "{text}");
}

#[test]
fn a_sequential_test_wants_a_bot_for_each_seat() {
    for (arguments, wanted) in [
        (&["--players", "3"][..], "expected 1"),
        (&["--also", "./third"], "say how many with --players"),
    ] {
        let output = sprt(arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(wanted), "{told}");
    }
}

#[test]
fn keys_of_a_referee_that_make_no_sense_are_reported_with_their_line() {
    for (keys, sentence) in [
        ("players = 1", "expected 2 to 8 players"),
        ("players = 9", "expected 2 to 8 players"),
        ("referee_option = [\"foo\"]", "expected KEY=VALUE"),
        ("rules = \"contest\"", "the referee has rules of its own"),
    ] {
        let folder = ladder(&referee("engine", AMPLE), &[]);
        let path = folder.path("ladder.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{keys}\n{text}")).unwrap();
        let (status, told) = run(&folder, &["new", "."]);
        assert_eq!(status, Some(2), "{told}");
        assert!(told.contains("line 1") && told.contains(sentence), "{told}");
    }
}

#[test]
fn a_seed_at_which_the_referee_fails_each_time_is_void_and_the_ladder_goes_on() {
    let folder = ladder(
        &referee("engine", &format!("{AMPLE} --fault fail")),
        &["best", "worst"],
    );
    run(&folder, &["new", "."]);
    let (_, told) = run(&folder, &["add", ".", "garbage", &dice_bot("garbage")]);
    let untried =
        "warning: garbage could not be tried in two games against itself: the referee engine";
    assert!(told.contains(untried), "{told}");
    run(&folder, &["disable", ".", "garbage"]);
    let (status, told) = run(&folder, &["run", "."]);
    assert_eq!(status, Some(0), "{told}");
    assert!(
        told.contains("a pair of best and worst is void: the referee engine"),
        "{told}"
    );
    let (_, standings) = run(&folder, &["standings", ".", "--json"]);
    let standings: Value = serde_json::from_str(&standings).unwrap();
    assert_eq!(
        (&standings["pairs"], &standings["rows"][0]["void"]),
        (&0.into(), &2.into())
    );
}
