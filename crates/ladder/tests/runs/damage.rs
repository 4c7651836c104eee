//! A ladder never lies about stored games, when rows of its file are damaged between runs, or locked during one.
//! `lost_file` tests a missing file.

use crate::ladder::{Ladder, THREE};
use crownhead_ladder::{DAMAGED, Findings, check};
use rusqlite::Connection;
use std::time::{Duration, Instant};

/// One kind of damage: its SQL, the message, and whether standings and runs refuse.
struct Damage(&'static str, &'static str, bool);

/// The damage to a ladder of nine pairs.
const DAMAGES: [Damage; 8] = [
    Damage(
        "DELETE FROM game WHERE pair = 4 AND place = 1",
        "is stored where the summary of a game for each of its bots should be",
        true,
    ),
    Damage(
        "UPDATE game SET summary = replace(summary, '\"termination\":\"', '&bore') WHERE pair = 5 AND place = 0",
        "pair 5 cannot be rated: `[{\"players\":",
        true,
    ),
    Damage(
        "UPDATE game SET pair = 0 WHERE pair = 1; UPDATE pair SET id = 0 WHERE id = 1",
        "pair 0 has a number that no pair has",
        true,
    ),
    Damage(
        "UPDATE game SET summary = replace(summary, '\"turns\":', '\"turns\":9') WHERE pair = 5 AND place = 0",
        "pair 5 has a record that says otherwise than its summary",
        false,
    ),
    Damage(
        "UPDATE game SET record = replace(record, '\"turns\"', '\"torns\"') WHERE pair = 6",
        "pair 6 cannot be read",
        false,
    ),
    Damage(
        "UPDATE game SET summary = json_set(summary, '$.players', json_array('other', 'other')) WHERE pair = 7",
        "pair 7 cannot be rated: `[{\"players\":[\"other\",\"other\"]",
        true,
    ),
    Damage(
        "UPDATE pair SET void = 'why not' WHERE id = 9",
        "pair 9 is not finished, or void, and has games",
        false,
    ),
    Damage(
        "UPDATE pair SET finished = NULL, finished_at = NULL WHERE id = 1",
        "pair 1 is not finished, or void, and has games",
        false,
    ),
];

/// A ladder with all pairs played, and its file.
fn played(settings: &str) -> (Ladder, Vec<u8>) {
    let ladder = Ladder::new(settings, &THREE);
    ladder.run().last();
    let sound = std::fs::read(ladder.path("games.db")).unwrap();
    (ladder, sound)
}

/// The file of the games, to write what no ladder would write.
fn database(ladder: &Ladder) -> Connection {
    let connection = Connection::open(ladder.path("games.db")).unwrap();
    for (check, on) in [("ignore_check_constraints", true), ("foreign_keys", false)] {
        connection.pragma_update(None, check, on).unwrap();
    }
    connection
}

fn damage(ladder: &Ladder, sql: &str) {
    database(ladder).execute_batch(sql).unwrap();
}

fn findings(ladder: &Ladder, repair: bool) -> Findings {
    check(&ladder.folder(), repair).unwrap()
}

/// How many pairs are rated, or why none is.
fn rated(ladder: &Ladder) -> Result<usize, String> {
    let pairs = ladder.folder().read_store().unwrap().pairs(0);
    pairs
        .map(|pairs| pairs.len())
        .map_err(|error| error.to_string())
}

pub(super) fn each_damage_is_found_and_mended_with_a_copy_kept_and_the_pair_is_played_again() {
    let (ladder, sound) = played("pairs = 3");
    let whole = findings(&ladder, true);
    assert!(whole.sound && whole.problems.is_empty() && whole.mended.is_empty());
    assert!(whole.mistakes.is_empty(), "{:?}", whole.mistakes);
    assert_eq!((whole.bots, whole.games), (3, 18));
    let copy = ladder.path("games.rescued-1.db");
    assert!(!copy.exists(), "there was nothing to mend");
    for Damage(sql, told, refused) in DAMAGES {
        std::fs::write(ladder.path("games.db"), &sound).unwrap();
        damage(&ladder, sql);
        let found = findings(&ladder, false);
        assert!(!found.sound && found.mended.is_empty(), "{sql}");
        assert!(!found.problems.is_empty(), "{sql}");
        for problem in &found.problems {
            assert!(problem.contains(told), "{sql}: {problem}");
        }
        assert_eq!(rated(&ladder).is_err(), refused, "{sql}");
        if refused {
            for refusal in [rated(&ladder).unwrap_err(), ladder.run().refusal()] {
                assert!(refusal.contains(told), "{sql}: {refusal}");
            }
        }

        let mended = findings(&ladder, true);
        assert!(mended.sound && mended.problems == found.problems, "{sql}");
        let copied = format!("{}: a copy of the games as they were", copy.display());
        let of_each = found.problems.iter().map(|problem| {
            format!("{problem}: its games are kept unrated, and it is played again")
        });
        let told: Vec<String> = [copied].into_iter().chain(of_each).collect();
        assert_eq!(mended.mended, told, "{sql}");
        let kept = Connection::open(&copy).unwrap();
        let games = kept.query_row("SELECT count(*) FROM game", (), |row| row.get(0));
        let lost = u64::from(sql.starts_with("DELETE"));
        assert_eq!(games, Ok(18 - lost), "{sql}");
        drop(kept);
        std::fs::remove_file(&copy).unwrap();
        let again = findings(&ladder, false);
        assert!(again.sound && again.problems.is_empty(), "{sql}");
        assert_eq!(rated(&ladder), Ok(8), "{sql}");
        assert_eq!(ladder.run().last().games, 2, "{sql}");
        assert_eq!(rated(&ladder), Ok(9), "{sql}");
    }
}

