//! Bots that take the processor: from their opponents, and from themselves when they are losing. And machines that
//! give it to others.
//!
//! Limits are ample wherever being late is not the point: what is starved here gets a hundredth of a core, and no busy
//! machine does that.
#![allow(clippy::print_stdout)] // Tests say what they skipped.

use crate::common::sandbox::can_freeze;
use crate::common::table::{AMPLE, Table, stderr_of};
use crate::common::{TestWorkspace, misbehave, played_by};
use crownhead::board::Side;
use crownhead_arena::seat::SuspendIdle;
use crownhead_record::Termination;
use crownhead_record::{GameRecord, RecordedResult};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Black's and white's part of a game that is played beside this many others, as far as cores go.
fn beside(others: usize, black: &str, white: &str, limit: Duration) -> GameRecord {
    let mut table = Table::of(black, white).within(limit);
    table.plan.concurrency = 1 + others;
    table.plan.settings.limits.first_turn = AMPLE;
    table.rules().length.max_turns = Some(4);
    table.play_one()
}

#[test]
fn spinning_processes_do_not_starve_the_opponent() {
    let _alone = super::alone();
    // Alone with a core for each bot, and with one for the game.
    for others in [0, cores()] {
        if others > 0 && !can_freeze() {
            println!("skipped: no control groups here");
            continue;
        }
        let limit = Duration::from_secs(3);
        let game = beside(others, "starves-others 100", "busy 100", limit);
        let won = game.result() == Some(RecordedResult::Black);
        assert!(!won && !game.suspect, "{others}: {}", game.reason);
    }
}

#[test]
fn a_bot_that_starves_itself_gains_nothing() {
    let _alone = super::alone();
    for case in ["starves-itself 50", "sleeps-and-starves-itself 90"] {
        let limit = Duration::from_millis(100);
        let mut table = Table::of(case, "honest").within(limit);
        table.plan.settings.limits.first_turn = AMPLE;
        let game = table.play_one();
        assert_eq!(
            game.termination,
            Termination::Timeout,
            "{case}: {}",
            game.reason
        );
        assert!(!game.suspect, "{case}: {} {:?}", game.reason, game.turns);
        assert_eq!(game.result(), Some(RecordedResult::White), "{case}");
    }
}

#[test]
fn a_bot_has_one_core_and_cannot_widen_it() {
    let attempts = "escape tell-cores;widen-cores;tell-cores";
    let game = beside(0, attempts, attempts, AMPLE);
    let cores = Side::BOTH.map(|side| stderr_of(&game, side)).map(|log| {
        assert!(log.contains("refused: widen-cores"), "{log}");
        let told = log.split("runs on ").skip(1);
        let told: Vec<u32> = told
            .map(|rest| rest.split('\n').next().unwrap_or_default().parse())
            .collect::<Result<_, _>>()
            .unwrap_or_else(|_| panic!("one core: {log}"));
        assert_eq!(told[0], told[1]);
        told[0]
    });
    println!("black on {}, white on {}", cores[0], cores[1]);
}

#[test]
fn two_runs_at_once_do_not_choose_the_same_cores() {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener};
    if cores() < 2 {
        println!("skipped: one core");
        return;
    }
    let claim = |core: usize| {
        let name = SocketAddr::from_abstract_name(format!("crownhead-core-{core}")).unwrap();
        UnixListener::bind_addr(&name)
    };
    let begun = Instant::now();
    loop {
        // The tests beside this one end first, if it comes to that.
        assert!(begun.elapsed() < Duration::from_secs(600), "never free");
        std::thread::sleep(Duration::from_millis(10));
        // Another run has the first core; a game beside which a test here has the other says nothing.
        let Ok(_held) = claim(0) else {
            continue;
        };
        if claim(1).is_err() {
            continue;
        }
        let game = beside(0, "escape tell-cores", "escape tell-cores", AMPLE);
        let logs = Side::BOTH.map(|side| stderr_of(&game, side));
        assert!(logs.iter().all(|log| log.contains("runs on ")), "{logs:?}");
        if !logs.iter().any(|log| log.contains("runs on 0\n")) {
            return;
        }
        assert!(claim(1).is_err(), "{logs:?}");
    }
}

/// A thread that stood still for this much of the 600 ms was not woken: a busy machine may be slow to stop it.
const STOOD_STILL: u64 = 290;

/// How long, in milliseconds, black's second thread stood still while white thought for 600 ms.
fn gap_of(game: &GameRecord) -> u64 {
    let log = stderr_of(game, Side::Black);
    let gaps = log.split("stood still for ").skip(1);
    let mut gaps = gaps.filter_map(|part| part.split(" ms").next()?.parse().ok());
    // The first turn comes before white has thought.
    gaps.nth(1)
        .unwrap_or_else(|| panic!("two turns: {}: {log}", game.reason))
}

