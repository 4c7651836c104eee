//! The bots of a ladder: what a bot may read of it, who is disabled, and what a run takes up while it plays.
//! `bot_versions` is about bots that change.

use crate::common::ladder::{Ladder, THREE, read};
use crate::common::{wait_until, written_by};
use predicates::prelude::*;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// Plays the first move of the list, and does this before.
pub(super) fn bot(before: &str) -> String {
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
pub(super) fn script(folder: &Path, name: &str, text: &str) {
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join(name), text).unwrap();
}

/// A ladder of two built-ins and a script in a folder of its own, which is called `mine`.
pub(super) fn with_script(settings: &str, before: &str) -> Ladder {
    let ladder = Ladder::new(settings, &THREE[..2]);
    script(&ladder.folder.join("bots"), "mine.sh", &bot(before));
    ladder.add("mine", "sh bots/mine.sh");
    ladder
}

pub(super) fn change(ladder: &Ladder, before: &str, after: &str) {
    let config = ladder.folder.join("ladder.toml");
    let text = read(&config);
    assert!(text.contains(before), "{text}");
    std::fs::write(&config, text.replace(before, after)).unwrap();
}

/// The rows of the standings that are about this bot.
pub(super) fn rows(ladder: &Ladder, name: &str) -> Vec<Value> {
    let rows = ladder.standings()["rows"].as_array().unwrap().clone();
    rows.into_iter().filter(|row| row["bot"] == name).collect()
}

#[test]
fn other_limits_than_those_that_were_played_by_are_refused_with_the_way_out() {
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    change(&ladder, "max_turns = 30", "max_turns = 40");
    change(&ladder, "first_turn = \"20s\"", "first_turn = \"21s\"");
    ladder.command("run").assert().code(2).stderr(
        predicate::str::contains("first_turn was 20s and is 21s, max_turns was 30 and is 40")
            .and(predicate::str::contains("crownhead ladder new OTHER")),
    );
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
fn a_bot_runs_in_the_folder_of_its_first_file_and_that_is_told_once() {
    let ladder = with_script("pairs = 1", "[ -f mine.sh ] || exit 7\npwd >&2");
    let bots = ladder.folder.join("bots").canonicalize().unwrap();
    let told = format!("mine runs in {}", bots.display());
    ladder
        .command("run")
        .assert()
        .success()
        .stderr(predicate::str::contains(&told));
    let games = ladder.games("all.jsonl");
    assert!(
        games.iter().all(|game| game["termination"] != "crash"),
        "{games:?}"
    );
    change(&ladder, "pairs = 1", "pairs = 2");
    ladder
        .command("run")
        .assert()
        .success()
        .stderr(predicate::str::contains("mine runs in").not());
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
            .stderr(predicate::str::contains("expected mine"));
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
        .args(["taker", "takes too much"])
        .assert()
        .success();
    assert_eq!(
        reason(&rows(&ladder, "taker")[0]).unwrap(),
        "takes too much"
    );
}

#[test]
fn a_bot_with_far_more_void_pairs_than_others_plays_on() {
    let bots = [
        ("a", "random"),
        ("b", "random"),
        ("c", "random"),
        ("d", "random"),
        ("e", "random"),
    ];
    let ladder = Ladder::new("pairs = 6", &bots);
    ladder.command("run").assert().success();
    let database = rusqlite::Connection::open(ladder.folder.join("games.db")).unwrap();
    database
        .execute_batch(
            "CREATE TEMP TABLE gone AS SELECT id FROM pair WHERE first = 'a' AND round < 4;
             DELETE FROM game WHERE pair IN gone;
             UPDATE pair SET void = 'lost on time while it waited for a core' WHERE id IN gone;",
        )
        .unwrap();
    ladder.command("check").assert().success();
    let row = &rows(&ladder, "a")[0];
    assert_eq!(
        (&row["void"], &row["pairs"]),
        (&16.into(), &8.into()),
        "{row}"
    );
    let table = ladder.command("standings").output().unwrap();
    assert!(String::from_utf8(table.stdout).unwrap().contains("16 void"));
    change(&ladder, "pairs = 6", "pairs = 7");
    ladder
        .command("run")
        .assert()
        .success()
        .stderr(predicate::str::contains("disabled").not());
    assert_eq!(rows(&ladder, "a")[0]["pairs"], 12);
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
    let ladder = Ladder::new("pairs = 20000", &THREE[..2]);
    let mut run = ladder.run_in_background();
    let pairs = |name: &str| {
        rows(&ladder, name)
            .first()
            .and_then(|row| row["pairs"].as_u64())
    };
    wait_until(|| "the first two play", || pairs("taker") > Some(2));
    ladder.add("late", "random");
    wait_until(|| "the new one plays", || pairs("late") > Some(2));
    ladder.command("disable").arg("late").assert().success();
    let rests = |name: &str| {
        let mut before = None;
        wait_until(
            || "it rests",
            || {
                std::thread::sleep(Duration::from_millis(1500));
                let now = pairs(name);
                std::mem::replace(&mut before, now) == now
            },
        );
    };
    rests("late");
    let rested = pairs("late");
    ladder.command("enable").arg("late").assert().success();
    wait_until(|| "it plays again", || pairs("late") > rested);
    ladder.command("remove").arg("late").assert().success();
    rests("late");
    let (rested, others) = (pairs("late"), pairs("taker"));
    wait_until(|| "the others play on", || pairs("taker") > others);
    assert_eq!(pairs("late"), rested);
    run.kill().unwrap();
    run.wait().unwrap();
    ladder.command("check").assert().success();
}
