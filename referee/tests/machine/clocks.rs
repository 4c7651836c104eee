//! What counts as time: the record of each turn, both clocks, time given back, and bots that stand still while they are
//! not asked.
//!
//! A machine that is busy can only make bots later: limits are ample wherever being late is not the point.

use crate::common::table::{AMPLE, Table, sandbox, stderr_of};
use crate::common::{CpuLoad, TestWorkspace, crownhead};
use crownhead::board::Side;
use crownhead_arena::seat::SuspendIdle;
use crownhead_record::GameRecord;
use crownhead_record::Termination;
use crownhead_record::judge::Clock;
use crownhead_sandbox::{Sandbox, SandboxMode};
use std::time::Duration;

/// Black does this in a single turn that is timed by `clock`, against an honest bot, and the game ends so.
fn comes_to(clock: Clock, black: &str, limit: Duration, termination: Termination) {
    let game = by(clock, black, limit).play_one();
    assert_eq!(game.termination, termination, "{clock:?}: {}", game.reason);
}

fn by(clock: Clock, black: &str, limit: Duration) -> Table {
    let mut table = Table::of(black, "honest").within(limit);
    table.plan.settings.conditions.clock = clock;
    table.rules().length.max_turns = Some(1);
    table
}

#[test]
fn every_turn_records_wall_work_and_waiting() {
    for sandbox in [sandbox(SandboxMode::Auto), Sandbox::none()] {
        let game = Table::of("busy 20", "late 20")
            .in_sandbox(sandbox)
            .play_one();
        for turn in &game.turns {
            let work = turn.work.expect("Linux tells it");
            assert!(turn.waited.is_some());
            assert!(turn.time >= Duration::from_millis(20));
            if turn.player == 0 {
                assert!(work >= Duration::from_millis(19), "{work:?} of work");
            }
        }
    }
}

#[test]
fn sleep_counts_on_the_wall_but_is_no_work() {
    let limit = Duration::from_millis(700);
    comes_to(Clock::Cpu, "late 1000", limit, Termination::TurnLimit);
    comes_to(Clock::Wall, "late 1000", limit, Termination::Timeout);
}

#[test]
fn work_counts_by_every_clock() {
    for clock in [Clock::Wall, Clock::Cpu] {
        let limit = Duration::from_millis(100);
        comes_to(clock, "busy 300", limit, Termination::Timeout);
    }
}

#[test]
fn no_clock_lets_a_turn_last_longer_than_ten_limits() {
    let game = by(Clock::Cpu, "silent", Duration::from_millis(40)).play_one();
    assert_eq!(game.termination, Termination::Timeout);
    assert!(
        game.reason.contains("did not answer within 40 ms"),
        "{}",
        game.reason
    );
    let lasted = game.turns[0].time;
    assert!(lasted >= Duration::from_millis(400), "{lasted:?}");
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[test]
fn a_bot_that_waits_for_a_core_is_given_that_back() {
    let _load = CpuLoad::of(3 * cores());
    // A fourth of a core: 150 ms of work take more than its limit of 400 ms.
    let game = by(Clock::Wall, "busy 150", Duration::from_millis(400)).play_one();
    let turn = &game.turns[0];
    assert_eq!(game.termination, Termination::TurnLimit, "{turn:?}");
    assert!(turn.time <= Duration::from_millis(400) || !turn.given_back.is_zero());
    assert!(turn.counted() <= Duration::from_millis(400), "{turn:?}");
}

#[test]
fn a_bot_that_slept_through_its_time_is_not_suspect() {
    let games = by(Clock::Wall, "silent", Duration::from_millis(300)).play();
    // It waits for a core only when it wakes, and does nothing for the rest of its time.
    assert_eq!(games[0].termination, Termination::Timeout);
    assert!(!games[0].suspect, "{:?}", games[0].turns);
    assert_eq!(games.len(), 1);
}

#[test]
fn an_idle_bot_stands_still_where_that_is_wanted() {
    for sandbox in [
        sandbox(SandboxMode::Auto),
        sandbox(SandboxMode::Off),
        Sandbox::none(),
    ] {
        let mut table = Table::of("restless", "late 300")
            .in_sandbox(sandbox)
            .within(AMPLE);
        table.plan.settings.conditions.suspend_idle = SuspendIdle::Always;
        table.rules().length.max_turns = Some(3);
        let game = table.play_one();
        assert_eq!(game.termination, Termination::TurnLimit, "{}", game.reason);
        stood_still(&game);
    }
}

/// Black, which was restless, stood still for most of its opponent's 300 ms: a signal may take its time to stop every
/// thread.
fn stood_still(game: &GameRecord) {
    let log = stderr_of(game, Side::Black);
    let gaps: Vec<u64> = log
        .split("stood still for ")
        .filter_map(|part| part.split(" ms").next()?.parse().ok())
        .collect();
    assert_eq!(gaps.len(), 2, "{log}");
    assert!(gaps[1] >= 150, "{gaps:?}");
}

#[test]
fn more_games_at_once_than_half_the_cores_are_reported() {
    let play = |more: &[&str]| {
        let at_once = (cores() / 2).max(1) + 1;
        let words = format!("match random random --games 1 --concurrency {at_once}");
        let played = crownhead().args(words.split(' ')).args(more).assert();
        String::from_utf8(played.success().get_output().stderr.clone()).unwrap()
    };
    let said = play(&[]);
    assert!(said.contains("games at once may make bots late"), "{said}");
    assert_eq!(play(&["--quiet"]), "");
}

#[test]
fn limits_above_the_contests_are_refused() {
    let words = "match random random --profile contest --time 1s";
    let refused = crownhead().args(words.split(' ')).assert().code(2);
    let told = "the contest profile allows 30 s";
    refused.stderr(predicates::str::contains(told));
}

/// A bot that takes everything but `w` for black, and makes its own moves.
const KNOWS_W: &str = "
moves=A1B2; [ \"$colour\" = w ] && moves=B6A5
while turn; do echo ${moves:-$move}; moves=; done";

#[test]
fn a_bot_for_the_live_site_is_told_of_its_colour_line_and_plays_with_it() {
    let workspace = TestWorkspace::new();
    let bot = workspace.bot("live", KNOWS_W);
    let play = |options: &[&str]| {
        // As ample as the contest's engine allows.
        let time = ["--time", "5s", "--first-turn", "8s"];
        let usual = [
            "random",
            &bot,
            "--games",
            "1",
            "--max-turns",
            "4",
            "--sandbox",
            "off",
        ];
        let result = workspace.match_json(&[&usual[..], &time, options].concat());
        result["faults"][0]["reason"].as_str().map(str::to_string)
    };
    let told = play(&[]).unwrap();
    let sentences = "red answered `A1B2` but the piece on A1 is black's. This looks like a bot that knows `w` for \
        red, as the live site sends: `--colour-line live` sends it (`colour_line = \"live\"` in a ladder.toml)";
    assert_eq!(told, sentences);
    assert!(
        play(&["--profile", "contest", "--colour-line", "statement"])
            .unwrap()
            .contains("`--colour-line live`")
    );
    for options in [&["--colour-line", "live"], &["--profile", "contest"]] {
        assert_eq!(play(options), None, "{options:?}");
    }
}
