//! What becomes of a game when a bot misbehaves, at the real process seat: how it ended is seen in a sandbox, under a
//! supervisor alone, and of a plain child; what came through its pipes is the same in all of them. The table's own tests
//! prove what it makes of a reply.
//!
//! No test here depends on a machine that is quick: limits are either ample, or the bot can only be later.

use crate::common::table::{AMPLE, Table, sandbox};
use crate::common::{TestWorkspace, misbehave, process_tag, remaining_processes, wait_until};
use crownhead_record::Termination;
use crownhead_record::judge::{Grace, Profile, profile};
use crownhead_record::{GameRecord, RecordedResult};
use crownhead_sandbox::{Sandbox, SandboxMode};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::{Duration, Instant};

const SANDBOXES: [fn() -> Sandbox; 3] = [
    || sandbox(SandboxMode::Auto),
    || sandbox(SandboxMode::Off),
    Sandbox::none,
];

/// Black does this against an honest bot in these kinds of sandbox, and the game ends so.
fn comes_to(
    case: &str,
    sandboxes: &[fn() -> Sandbox],
    limit: Duration,
    termination: Termination,
    sentence: &str,
) {
    for sandbox in sandboxes {
        let table = Table::of(case, "honest")
            .in_sandbox(sandbox())
            .within(limit);
        ends(&play(&table), termination, sentence);
    }
}

/// Plays a game, then a short one of honest bots with the same referee in the same kind of sandbox: the
/// next game is unharmed by the first.
fn play(table: &Table) -> GameRecord {
    let game = table.play_one();
    let mut next =
        Table::of("honest", "honest").in_sandbox(table.plan.settings.conditions.sandbox.clone());
    next.rules().length.max_turns = Some(2);
    ends(&next.play_one(), Termination::TurnLimit, "2 turns");
    game
}

fn ends(game: &GameRecord, termination: Termination, sentence: &str) {
    assert!(
        game.reason.contains(sentence),
        "{}: {}",
        game.termination,
        game.reason
    );
    assert_eq!(game.termination, termination, "{}", game.reason);
    let expected = if termination.is_regular() {
        RecordedResult::Draw
    } else {
        RecordedResult::White
    };
    // On a busy machine a late bot may have waited for a core, and then no one has lost.
    assert_eq!(game.result(), Some(expected).filter(|_| !game.suspect));
}

/// Short for a bot that never answers.
const SHORT: Duration = Duration::from_millis(40);

/// For how long the referee itself was not watching is given back, whenever in the turn that was: on a busy machine, and
/// only there, a game may be forgiven every millisecond so, but not one game after the other.
#[test]
fn a_millisecond_late_is_late() {
    let table = Table::of("late 41", "honest").within(SHORT);
    let is_forgiven = |(game, latest): &(GameRecord, Duration)| {
        let mut turns = game.turns_of(0);
        let are_late = turns.all(|turn| turn.time > SHORT && turn.counted() <= SHORT);
        are_late && *latest >= Duration::from_millis(1)
    };
    let mut games = std::iter::repeat_with(|| watched(&table)).take(5);
    let judged = games.find(|game| !is_forgiven(game));
    let (game, _) = judged.expect("the referee is not late in every turn of five games");
    ends(&game, Termination::Timeout, "40 ms");
}

/// Plays a game, and says how late a thread that only sleeps woke meanwhile, at the most.
fn watched(table: &Table) -> (GameRecord, Duration) {
    let tick = Duration::from_millis(5);
    let (playing, over) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let witness = scope.spawn(move || {
            let mut latest = Duration::ZERO;
            loop {
                let slept = Instant::now();
                if over.recv_timeout(tick) == Err(mpsc::RecvTimeoutError::Disconnected) {
                    return latest;
                }
                latest = latest.max(slept.elapsed().saturating_sub(tick));
            }
        });
        let game = play(table);
        drop(playing);
        (game, witness.join().unwrap())
    })
}

macro_rules! faults {
    ($sandboxes:expr => $($name:ident: $case:literal within $limit:expr => $termination:ident, $sentence:expr;)*) => { $(
        #[test]
        fn $name() {
            comes_to($case, $sandboxes, $limit, Termination::$termination, $sentence);
        }
    )* };
}

