//! The bots of a ladder: what a bot may read of it, who is disabled, what is another version, and what a run takes up while
//! it plays. `runs/versions` of the ladder's package is about bots that change.

use crate::common::ladder::{Ladder, THREE, read};
use crate::common::{wait_until, written_by};
use predicates::prelude::*;
use serde_json::Value;
use std::path::Path;

/// Plays the first move of the list, and does this before.
fn bot(before: &str) -> String {
    format!(
        "{before}\nread colour\n\
         while read row; do\n\
           for more in 2 3 4 5 6 7 8; do read row; done\n\
           read count; read best\n\
           while [ $count -gt 1 ]; do read other; count=$((count - 1)); done\n\
           echo $best\n\
         done\n"
    )
}

/// Puts a script of the shell into a folder.
fn script(folder: &Path, name: &str, text: &str) {
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join(name), text).unwrap();
}

/// A ladder of two built-ins and a script in a folder of its own, which is called `mine`.
fn with_script(settings: &str, before: &str) -> Ladder {
    let ladder = Ladder::new(settings, &THREE[..2]);
    script(&ladder.folder.join("bots"), "mine.sh", &bot(before));
    ladder.add("mine", "sh bots/mine.sh");
    ladder
}

fn change(ladder: &Ladder, before: &str, after: &str) {
    let config = ladder.folder.join("ladder.toml");
    let text = read(&config);
    assert!(text.contains(before), "{text}");
    std::fs::write(&config, text.replace(before, after)).unwrap();
}

/// The rows of the standings that are about this bot.
fn rows(ladder: &Ladder, name: &str) -> Vec<Value> {
    let rows = ladder.standings()["rows"].as_array().unwrap().clone();
    rows.into_iter().filter(|row| row["bot"] == name).collect()
}

#[test]
fn a_bot_reads_nothing_of_the_ladder_it_plays_in_and_locks_nothing() {
    // Beside the ladder, in it, and in its folder by the configuration.
    for place in ["..", ".", "by name"] {
        let ladder = Ladder::new("pairs = 2", &THREE[..1]);
        change(&ladder, "sandbox = \"off\"", "sandbox = \"auto\"");
        let here = ladder.folder.display();
        let spy = format!(
            "for file in games.db ladder.toml secret.txt; do\n\
               cat {here}/$file >/dev/null 2>&1 && echo it reads $file >&2\n\
             done\n\
             ls {here}/versions >/dev/null 2>&1 && echo it reads versions >&2\n\
             exec 9< {here}/games.db && flock -x 9 && sleep 60"
        );
        let own = match place {
            ".." => ladder.folder.parent().unwrap().to_path_buf(),
            _ => ladder.folder.clone(),
        };
        script(&own, "spy.sh", &bot(&format!("({spy}) || true\npwd >&2")));
        script(&ladder.folder, "secret.txt", "another bot's");
        let command = if place == ".." {
            "sh ../spy.sh"
        } else {
            "sh spy.sh"
        };
        let mut add = ladder.command("add");
        add.args(["spy", command]);
        if place == "by name" {
            add.args(["--folder", "."]);
        }
        add.assert().success();
        ladder.command("run").assert().success();
        let games = ladder.games("all.jsonl");
        assert_eq!(games.len(), 4);
        for game in &games {
            let spy = usize::from(game["players"][1]["name"] == "spy");
            let log = written_by(spy, game);
            assert!(!log.contains("it reads"), "{log}");
            assert_ne!(game["termination"], "crash", "{log}");
        }
    }
}

#[test]
fn a_bot_that_loses_all_its_games_by_faults_is_disabled_until_it_is_enabled() {
    let ladder = with_script("pairs = 20", "");
    script(
        &ladder.folder.join("bots"),
        "mine.sh",
        "echo I give up >&2; exit 3",
    );
    // Of three bots six games are enough, and as many more as end at the same time.
    let told = r"mine is disabled: lost (\d+) of its last (\d+) games by faults: (\d+) crash";
    ladder
        .command("run")
        .assert()
        .success()
        .stderr(predicate::str::is_match(told).unwrap());
    let reason = |row: &Value| row["disabled"].as_str().map(String::from);
    let row = &rows(&ladder, "mine")[0];
    assert!(reason(row).unwrap().ends_with(" crash"), "{row}");
    let played = row["pairs"].as_u64().unwrap();
    assert!((3..12).contains(&played), "{row}");
    ladder.command("run").assert().success();
    assert_eq!(rows(&ladder, "mine")[0]["pairs"], played);

    for wrong in ["nosuch", "taker"] {
        ladder
            .command("enable")
            .arg(wrong)
            .assert()
            .code(2)
            .stderr(predicate::str::contains("Expected `mine`"));
    }
    // What it did before is forgiven; what it goes on doing is not.
    ladder.command("enable").arg("mine").assert().success();
    assert_eq!(reason(&rows(&ladder, "mine")[0]), None);
    ladder
        .command("run")
        .assert()
        .success()
        .stderr(predicate::str::is_match(told).unwrap());
    assert!(rows(&ladder, "mine")[0]["pairs"].as_u64().unwrap() > played);
    ladder
        .command("disable")
        .args(["taker", "--reason", "takes too much"])
        .assert()
        .success();
    assert_eq!(
        reason(&rows(&ladder, "taker")[0]).unwrap(),
        "takes too much"
    );
}

