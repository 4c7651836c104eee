//! Tests only for files: many programs that open one at once, and leases by beats. Tests for every store are in
//! `tests/database`.

use super::*;
use crate::store::sql::{Database, Durability, Sql};
use crate::store::{FinishedPair, Lease, Store, StoreError};
use crate::test_games::{game, key};
use crownhead_record::GameRecord;
use rusqlite::Connection;
use std::time::Duration;

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

    fn open(&self) -> SqliteStore {
        SqliteStore::open(&self.path).unwrap()
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

fn pair(id: u64) -> [GameRecord; 2] {
    [
        game(2 * id - 1, "anna", "bert", [1.0, 0.0]),
        game(2 * id, "bert", "anna", [0.5, 0.5]),
    ]
}

fn void_games(store: &SqliteStore) -> u64 {
    let count = "SELECT count(*) FROM void_game";
    store
        .connection
        .query_row(count, (), |row| row.get(0))
        .unwrap()
}

fn claimed(lease: Option<Lease>) -> Lease {
    lease.expect("no other run holds it")
}

#[test]
fn what_must_survive_the_loss_of_power_is_flushed_when_it_is_stored_and_nothing_else() {
    let ladder = Ladder::new();
    let mut store = ladder.open();
    // With FULL, 2, SQLite flushes at each commit; with NORMAL, 1, at checkpoints (sqlite.org/pragma.html#pragma_synchronous).
    let levels = [Durability::Disk, Durability::Process, Durability::Disk].map(|durability| {
        let level = |sql: &mut dyn Sql| sql.number("PRAGMA synchronous", &[]);
        store.write(durability, level).unwrap()
    });
    assert_eq!(levels, [2, 1, 2]);
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
                    SqliteStore::open(&path).unwrap().begin_run().unwrap()
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
        let is_told =
            matches!(refusal, StoreError::Version { version: 1, expected } if expected > 1);
        assert!(is_told, "{refusal}");
    }
    for refusal in refusals("application_id", 7) {
        assert!(matches!(refusal, StoreError::NotALadder), "{refusal}");
    }
}

/// Lets time pass for a store.
fn pass(store: &mut SqliteStore, seconds: u64) {
    store.opened -= Duration::from_secs(seconds);
}

/// Two runs of a ladder, the first of which holds a pair.
fn two_runs(ladder: &Ladder) -> ([SqliteStore; 2], [u64; 2], Lease) {
    let mut stores = [(); 2].map(|()| ladder.open());
    let runs = stores.each_mut().map(|store| store.begin_run().unwrap());
    let lease = stores[0].claim(runs[0], &key("anna", "bert", 0));
    let lease = claimed(lease.unwrap());
    (stores, runs, lease)
}

#[test]
fn a_lease_that_is_not_renewed_ends_and_who_has_lost_it_cannot_store() {
    let ladder = Ladder::new();
    let ([mut slow, mut quick], [first, second], lost) = two_runs(&ladder);
    let key = key("anna", "bert", 0);
    for _ in 0..5 {
        assert_eq!(quick.claim(second, &key).unwrap(), None);
        pass(&mut quick, 3);
    }
    let taken = claimed(quick.claim(second, &key).unwrap());
    assert!(taken.pair == lost.pair && taken.fence > lost.fence);
    assert_eq!(slow.finish(first, &[finished(lost)]).unwrap(), [false]);
    slow.give_back(first, lost, &pair(lost.pair)).unwrap();
    assert_eq!(void_games(&slow), 0);
    assert_eq!(quick.finish(second, &[finished(taken)]).unwrap(), [true]);
    assert_eq!(slow.finish(first, &[finished(lost)]).unwrap(), [false]);
    assert_eq!(slow.pairs(0).unwrap().len(), 1);
}

#[test]
fn renewing_holds_a_lease() {
    let ladder = Ladder::new();
    let ([mut store, mut other], [run, second], lease) = two_runs(&ladder);
    let key = key("anna", "bert", 0);
    for _ in 0..7 {
        store.renew(run, &[lease.pair]).unwrap();
        assert_eq!(other.claim(second, &key).unwrap(), None);
        pass(&mut other, 12);
    }
    assert_eq!(store.finish(run, &[finished(lease)]).unwrap(), [true]);
}

#[test]
fn a_run_renews_its_own_leases_and_no_others() {
    let ladder = Ladder::new();
    let ([_, mut other], [_, second], lost) = two_runs(&ladder);
    let own = claimed(other.claim(second, &key("anna", "bert", 1)).unwrap());
    let key = key("anna", "bert", 0);
    pass(&mut other, 3);
    for _ in 0..4 {
        assert_eq!(other.claim(second, &key).unwrap(), None);
        other.renew(second, &[own.pair]).unwrap();
        pass(&mut other, 3);
    }
    let taken = claimed(other.claim(second, &key).unwrap());
    assert!(taken.pair == lost.pair && taken.fence > lost.fence);
    assert_eq!(other.finish(second, &[finished(own)]).unwrap(), [true]);
}

#[test]
fn a_lease_of_a_run_that_there_never_was_ends_as_one_of_a_killed_run_does() {
    let ladder = Ladder::new();
    let ([_, mut other], [_, second], lost) = two_runs(&ladder);
    let file = Connection::open(&ladder.path).unwrap();
    file.pragma_update(None, "foreign_keys", false).unwrap();
    file.execute("UPDATE pair SET run = 999", ()).unwrap();
    let key = key("anna", "bert", 0);
    for _ in 0..5 {
        assert_eq!(other.claim(second, &key).unwrap(), None);
        pass(&mut other, 3);
    }
    let taken = claimed(other.claim(second, &key).unwrap());
    assert!(taken.pair == lost.pair && taken.fence > lost.fence);
}

#[test]
fn what_a_lock_on_the_file_kept_everybody_from_is_no_reason_to_take_a_lease() {
    let ladder = Ladder::new();
    let ([_, mut other], [_, second], _) = two_runs(&ladder);
    let key = key("anna", "bert", 0);
    assert_eq!(other.claim(second, &key).unwrap(), None);
    pass(&mut other, 34);
    assert_eq!(other.claim(second, &key).unwrap(), None);
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