faults! { &SANDBOXES[..1] =>
    an_honest_bot_plays_to_the_end: "honest" within AMPLE => TurnLimit, "12 turns were played";
    a_reply_in_pieces_is_one_reply: "pieces" within AMPLE => TurnLimit, "12 turns";
    a_carriage_return_before_the_line_feed_is_no_part_of_a_reply: "crlf" within AMPLE => TurnLimit, "12 turns";
    standard_error_without_end_costs_nothing: "endless-error" within AMPLE => TurnLimit, "12 turns";

    silence_is_a_timeout: "silent" within SHORT => Timeout, "black did not answer within 40 ms";
    reading_nothing_is_a_timeout: "reads-nothing" within SHORT => Timeout, "did not answer within 40 ms";
    a_reply_without_its_end_is_no_reply: "unfinished" within SHORT => Timeout, "did not answer within 40 ms";
    a_carriage_return_alone_ends_no_line: "bare-return" within SHORT => Timeout, "did not answer within 40 ms";
    bytes_that_drip_in_do_not_move_the_deadline: "drip" within SHORT => Timeout, "did not answer within 40 ms";
    a_second_late_is_late: "late 1040" within SHORT => Timeout, "within 40 ms";

    an_empty_line_is_no_reply: "empty-line" within AMPLE => UnreadableReply, "black answered an empty line";
    a_space_before_a_move_is_not_exact: "leading-space" within AMPLE => IllegalReply,
        "black answered ` C3B4` but that is not a move";
    bytes_that_are_no_text_are_unreadable: "not-utf8" within AMPLE => UnreadableReply,
        r"black answered `\xff\xfe`, which is not readable text";
    a_line_of_a_gigabyte_is_cut_short: "gigabyte-line" within AMPLE => UnreadableReply,
        "black wrote more than 10000 bytes without ending the line";
    output_without_end_is_judged_line_by_line: "endless-output" within AMPLE => UnreadableReply,
        "black answered an empty line; expected one of the listed moves";
}

faults! { &SANDBOXES =>
    a_bot_that_ignores_sigterm_is_killed: "ignores-sigterm" within SHORT => Timeout, "did not answer";
    a_bot_that_spins_after_the_game_is_ended: "spins-after-end" within AMPLE => TurnLimit, "12 turns";
    closing_the_output_is_told_from_a_crash: "closes-output" within AMPLE => ClosedOutput,
        "black's bot closed its output and runs on";
    leaving_before_the_turn_is_told: "exits-before" within AMPLE => Exit,
        "black's bot ended with exit status 0 instead of answering";
    leaving_in_the_turn_is_told: "exits 0" within AMPLE => Exit, "exit status 0 instead of answering";
    leaving_after_the_turn_loses_in_the_next: "exits-after" within AMPLE => Exit, "exit status 0 instead of";
    a_reply_is_read_though_the_bot_left_without_ending_the_line: "unfinished-exit" within AMPLE => Exit,
        "exit status 0 instead of answering";
    a_status_other_than_0_is_a_crash: "exits 3" within AMPLE => Crash, "ended with exit status 3";
    a_panic_is_a_crash: "panics" within AMPLE => Crash, "ended with exit status 101";
    an_abort_is_a_crash: "aborts" within AMPLE => Crash, "was killed by signal 6 (SIGABRT, an abort)";
    a_segmentation_fault_is_a_crash: "segfaults" within AMPLE => Crash,
        "was killed by signal 11 (SIGSEGV, a segmentation fault)";
    a_signal_from_outside_is_a_crash: "killed" within AMPLE => Crash, "was killed by signal 9 (SIGKILL)";
}

#[test]
fn a_bot_that_closes_its_input_is_said_to_have() {
    // White answers at once, so that black alone is short of time.
    let mut table = Table::of("closes-input", "honest");
    table.plan.settings.limits.turn = Duration::from_secs(1);
    ends(
        &play(&table),
        Termination::Timeout,
        "did not answer within 1 s; it had closed its input",
    );
}

