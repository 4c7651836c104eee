//! The bots of a ladder: what a bot may read of it, who is disabled, and what is another version. `runs/versions` of
//! the ladder's package is about bots that change.

use crate::common::ladder::{Ladder, THREE, read};
use crate::common::written_by;
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
    // Beside the ladder, and in its folder by the configuration.
    for place in ["..", "by name"] {
        let ladder = Ladder::new("pairs = 2", &THREE[..1]);
        change(&ladder, "sandbox = \"off\"", "sandbox = \"auto\"");
        let here = ladder.folder.display();
        let spy = format!(
            "for file in games.db ladder.toml secret.txt; do\n\
               cat {here}/$file >/dev/null 2>&1 && echo it reads $file >&2\n\
             done\n\
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
fn a_bot_is_disabled_and_enabled_by_its_name() {
    let ladder = Ladder::new("pairs = 1", &THREE[..2]);
    let mut disable = ladder.command("disable");
    let disable = disable.args(["taker", "--reason", "takes,\ttoo much"]);
    disable.assert().success();
    let disabled = || rows(&ladder, "taker")[0]["disabled"].clone();
    assert_eq!(disabled(), "takes,too much");
    let table = ladder.command("standings").arg("--csv").assert().success();
    table.stdout(predicate::str::contains(",\"takes,too much\","));
    for wrong in ["nosuch", "chance"] {
        let refused = ladder.command("enable").arg(wrong).assert().code(2);
        refused.stderr(predicate::str::contains("Expected `taker`"));
    }
    ladder.command("enable").arg("taker").assert().success();
    assert_eq!(disabled(), Value::Null);
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
fn a_bot_that_has_changed_is_updated_and_its_earlier_version_rated_apart() {
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
    let told = format!("version {first} are kept and rated apart");
    let update = ladder.command("update").arg("mine").assert().success();
    update.stdout(predicate::str::contains(told));
    ladder.command("run").assert().success();
    let table = ladder.command("standings").assert().success();
    table.stdout(predicate::str::contains(format!("mine@{first}")));
}