#[test]
fn a_bot_that_is_added_plays_a_short_game_and_what_went_wrong_is_shown() {
    let ladder = Ladder::new("", &THREE[..1]);
    let bots = ladder.folder.join("bots");
    script(&bots, "good.sh", &bot(""));
    script(&bots, "bad.sh", "echo no book here >&2; exit 3");
    let add = |name: &str, command: &str| {
        let mut add = ladder.command("add");
        add.args([name, command]).assert().success()
    };
    let told = predicate::str::contains("ladder.toml: it plays by `sh bots/good.sh`\n").and(
        predicate::str::contains(
            "good played a short game as each side against a built-in without a fault",
        ),
    );
    add("good", "sh bots/good.sh").stderr("").stdout(told);
    add("bad", "sh bots/bad.sh").stderr(
        predicate::str::contains("bad failed in a short game as each side against a built-in")
            .and(predicate::str::contains("no book here"))
            .and(predicate::str::contains("status 3")),
    );
    assert!(read(&ladder.folder.join("ladder.toml")).contains("bots/bad.sh"));
    ladder
        .command("add")
        .args(["worse", "sh bots/bad.sh", "--no-smoke-game"])
        .assert()
        .success()
        .stderr("");
}

#[test]
fn check_names_a_script_that_is_not_there() {
    let ladder = with_script("", "");
    std::fs::remove_file(ladder.folder.join("bots/mine.sh")).unwrap();
    ladder
        .command("check")
        .assert()
        .code(2)
        .stdout(predicate::str::contains("there is no file `bots/mine.sh`"));
}

#[test]
fn a_run_takes_up_bots_that_are_added_disabled_enabled_and_retired_meanwhile() {
    // One game at a time: what was begun is over before the next pair is chosen.
    let ladder = Ladder::new("pairs = 20000\nconcurrency = 1", &THREE[..2]);
    let mut run = ladder.run_in_background();
    let pairs = |name: &str| {
        let row = rows(&ladder, name).into_iter().next();
        row.map_or(0, |row| row["pairs"].as_i64().unwrap())
    };
    // In a round each bot plays as often as the others.
    let rests = || {
        let lead = || pairs("taker") - pairs("late");
        let before = lead();
        wait_until(|| "it rests", || lead() > before + 4);
        pairs("late")
    };
    wait_until(|| "the first two play", || pairs("taker") > 2);
    ladder.add("late", "random");
    wait_until(|| "the new one plays", || pairs("late") > 2);
    ladder.command("disable").arg("late").assert().success();
    let rested = rests();
    ladder.command("enable").arg("late").assert().success();
    wait_until(|| "it plays again", || pairs("late") > rested);
    ladder.command("remove").arg("late").assert().success();
    let rested = rests();
    assert!(rested > 0, "its games are kept");
    let others = pairs("taker");
    wait_until(|| "the others play on", || pairs("taker") > others);
    assert_eq!(pairs("late"), rested);
    run.kill().unwrap();
    run.wait().unwrap();
    ladder.command("check").assert().success();
}

#[test]
fn a_bot_that_has_changed_plays_on_only_as_a_new_version_and_is_rated_apart() {
    let ladder = with_script("pairs = 1", "");
    ladder.command("run").assert().success();
    let first = rows(&ladder, "mine")[0]["version"].clone();
    let first = first.as_str().unwrap();
    script(&ladder.folder.join("bots"), "mine.sh", &bot("# better"));
    let folder = ladder.folder.display().to_string();
    let way_out = format!("crownhead ladder update {folder} mine");
    ladder.command("run").assert().code(2).stderr(
        predicate::str::contains(way_out)
            .and(predicate::str::contains("mine.sh differs"))
            .and(predicate::str::contains("--accept-changes")),
    );
    ladder
        .command("update")
        .arg("mine")
        .assert()
        .success()
        .stdout(predicate::str::contains(format!(
            "version {first} are kept and rated apart"
        )));
    ladder.command("run").assert().success();
    let versions = rows(&ladder, "mine");
    assert_eq!(versions.len(), 2, "{versions:?}");
    for row in &versions {
        assert_eq!(row["pairs"], 2, "{row}");
        assert_eq!(row["current"] == true, row["version"] != first, "{row}");
    }
    let table = ladder.command("standings").output().unwrap();
    let table = String::from_utf8(table.stdout).unwrap();
    assert!(table.contains(&format!("mine@{first}")), "{table}");
    assert_eq!(ladder.standings()["pairs"], 5);
    for option in ["--crosstable", "--csv"] {
        ladder.command("standings").arg(option).assert().success();
    }
    let history = ladder.folder.join("history.svg");
    ladder
        .command("standings")
        .arg("--plot-history")
        .arg(history)
        .assert()
        .success();

    // Each game says which versions played it.
    let games = ladder.games("games.jsonl");
    let of_first = |game: &&Value| {
        let players = game["players"].as_array().unwrap();
        players.iter().any(|player| player["version"] == first)
    };
    assert_eq!(games.iter().filter(of_first).count(), 4);

    // What played before can be written out again, and plays as the version it was.
    let restored = ladder.folder.join("restored");
    ladder
        .command("restore")
        .args(["mine", &first[..5]])
        .arg(&restored)
        .assert()
        .success();
    assert_eq!(read(&restored.join("mine.sh")), bot(""));
    std::fs::copy(restored.join("mine.sh"), ladder.folder.join("bots/mine.sh")).unwrap();
    ladder
        .command("run")
        .arg("--accept-changes")
        .assert()
        .success();
    assert_eq!(ladder.standings()["pairs"], 5, "nothing is played again");
    let current = rows(&ladder, "mine");
    let current = current.iter().find(|row| row["current"] == true).unwrap();
    assert_eq!(current["version"], first);
}