#[test]
fn output_before_and_after_the_answer_counts_for_the_next_turn() {
    // The first reply happens to be legal; in black's second turn the surplus is not.
    let game = play(&Table::of("twice", "honest"));
    ends(
        &game,
        Termination::IllegalReply,
        "(it had written that before it was asked)",
    );
    assert_eq!(game.turns.len(), 3);
    // Whether it was there before the question or just after is the scheduler's to say.
    let game = play(&Table::of("early", "honest"));
    ends(
        &game,
        Termination::IllegalReply,
        "black answered `C3C4` but",
    );
}

#[test]
fn a_bot_that_leaves_children_on_its_pipes_has_left_all_the_same() {
    // A plain child's children are found where they stay in its process group.
    for sandbox in SANDBOXES {
        let game = play(
            &Table::of("leaves-child", "honest")
                .in_sandbox(sandbox())
                .within(Duration::from_secs(2)),
        );
        ends(
            &game,
            Termination::Exit,
            "exit status 0 instead of answering",
        );
    }
}

#[test]
fn no_process_escapes_by_a_new_session_and_two_forks() {
    for mode in [SandboxMode::Auto, SandboxMode::Off] {
        let game = play(&Table::of("new-session", "honest").in_sandbox(sandbox(mode)));
        ends(&game, Termination::TurnLimit, "12 turns");
    }
}

#[test]
fn the_last_words_of_a_crash_are_kept_and_no_more_than_4096_bytes() {
    let game = play(&Table::of("last-words", "honest"));
    ends(&game, Termination::Crash, "ended with exit status 3");
    let turn = &game.turns[0].stderr;
    assert_eq!(turn.kept.len(), 4096);
    assert!(turn.cut > 0, "{turn:?}");
    assert!(turn.kept.ends_with(b"a long story \nlast words\n"));
    let told = "instead of answering. Its last line on standard error: `last words`";
    assert!(game.reason.ends_with(told), "{}", game.reason);
}

#[test]
fn a_bot_can_write_to_standard_error_while_its_opponent_thinks() {
    // White answers once black has written a megabyte: it never would if black stood still until its turn.
    let workspace = TestWorkspace::new();
    for sandbox in [sandbox(SandboxMode::Off), Sandbox::none()] {
        let file = workspace.path("written");
        drop(std::fs::remove_file(&file));
        let file = file.display();
        let mut table =
            Table::of(&format!("chatter {file}"), &format!("waits-for {file}")).in_sandbox(sandbox);
        table.rules().length.max_turns = Some(2);
        ends(&play(&table), Termination::TurnLimit, "2 turns");
    }
}

#[test]
fn floods_do_not_fill_the_referees_memory() {
    for case in ["gigabyte-line", "endless-output", "endless-error"] {
        play(&Table::of(case, case));
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    if let Some(peak) = peak {
        let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(kilobytes < 200 << 10, "{kilobytes} kB");
    }
}

#[test]
fn a_bot_that_cannot_start_is_reported_with_the_reason() {
    let workspace = TestWorkspace::new();
    let lost = workspace.bot("lost", "");
    std::fs::write(&lost, "#!/no/such/interpreter\n").unwrap();
    for sandbox in SANDBOXES {
        let mut table = Table::of("honest", "honest").in_sandbox(sandbox());
        table.plan.bots[0] = crownhead_arena::seat::BotSpec::parse(&lost).unwrap().into();
        ends(
            &play(&table),
            Termination::CannotStart,
            "names `/no/such/interpreter`, which is not installed",
        );
    }
    // The file is not executable, or is gone, by the time of the game.
    let gone = workspace.honest_bot();
    let spec = crownhead_arena::seat::BotSpec::parse(&gone).unwrap();
    type Damage = fn(&str) -> std::io::Result<()>;
    let damaged: [(Damage, &str); 2] = [
        (
            |path| std::fs::write(path, "#!/bin/sh\n").and_then(|()| unexecutable(path)),
            "is not executable",
        ),
        (|path| std::fs::remove_file(path), "there is no file `"),
    ];
    for (damage, sentence) in damaged {
        damage(&gone).unwrap();
        let mut table = Table::of("honest", "honest");
        table.plan.bots[0] = spec.clone().into();
        ends(&play(&table), Termination::CannotStart, sentence);
    }
}

fn unexecutable(path: &str) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o644))
}

