//! Bots that continue while their opponent is to think, and slow down the machine.
#![allow(clippy::print_stdout)] // Tests say what they skipped.

use crate::common::sandbox::{EscapeSetup, User, can_freeze, log};
use serde_json::Value;

/// How many milliseconds black's helpers went on of those in which it was not asked, each time.
fn went_on(game: &Value) -> Vec<(u64, u64)> {
    let log = log(game);
    assert!(log.contains("at work for "), "{game}");
    let told = log.lines().filter_map(|line| {
        let rest = line.strip_prefix("went on for ")?.strip_suffix(" ms")?;
        let (ran, idle) = rest.split_once(" of ")?;
        Some((ran.parse().ok()?, idle.parse().ok()?))
    });
    told.collect()
}

#[test]
fn a_bot_slows_down_nobody_on_another_core_while_it_is_not_asked() {
    if !can_freeze() {
        println!("skipped: no control groups here");
        return;
    }
    let setup = EscapeSetup::new();
    let options = ["--max-turns", "8"];
    let game = setup.play_against(User::Own, "goes-on splits-locks=1", "late 300", &options);
    let told = went_on(&game);
    let thought = told.iter().filter(|(_, idle)| *idle >= 250).count();
    let [ran, idle] = [
        told.iter().map(|one| one.0).sum(),
        told.iter().map(|one| one.1).sum::<u64>(),
    ];
    // A busy machine may be slow to freeze it.
    assert!(thought >= 3 && ran * 2 < idle, "{told:?} in {game}");
}

#[test]
fn a_bot_that_thinks_in_its_opponents_time_may_go_on_where_that_is_wanted() {
    let setup = EscapeSetup::new();
    let options = ["--suspend-idle=never", "--max-turns", "12"];
    let game = setup.play_against(User::Own, "goes-on spins=1", "late 300", &options);
    let told = went_on(&game);
    let (ran, idle) = told
        .iter()
        .fold((0, 0), |sum, told| (sum.0 + told.0, sum.1 + told.1));
    // One that is frozen goes on for none of it; others may have its core for most of the time.
    assert!(told.len() >= 5 && ran * 10 > idle, "{told:?}");
}

#[test]
fn that_nothing_freezes_a_bot_is_said() {
    let setup = EscapeSetup::new();
    for user in User::without_namespaces() {
        let done = setup.run(user, &["doctor"]);
        let said = String::from_utf8(done.stdout).unwrap();
        assert!(said.contains("no control group that freezes: "), "{said}");
    }
}
