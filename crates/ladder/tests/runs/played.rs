//! Which pairs are played, by whom, and when that is refused.

use crate::ladder::{Ladder, THREE, waiting_bot};
use std::collections::BTreeSet;
use std::fs::write;
use std::io;

pub(super) fn every_pair_is_played_once_with_colours_swapped_from_its_opening_and_never_again() {
    let ladder = Ladder::new("pairs = 2\nconcurrency = 2\nseed = 3", &THREE);
    let seen = ladder.path("seen");
    write(ladder.path("bot.sh"), waiting_bot(&seen)).unwrap();
    let ran = ladder.run_until(false, |shown| {
        if !shown.playing.is_empty() {
            write(&seen, "")?;
        }
        Ok(false)
    });
    let last = ran.last();
    assert_eq!(
        (last.left, last.games, last.finished, last.void),
        (0, 12, 6, 0)
    );
    assert!(last.playing.is_empty());
    assert!(ran.shown.iter().all(|shown| shown.playing.len() <= 2));
    assert!(
        ran.shown
            .iter()
            .all(|shown| shown.finished + shown.left == 6)
    );
    assert!(ran.shown.is_sorted_by_key(|shown| shown.games));
    let standings = ran.standings.unwrap();
    assert_eq!((standings.pairs, standings.rows.len()), (6, 3));
    assert!(
        standings
            .rows
            .iter()
            .all(|row| row.pairs == 4 && row.time > std::time::Duration::ZERO)
    );

    let games = ladder.games();
    let numbers: Vec<u64> = games.iter().map(|game| game.number).collect();
    assert_eq!(numbers, (1..=12).collect::<Vec<u64>>());
    let mut openings = BTreeSet::new();
    for pair in games.chunks(2) {
        let [one, other] = pair else { unreachable!() };
        assert_eq!(one.players[0].name, other.players[1].name);
        assert_eq!(one.players[1].name, other.players[0].name);
        assert_eq!(one.opening, other.opening);
        assert_eq!(one.opening.len(), 4);
        openings.insert(one.opening.clone());
    }
    assert!(openings.len() > 1, "{openings:?}");
    let [one, other, third] = ["first", "last", "other"].map(String::from);
    let mut expected = Vec::new();
    for two in [[&one, &other], [&one, &third], [&other, &third]] {
        let [a, b] = two.map(String::clone);
        expected.extend([
            [a.clone(), b.clone()],
            [b.clone(), a.clone()],
            [a.clone(), b.clone()],
            [b, a],
        ]);
    }
    expected.sort();
    assert_eq!(ladder.meetings(), expected);

    let again = ladder.run();
    assert_eq!((again.last().games, again.last().finished), (0, 6));
    assert_eq!(ladder.games(), games);
}

pub(super) fn a_new_bot_plays_the_others_and_one_that_is_retired_plays_no_more() {
    let ladder = Ladder::new("pairs = 1", &THREE[..2]);
    assert_eq!(ladder.run().last().games, 2);
    ladder.configure("pairs = 1", &THREE);
    assert_eq!(ladder.run().last().games, 4);
    assert_eq!(ladder.games().len(), 6);
    let retired = ("last", "sh bot.sh last\nretired = true");
    ladder.configure("pairs = 2", &[THREE[0], retired, THREE[2]]);
    let ran = ladder.run();
    assert_eq!(ran.last().games, 2);
    let games = ladder.games();
    let newest: BTreeSet<&str> = games[6..]
        .iter()
        .flat_map(|game| &game.players)
        .map(|player| &*player.name)
        .collect();
    assert_eq!(newest, BTreeSet::from(["first", "other"]));
    let rows = ran.standings.unwrap().rows;
    let retired: Vec<&str> = rows
        .iter()
        .filter(|row| row.retired)
        .map(|row| &*row.bot)
        .collect();
    assert_eq!(retired, ["last"]);
}

pub(super) fn in_a_gauntlet_the_newcomer_plays_everyone_and_a_matched_ladder_stops_at_its_pairs() {
    let gauntlet = Ladder::new(
        "schedule = \"gauntlet\"\nnewcomer = \"other\"\npairs = 2",
        &THREE,
    );
    assert_eq!(gauntlet.run().last().finished, 4);
    assert!(
        gauntlet
            .meetings()
            .iter()
            .all(|two| two.contains(&"other".into()))
    );

    let settings = "schedule = \"matched\"\npairs = 5\nconcurrency = 2";
    let matched = Ladder::new(settings, &THREE);
    let ran = matched.run();
    assert_eq!((ran.last().finished, ran.last().left), (5, 0));
    assert!(
        ran.shown
            .iter()
            .all(|shown| shown.finished + shown.left == 5)
    );
    let standings = ran.standings.unwrap();
    assert!(
        standings.rows.iter().all(|row| row.pairs >= 2),
        "{standings:?}"
    );
    assert_eq!(matched.run().last().games, 0);
    matched.configure(&settings.replace('5', "7"), &THREE);
    assert_eq!(matched.run().last().games, 4);
}

pub(super) fn a_bot_that_fails_is_told_of_and_disabled_and_the_others_play_on() {
    let crasher = ("crasher", "sh -c 'read colour; exit 3'");
    let ladder = Ladder::new("pairs = 8", &[THREE[0], crasher, THREE[1]]);
    let ran = ladder.run();
    assert!(
        ran.news.contains("crasher is disabled: lost "),
        "{}",
        ran.news
    );
    assert!(ran.news.contains(" games by faults: "), "{}", ran.news);
    assert!(ran.faults.len() > 5, "{:?}", ran.faults);
    assert!(
        ran.faults.iter().all(|fault| fault == "crasher crash"),
        "{:?}",
        ran.faults
    );
    let standings = ran.standings.as_ref().unwrap();
    let of = |name: &str| standings.rows.iter().find(|row| row.bot == name).unwrap();
    assert!(of("crasher").disabled.is_some() && of("crasher").pairs < 16);
    assert_eq!(
        of("first").pairs + of("last").pairs - of("crasher").pairs,
        16
    );
    assert_eq!(ran.last().left, 0);
}