/// A profile under which every honest answer of a slow bot is a little late.
fn forgiving(strikes: u32) -> Profile {
    Profile {
        grace: Grace {
            over: AMPLE,
            strikes,
        },
        ..profile::CONTEST
    }
}

#[test]
fn the_third_strike_loses_and_two_do_not() {
    let mut table = Table::of("late 20", "honest").within(Duration::from_millis(1));
    // White may be late as often as it likes: only black is slow enough to be late for certain, and it
    // is asked first.
    table.plan.settings.conditions.profile = forgiving(3);
    let game = play(&table);
    assert_eq!(game.termination, Termination::Timeout);
    assert!(
        game.reason
            .contains("its limit was 1 ms, and that was strike 3"),
        "{}",
        game.reason
    );
    table.plan.settings.conditions.profile = forgiving(99);
    assert_eq!(play(&table).termination, Termination::TurnLimit);
}

#[test]
fn in_the_contest_a_carriage_return_alone_ends_a_line() {
    let mut table = Table::of("bare-return", "honest");
    table.plan.settings.conditions.profile = profile::CONTEST;
    ends(&play(&table), Termination::TurnLimit, "12 turns");
}

#[test]
fn however_the_referee_ends_no_bot_is_left() {
    use rustix::process::{Pid, Signal, kill_process};
    let sandboxes = ["auto", "off"];
    for (index, signal) in [Signal::INT, Signal::TERM, Signal::HUP, Signal::KILL]
        .into_iter()
        .enumerate()
    {
        let tag = process_tag();
        let bot = |case: &str| format!("'{}' {case} - {tag}", misbehave().display());
        let mut referee = std::process::Command::new(assert_cmd::cargo::cargo_bin!("crownhead"))
            .args(["match", &bot("silent"), &bot("new-session"), "--games", "1"])
            .args(["--openings", "none"])
            .args([
                "--time",
                "100s",
                "--first-turn",
                "100s",
                "--sandbox",
                sandboxes[index % 2],
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The referee itself, both bots, and the child that has left its session.
        let mentions = || crate::common::processes_that_mention(&tag);
        wait_until(|| "the bots do not start", || mentions().len() >= 4);
        let pid = Pid::from_raw(i32::try_from(referee.id()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
        referee.wait().unwrap();
        assert_eq!(
            remaining_processes(&tag),
            Vec::<String>::new(),
            "after {signal:?}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_referee_short_of_files_blames_no_bot() {
    let workspace = TestWorkspace::new();
    let record = workspace.path("games");
    let mut failed = 0;
    // With a sandbox its supervisor is the first to be short of them, before a game begins.
    let runs = (8..24).flat_map(|limit| [(limit, "auto"), (limit, "off")]);
    for (limit, sandbox) in runs {
        let script = format!("ulimit -n {limit}; exec \"$@\"");
        drop(std::fs::remove_file(&record));
        // Where it does not even come to a game, it says so and ends.
        std::process::Command::new("sh")
            .args(["-c", &script, "sh"])
            .arg(assert_cmd::cargo::cargo_bin!("crownhead"))
            .args("match random random --games 1 --max-turns 2 --openings none".split(' '))
            .args([
                "--time",
                "30s",
                "--first-turn",
                "30s",
                "--sandbox",
                sandbox,
                "--record",
            ])
            .arg(&record)
            .output()
            .unwrap();
        let game = std::fs::read_to_string(&record).unwrap_or_default();
        if !game.is_empty() {
            let game: serde_json::Value = serde_json::from_str(&game).unwrap();
            match game["termination"].as_str().unwrap() {
                "turn-limit" => {}
                "referee-fault" => {
                    failed += 1;
                    assert!(game["scores"].is_null(), "{limit} files, {sandbox}: {game}");
                }
                _ => panic!("{limit} files, {sandbox}: {game}"),
            }
        }
    }
    assert!(failed > 0, "no limit was met");
}
