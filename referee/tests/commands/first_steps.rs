//! The commands that a newcomer types first.

use crate::common::skip::is_there;
use crate::common::{TestWorkspace, crownhead};
use predicates::prelude::*;
use serde_json::Value;

#[test]
fn a_bot_alone_plays_a_match_against_greedy() {
    let workspace = TestWorkspace::new();
    let bot = workspace.honest_bot();
    let result = workspace.match_json(&[&bot, "--games", "1", "--max-turns", "4"]);
    let names = result["bots"].as_array().unwrap().iter();
    let names: Vec<_> = names.map(|bot| bot["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["honest", "greedy"]);
}

#[test]
fn a_fault_is_explained_and_a_misspelt_one_is_answered_with_the_nearest() {
    let explained = crownhead().args(["explain", "illegal", "reply"]).assert();
    explained.success().stdout(
        predicate::str::starts_with("illegal-reply: ")
            .and(predicate::str::contains("\nHow to fix it:\n")),
    );
    let unknown = crownhead().args(["explain", "timout"]).assert().code(2);
    let error = "error: there is no fault `timout`. Did you mean `timeout`?\n";
    unknown.stdout("").stderr(error);
}

/// The checks that were made, each with whether it was passed, and the exit status.
fn checked(bot: &str, options: &[&str]) -> (Vec<(String, bool)>, String, Option<i32>) {
    let done = crownhead()
        .args(["check", bot, "--json", "--time", "10s"])
        .args(options)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&done.stderr);
    let result: Value = serde_json::from_slice(&done.stdout).unwrap_or_else(|_| panic!("{error}"));
    let checks = result["checks"].as_array().unwrap();
    let passed = |check: &Value| check["passed"].as_bool().unwrap();
    assert_eq!(result["passed"], checks.iter().all(passed));
    let names = checks.iter().map(|check| {
        let name = check["name"].as_str().unwrap();
        (name.to_string(), passed(check))
    });
    let problems = checks.iter().filter_map(|check| check["problem"].as_str());
    (
        names.collect(),
        problems.collect::<Vec<_>>().join("\n"),
        done.status.code(),
    )
}

#[test]
fn a_bot_that_is_ready_for_the_contest_passes_every_check() {
    let workspace = TestWorkspace::new();
    let (checks, problems, status) = checked(&workspace.honest_bot(), &["--first-turn", "30s"]);
    assert_eq!((problems.as_str(), status), ("", Some(0)));
    let names: Vec<&str> = checks.iter().map(|(name, _)| name.as_str()).collect();
    let games = ["plays-first", "plays-second", "plays-second-live"];
    assert_eq!(
        names[..4],
        ["start", "first-turn", "line-ends", "late-turn"]
    );
    assert_eq!(names[4..7], games);
    // Not every system shows when a bot is ready, and how much memory it uses.
    assert!(
        names[7..]
            .iter()
            .all(|name| ["start-time", "memory"].contains(name))
    );
}

#[test]
fn a_bot_that_knows_too_few_colour_lines_fails_where_it_would_fail_on_the_site() {
    let workspace = TestWorkspace::new();
    let script = "case $colour in b|r) ;; *) exit 4 ;; esac\nwhile turn; do echo \"$move\"; done";
    let bot = workspace.bot("strict", script);
    let (checks, problems, status) = checked(&bot, &["--first-turn", "30s"]);
    let failed = checks.iter().filter(|(_, passed)| !passed);
    let failed: Vec<&str> = failed.map(|(name, _)| name.as_str()).collect();
    assert_eq!(failed, ["line-ends", "plays-second-live"], "{problems}");
    assert_eq!(status, Some(1));
    for fix in [
        "Remove white space from both ends of each line",
        "be black on `b`, and red on all else. See `crownhead explain crash`",
    ] {
        assert!(problems.contains(fix), "{problems}");
    }
}

#[test]
fn a_bot_that_is_silent_in_its_first_turn_is_tried_no_further() {
    let workspace = TestWorkspace::new();
    let bot = workspace.bot("silent", "while turn; do :; done");
    let (checks, problems, status) = checked(&bot, &["--first-turn", "100ms"]);
    let expected = [("start".into(), true), ("first-turn".into(), false)];
    assert_eq!(checks, expected, "{problems}");
    assert!(problems.contains("then flush the output"), "{problems}");
    assert_eq!(status, Some(1));
}

#[test]
fn the_doctor_finds_what_hides_a_missing_flush() {
    let done = crownhead()
        .arg("doctor")
        .env("PYTHONUNBUFFERED", "1")
        .output()
        .unwrap();
    let told = String::from_utf8(done.stdout).unwrap();
    assert!(
        told.contains(
            "  ✗ PYTHONUNBUFFERED: set in your shell; bots do not get it\n      A Python"
        ),
        "{told}"
    );
    assert!(told.contains("unset PYTHONUNBUFFERED\n"), "{told}");
    let (_, sandbox) = told.split_once("\nSandbox\n").unwrap();
    let (sandbox, _) = sandbox.split_once("\nLanguages\n").unwrap();
    let mut lines = sandbox.lines().peekable();
    assert!(lines.peek().is_some(), "{told}");
    while let Some(line) = lines.next() {
        let is_missing = line.starts_with("  ✗ ");
        let fix = lines.next_if(|next| next.starts_with("      To get it: "));
        assert_eq!(fix.is_some(), is_missing, "{line}");
    }
    assert_eq!(done.status.success(), !told.contains(" (needed)"), "{told}");
}

#[test]
fn a_first_bot_is_written_and_passes_the_check_that_its_readme_names() {
    let workspace = TestWorkspace::new();
    let init = |options: &[&str]| {
        let mut command = crownhead();
        command.current_dir(workspace.path("")).arg("init");
        command.args(options).assert()
    };
    for (lang, file, command) in [
        (
            "python",
            "starter.py",
            "crownhead check \"python3 starter.py\"",
        ),
        (
            "c++",
            "starter.cpp",
            "g++ -std=c++17 -O2 -o starter starter.cpp",
        ),
        (
            "javascript",
            "starter.js",
            "crownhead check \"node starter.js\"",
        ),
        ("java", "Player.java", "javac Player.java"),
        ("rust", "starter.rs", "rustc --edition 2021 -O starter.rs"),
        ("go", "starter.go", "go build starter.go"),
        ("csharp", "starter.csproj", "dotnet build -c Release -o out"),
    ] {
        let said = init(&["--lang", lang, lang])
            .success()
            .get_output()
            .stdout
            .clone();
        let said = String::from_utf8(said).unwrap();
        assert!(said.contains(&format!("\n  {command}\n")), "{said}");
        let folder = workspace.path(lang);
        let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
        assert!(readme.contains(&format!("\n$ {command}\n")), "{readme}");
        assert!(folder.join(file).metadata().unwrap().len() > 100);
    }
    let again = init(&["python"]).code(2);
    again.stderr(predicate::str::contains("python` is not empty"));
    if is_there("python3") {
        let bot = format!("python3 {}", workspace.path("python/starter.py").display());
        let (_, problems, status) = checked(&bot, &["--first-turn", "30s"]);
        assert_eq!((problems.as_str(), status), ("", Some(0)));
    }
}
