//! Many games in a row among misbehaving bots: nothing leaks. In a file of its own, because it counts what this
//! process has open.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout)] // The figures are the point.

mod common;

use common::table::Table;
use crownhead::rules::LengthRules;
use crownhead_arena::runner::run_match;
use crownhead_arena::seat::SuspendIdle;
use crownhead_record::{GameRecord, Termination};
use crownhead_sandbox::{Sandbox, SandboxMode};
use rustix::param::clock_ticks_per_second;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
    ("closes-input", "honest"),
    ("last-words", "fork-bomb"),
    ("fills-disk", "honest"),
    ("exits-before", "exits-before"),
    ("new-session", "spins-after-end"),
    ("aborts", "closes-output"),
    // The only one that is waited for until it reads, which takes seconds.
    ("not-utf8", "reads-nothing"),
];

/// Keeps the other tests of this file waiting, so that all this process holds and does is one test's.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

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
    let ours = |folder: &std::path::Path| {
        let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let is_ours = |name: std::ffi::OsString| {
            let supervisor = name
                .to_str()
                .and_then(|name| name.strip_prefix("crownhead-")?.parse().ok());
            supervisor
                .is_some_and(|pid: u32| !std::path::Path::new(&format!("/proc/{pid}")).exists())
        };
        names.filter(|entry| is_ours(entry.file_name())).count()
    };
    Held {
        files: entries("/proc/self/fd"),
        children: children().len(),
        groups: ours("/sys/fs/cgroup/pids".as_ref()),
        folders: ours(&std::env::temp_dir()),
    }
}

/// The numbers of all processes that this one has started and not waited for.
fn children() -> Vec<String> {
    let threads = std::fs::read_dir("/proc/self/task").expect("Linux");
    let of_one = |thread: std::fs::DirEntry| {
        let listed = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        let numbers = listed.split_whitespace().map(String::from);
        numbers.collect::<Vec<_>>()
    };
    threads.flatten().flat_map(of_one).collect()
}

fn resident_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}

/// What is held once it stays the same: who reads a bot's standard error looks once a second whether its bot is gone.
fn held_at_rest() -> Held {
    let mut last = held();
    loop {
        std::thread::sleep(Duration::from_millis(1500));
        let now = held();
        if now == last {
            return now;
        }
        last = now;
    }
}

/// How many games are played at once.
const AT_ONCE: usize = 8;

/// Has as many supervisors started as games at once need. They live on, and how many there are would otherwise depend on
/// how many games happen to begin together.
fn start_supervisors() {
    let mut table = Table::of("silent", "honest");
    table.plan.concurrency = AT_ONCE;
    table.plan.games = 2 * AT_ONCE as u64;
    let interrupted = Arc::new(AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| run_match(&table.plan, &BTreeSet::new(), &interrupted, None, |_| {}));
        let are_there = || children().len() >= 2 * AT_ONCE;
        common::wait_until(|| format!("{} supervisors", children().len()), are_there);
        interrupted.store(true, Ordering::Relaxed);
    });
}

/// Plays this many games, each at the next of these tables, several at once.
fn play(tables: &[Table], games: usize) -> Vec<GameRecord> {
    let next = AtomicUsize::new(0);
    let row = || -> Vec<GameRecord> {
        let numbers = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let numbers = numbers.take_while(|&number| number < games);
        numbers
            .map(|number| tables[number % tables.len()].play_one())
            .collect()
    };
    std::thread::scope(|scope| {
        let rows = [(); AT_ONCE].map(|()| scope.spawn(row));
        let played = rows.map(|row| row.join().expect("it plays to its end"));
        played.into_iter().flatten().collect()
    })
}