#[test]
fn the_bot_that_is_not_on_move_stands_still_where_both_share_a_core() {
    if !can_freeze() {
        println!("skipped: no control groups here");
        return;
    }
    let game = beside(cores(), "restless", "late 600", AMPLE);
    assert_eq!(game.termination, Termination::TurnLimit, "{}", game.reason);
    assert!(
        gap_of(&game) >= STOOD_STILL,
        "{}",
        stderr_of(&game, Side::Black)
    );
}

#[test]
fn a_timer_does_not_wake_a_bot_that_stands_still() {
    let mut table = Table::of("restless-by-timer", "late 600").within(AMPLE);
    table.plan.settings.conditions.suspend_idle = SuspendIdle::Always;
    let game = table.play_one();
    assert_eq!(game.termination, Termination::TurnLimit, "{}", game.reason);
    assert!(
        gap_of(&game) >= STOOD_STILL,
        "{}",
        stderr_of(&game, Side::Black)
    );
}

#[test]
fn a_timer_does_not_wake_an_ordinary_users_bot_that_stands_still() {
    let Some(user) = crate::common::ordinary_user() else {
        println!("skipped: not the administrator");
        return;
    };
    assert!(gap_of(&suspended(|program| user.command(program))) >= STOOD_STILL);
}

#[test]
fn an_ordinary_users_bot_is_frozen_in_a_group_that_was_delegated() {
    let Some((user, group)) = crate::common::ordinary_user().and_then(|user| {
        let group = DelegatedGroup::create(&user)?;
        Some((user, group))
    }) else {
        println!("skipped: not the administrator, or no control groups of version 2");
        return;
    };
    let over = AtomicBool::new(false);
    let (game, frozen) = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| group.is_frozen_before(&over));
        // In a thread, so that a game that fails ends the watch as well.
        let playing = scope.spawn(|| {
            suspended(|program| {
                let mut command = Command::new("sh");
                let script = "echo $$ >\"$0/cgroup.procs\" && exec \"$@\"";
                let user = user.command(program);
                command.args(["-c", script]).arg(&group.0);
                command.arg(user.get_program()).args(user.get_args());
                let set = user.get_envs();
                command.envs(set.filter_map(|(name, value)| Some((name, value?))));
                command
            })
        });
        let game = playing.join();
        over.store(true, Ordering::Relaxed);
        (game.expect("it is played"), watcher.join().unwrap())
    });
    assert!(
        frozen && gap_of(&game) >= STOOD_STILL,
        "{frozen}: {}",
        stderr_of(&game, Side::Black)
    );
}

/// A group of version 2 that belongs to a user, as `systemd-run -p Delegate=yes` makes one.
struct DelegatedGroup(std::path::PathBuf);

impl DelegatedGroup {
    fn create(user: &crate::common::OrdinaryUser) -> Option<DelegatedGroup> {
        let roots = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"].map(Path::new);
        let root = roots
            .iter()
            .find(|root| root.join("cgroup.controllers").exists())?;
        let group = DelegatedGroup(root.join(format!("crownhead-user-{}", std::process::id())));
        std::fs::create_dir(&group.0).ok()?;
        user.own(&group.0);
        ["cgroup.procs", "cgroup.subtree_control"]
            .iter()
            .for_each(|file| user.own(&group.0.join(file)));
        Some(group)
    }

