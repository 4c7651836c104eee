//! The tables and the help that people read, whole: what they said when somebody last looked at them.
//!
//! Bots are seeded and play one game after the other; times and versions are made alike. After a
//! change of what is said, `cargo insta review` shows both, and `INSTA_UPDATE=always` takes the new one.

use crate::common::ladder::Ladder;
use crate::common::{AMPLE_TIME, TestWorkspace, crownhead};

/// What the program prints on standard output, and the status that it ends with.
fn printed(arguments: &[&str]) -> (String, i32) {
    let done = crownhead().args(arguments).output().unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    let error = String::from_utf8_lossy(&done.stderr);
    assert!(!text.is_empty(), "{error}");
    (text, done.status.code().unwrap())
}

/// Compares with what was printed before, except times.
fn is_as_before(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    // Limits are whole numbers, measured times are not.
    settings.add_filter(r" +([0-9]+ µs|[0-9]+\.[0-9]+ m?s)\b", " [time]");
    // In comma-separated values they are bare numbers.
    settings.add_filter(r",\d+,(\d+,(?:true|false),)", ",[time],$1");
    settings.add_filter(r"\b[0-9a-f]{12}\b", "[version]");
    settings.add_filter(
        "answers +median +p99 +p99.9 +worst",
        "answers [median p99 p99.9 worst]",
    );
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// A match or a test of built-in bots whose result the seed decides alone.
fn played(arguments: &[&str]) -> (String, i32) {
    let seeded = ["--seed", "7", "--concurrency", "1"];
    printed(&[arguments, &AMPLE_TIME, &seeded].concat())
}

#[test]
fn a_match_of_two_tells_score_elo_times_and_endings() {
    let (text, _) = played(&["match", "greedy", "random", "--games", "6"]);
    is_as_before("match", &text);
}

#[test]
fn a_match_of_three_tells_ratings_and_the_points_of_each_against_each() {
    let bots = ["greedy", "random", "random"];
    let names = ["--names", "taker,chance,dice"];
    let games = ["--games", "4", "--max-turns", "60"];
    let (text, _) = played(&[&["match"][..], &bots, &names, &games].concat());
    is_as_before("match-of-three", &text);
}

#[test]
fn a_match_with_faults_explains_each() {
    let workspace = TestWorkspace::new();
    let bot = workspace.bot("invents", "while turn; do echo A1A1; done");
    let options = ["--names", "invents,chance", "--games", "2"];
    let (text, _) = played(&[&["match", &bot, "random"][..], &options].concat());
    is_as_before("match-with-faults", &text);
}

#[test]
fn a_sequential_test_shows_verdict_hypotheses_score_and_pairs() {
    let options = ["--elo1", "300", "--min-pairs", "4", "--max-turns", "60"];
    let (text, status) = played(&[&["sprt", "greedy", "random"][..], &options].concat());
    is_as_before("sprt", &text);
    assert_eq!(status, 1);
}

#[test]
fn a_ladder_tells_its_standings_its_crosstable_and_its_games() {
    let bots = [
        ("chance", "random"),
        ("taker", "greedy"),
        ("deep", "alphabeta --depth 2"),
    ];
    let ladder = Ladder::new("pairs = 2\nseed = 5", &bots);
    let config = ladder.folder.join("ladder.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("max_turns = 30", "max_turns = 150")).unwrap();
    ladder.command("run").assert().success();
    ladder.command("disable").arg("chance").assert().success();
    let folder = ladder.folder.to_str().unwrap();
    for what in [
        &["standings"][..],
        &["standings", "--crosstable"],
        &["standings", "--csv"],
    ] {
        let (text, _) = printed(&[&["ladder"], what, &[folder]].concat());
        let name = what.join("").replace("--", "-");
        is_as_before(&format!("ladder-{name}"), &text);
    }
}

#[test]
fn a_position_is_shown_with_its_moves() {
    let (text, _) = printed(&["show", "--fen", "W:W18,K32:B11,K15", "--ascii"]);
    is_as_before("show", &text);
}

#[test]
fn help_tells_what_there_is() {
    for command in [
        "",
        "match",
        "sprt",
        "play",
        "ladder",
        "ladder run",
        "bench",
        "replay",
        "bundle",
        "serve",
        "referee",
        "referee new",
        "referee check",
    ] {
        let words: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let (text, status) = printed(&words);
        assert_eq!(status, 0);
        is_as_before(&format!("help {command}").trim().replace(' ', "-"), &text);
    }
}