/// Plays this many games. Each pair warms up in one game first.
fn endure(games: usize) {
    let _alone = alone();
    start_supervisors();
    let tables = PAIRS.map(|(black, white)| {
        let mut table = Table::of(black, white).within(Duration::from_millis(50));
        table.rules().length.max_turns = Some(4);
        table
    });
    play(&tables, tables.len().min(games));
    let (before, memory_before, started) = (held_at_rest(), resident_kilobytes(), Instant::now());
    let mut ended: BTreeMap<Termination, usize> = BTreeMap::new();
    for game in play(&tables, games) {
        assert_ne!(
            game.termination,
            Termination::RefereeFault,
            "{}",
            game.reason
        );
        *ended.entry(game.termination).or_default() += 1;
    }
    let (after, memory_after) = (held_at_rest(), resident_kilobytes());
    println!(
        "{games} games in {:.1} s: {ended:?}",
        started.elapsed().as_secs_f64()
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
    endure(PAIRS.len() - 1);
}

#[test]
#[ignore = "takes minutes; `cargo test --test endurance -- --ignored --nocapture` prints the figures"]
fn nothing_leaks_in_a_thousand_misbehaving_games() {
    endure(1000);
}

/// Processor time that this process, its children and theirs have used: those that were waited for, and the
/// supervisors, which live on between games.
fn work() -> Duration {
    let ticks_of = |process: String| -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let after_name = stat.rsplit(") ").next().unwrap_or_default();
        // Fields 14 to 17 of proc_pid_stat(5), its own time and that of its children; the first here is the third
        // there.
        let fields = after_name.split(' ').skip(11).take(4);
        fields.filter_map(|ticks| ticks.parse::<u64>().ok()).sum()
    };
    let processes = children().into_iter().chain(["self".into()]);
    let ticks: u64 = processes.map(ticks_of).sum();
    Duration::from_secs(ticks) / clock_ticks_per_second() as u32
}

/// What was measured of one kind of sandbox.
#[derive(Default)]
struct Cost {
    wall_of_start: Vec<Duration>,
    /// Counted in hundredths of a second: only the mean of many means something.
    work_of_start: Vec<Duration>,
    turn: Vec<Duration>,
    answer: Vec<Duration>,
}

impl Cost {
    /// One round: games of two turns for the start, long ones for the turns.
    fn measure(&mut self, table: &mut Table) {
        const GAMES: u32 = 20;
        const TURNS: u32 = 400;
        let mut play = |turns: u32, games: u32| {
            table.rules().length = LengthRules {
                max_turns: Some(turns),
                max_turns_without_capture: None,
            };
            table.plan.games = games.into();
            let (started, worked) = (Instant::now(), work());
            let played = table.play();
            (started.elapsed(), work() - worked, played)
        };
        let (short, worked, _) = play(2, GAMES);
        self.wall_of_start.push(short / (2 * GAMES));
        self.work_of_start.push(worked / (2 * GAMES));
        let (long, _, games) = play(TURNS, 1);
        let turns = &games[0].turns[2..];
        let length = u32::try_from(turns.len()).expect("few turns");
        self.turn.push(long.saturating_sub(short / GAMES) / length);
        self.answer.extend(turns.iter().map(|turn| turn.time));
    }
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times[times.len() / 2]
}

#[test]
#[ignore = "measures; `cargo test --release --test endurance -- --ignored --nocapture what_a_sandbox` prints the figures"]
fn what_a_sandbox_costs() {
    const ROUNDS: u32 = 20;
    let _alone = alone();
    let table = |sandbox: Sandbox| Table::of("honest", "honest").in_sandbox(sandbox);
    let mut suspended = table(common::table::sandbox(SandboxMode::Auto));
    suspended.plan.settings.conditions.suspend_idle = SuspendIdle::Always;
    let mut tables = [
        ("plain children", table(Sandbox::none())),
        (
            "supervised",
            table(common::table::sandbox(SandboxMode::Off)),
        ),
        ("confined", table(common::table::sandbox(SandboxMode::Auto))),
        ("confined, --suspend-idle", suspended),
    ];
    let mut costs = [(); 4].map(|()| Cost::default());
    // In turns, so that what else the machine does disturbs all alike; the first round warms up.
    for round in 0..=ROUNDS {
        for ((_, table), cost) in tables.iter_mut().zip(&mut costs) {
            let mut warm_up = Cost::default();
            let counts = if round == 0 { &mut warm_up } else { cost };
            counts.measure(table);
        }
    }
    println!(
        "a start (median wall, mean work of the processors), a turn, of which answering (medians)"
    );
    for ((name, _), cost) in tables.iter().zip(&costs) {
        println!(
            "{name:24}{:>9.2?} {:>9.2?} {:>9.2?} {:>9.2?}",
            median(&cost.wall_of_start),
            cost.work_of_start.iter().sum::<Duration>() / ROUNDS,
            median(&cost.turn),
            median(&cost.answer)
        );
    }
}
