//! The program with Othello: its commands as real processes.

use assert_cmd::Command;
use crownhead::network::Weights;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What a command line of the program prints in this folder, with the exit status that is expected.
fn run(folder: &Path, status: i32, arguments: &str, input: &str) -> String {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("othello"));
    let words = arguments
        .split('|')
        .flat_map(|part| match part.strip_prefix('=') {
            Some(whole) => vec![whole],
            None => part.split_whitespace().collect(),
        });
    let command = command.current_dir(folder).args(words).write_stdin(input);
    let done = command.assert().code(status);
    let output = done.get_output();
    let [out, told] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    format!("{out}{told}")
}

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("othello")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn alphabeta_beats_random_20_to_0_in_games_with_passes_that_can_be_replayed() {
    let folder = folder("match");
    let flags = "--games 20 --seed 1 --time 10s --json --record games.jsonl";
    let bots = "match|=alphabeta --nodes 300|random";
    let result: Value =
        serde_json::from_str(&run(&folder, 0, &format!("{bots}|{flags} -q"), "")).unwrap();
    assert_eq!(result["game"], "othello");
    assert_eq!(result["bots"][0]["score"]["score"], 1.0, "{result:#}");

    let games = std::fs::read_to_string(folder.join("games.jsonl")).unwrap();
    assert!(games.contains("no disc can be placed: "));
    let with_pass = games.lines().position(|game| game.contains("\"PASS\""));
    let number = with_pass.expect("a side passes in one of 20 games") + 1;
    let replayed = run(
        &folder,
        0,
        &format!("replay games.jsonl --game {number}"),
        "",
    );
    assert!(replayed.contains(" played PASS"), "{replayed}");
    let asked = run(
        &folder,
        0,
        &format!("ask games.jsonl --game {number} random"),
        "",
    );
    assert!(asked.contains("is a legal move"), "{asked}");
}

#[test]
fn an_illegal_move_is_refused_in_the_games_words() {
    let folder = folder("refusal");
    let bot = "=sh -c 'while read line; do echo A1; done'";
    let told = run(
        &folder,
        0,
        &format!("match|{bot}|random --games 2 --seed 1 --openings none"),
        "",
    );
    assert!(told.contains("a disc on A1 encloses none: "), "{told}");
}

#[test]
fn a_test_comes_to_its_verdict_and_a_ladder_to_its_table() {
    let folder = folder("ladder");
    let flags = "--seed 1 --time 10s";
    let verdict = run(
        &folder,
        0,
        &format!("sprt|=alphabeta --nodes 300|random|{flags} --elo1 200"),
        "",
    );
    assert!(
        verdict.starts_with("alphabeta --nodes 300 is better than random (LLR "),
        "{verdict}"
    );

    run(&folder, 0, "ladder new night", "");
    let config = folder.join("night/ladder.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    assert!(text.contains("\ngame = \"othello\"\n"), "{text}");
    let few = text.replace("pairs = ", "pairs = 2 # ");
    std::fs::write(&config, few).unwrap();
    for bot in ["greedy|greedy", "alphabeta|=alphabeta --nodes 300"] {
        run(&folder, 0, &format!("ladder add night {bot}"), "");
    }
    run(&folder, 0, "ladder run night -q", "");
    let table = run(&folder, 0, "ladder standings night", "");
    let best = table
        .lines()
        .find(|line| line.trim_start().starts_with('1'));
    assert!(
        best.is_some_and(|line| line.contains("alphabeta")),
        "{table}"
    );
}

#[test]
fn commands_without_a_game_are_about_othello_and_other_games_are_refused() {
    let folder = folder("default");
    assert!(run(&folder, 0, "perft --depth 5", "").contains("1,396"));
    assert!(run(&folder, 0, "bench --depth 3", "").starts_with("24 positions of othello"));
    let turn = run(&folder, 0, "show --protocol", "");
    assert!(turn.ends_with("4\nD3\nC4\nF5\nE6\n"), "{turn}");
    let asked = "ask|--fen|=8/8/8/3bw3/3wb3/8/8/8 b|=alphabeta --depth 3";
    let asked = run(&folder, 0, asked, "");
    assert!(asked.contains("is a legal move"), "{asked}");
    let played = run(&folder, 0, "play random random --seed 1", "");
    assert!(played.contains("no disc can be placed"), "{played}");
    let trained = run(
        &folder,
        0,
        "train games some.games --games 2 --nodes 100",
        "",
    );
    assert!(trained.contains("2 games"), "{trained}");
    let refused = run(&folder, 2, "perft --game checkers", "");
    assert!(refused.contains("Expected `othello`"), "{refused}");
    let refused = run(&folder, 2, "show --fen W:W18:B11", "");
    assert!(
        refused.contains("such as `8/8/8/3bw3/3wb3/8/8/8 b`"),
        "{refused}"
    );
}

#[test]
fn a_network_is_fitted_to_games() {
    let folder = folder("trained");
    run(
        &folder,
        0,
        "train games some.games --games 40 --nodes 100",
        "",
    );
    let settings = "--output some.net --epochs 1 --hidden 16 --scale 150";
    let fitted = run(&folder, 0, &format!("train fit some.games {settings}"), "");
    assert!(fitted.starts_with("learnt from "), "{fitted}");
    let text = std::fs::read_to_string(folder.join("some.net")).unwrap();
    assert!(Weights::parse(&text, 2 * 64, 8).is_ok(), "{text}");
}
