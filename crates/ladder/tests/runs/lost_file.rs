//! A ladder's file is removed, replaced or overwritten while a run uses it. Played games are kept, and nothing starts
//! over without asking.

use crate::ladder::{Ladder, Ran, THREE};
use crownhead_ladder::check;
use rusqlite::Connection;
use std::path::Path;

/// Does something to a ladder's file once three pairs are stored; returns how the run ended.
fn meddle(ladder: &Ladder, with: impl FnOnce(&Path)) -> Ran {
    let mut with = Some(with);
    ladder.run_until(false, |shown| {
        if shown.finished >= 3
            && let Some(with) = with.take()
        {
            with(&ladder.path("games.db"));
        }
        Ok(false)
    })
}

/// A ladder of 24 pairs: at the first look that shows three, four are finished at most.
fn long() -> Ladder {
    Ladder::new("pairs = 8", &THREE)
}

/// Another ladder, which has played one pair.
fn another() -> Ladder {
    let ladder = Ladder::new("pairs = 1", &THREE[..2]);
    ladder.run().last();
    ladder
}

/// A run that has lost its file says so, and where the pairs are that it had stored.
fn tells_where_the_games_are(ladder: &Ladder, ran: &Ran, lost: &str) {
    let refusal = ran.refusal();
    assert!(refusal.contains(lost), "{refusal}");
    let rescued = ladder.path("games.rescued-1.db").canonicalize().unwrap();
    assert!(
        refusal.contains(&rescued.display().to_string()),
        "{refusal}"
    );
    let kept = Connection::open(&rescued).unwrap();
    let count = "SELECT count(*) FROM pair WHERE finished IS NOT NULL";
    let kept: u64 = kept.query_row(count, (), |row| row.get(0)).unwrap();
    assert!(kept >= 3, "{kept} pairs are kept");
    assert!(refusal.contains(&format!("{kept} pairs")), "{refusal}");
}

pub(super) fn a_run_whose_file_is_removed_stops_and_what_it_stored_goes_on_where_it_was() {
    // SQLite takes a remaining log for that of the next file.
    for removed in [&["", "-wal", "-shm"][..], &[""]] {
        let ladder = long();
        let ran = meddle(&ladder, |file| {
            for suffix in removed {
                let mut name = file.as_os_str().to_owned();
                name.push(suffix);
                std::fs::remove_file(name).unwrap();
            }
        });
        tells_where_the_games_are(&ladder, &ran, "was removed");
        let rescued = ladder.path("games.rescued-1.db");
        let kept = std::fs::read(&rescued).unwrap();
        std::fs::rename(rescued, ladder.path("games.db")).unwrap();
        let found = check(&ladder.folder(), false).unwrap();
        assert!(found.sound && found.games >= 6, "{found:?}");
        let games = ladder.games();
        drop(ladder.folder().store().unwrap());
        assert_eq!(ladder.games().len(), games.len());
        let now = std::fs::read(ladder.path("games.db")).unwrap();
        assert_eq!(now.len(), kept.len(), "nothing was added from a log");
    }
}

pub(super) fn a_run_whose_file_is_replaced_by_another_ladders_stops_and_leaves_that_alone() {
    for has_log in [false, true] {
        let (ladder, other) = (long(), another());
        let held = Connection::open(other.path("games.db")).unwrap();
        let names = if has_log {
            // SQLite has it in the log until the file is closed.
            held.execute("CREATE TABLE logged (number)", ()).unwrap();
            &["games.db", "games.db-wal"][..]
        } else {
            &["games.db"]
        };
        let ran = meddle(&ladder, |file| {
            let draft = file.with_extension("draft");
            for name in names {
                std::fs::copy(other.path(name), &draft).unwrap();
                std::fs::rename(&draft, file.with_file_name(name)).unwrap();
            }
        });
        tells_where_the_games_are(&ladder, &ran, "was replaced");
        assert!(
            ladder.games() == other.games(),
            "the other's games are not what they were"
        );
        let now = Connection::open(ladder.path("games.db")).unwrap();
        assert_eq!(now.table_exists(None, "logged").unwrap(), has_log);
    }
}
