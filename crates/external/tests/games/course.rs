//! Referees that are given the seed and answers of a game again.

use crate::common::{ENGINE, find, take};
use crownhead_external::{Course, ExternalReferee, RefereeError, Step};
use crownhead_record::openings::Opening;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

static NEVER: AtomicBool = AtomicBool::new(false);

fn referee(file: &str, options: &str) -> ExternalReferee {
    referee_for(2, file, options)
}

fn referee_for(players: usize, file: &str, options: &str) -> ExternalReferee {
    let class = if file == "engine.py" { ENGINE } else { "" };
    find(file, &format!("{class} {options}"), players, None).unwrap()
}

/// The course of a game of seed 5 in which each player takes the first die, except that player 0 fails in this turn.
fn course(referee: &ExternalReferee, failing: Option<usize>) -> Course {
    let mut process = referee.start(&[]).unwrap();
    process.begin(&Opening {
        seed: Some(5),
        ..Opening::default()
    });
    let mut turn = 0;
    while let Step::Asked(request) = process.next(&NEVER).unwrap() {
        turn += 1;
        if failing.is_some_and(|failing| turn >= failing) && request.player == 0 {
            process.give_up();
            continue;
        }
        let lines: Vec<_> = take(&request).into_iter().map(String::into_bytes).collect();
        process.answer(&lines, Duration::from_millis(150));
    }
    process.into_course()
}

#[test]
fn a_sound_referee_comes_to_the_same_result_whoever_failed_or_was_slow() {
    for (file, options, failing) in [
        ("engine.py", "", None),
        ("engine.py", "--monitoring --rounds 5", None),
        ("engine.py", "", Some(5)),
        ("lines.py", "", None),
        ("lines.py", "--fault fickle", None),
    ] {
        let referee = referee(file, options);
        let course = course(&referee, failing);
        let repeated = referee.repeat(&course, &[], &NEVER);
        assert!(repeated.is_ok(), "{file} {options}: {repeated:?}");
    }
}

#[test]
fn another_result_is_the_referees_fault_and_told_with_what_came_out() {
    for (players, file, options, then) in [
        (2, "engine.py", "--rounds 2", "scores `14 15`, then `8 9`;"),
        (
            3,
            "engine.py",
            "",
            "scores `14 15`, then another question in turn 3;",
        ),
        (
            2,
            "engine.py",
            "--rounds 4",
            "scores `14 15`, then another question in turn 9;",
        ),
        (
            2,
            "engine.py",
            "--fault exit",
            "scores `14 15`, then it ended with exit status 3; its standard error ends: no dice left;",
        ),
        (2, "lines.py", "--fault fickle", ", then `"),
    ] {
        let sound = course(&referee(file, ""), None);
        let repeated = referee_for(players, file, options).repeat(&sound, &[], &NEVER);
        let Err(error @ RefereeError::Protocol { .. }) = repeated else {
            panic!("{file} {options}: {repeated:?}");
        };
        let told = error.to_string();
        let first = "gives two results for the same seed and answers: first the ";
        assert!(told.contains(first), "{file} {options}: {told}");
        assert!(told.contains(then), "{file} {options}: {told}");
    }
}

#[test]
fn an_interrupt_says_nothing_of_the_referee() {
    let referee = referee("engine.py", "");
    let course = course(&referee, None);
    let repeated = referee.repeat(&course, &[], &AtomicBool::new(true));
    assert!(matches!(repeated, Err(RefereeError::Interrupted)));
}
