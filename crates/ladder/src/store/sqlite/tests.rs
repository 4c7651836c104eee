//! Tests only for files: many programs that open one at once, and leases by locks. Tests for every store are in
//! `tests/database`.

use super::store::lock_of;
use super::*;
use crate::store::sql::Sql;
use crate::store::{FinishedPair, Lease, Store, StoreError};
use crate::tests::{game, key};
use crownhead_record::GameRecord;
use rusqlite::Connection;

struct Ladder {
    _folder: tempfile::TempDir,
    path: std::path::PathBuf,
}

impl Ladder {
    fn new() -> Ladder {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        SqliteStore::create(&path).unwrap();
        Ladder {
            _folder: folder,
            path,
        }
    }

    fn open(&self) -> Store {
        SqliteStore::open(&self.path).unwrap().into()
    }

    fn void_games(&self) -> u64 {
        let file = Connection::open(&self.path).unwrap();
        let count = "SELECT count(*) FROM void_game";
        file.query_row(count, (), |row| row.get(0)).unwrap()
    }
}

fn finished(lease: Lease) -> FinishedPair {
    FinishedPair {
        lease,
        games: pair(lease.pair),
        replaced: Vec::new(),
        void: None,
    }
}

fn pair(id: u64) -> Vec<GameRecord> {
    vec![
        game(2 * id - 1, "anna", "bert", [1.0, 0.0]),
        game(2 * id, "bert", "anna", [0.5, 0.5]),
    ]
}

fn claimed(lease: Option<Lease>) -> Lease {
    lease.expect("no other run holds it")
}

#[test]
fn stored_data_is_flushed_to_the_disk_before_the_call_returns() {
    let ladder = Ladder::new();
    let level = |sql: &mut dyn Sql| sql.number("PRAGMA synchronous", &[]);
    // With FULL, 2, SQLite flushes at each commit (sqlite.org/pragma.html#pragma_synchronous).
    assert_eq!(ladder.open().write(level).unwrap(), 2);
}

#[test]
fn a_new_file_can_be_made_and_opened_by_many_at_once() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    SqliteStore::create(&path).unwrap();
                    Store::from(SqliteStore::open(&path).unwrap())
                        .begin_run()
                        .unwrap()
                });
            }
        });
    }
}

#[test]
fn a_database_of_another_program_or_version_is_no_ladder() {
    let ladder = Ladder::new();
    let refusals = |pragma: &str, number: i64| {
        let file = Connection::open(&ladder.path).unwrap();
        file.pragma_update(None, pragma, number).unwrap();
        drop(file);
        [
            SqliteStore::open(&ladder.path),
            SqliteStore::read(&ladder.path),
        ]
        .map(|opened| opened.err().unwrap())
    };
    for refusal in refusals("user_version", 1) {
        assert!(matches!(refusal, StoreError::Version(1)), "{refusal}");
    }
    for refusal in refusals("application_id", 7) {
        assert!(matches!(refusal, StoreError::NotALadder), "{refusal}");
    }
}

/// Two runs of a ladder, the first of which holds a pair.
fn two_runs(ladder: &Ladder) -> ([Store; 2], [u64; 2], Lease) {
    let mut stores = [(); 2].map(|()| ladder.open());
    let runs = stores.each_mut().map(|store| store.begin_run().unwrap());
    let lease = stores[0]
        .claim(runs[0], &key(&["anna", "bert"], 0))
        .unwrap();
    (stores, runs, claimed(lease))
}

#[test]
fn a_run_holds_its_pairs_while_it_lives_and_leaves_no_lock() {
    let ladder = Ladder::new();
    let ([one, mut other], [first, second], lost) = two_runs(&ladder);
    let key = key(&["anna", "bert"], 0);
    assert_eq!(other.claim(second, &key).unwrap(), None);
    let lock = lock_of(&ladder.path, first);
    assert!(lock.exists());
    drop(one);
    assert!(!lock.exists());
    let taken = claimed(other.claim(second, &key).unwrap());
    assert!(taken.pair == lost.pair && taken.fence > lost.fence);
    assert_eq!(other.finish(second, &[finished(taken)]).unwrap(), [true]);
}

#[test]
fn a_run_that_has_lost_its_pair_stores_nothing_of_it() {
    let ladder = Ladder::new();
    let ([mut one, mut other], [first, second], lost) = two_runs(&ladder);
    // As a run of an earlier version, which has no lock.
    std::fs::remove_file(lock_of(&ladder.path, first)).unwrap();
    let taken = claimed(other.claim(second, &key(&["anna", "bert"], 0)).unwrap());
    assert_eq!(one.finish(first, &[finished(lost)]).unwrap(), [false]);
    one.give_back(first, lost, &pair(lost.pair)).unwrap();
    assert_eq!(ladder.void_games(), 0);
    assert_eq!(other.finish(second, &[finished(taken)]).unwrap(), [true]);
    assert_eq!(one.finish(first, &[finished(lost)]).unwrap(), [false]);
    assert_eq!(one.pairs(0).unwrap().len(), 1);
}

#[test]
fn the_lock_of_a_killed_run_is_removed_with_its_leases() {
    let ladder = Ladder::new();
    let ([mut one, _other], [first, _], _) = two_runs(&ladder);
    let file = Connection::open(&ladder.path).unwrap();
    file.pragma_update(None, "foreign_keys", false).unwrap();
    file.execute("UPDATE pair SET run = 999", ()).unwrap();
    let left = lock_of(&ladder.path, 999);
    std::fs::write(&left, "").unwrap();
    claimed(one.claim(first, &key(&["anna", "bert"], 0)).unwrap());
    assert!(!left.exists());
}

#[test]
fn a_file_that_is_no_database_is_refused() {
    let ladder = Ladder::new();
    std::fs::write(
        &ladder.path,
        "these are no games, only words, and many of them\n".repeat(40),
    )
    .unwrap();
    let error = SqliteStore::open(&ladder.path).unwrap_err().to_string();
    assert!(error.contains("not a database"), "{error}");
}
