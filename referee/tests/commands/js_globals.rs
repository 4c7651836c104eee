//! Bots in JavaScript that use the global functions of the contest's site play as they are. Without Node that is
//! skipped, and said.

use crate::common::skip::is_there;
use crate::common::{AMPLE_TIME, TestWorkspace, match_of, records};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;

/// As the contest's site hands it to beginners.
const GLOBAL: &str = "#!/usr/bin/env node
const colour = readline();
while (true) {
    for (let i = 0; i < 8; i++) {
        const row = readline();
        if (row === null) process.exit(0);
    }
    const count = parseInt(readline());
    const moves = [];
    for (let i = 0; i < count; i++) {
        moves.push(readline());
    }
    printErr('moves:', count);
    print(moves[0]);
}
";

/// Writes a bot as a program, and gives its path.
fn write(workspace: &TestWorkspace, name: &str, text: &str) -> String {
    let path = workspace.path(name);
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path.to_str().unwrap().into()
}

/// What a game against random prints, and its record.
fn play(workspace: &TestWorkspace, bot: &str, options: &[&str]) -> (String, Value) {
    let record = workspace.path("record");
    let done = match_of(bot, "random", 1, 3)
        .args(AMPLE_TIME)
        .args(options)
        .arg("--record")
        .arg(&record)
        .output()
        .unwrap();
    let game = records(&record).remove(0);
    std::fs::remove_file(record).unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    (text, game)
}

#[test]
fn a_bot_of_the_contest_s_site_plays_as_it_is_however_node_is_started() {
    if !is_there("node") {
        return;
    }
    let workspace = TestWorkspace::new();
    let path = write(&workspace, "bot.js", GLOBAL);
    let quoted = format!("'{path}'");
    for bot in [format!("env node --stack-size=4000 {quoted}"), path.clone()] {
        let (text, game) = play(&workspace, &bot, &[]);
        let termination = game["termination"].as_str().unwrap();
        let is_by_rules = ["no-moves", "turn-limit"].contains(&termination);
        assert!(is_by_rules, "{bot}: {text}");
        let command = game["players"][0]["command"].as_str().unwrap();
        let command = command.replace('\'', "");
        let as_given = bot.replace(&quoted, &path);
        assert!(command.ends_with(&as_given), "{command} for {bot}");
        assert_eq!(game["turns"][0]["stderr"]["text"], "moves: 7\n", "{game}");
    }
}

#[test]
fn without_them_such_a_bot_loses_with_the_words_of_its_error() {
    if !is_there("node") {
        return;
    }
    let workspace = TestWorkspace::new();
    let path = write(&workspace, "bot.js", GLOBAL);
    let (text, game) = play(&workspace, &format!("node '{path}'"), &["--no-js-globals"]);
    assert_eq!(game["termination"], "crash", "{text}");
    assert!(
        text.contains("ReferenceError: readline is not defined"),
        "{text}"
    );
}
