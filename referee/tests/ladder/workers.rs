//! Workers: processes that play a ladder and know only the address of its database.

use super::cluster::{client, cluster};
use super::machines::Machines;
use crate::common::ladder::{Ladder, THREE, read};
use crate::common::{TestWorkspace, crownhead, wait_until};
use predicates::prelude::*;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A bot in the shell that answers with the first of its moves, and reads a file of its own.
const FIRST: &str = "#!/bin/sh
. ./own.sh
read colour
while read row; do
  for row in 2 3 4 5 6 7 8; do read row; done
  read moves; read answer; left=$((moves - 1))
  while [ $left -gt 0 ]; do read other; left=$((left - 1)); done
  echo \"$tells\" >&2
  echo \"$answer\"
done
";

fn workers(ladder: &Ladder) -> Vec<Value> {
    let output = ladder.command("workers").arg("--json").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn publish(ladder: &Ladder) {
    ladder.command("publish").assert().success();
}

/// Adds the bot of the shell, in a folder of its own.
fn add_first(ladder: &Ladder, tells: &str) -> PathBuf {
    let folder = ladder.folder.with_file_name("first");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("first.sh"), FIRST).unwrap();
    std::fs::write(folder.join("own.sh"), format!("tells={tells}\n")).unwrap();
    let config = ladder.folder.join("ladder.toml");
    let bot = "[[bot]]\nname = \"first\"\ncommand = \"sh first.sh\"\nfolder = \"../first\"\n";
    std::fs::write(&config, format!("{}\n{bot}", read(&config))).unwrap();
    folder
}

/// What was played, by any worker.
fn played(ladder: &Ladder) -> Vec<Value> {
    let games = ladder.games("all.jsonl");
    let played = |game: &Value| {
        let replies = game["turns"]
            .as_array()
            .unwrap()
            .iter()
            .map(|turn| &turn["reply"]);
        let replies: Vec<&Value> = replies.collect();
        json!([
            game["players"][0]["name"],
            game["players"][0]["version"],
            game["players"][1]["name"],
            game["opening"],
            replies,
            game["scores"],
            game["termination"]
        ])
    };
    let mut games: Vec<Value> = games.iter().map(played).collect();
    games.sort_by_key(Value::to_string);
    games
}

#[test]
fn bots_travel_and_four_workers_of_which_one_is_killed_play_the_same_ladder_as_one_run_from_a_file()
{
    let Some(cluster) = cluster() else { return };
    let url = cluster.database();
    let settings = "pairs = 3\nseed = 9\nstderr = \"all\"";
    let ladder = Ladder::in_database(&url, settings, &THREE);
    let folder = add_first(&ladder, "of-the-owner");
    publish(&ladder);
    // Workers have what was published, not what lies there.
    std::fs::remove_dir_all(&folder).unwrap();
    let machines = Machines::new(&url);
    let names = ["one", "two", "three", "four"];
    let [one, two, three, mut four] = names.map(|name| machines.start(name, &[], &[]));
    machines.wait_for(1, &[&one, &two, &three, &four]);
    // One may come when the others have played for a while.
    let joined = || workers(&ladder).len();
    wait_until(
        || format!("{} of 4 have joined", joined()),
        || joined() == 4,
    );
    four.child.kill().unwrap();
    four.child.wait().unwrap();
    // After a minute, the pairs that it had claimed are free.
    let lapse = "UPDATE pair SET leased_until = clock_timestamp() WHERE leased_until IS NOT NULL";
    client(&url).execute(lapse, &[]).unwrap();
    machines.wait_for(18, &[&one, &two, &three]);
    for worker in [one, two, three] {
        worker.end();
    }
    let in_file = Ladder::new(settings, &THREE);
    add_first(&in_file, "of-the-owner");
    in_file.command("run").assert().success();
    assert_eq!(played(&ladder), played(&in_file));
    let ratings = |ladder: &Ladder| -> Vec<Value> {
        let rows = ladder.standings()["rows"].as_array().unwrap().clone();
        rows.iter()
            .map(|row| json!([row["bot"], row["rating"], row["margin"]]))
            .collect()
    };
    assert_eq!(ratings(&ladder), ratings(&in_file));
    assert!(read(&ladder.folder.join("all.jsonl")).contains("of-the-owner"));
    let listed = workers(&ladder);
    let games = listed
        .iter()
        .map(|worker| worker["games"].as_u64().unwrap());
    assert_eq!((listed.len(), games.sum::<u64>()), (4, 36));
    let has_ended = |worker: &&Value| worker["doing"].is_null();
    assert_eq!(listed.iter().filter(has_ended).count(), 3, "{listed:?}");
    let table = ladder.command("workers").assert().success();
    table.stdout(predicate::str::contains("ended").and(predicate::str::contains("positions/s")));
}

