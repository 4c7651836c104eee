//! What a bot has of the environment of the person who starts the referee.

use crate::common::{TestWorkspace, crownhead, match_of};
use assert_cmd::Command;

/// Variables that would change how a bot runs, or that a hostile bot could print.
const WITHHELD: [(&str, &str); 9] = [
    ("PYTHONUNBUFFERED", "1"),
    ("PYTHONPATH", "/opt/modules"),
    ("NODE_OPTIONS", "--stack-size=4000"),
    ("JAVA_TOOL_OPTIONS", "-Xss512m"),
    // It is there, and does nothing to a program that runs already.
    ("LD_PRELOAD", "libc.so.6"),
    ("GITHUB_TOKEN", "a-secret"),
    ("AWS_SECRET_ACCESS_KEY", "a-secret"),
    ("PGPASSWORD", "a-secret"),
    ("BASH_ENV", "/dev/null"),
];

/// What a bot says of its environment when it is started by this command, each variable a line.
fn environment_of(mut command: Command, options: &[&str]) -> Vec<String> {
    let workspace = TestWorkspace::new();
    let record = workspace.path("games.jsonl");
    command.args(["--max-turns", "2", "--record"]).arg(&record);
    command.args(["--time", "30s", "--first-turn", "30s"]);
    command
        .args(options)
        .envs(WITHHELD)
        .env("LC_TIME", "C.UTF-8");
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    let game = std::fs::read_to_string(record).unwrap();
    let game: serde_json::Value = serde_json::from_str(game.lines().next().unwrap()).unwrap();
    let said = game["players"][0]["stderr_before"].to_string() + &game["turns"].to_string();
    let said = said.replace("\\n", "\n").replace('"', "\n");
    said.lines()
        .filter(|line| line.contains('='))
        .map(Into::into)
        .collect()
}

#[test]
fn a_bot_has_what_finds_it_and_what_env_passes_and_nothing_else_of_the_environment() {
    let workspace = TestWorkspace::new();
    let bot = workspace.bot("teller", "env >&2; while turn; do echo \"$move\"; done");
    for sandbox in ["auto", "off"] {
        let run = |options: &[&str]| {
            let options = [&["--sandbox", sandbox], options].concat();
            environment_of(match_of(&bot, "random", 1, 1), &options)
        };
        let has = |said: &[String], line: &str| said.iter().any(|said| said == line);
        let usual = run(&[]);
        assert!(has(&usual, "LC_TIME=C.UTF-8"), "{sandbox}: {usual:?}");
        assert!(
            usual.iter().any(|line| line.starts_with("PATH=/")),
            "{usual:?}"
        );
        let withheld = WITHHELD.map(|(name, _)| format!("{name}="));
        let set = |line: &String| withheld.iter().any(|name| line.starts_with(name));
        let known: Vec<&String> = usual.iter().filter(|line| set(line)).collect();
        // The functions for bots in JavaScript.
        assert!(
            known
                .iter()
                .all(|line| line.starts_with("NODE_OPTIONS=--require ")),
            "{sandbox}: {known:?}"
        );
        let variables = ["GITHUB_TOKEN", "DEPTH=3", "DEPTH=5", "EMPTY="];
        let variables = variables.iter().flat_map(|variable| ["--env", *variable]);
        let passed = run(&variables.chain(["--no-js-globals"]).collect::<Vec<_>>());
        for line in ["GITHUB_TOKEN=a-secret", "DEPTH=5", "EMPTY="] {
            assert!(has(&passed, line), "{sandbox}: {line}: {passed:?}");
        }
        let known: Vec<&String> = passed.iter().filter(|line| set(line)).collect();
        assert_eq!(known, ["GITHUB_TOKEN=a-secret"], "{sandbox}");
    }
}

#[test]
fn a_variable_without_a_name_or_a_value_is_refused_before_the_first_game() {
    for (variable, told) in [
        ("=x", "expected NAME or NAME=VALUE"),
        ("", "NAME or NAME=VALUE"),
        (
            "NO_SUCH_VARIABLE",
            "`--env`: `NO_SUCH_VARIABLE` is not set here: `--env NO_SUCH_VARIABLE=VALUE` gives it a value",
        ),
    ] {
        crownhead()
            .args([
                "match", "random", "greedy", "--games", "1", "--env", variable,
            ])
            .env_remove("NO_SUCH_VARIABLE")
            .assert()
            .code(2)
            .stderr(predicates::str::contains(told));
    }
}

#[test]
fn a_bot_that_fails_without_a_variable_is_told_its_name_and_the_option_that_passes_it() {
    let workspace = TestWorkspace::new();
    let bot = workspace.bot(
        "needs",
        "set -u; depth=$SEARCH_DEPTH; while turn; do echo \"$move\"; done",
    );
    let told = |options: &[&str]| {
        let mut command = match_of(&bot, "random", 1, 1);
        command.args(["--max-turns", "2", "--time", "30s", "--first-turn", "30s"]);
        command.args(options).env("SEARCH_DEPTH", "3");
        let output = command.output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let set = told(&[]);
    assert!(
        set.contains("It has no variable `SEARCH_DEPTH`: `--env SEARCH_DEPTH` gives it yours"),
        "{set}"
    );
    let passed = told(&["--env", "SEARCH_DEPTH"]);
    assert!(!passed.contains("crash"), "{passed}");
}
