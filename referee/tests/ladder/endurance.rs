//! Ladders that last: killed again and again, two runs at once; and many games of many bots. Short here; `.ci/long` sets the variables that make it long.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout)] // The figures are the point.

use crate::common::ladder::{ENDLESS, Ladder, THREE, read};
use crate::common::setting;
use serde_json::Value;
use std::time::{Duration, Instant};

fn ladder(pairs: &str) -> Ladder {
    Ladder::new(&format!("{pairs}\nconcurrency = 2\nseed = 11"), &THREE)
}

/// Kills two runs this many times without warning, at moments spread over them, then lets them end by themselves. Gives the
/// pairs of each pairing.
fn kill_and_finish(ladder: &Ladder, kills: u64) -> u64 {
    let start = || [(); 2].map(|()| ladder.run_in_background());
    for kill in 0..kills {
        let mut started = start();
        // From before the first claim to the middle of many games.
        std::thread::sleep(Duration::from_millis(10 + kill * 37 % 140));
        if kill % 2 == 1 {
            started.reverse();
        }
        for mut run in started {
            run.kill().unwrap();
            assert!(!run.wait().unwrap().success());
            std::thread::sleep(Duration::from_millis(kill * 13 % 20));
        }
    }
    let pairs = ladder.end_soon();
    for mut run in start() {
        assert!(run.wait().unwrap().success());
    }
    pairs
}

/// Whether a ladder that was killed has the games and the ratings of one that never was.
fn has_all_games_once(killed: &Ladder, pairs: u64) {
    let undisturbed = ladder(&format!("pairs = {pairs}"));
    undisturbed.command("run").assert().success();
    let stored = killed.standings()["pairs"].clone();
    assert_eq!(stored, 3 * pairs, "none lost, none counted twice");
    let (one, other) = (killed.games("all.jsonl"), undisturbed.games("all.jsonl"));
    assert!(one == other, "the same games were played");
    killed.command("check").assert().success();
    let ratings = |ladder: &Ladder| -> Vec<Value> {
        let rows = ladder.standings()["rows"].as_array().unwrap().clone();
        rows.iter()
            .map(|row| serde_json::json!([row["bot"], row["rating"], row["margin"]]))
            .collect()
    };
    assert_eq!(ratings(killed), ratings(&undisturbed));
}

#[test]
fn two_runs_at_once_that_are_killed_many_times_lose_nothing_and_double_nothing() {
    let kills = setting("CROWNHEAD_KILLS", 3);
    let ladder = ladder(ENDLESS);
    let pairs = kill_and_finish(&ladder, kills);
    has_all_games_once(&ladder, pairs);
}

/// What a run holds: memory in kB at its most, open files, children.
fn held(run: u32) -> Option<[u64; 3]> {
    let entries = |path: String| std::fs::read_dir(path).ok().map(|all| all.count() as u64);
    let status = std::fs::read_to_string(format!("/proc/{run}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let memory = line.trim().trim_end_matches(" kB").parse().ok()?;
    // Each thread has its own.
    let threads = std::fs::read_dir(format!("/proc/{run}/task")).ok()?;
    let children = threads.flatten().map(|thread| {
        let children = std::fs::read_to_string(thread.path().join("children"));
        children.map_or(0, |children| children.split_whitespace().count() as u64)
    });
    let children = children.sum();
    Some([memory, entries(format!("/proc/{run}/fd"))?, children])
}

#[test]
fn twelve_instant_bots_play_many_games_and_nothing_grows_but_what_is_stored() {
    let games = setting("CROWNHEAD_GAMES", 132);
    // Every two of twelve bots meet in 66 pairings, in two games a pair.
    let pairs = games.div_ceil(132);
    let names: Vec<String> = (0..12).map(|number| format!("bot{number}")).collect();
    let commands = ["random", "greedy"];
    let bots: Vec<(&str, &str)> = names
        .iter()
        .enumerate()
        .map(|(number, name)| (name.as_str(), commands[number % 2]))
        .collect();
    let ladder = Ladder::new(
        &format!("pairs = {pairs}\nconcurrency = 2\nseed = 5"),
        &bots,
    );
    let config = ladder.folder.join("ladder.toml");
    let text = read(&config).replace("sandbox = \"off\"", "sandbox = \"auto\"");
    std::fs::write(&config, text).unwrap();
    let started = Instant::now();
    let mut run = ladder.run_in_background();
    let mut seen: Vec<[u64; 3]> = Vec::new();
    while run.try_wait().unwrap().is_none() {
        seen.extend(held(run.id()));
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(run.wait().unwrap().success());
    let seconds = started.elapsed().as_secs_f64();
    let played = 132 * pairs;
    println!(
        "{played} games in {seconds:.1} s, {:.0} a second",
        played as f64 / seconds
    );
    assert_eq!(ladder.standings()["pairs"], played / 2);
    ladder.command("check").assert().success();
    // Two games at once have a sandbox for each of four bots, which holds some ten files.
    for (what, name, bound) in [
        (0, "kB of memory", 48 << 10),
        (1, "open files", 56),
        (2, "children", 8),
    ] {
        let most = seen.iter().map(|held| held[what]).max();
        println!("at most {most:?} {name}");
        assert!(most <= Some(bound), "{name}: {most:?}");
    }
    // A little that each game leaves behind shows in the end.
    let last = &seen[seen.len() * 3 / 4..];
    for (what, name, bound) in [(1, "open files", 50), (2, "children", 6)] {
        let mut held: Vec<u64> = last.iter().map(|held| held[what]).collect();
        held.sort_unstable();
        let usual = held.get(held.len() / 2).copied();
        println!("in the end usually {usual:?} {name}");
        assert!(usual <= Some(bound), "{name}: {held:?}");
    }
    let log = ladder
        .folder
        .join("games.db-wal")
        .metadata()
        .map_or(0, |log| log.len());
    assert!(log < 64 << 20, "the log has {log} bytes");
}
