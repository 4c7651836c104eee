//! Many games in a row among misbehaving bots: nothing leaks. In a file of its own, for it counts what this
//! process has open.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout)] // The figures are the point.

mod common;

use common::table::Table;
use crownhead_referee::judge::Termination;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Pairs of misbehaviour that are over quickly.
const PAIRS: [(&str, &str); 20] = [
    ("honest", "crlf"),
    ("exits 3", "endless-error"),
    ("silent", "spins-after-end"),
    ("twice", "new-session"),
    ("leaves-child", "endless-output"),
    ("panics", "silent"),
    ("closes-output", "ignores-sigterm"),
    ("gigabyte-line", "new-session"),
    ("unfinished", "leaves-child"),
    ("segfaults", "honest"),
    ("killed", "endless-error"),
    ("endless-error", "endless-error"),
    ("drip", "endless-output"),
    ("not-utf8", "reads-nothing"),
    ("closes-input", "honest"),
    ("last-words", "fork-bomb"),
    ("fills-disk", "honest"),
    ("exits-before", "exits-before"),
    ("new-session", "spins-after-end"),
    ("aborts", "closes-output"),
];

/// What this process, and the machine on its behalf, hold.
#[derive(Debug, PartialEq, Eq)]
struct Held {
    files: usize,
    children: usize,
    groups: usize,
    folders: usize,
}

fn held() -> Held {
    let entries = |path: &str| std::fs::read_dir(path).map_or(0, Iterator::count);
    let own = std::process::id();
    let children = std::fs::read_to_string(format!("/proc/{own}/task/{own}/children"));
    let ours = |folder: &std::path::Path| {
        let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let is_ours = |name: std::ffi::OsString| {
            let keeper = name
                .to_str()
                .and_then(|name| name.strip_prefix("crownhead-")?.parse().ok());
            keeper.is_some_and(|pid: u32| !std::path::Path::new(&format!("/proc/{pid}")).exists())
        };
        names.filter(|entry| is_ours(entry.file_name())).count()
    };
    Held {
        files: entries("/proc/self/fd"),
        children: children.unwrap_or_default().split_whitespace().count(),
        groups: ours("/sys/fs/cgroup/pids".as_ref()),
        folders: ours(&std::env::temp_dir()),
    }
}

fn resident_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}

/// Plays so many games; every pair's first game warms up.
fn endure(games: usize) {
    let tables: Vec<Table> = PAIRS
        .iter()
        .map(|(black, white)| {
            let mut table = Table::of(black, white).within(Duration::from_millis(50));
            table.plan.rules.length.max_turns = Some(4);
            table
        })
        .collect();
    let mut ended: BTreeMap<Termination, usize> = BTreeMap::new();
    for table in &tables {
        table.play();
    }
    let (before, memory_before, began) = (held(), resident_kilobytes(), Instant::now());
    for number in 0..games {
        let game = tables[number % tables.len()].play_one();
        assert_ne!(
            game.termination,
            Termination::RefereeFault,
            "{}",
            game.reason
        );
        *ended.entry(game.termination).or_default() += 1;
    }
    let (after, memory_after) = (held(), resident_kilobytes());
    println!(
        "{games} games in {:.1} s: {ended:?}",
        began.elapsed().as_secs_f64()
    );
    println!(
        "held before {before:?}, after {after:?}; {memory_before} kB resident before, {memory_after} after"
    );
    assert_eq!(before, after);
    assert!(
        memory_after < memory_before + 8 * 1024,
        "{memory_before} kB became {memory_after} kB"
    );
}

#[test]
fn nothing_leaks_in_a_row_of_misbehaving_games() {
    endure(40);
}

#[test]
#[ignore = "takes minutes; `cargo test --test endurance -- --ignored --nocapture` prints the figures"]
fn nothing_leaks_in_a_thousand_misbehaving_games() {
    endure(1000);
}
