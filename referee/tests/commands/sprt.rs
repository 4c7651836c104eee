//! `crownhead sprt` with real bot processes: its verdicts and exit statuses.

use crate::common::{AMPLE_TIME, TestWorkspace, crownhead};
use predicates::prelude::*;
use serde_json::Value;

/// A test that a few dozen short games decide.
const QUICK: [&str; 8] = [
    "--elo1",
    "300",
    "--min-pairs",
    "4",
    "--openings",
    "random 6",
    "--max-turns",
    "60",
];

fn sprt(arguments: &[&str]) -> (i32, Value) {
    let output = crownhead()
        .arg("sprt")
        .args(arguments)
        .args(AMPLE_TIME)
        .arg("--json")
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    let json = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{error}"));
    (output.status.code().unwrap(), json)
}

#[test]
fn a_clearly_better_bot_is_accepted_with_status_0_and_its_games_are_recorded() {
    let workspace = TestWorkspace::new();
    let record = workspace.path("games.jsonl");
    let arguments = [
        "alphabeta --depth 4",
        "random",
        "--seed",
        "1",
        "--concurrency",
        "2",
    ];
    let recorded = ["--record", record.to_str().unwrap()];
    let (status, result) = sprt(&[&arguments[..], &QUICK, &recorded].concat());
    assert_eq!(
        (status, &result["verdict"]),
        (0, &"better".into()),
        "{result}"
    );
    let pairs = result["pairs"].as_u64().unwrap();
    let counts = result["pairs_by_half_points"].as_array().unwrap();
    let sum: u64 = counts.iter().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(sum, pairs);
    let games = std::fs::read_to_string(record).unwrap().lines().count() as u64;
    assert!(games >= 2 * pairs, "{games} games of {pairs} pairs");
}

#[test]
fn a_clearly_worse_bot_is_refused_with_status_1() {
    let arguments = ["random", "alphabeta --depth 4", "--seed", "1"];
    let (status, result) = sprt(&[&arguments[..], &QUICK].concat());
    assert_eq!(
        (status, &result["verdict"]),
        (1, &"not-better".into()),
        "{result}"
    );
}

#[test]
fn a_bot_that_cannot_start_ends_the_test_before_its_first_game() {
    let workspace = TestWorkspace::new();
    let broken = workspace.bot("broken", "");
    std::fs::write(&broken, "#!/no/such/interpreter\n").unwrap();
    let record = workspace.path("games.jsonl");
    for bots in [["random", &broken], [&broken, "random"]] {
        crownhead()
            .arg("sprt")
            .args(bots)
            .args(["--elo1", "200", "--record"])
            .arg(&record)
            .assert()
            .code(2)
            .stdout("")
            .stderr(predicate::str::contains("`broken` cannot start: "));
        assert!(!record.exists(), "nothing was played");
    }
}

#[test]
fn a_verdict_that_faults_decide_is_none_and_has_a_status_of_its_own() {
    let workspace = TestWorkspace::new();
    let crashes = workspace.bot("crashes", "turn; exit 3");
    let arguments = ["random", &crashes, "--seed", "1", "--sandbox", "off"];
    let (status, result) = sprt(&[&arguments[..], &QUICK].concat());
    assert_eq!(
        (status, &result["verdict"]),
        (5, &"faults".into()),
        "{result}"
    );
    assert_eq!(result["decided_by_faults"], result["decided_pairs"]);
    let faults = result["faults_by_bot"]["crashes"]["crash"].as_u64();
    assert!(faults >= Some(8), "{result}");
    assert!(
        result["faults"][0]["reason"]
            .as_str()
            .unwrap()
            .contains("exit status 3"),
        "{result}"
    );
    let (status, result) = sprt(&[&arguments[..], &QUICK, &["--count-faults"]].concat());
    assert_eq!(
        (status, &result["verdict"]),
        (0, &"better".into()),
        "{result}"
    );
    crownhead()
        .arg("sprt")
        .args(arguments)
        .args(QUICK)
        .assert()
        .code(5)
        .stdout(predicate::str::contains(
            "No verdict on whether random is better than crashes (LLR ",
        ))
        .stdout(predicate::str::contains(
            "(crashes): the bot ended with exit status 3",
        ))
        .stdout(predicate::str::contains("--count-faults"));
}

#[test]
fn equal_bots_are_undecided_at_the_limit_with_status_3() {
    let arguments = ["random", "random", "--max-pairs", "6", "--max-turns", "30"];
    let (status, result) = sprt(&arguments);
    assert_eq!(
        (status, &result["verdict"]),
        (3, &"undecided".into()),
        "{result}"
    );
    assert_eq!(result["pairs"], 6);
}

#[test]
fn the_verdict_is_the_same_however_many_pairs_are_played_at_once() {
    let run = |concurrency| {
        let arguments = [
            "greedy",
            "random",
            "--seed",
            "5",
            "--concurrency",
            concurrency,
        ];
        let (_, result) = sprt(&[&arguments[..], &QUICK].concat());
        (
            result["verdict"].clone(),
            result["pairs_by_half_points"].clone(),
        )
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn the_verdict_is_a_sentence_above_the_hypotheses_and_the_endings() {
    crownhead()
        .args([
            "sprt",
            "greedy",
            "random",
            "--max-pairs",
            "2",
            "--max-turns",
            "20",
            "--time",
            "60s",
            "--first-turn",
            "60s",
        ])
        .assert()
        .code(3)
        .stdout(predicate::str::contains(
            "Undecided whether greedy is better than random (LLR ",
        ))
        .stdout(predicate::str::contains(
            " between -2.94 and 2.94, 2 pairs, ",
        ))
        .stdout(predicate::str::contains(
            "H0: ≤ 0, H1: ≥ 10 normalised Elo, α 0.05, β 0.05",
        ))
        .stdout(predicate::str::contains("turn limit 4"));
}

#[test]
fn hypotheses_that_cannot_be_told_apart_are_refused() {
    for (arguments, told) in [
        (
            ["--elo0", "10", "--elo1", "10"],
            "`--elo0 10` is not less than `--elo1 10`",
        ),
        (["--alpha", "0.7", "--elo1", "5"], "`--alpha 0.7`: expected"),
    ] {
        crownhead()
            .args(["sprt", "random", "greedy"])
            .args(arguments)
            .assert()
            .code(2)
            .stderr(predicate::str::contains(told));
    }
}
