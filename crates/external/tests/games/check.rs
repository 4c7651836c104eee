//! Checks of referees, with real ones that have faults.

use crate::common::find;
use crownhead_external::{CheckOptions, CheckReport, Finding, check};
use crownhead_record::RefereeProtocol;
use std::sync::atomic::AtomicBool;

/// What is found with this referee in so many games.
fn checked(file: &str, options: &str, games: u64) -> CheckReport {
    let referee = find(file, options, 2, Some(RefereeProtocol::Lines)).unwrap();
    let options = CheckOptions { games, threads: 2 };
    check(&referee, options, &AtomicBool::new(false), &mut |_| {}).unwrap()
}

fn faults(report: &CheckReport) -> Vec<&Finding> {
    let findings = report.findings.iter();
    findings.filter(|finding| finding.is_fault).collect()
}

#[test]
fn a_sound_referee_has_no_finding_and_its_games_are_summed_up() {
    let report = checked("faulty.py", "", 8);
    assert_eq!(report.findings, []);
    assert!(report.is_sound());
    let sample = report.sample.unwrap();
    let [fewest, mean, most] = sample.turns;
    assert!(
        7.0 <= fewest && fewest < mean && mean < most && most <= 40.0,
        "{sample:?}"
    );
    assert_eq!(sample.games, 8);
}

#[test]
fn each_fault_is_found_and_no_other() {
    for (fault, problem, seen) in [
        (
            "unseeded",
            "the seed 1 gives two games",
            "turn 1: sends the line",
        ),
        (
            "dies",
            "its game breaks when a player answers garbage (`?!`)",
            "ValueError",
        ),
        (
            "takes",
            "it takes an answer that is not legal: garbage (`?!`)",
            "player 0, in turn 1: no `###Error`",
        ),
        (
            "again",
            "it takes an answer that is not legal: garbage (`?!`)",
            "player 0, in turn 1: no `###Error`",
        ),
        (
            "mute",
            "it does not say why it refuses garbage (`?!`)",
            "`###Error 0`",
        ),
        (
            "blames",
            "it blames a player that has done nothing when another one answers garbage",
            "`###Error 1 answered ?!",
        ),
        (
            "refuses",
            "it refuses answers that it lists, in ",
            "answered 3; expected 1 to 3",
        ),
        (
            "twice",
            "a game of its own answers does not come to its end",
            "said `###End 0 0`; expected",
        ),
        (
            "sixth",
            "a game of its own answers does not come to its end",
            "ended with exit status 3; its standard error ends: no sixth turn",
        ),
        (
            "floods",
            "a game of its own answers does not come to its end",
            "said more than 100 KiB at once",
        ),
        (
            "mumbles",
            "a game of its own answers does not come to its end",
            "said `Welcome!`",
        ),
    ] {
        let report = checked("faulty.py", fault, 3);
        let faults = faults(&report);
        assert_eq!(faults.len(), 1, "{fault}: {faults:#?}");
        assert!(
            faults[0].problem.starts_with(problem),
            "{fault}: {:?}",
            faults[0]
        );
        assert!(faults[0].seen.contains(seen), "{fault}: {:?}", faults[0]);
        assert!(!report.is_sound());
    }
}

#[test]
fn what_is_no_fault_is_noted() {
    for (options, problems) in [
        ("alike", &["its games all begin alike"][..]),
        ("bare", &["it lists no legal answers", "it shows no board"]),
    ] {
        let report = checked("faulty.py", options, 3);
        assert!(report.is_sound(), "{options}: {report:#?}");
        for problem in problems {
            let mut notes = report.findings.iter();
            let is_told = notes.any(|note| note.problem.starts_with(problem));
            assert!(is_told, "{options}: {report:#?}");
        }
    }
}

#[test]
fn without_legal_answers_what_can_be_checked_is() {
    let report = checked("lines.py", "", 10);
    assert_eq!(report.sample, None);
    assert!(report.is_sound(), "{report:#?}");
    let report = checked("lines.py", "--fault garbage", 10);
    assert!(faults(&report)[0].seen.contains("said `###News of today`"));
}

#[test]
fn answers_of_several_lines_are_given_whole() {
    let report = checked("lines.py", "--legal --show text", 2);
    assert!(report.is_sound(), "{report:#?}");
    assert_eq!(report.sample.unwrap().turns, [6.0; 3]);
}

#[test]
fn a_game_of_codingames_engine_goes_on_without_a_player_that_leaves() {
    let referee = find("engine.py", "", 2, Some(RefereeProtocol::Engine)).unwrap();
    let options = CheckOptions {
        games: 10,
        threads: 2,
    };
    let report = check(&referee, options, &AtomicBool::new(false), &mut |_| {}).unwrap();
    assert!(report.is_sound(), "{report:#?}");
}

#[test]
fn an_interrupt_ends_a_check() {
    let referee = find("faulty.py", "", 2, Some(RefereeProtocol::Lines)).unwrap();
    let options = CheckOptions {
        games: 10,
        threads: 2,
    };
    assert!(check(&referee, options, &AtomicBool::new(true), &mut |_| {}).is_err());
}