pub(super) fn a_bot_whose_build_fails_is_disabled_with_the_last_line_that_it_wrote() {
    let broken = (
        "broken",
        "sh bot.sh\nbuild = \"echo one >&2; echo no luck >&2; exit 3\"",
    );
    let builds = ("builds", "sh made.sh $WORD\nbuild = \"cp bot.sh made.sh\"");
    let ladder = Ladder::new("pairs = 1", &[THREE[0], broken, builds]);
    let ran = ladder.run();
    let told = "broken is disabled: its build command `echo one >&2; echo no luck >&2; exit 3` failed (exit status: \
                3): no luck. Fix it, then: ";
    assert!(ran.news.contains(told), "{}", ran.news);
    assert_eq!(ran.last().finished, 1);
    assert_eq!(
        ladder.meetings(),
        [["builds", "first"], ["first", "builds"]]
    );
}

pub(super) fn games_by_other_rules_or_limits_are_not_mixed() {
    let ladder = Ladder::new("pairs = 1", &THREE[..2]);
    ladder.run().last();
    for (settings, told) in [
        ("pairs = 2\ntime = \"70s\"", "time was 1m and is 1m 10s."),
        (
            "pairs = 2\nfirst_turn = \"61s\"",
            "first_turn was 1m and is 1m 1s.",
        ),
        ("pairs = 2\nmax_turns = 12", "max_turns was 10 and is 12."),
        (
            "pairs = 2\ngame = \"chess\"",
            "game was checkers and is chess, rules was ",
        ),
        ("pairs = 2\nclock = \"cpu\"", "clock was wall and is cpu."),
    ] {
        ladder.configure(settings, &THREE[..2]);
        let refusal = ladder.run().refusal();
        assert!(refusal.contains(told), "{refusal}");
        assert!(refusal.contains("ladder.toml: "), "{refusal}");
        assert!(refusal.contains("crownhead ladder new OTHER"), "{refusal}");
    }
    ladder.configure("pairs = 2", &THREE[..2]);
    assert_eq!(ladder.run().last().games, 2);
}

pub(super) fn the_next_run_plays_what_an_interrupted_run_left_open() {
    let ladder = Ladder::new("pairs = 3", &THREE);
    let ran = ladder.run_until(false, |shown| Ok(shown.games >= 4));
    let played = ran.last().finished;
    assert!((2..9).contains(&played), "{played}");
    assert_eq!(ran.last().left, 9 - played);
    let claimed = "SELECT count(*) FROM pair WHERE finished IS NULL AND run IS NOT NULL";
    let database = rusqlite::Connection::open(ladder.path("games.db")).unwrap();
    let claimed = database.query_row(claimed, (), |row| row.get(0));
    assert_eq!(claimed, Ok(0), "nobody has to wait for a lease to end");
    drop(database);
    assert_eq!(ladder.games().len() as u64, 2 * played);
    let ran = ladder.run();
    assert_eq!(
        (ran.last().games, ran.last().finished),
        (18 - 2 * played, 9)
    );
}

pub(super) fn a_run_that_ends_with_an_error_gives_its_pairs_back_and_keeps_what_it_has_stored() {
    let ladder = Ladder::new("pairs = 8", &THREE[..2]);
    let ran = ladder.run_until(false, |shown| {
        let is_gone = || io::Error::other("the screen is gone");
        (shown.games < 4).then_some(false).ok_or_else(is_gone)
    });
    assert_eq!(ran.refusal(), "the screen is gone");
    let kept = ladder.games().len() as u64;
    assert!((4..16).contains(&kept), "{kept}");
    let ran = ladder.run();
    assert_eq!((ran.last().games, ran.last().finished), (16 - kept, 8));
}

pub(super) fn a_running_ladder_takes_up_changes_of_bots_and_the_next_run_other_settings() {
    let ladder = Ladder::new("pairs = 1", &THREE[..2]);
    // No pair ends before everything is reported.
    let said = ladder.path("said");
    write(ladder.path("bot.sh"), waiting_bot(&said)).unwrap();
    let store = || ladder.folder().store().unwrap();
    let mut step = 0;
    let ran = ladder.run_until(false, |shown| {
        match step {
            0 if !shown.playing.is_empty() => ladder.configure("pairs = 1", &THREE),
            1 if shown.left == 3 => store().set_disabled("other", Some("it is tired")).unwrap(),
            2 if shown.news == "other is disabled: it is tired" => {
                assert_eq!(shown.left, 1);
                store().set_disabled("other", None).unwrap();
            }
            3 if shown.left == 3 => ladder.configure("pairs = 1\nmax_turns = 12", &THREE),
            4 if shown.news.ends_with("the other settings by the next run") => write(&said, "")?,
            _ => return Ok(false),
        }
        step += 1;
        Ok(false)
    });
    assert_eq!((ran.last().finished, ran.last().void), (3, 0));
    let told = ": bots and schedule are taken up now, the other settings by the next run";
    assert_eq!(ran.news.matches(told).count(), 1, "{}", ran.news);
    let of_bots: Vec<&str> = ran
        .news
        .lines()
        .filter(|line| line.contains("other is"))
        .collect();
    assert_eq!(of_bots, ["other is disabled: it is tired"]);
    assert!(
        ladder
            .run()
            .refusal()
            .contains("max_turns was 10 and is 12")
    );
}
