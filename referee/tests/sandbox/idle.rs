//! Bots that run while their opponent should think: they leave the state in which signals stop a process, take the core
//! that both share, or slow down the machine. For all users of the tests of escapes.

use crate::common::sandbox::{EscapeSetup, User, can_freeze, log};
use serde_json::Value;

/// How many milliseconds black's helpers went on of those in which it was not asked, and for how many the first waited
/// for a core, each time.
fn went_on(game: &Value) -> Vec<[u64; 3]> {
    let log = log(game);
    assert!(log.contains("at work for "), "{game}");
    let told = log.lines().filter_map(|line| {
        let (ran, rest) = line.strip_prefix("went on for ")?.split_once(" of ")?;
        let (idle, waited) = rest.split_once(" ms, waited for a core for ")?;
        Some([ran.parse().ok()?, idle.parse().ok()?, waited.parse().ok()?])
    });
    told.collect()
}

/// Black's helpers stand still for most of the time in which white thinks: a busy machine may be slow to stop them.
fn stands_still(setup: &EscapeSetup, user: User, way: &str, options: &[&str]) -> Vec<[u64; 3]> {
    let options = [options, &["--max-turns", "8"]].concat();
    let game = setup.play_against(user, &format!("goes-on {way}"), "late 300", &options);
    let told = went_on(&game);
    let thought = told.iter().filter(|one| one[1] >= 250).count();
    let [ran, idle] = [0, 1].map(|what| told.iter().map(|one| one[what]).sum::<u64>());
    assert!(
        thought >= 3 && ran * 2 < idle,
        "{user:?}, {way}: {told:?} in {game}"
    );
    told
}

/// A stopped bot does not continue in this way, under any user's referee.
fn does_not_continue_itself(way: &str) {
    let setup = EscapeSetup::new();
    for user in User::all() {
        stands_still(&setup, user, way, &["--suspend-idle"]);
    }
}

#[test]
fn a_bot_that_was_stopped_does_not_continue_itself_by_signals() {
    does_not_continue_itself("signals=20");
}

#[test]
fn a_bot_that_was_stopped_does_not_continue_itself_by_exit_signals() {
    does_not_continue_itself("exit-signals");
}

#[test]
fn a_bot_that_was_stopped_does_not_continue_itself_by_signals_of_its_parents_death() {
    does_not_continue_itself("parents-death");
}

#[test]
fn a_bot_that_was_stopped_does_not_continue_itself_by_becoming_an_orphan() {
    does_not_continue_itself("orphans");
}

#[test]
fn every_thread_stands_still_whatever_the_first_waits_for_and_though_it_has_ended() {
    let setup = EscapeSetup::new();
    for user in User::all() {
        for way in ["waits-for-vfork", "without-first-thread"] {
            let told = stands_still(&setup, user, way, &["--suspend-idle"]);
            // To stop it takes a moment, not as long as one waits for what does not stop.
            let shortest = told.iter().map(|one| one[1]).min();
            assert!(shortest < Some(600), "{user:?}, {way}: {told:?}");
        }
    }
}

#[test]
fn helpers_take_no_core_that_both_bots_share() {
    let setup = EscapeSetup::new();
    let many = std::thread::available_parallelism().map_or(1, usize::from);
    let many = many.to_string();
    for user in User::all() {
        let options = ["--concurrency", &many];
        stands_still(&setup, user, "spins-in-sessions=20", &options);
    }
}

#[test]
fn a_bot_slows_down_nobody_on_another_core_while_it_is_not_asked() {
    let setup = EscapeSetup::new();
    for user in User::all() {
        // By default where a control group freezes it.
        let options: &[&str] = match user {
            User::Own if can_freeze() => &[],
            _ => &["--suspend-idle"],
        };
        stands_still(&setup, user, "splits-locks=1", options);
    }
}

#[test]
fn a_bot_that_thinks_in_its_opponents_time_may_go_on_where_that_is_wanted() {
    let setup = EscapeSetup::new();
    let options = ["--suspend-idle=never", "--max-turns", "12"];
    let game = setup.play_against(User::Own, "goes-on spins=1", "late 300", &options);
    let told = went_on(&game);
    let [ran, idle, waited] = [0, 1, 2].map(|what| told.iter().map(|one| one[what]).sum::<u64>());
    // A frozen bot neither runs meanwhile nor waits for the core that others may have.
    assert!(told.len() >= 5 && (ran + waited) * 2 > idle, "{told:?}");
}

#[test]
fn a_note_says_that_nothing_keeps_a_bot_stopped() {
    let setup = EscapeSetup::new();
    let run = |user: User, options: &[&str]| {
        let done = setup.run(
            user,
            &[&["match", "random", "random", "--games", "1"], options].concat(),
        );
        String::from_utf8(done.stderr).unwrap()
    };
    let said = run(User::Own, &["--suspend-idle", "--sandbox", "off"]);
    assert!(said.contains("nothing keeps them from going on"), "{said}");
    for user in User::without_namespaces() {
        let done = setup.run(user, &["doctor"]);
        let said = String::from_utf8(done.stdout).unwrap();
        assert!(said.contains("no control group that freezes: "), "{said}");
    }
}
