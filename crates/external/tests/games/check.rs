//! Checks of referees, with real ones that have faults.

use crate::common::{ENGINE, find};
use crownhead_external::{CheckReport, check};
use crownhead_record::RefereeProtocol;
use std::sync::atomic::AtomicBool;

/// What is found with this referee in this many games, and how many of random answers were played.
fn checked(file: &str, options: &str, games: u64) -> (CheckReport, u64) {
    let referee = find(file, options, 2, None).unwrap();
    let mut played = 0;
    let report = check(&referee, games, &AtomicBool::new(false), &mut |games| {
        played = games;
    });
    (report.unwrap(), played)
}

#[test]
fn a_sound_referee_has_no_fault() {
    let (report, played) = checked("faulty.py", "", 8);
    assert_eq!(report.faults, []);
    assert!(report.lists_legal);
    assert_eq!(played, 8);
}

#[test]
fn each_fault_is_found_and_no_other() {
    for (fault, problem, seen) in [
        ("unseeded", "the seed 1 gives two games", "turn 1: `"),
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
            "it refuses an answer that it lists",
            "answered 3; expected 1 to 3",
        ),
        (
            "twice",
            "a game of legal answers does not come to its end",
            "said `###End 0 0`; expected",
        ),
        (
            "sixth",
            "a game of legal answers does not come to its end",
            "ended with exit status 3; its standard error ends: no sixth turn",
        ),
        (
            "floods",
            "it does not speak",
            "said more than 100 KiB at once",
        ),
        ("mumbles", "it does not speak", "said `Welcome!`"),
    ] {
        let (report, _) = checked("faulty.py", fault, 3);
        let [found] = &report.faults[..] else {
            panic!("{fault}: {report:#?}");
        };
        assert!(found.problem.starts_with(problem), "{fault}: {found:?}");
        assert!(found.seen.contains(seen), "{fault}: {found:?}");
    }
}

#[test]
fn without_legal_answers_what_can_be_checked_is() {
    let (report, played) = checked("lines.py", "", 10);
    assert_eq!((&report.faults[..], report.lists_legal), (&[][..], false));
    assert_eq!(played, 0);
    let (report, _) = checked("lines.py", "--fault garbage", 10);
    assert!(report.faults[0].seen.contains("said `###News of today`"));
}

#[test]
fn answers_of_several_lines_are_given_whole() {
    let (report, played) = checked("lines.py", "--legal --show text", 2);
    assert_eq!((&report.faults[..], played), (&[][..], 2));
}

#[test]
fn of_codingames_engine_whole_games_are_checked() {
    let (report, _) = checked("engine.py", ENGINE, 10);
    assert_eq!(report.faults, []);
    let (report, _) = checked("engine.py", &format!("{ENGINE} --fault chance"), 10);
    assert_eq!(report.faults[0].problem, "the seed 1 gives two games");
}

#[test]
fn an_interrupt_ends_a_check() {
    let referee = find("faulty.py", "", 2, Some(RefereeProtocol::Lines)).unwrap();
    assert!(check(&referee, 10, &AtomicBool::new(true), &mut |_| {}).is_err());
}