/// Runs the referee beside it, and says as the reason of each game whether it sees a file.
const SPY: &str = "import os, sys
sys.argv.remove('lines.py')
sys.argv += ['--legal', '--reason', 'sees it' if os.path.exists('SECRET') else 'sees nothing']
exec(open('lines.py').read())
";

#[test]
fn workers_play_rounds_under_the_ladders_referee_which_sees_only_its_own_files_there() {
    let Some(cluster) = cluster() else { return };
    let url = cluster.database();
    let workspace = TestWorkspace::new();
    let folder = workspace.path("night");
    std::fs::create_dir(&folder).unwrap();
    let referees = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/external/tests/referees");
    std::fs::copy(referees.join("lines.py"), folder.join("lines.py")).unwrap();
    let secret = workspace.path("secret");
    std::fs::write(&secret, "").unwrap();
    let spy = SPY.replace("SECRET", secret.to_str().unwrap());
    std::fs::write(folder.join("spy.py"), spy).unwrap();
    let configure = |referee: &str| {
        let bots = ["one", "two", "three"].iter().zip(1..);
        let bot = |(name, seed)| {
            format!("[[bot]]\nname = \"{name}\"\ncommand = \"random --seed {seed}\"\n")
        };
        let bots: String = bots.map(bot).collect();
        let config = format!(
            "store = \"{url}\"\nreferee = \"{referee}\"\nplayers = 3\npairs = 2\nseed = 3\ntime = \"20s\"\n{bots}"
        );
        std::fs::write(folder.join("ladder.toml"), config).unwrap();
    };
    let ladder = |name: &str| {
        let mut command = crownhead();
        command.args(["ladder", name]).arg(&folder);
        command
    };
    configure("python3 ../night/spy.py lines.py");
    ladder("new").assert().success();
    let outside = predicate::str::contains("`../night/spy.py` is outside. Copy it there");
    ladder("publish").assert().code(2).stderr(outside);
    configure("python3 spy.py lines.py");
    ladder("publish").assert().success();
    // Workers have what was published.
    std::fs::write(folder.join("lines.py"), "raise ValueError()").unwrap();
    let machines = Machines::with_sandbox(&url, "auto");
    let worker = machines.start("one", &[], &[]);
    machines.wait_for(2, &[&worker]);
    worker.end();
    let mut export = ladder("export");
    let games = export.arg("-").output().unwrap().stdout;
    let games = String::from_utf8(games).unwrap();
    let games = games
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let games: Vec<Value> = games.collect();
    let reasons = games.iter().map(|game| &game["referee"]["reason"]);
    let sees = match cfg!(target_os = "linux") {
        true => "sees nothing",
        false => "sees it",
    };
    assert!(reasons.eq([sees; 6]), "{games:#?}");
    let told = ladder("workers").arg("--json").output().unwrap().stdout;
    let told: Value = serde_json::from_slice(&told).unwrap();
    assert_eq!(
        (&told[0]["games"], &told[0]["void"]),
        (&json!(6), &json!(0))
    );
}