/// Rows that the tables' constraints forbid. Nothing is repaired there, and nothing hangs or is rated.
pub(super) fn rows_that_no_crownhead_can_have_written_are_told_and_refused() {
    let (ladder, sound) = played("pairs = 3");
    for sql in [
        "UPDATE pair SET finished = -3 WHERE id = 2",
        "UPDATE pair SET round = -1 WHERE id = 3",
        "UPDATE pair SET bots = '[[\"a\",\"1\"],[\"a\",\"2\"]]' WHERE id = 5",
    ] {
        std::fs::write(ladder.path("games.db"), &sound).unwrap();
        damage(&ladder, sql);
        let found = findings(&ladder, false).problems;
        let refused = [
            found[0].clone(),
            rated(&ladder).unwrap_err(),
            ladder.run().refusal(),
        ];
        for told in refused {
            assert!(told.contains("cannot be rated: "), "{sql}: {told}");
            assert!(told.contains(" is stored where "), "{sql}: {told}");
        }
    }
}

pub(super) fn void_pairs_are_counted_apart_and_disable_nobody() {
    let four = ["a", "b", "c", "d"].map(|name| (name, "sh bot.sh"));
    let ladder = Ladder::new("pairs = 3", &four);
    ladder.run().last();
    damage(
        &ladder,
        "CREATE TEMP TABLE gone AS SELECT id FROM pair WHERE json_extract(bots, '$[0][0]') = 'a' AND round < 2;
         DELETE FROM game WHERE pair IN gone;
         UPDATE pair SET void = 'lost on time while it waited for a core' WHERE id IN gone",
    );
    assert!(findings(&ladder, false).sound);
    ladder.configure("pairs = 4", &four);
    let ran = ladder.run();
    assert_eq!(
        (ran.last().finished, ran.last().void, ran.last().games),
        (24, 6, 12)
    );
    assert!(!ran.news.contains("disabled"), "{}", ran.news);
    let rows = ran.standings.unwrap().rows;
    let row = rows.iter().find(|row| row.bot == "a").unwrap();
    assert_eq!((row.void, row.pairs), (6, 6));
}

pub(super) fn a_file_that_is_damaged_itself_is_told_with_the_way_out_and_left_as_it_is() {
    let (ladder, mut bytes) = played("pairs = 1");
    // The last page has games.
    let last = bytes.len() - 4096;
    bytes[last..last + 64].fill(0xff);
    std::fs::write(ladder.path("games.db"), &bytes).unwrap();
    let found = findings(&ladder, false);
    let mended = findings(&ladder, true);
    assert!(!mended.sound && mended.problems == found.problems);
    assert!(found.damaged && mended.damaged);
    assert!(found.problems.iter().all(|told| !told.contains('\n')));
    let way_out = format!("nothing is repaired: {DAMAGED}");
    let (last, told) = mended.mended.split_last().unwrap();
    assert!(told == found.problems && told.len() > 1, "{told:?}");
    assert_eq!(*last, way_out);
    assert!(!ladder.path("games.rescued-1.db").exists());
    assert!(std::fs::read(ladder.path("games.db")).unwrap() == bytes);
}

pub(super) fn mistakes_of_the_configuration_are_found_and_what_a_build_makes_is_none() {
    let (ladder, _) = played("pairs = 1");
    ladder.configure(
        "openings = \"none.pdn\"",
        &[
            THREE[0],
            ("gone", "sh gone.sh"),
            ("retired", "sh left.sh\nretired = true"),
            ("built", "./made\nbuild = \"cp bot.sh made\""),
        ],
    );
    let found = findings(&ladder, false);
    assert!(found.sound, "{:?}", found.problems);
    let [openings, bot] = &found.mistakes[..] else {
        panic!("{:?}", found.mistakes);
    };
    assert!(openings.contains("none.pdn"), "{openings}");
    assert!(bot.contains("there is no file `gone.sh`"), "{bot}");
}

/// How long the other program of the next test keeps the file locked, once the run has reported it; `.ci/long` sets
/// `CROWNHEAD_LOCK_SECONDS`.
fn lock_time() -> Duration {
    let seconds = std::env::var("CROWNHEAD_LOCK_SECONDS");
    Duration::from_secs(seconds.map_or(0, |seconds| seconds.parse().unwrap()))
}

pub(super) fn a_lock_of_a_stranger_holds_a_run_up_and_does_not_end_it() {
    let ladder = Ladder::new("pairs = 2", &THREE);
    let (mut lock, mut since, mut is_told) = (None, None, false);
    let ran = ladder.run_until(false, |shown| {
        if shown.finished >= 3 && since.is_none() {
            let stranger = database(&ladder);
            stranger.execute_batch("BEGIN EXCLUSIVE").unwrap();
            (lock, since) = (Some(stranger), Some(Instant::now()));
        }
        is_told |= shown.news.contains("another program has locked it");
        if is_told && since.is_some_and(|since| since.elapsed() >= lock_time()) {
            lock = None;
        }
        Ok(false)
    });
    assert!(is_told && lock.is_none(), "{}", ran.news);
    assert_eq!(ran.last().finished, 6);
    assert!(findings(&ladder, false).sound);
}