    /// Whether a group within it is frozen at some time before the game is over.
    fn is_frozen_before(&self, over: &AtomicBool) -> bool {
        let is_frozen = |group: std::fs::DirEntry| {
            let events = std::fs::read_to_string(group.path().join("cgroup.events"));
            events.is_ok_and(|events| events.contains("frozen 1"))
        };
        while !over.load(Ordering::Relaxed) {
            let groups = std::fs::read_dir(&self.0).into_iter().flatten().flatten();
            if groups.into_iter().any(is_frozen) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        false
    }
}

impl Drop for DelegatedGroup {
    fn drop(&mut self) {
        // Supervisors that the referee has left idle end by themselves.
        let removed = || std::fs::remove_dir(&self.0).is_ok();
        let mut moments = 0..1000;
        while !removed() && moments.next().is_some() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn the_freezer_of_version_1_does_where_version_2_is_missing() {
    let without = |program: &Path| {
        let mut command = Command::new("unshare");
        let script = "umount /sys/fs/cgroup/unified && exec \"$@\"";
        command
            .args(["--mount", "sh", "-c", script, "sh"])
            .arg(program);
        command
    };
    let works = without(Path::new("true")).status();
    let version_1 = Path::new("/sys/fs/cgroup/freezer").exists();
    if !version_1 || !works.is_ok_and(|status| status.success()) {
        println!("skipped: not the administrator, or no freezer of version 1");
        return;
    }
    assert!(gap_of(&suspended(without)) >= STOOD_STILL);
}

/// A game in which black would be woken by a timer, were it only stopped, by a referee that is started so.
fn suspended(command: impl Fn(&Path) -> Command) -> GameRecord {
    let options = ["--suspend-idle", "--time", "30s", "--max-turns", "4"];
    played_by(command, "restless-by-timer -", "late 600", &options)
}

/// What `/proc/stat` says of each core of a machine whose hypervisor gives them all to others.
struct StolenCores {
    workspace: TestWorkspace,
    over: Arc<AtomicBool>,
    writer: Option<JoinHandle<()>>,
}

impl StolenCores {
    fn new() -> StolenCores {
        let workspace = TestWorkspace::new();
        let over = Arc::new(AtomicBool::new(false));
        let file = File::create(workspace.path("stat")).unwrap();
        // As long each time: who reads it never finds a part of it.
        let write = move |ticks: u128| {
            let lines =
                (0..cores()).map(|core| format!("cpu{core} 1 1 1 1 1 1 1 {ticks:020} 0 0\n"));
            file.write_all_at(lines.collect::<String>().as_bytes(), 0)
                .unwrap();
        };
        write(0);
        let ends = over.clone();
        let writer = std::thread::spawn(move || {
            // Where other tests take the cores, it is to come first; only the administrator may ask for that.
            let _ = rustix::process::setpriority_process(None, -20);
            let begun = Instant::now();
            while !ends.load(Ordering::Relaxed) {
                // Ahead of the time, for on a busy machine this comes late.
                write(begun.elapsed().as_millis() / 3);
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        StolenCores {
            workspace,
            over,
            writer: Some(writer),
        }
    }

    /// Whether a program can be made to see them.
    fn works(&self) -> bool {
        let status = self.command(Path::new("true")).status();
        let works = status.is_ok_and(|status| status.success());
        if !works {
            println!("skipped: nothing can be mounted here");
        }
        works
    }

    /// A program that sees them.
    fn command(&self, program: &Path) -> Command {
        let script = "mount --bind \"$1\" /proc/stat || exit 77; shift; exec \"$@\"";
        let mut command = Command::new("unshare");
        command.args(["--mount", "--map-root-user", "sh", "-c", script, "sh"]);
        command.arg(self.workspace.path("stat")).arg(program);
        command
    }
}

impl Drop for StolenCores {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        self.writer.take().map(JoinHandle::join);
    }
}

#[test]
fn a_bot_whose_core_the_hypervisor_took_has_not_lost() {
    let stolen = StolenCores::new();
    if !stolen.works() {
        return;
    }
    let command = |program: &Path| stolen.command(program);
    let options = ["--time", "400ms", "--max-turns", "4"];
    let game = played_by(command, "late 600", "honest -", &options);
    assert_eq!(game.termination, Termination::TurnLimit, "{}", game.reason);
    let given_back = game.turns[2].given_back;
    assert!(given_back >= Duration::from_millis(200), "{given_back:?}");
}

#[test]
fn an_ordinary_users_bot_neither_starves_its_opponent_nor_gains_by_starving_itself() {
    let Some(user) = crate::common::ordinary_user() else {
        println!("skipped: not the administrator");
        return;
    };
    let _alone = super::alone();
    let play = |black, white, options: &[&str]| {
        played_by(|program| user.command(program), black, white, options)
    };
    let options = ["--time", "3s", "--max-turns", "4"];
    let game = play("starves-others 100", "busy 100", &options);
    let won = game.result() == Some(RecordedResult::Black);
    assert!(!won && !game.suspect, "{}", game.reason);
    // Others hold each core too: of that it would have had a hundredth itself.
    let _load = crate::common::CpuLoad::of(cores());
    let game = play("starves-itself 150", "honest -", &["--time", "300ms"]);
    assert_eq!(game.termination, Termination::Timeout, "{}", game.reason);
    assert_eq!(
        game.result(),
        Some(RecordedResult::White),
        "{}",
        game.reason
    );
    assert!(!game.suspect, "{}", game.reason);
}

#[test]
fn a_game_that_the_machine_spoils_is_played_again_up_to_five_times_and_that_is_reported() {
    let stolen = StolenCores::new();
    if !stolen.works() {
        return;
    }
    // Longer than the second that is given back at most.
    let _alone = super::alone();
    let late = format!("'{}' late 1500", misbehave().display());
    let record = stolen.workspace.path("games.jsonl");
    let played = stolen
        .command(assert_cmd::cargo::cargo_bin!("crownhead"))
        .args(["match", &late, "random", "--games", "1", "--json"])
        .args(["--openings", "none", "--max-turns", "4"])
        .args(["--time", "100ms", "--first-turn", "30s", "--record"])
        .arg(&record)
        .output()
        .unwrap();
    let result: serde_json::Value = serde_json::from_slice(&played.stdout).unwrap();
    assert_eq!(result["games"], 0, "{result:#}");
    assert_eq!(result["unrated"], 5, "{result:#}");
    assert_eq!(result["void_pairs"], 1, "{result:#}");
    let games = std::fs::read_to_string(record).unwrap();
    let games: Vec<GameRecord> = games
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for (place, game) in games.iter().enumerate() {
        assert!(game.suspect && game.scores.is_none(), "{}", game.reason);
        assert_eq!(game.replayed, place < 4);
        let told = "(void: the machine was too busy to tell)";
        assert!(game.reason.ends_with(told), "{}", game.reason);
    }
}
