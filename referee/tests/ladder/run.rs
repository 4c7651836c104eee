//! `crownhead ladder` as a person uses it: made, filled, run, killed, run again.

use crate::common::ladder::{Ladder, THREE, read};
use predicates::prelude::*;
use serde_json::Value;

#[test]
fn a_ladder_is_made_filled_run_and_shown_in_every_form() {
    let ladder = Ladder::new("pairs = 2\nseed = 3", &THREE[..1]);
    for (name, command) in &THREE[1..] {
        ladder.add(name, command);
    }
    let config = ladder.folder.join("ladder.toml");
    let anchored = format!(
        "anchor = {{ bot = \"chance\", rating = 100 }}\n{}",
        read(&config)
    );
    std::fs::write(&config, anchored).unwrap();
    ladder
        .command("run")
        .assert()
        .success()
        .stdout(predicate::str::starts_with("#  bot "))
        .stderr(predicate::str::contains("6 pairs finished, 0 left"));
    let again = ladder.command("run").arg("--json").output().unwrap();
    let printed: Value = serde_json::from_slice(&again.stdout).unwrap();
    let standings = ladder.standings();
    assert_eq!(printed, standings);
    assert_eq!(standings["pairs"], 6);
    let rows = standings["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    let chance = rows.iter().find(|row| row["bot"] == "chance").unwrap();
    assert_eq!(
        (&chance["rating"], &chance["margin"], &chance["pairs"]),
        (&100.0.into(), &0.0.into(), &4.into())
    );

    let show = |option: &str| {
        let output = ladder.command("standings").arg(option).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(
        show("--crosstable").matches(" / 4").count(),
        6,
        "{}",
        show("--crosstable")
    );
    ladder
        .command("check")
        .assert()
        .success()
        .stdout("3 bots and 12 games checked: no problems\n");
    let told = ladder.list().arg("--json").output().unwrap();
    let games: Vec<Value> = serde_json::from_slice(&told.stdout).unwrap();
    assert_eq!(games.len(), 12);
    assert!(games.iter().all(|game| game["turns"].as_u64().unwrap() > 4));
    let mut faults = ladder.list();
    faults.args(["--json", "--termination", "fault"]);
    faults.assert().success().stdout("[]\n");
}

#[test]
fn a_run_announces_how_many_pairs_are_left_and_how_long_they_take() {
    let bots = [("chance", "random"), ("taker", "greedy")];
    let ladder = Ladder::new("pairs = 1\nconcurrency = 1", &bots);
    let announced = "1 pair left, 1 game at once\n";
    let first = ladder.command("run").assert().success();
    first.stderr(predicate::str::starts_with(announced));

    let config = ladder.folder.join("ladder.toml");
    let more = read(&config).replace("pairs = 1", "pairs = 2");
    std::fs::write(&config, more).unwrap();
    let second = ladder.command("run").assert().success();
    second.stderr(predicate::str::starts_with("1 pair left, about "));
}

#[test]
fn games_are_selected_by_bots_sides_results_endings_openings_and_length() {
    let ladder = Ladder::new("pairs = 1\nconcurrency = 1", &THREE);
    ladder.command("run").assert().success();
    let games = |options: &[&str]| -> Vec<Value> {
        let told = ladder.list().arg("--json").args(options).output();
        serde_json::from_slice(&told.unwrap().stdout).unwrap()
    };
    let all = games(&[]);
    assert_eq!(games(&["--bot", "chance"]).len(), 4);
    let met = ["--bot", "chance", "--opponent", "taker"];
    assert_eq!(games(&met).len(), 2);
    let as_red = games(&[&met[..], &["--side", "red"]].concat());
    assert_eq!((as_red.len(), &as_red[0]["red"]), (1, &"chance".into()));
    let turns = all[0]["turns"].to_string();
    let of_length = games(&["--min-turns", &turns, "--max-turns", &turns]);
    assert!(of_length.contains(&all[0]), "{of_length:?}");
    ladder
        .list()
        .args(["--result", "won"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("add --bot NAME"));
    for (option, told) in [
        ("--result", "`white` is no result"),
        ("--side", "no side is called `white`"),
    ] {
        ladder
            .list()
            .args(["--bot", "chance", option, "white"])
            .assert()
            .code(2)
            .stderr(predicate::str::contains(told).and(predicate::str::contains("black or red")));
    }
}

#[test]
fn a_reader_of_json_that_has_seen_enough_is_no_failure() {
    let ladder = Ladder::new("", &THREE);
    let mut standings = std::process::Command::new(assert_cmd::cargo::cargo_bin("crownhead"))
        .args(["ladder", "standings", "--json"])
        .arg(&ladder.folder)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(standings.stdout.take());
    assert!(standings.wait().unwrap().success());
}

#[test]
fn a_bot_that_cannot_start_is_disabled_with_its_reason_told_once_and_the_others_play_on() {
    let ladder = Ladder::new("pairs = 3", &THREE[..2]);
    let broken = ladder.folder.join("broken");
    std::fs::write(&broken, "#!/no/such/interpreter\n").unwrap();
    std::fs::set_permissions(&broken, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    ladder.add("broken", "./broken");
    let run = ladder.command("run").assert().success();
    let told = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    let folder = ladder.folder.display();
    let of_it: Vec<&str> = told
        .lines()
        .filter(|line| line.contains("broken"))
        .collect();
    let [told] = &of_it[..] else { panic!("{told}") };
    assert!(
        told.starts_with("broken is disabled: could not start 3 times in a row: "),
        "{told}"
    );
    let way_out = format!("Fix it, then: crownhead ladder enable {folder} broken");
    assert!(told.ends_with(&way_out), "{told}");
    let standings = ladder.standings();
    assert_eq!(standings["pairs"], 3, "{standings}");
    let rows = standings["rows"].as_array().unwrap();
    let broken = rows.iter().find(|row| row["bot"] == "broken").unwrap();
    let reason = broken["disabled"].as_str().unwrap();
    assert!(
        reason.contains("could not start") && !reason.contains("Fix it"),
        "{reason}"
    );
}
