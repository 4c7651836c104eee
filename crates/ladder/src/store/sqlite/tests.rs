//! Claims, leases and finished pairs in a file.

use super::*;
use crate::store::{
    BotStore, Claim, Entrant, FinishedPair, Lease, LeaseStore, PairKey, PairStore, ProblemStore,
    Quota,
};
use crownhead::board::Side;
use crownhead_record::Termination;
use crownhead_record::judge::TimeLimits;
use crownhead_record::{GameRecord, PlayerRecord, RecordedResult, TurnRecord, VERSION};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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

fn game(number: u64, black: &str, white: &str, result: RecordedResult) -> GameRecord {
    let player = |name: &str| PlayerRecord::new(name, name);
    GameRecord {
        version: VERSION,
        game: "checkers".into(),
        rules: "contest".into(),
        sides: None,
        number,
        seed: 1,
        black: player(black),
        white: player(white),
        limits: TimeLimits::default(),
        profile: "strict".into(),
        clock: crownhead_record::judge::Clock::Wall,
        suspect: false,
        replayed: false,
        max_turns: None,
        start: None,
        opening: Vec::new(),
        turns: vec![TurnRecord::new(
            Side::Black,
            Some("A3B4".into()),
            Duration::from_micros(1500),
        )],
        result: Some(result),
        termination: Termination::NoMoves,
        reason: "red has no legal move and loses".into(),
    }
}

/// A pair between these two, in their first versions.
fn key(one: &str, other: &str, round: u64) -> PairKey {
    let entrant = |bot: &str| Entrant {
        bot: bot.into(),
        version: "1".into(),
    };
    PairKey::new(&entrant(one), &entrant(other), round)
}

fn finished(lease: Lease) -> FinishedPair {
    FinishedPair {
        lease,
        games: pair(lease.pair),
        void: None,
    }
}

fn pair(id: u64) -> [GameRecord; 2] {
    [
        game(2 * id - 1, "anna", "bert", RecordedResult::Black),
        game(2 * id, "bert", "anna", RecordedResult::Draw),
    ]
}

fn void_games(store: &SqliteStore) -> u64 {
    let count = "SELECT count(*) FROM spoiled";
    store
        .connection
        .query_row(count, (), |row| row.get(0))
        .unwrap()
}

fn claimed(claim: Claim) -> Lease {
    match claim {
        Claim::Claimed(lease) => lease,
        other => panic!("not claimed but {other:?}"),
    }
}

#[test]
fn a_finished_pair_reads_back_whole_and_is_never_claimed_again() {
    let ladder = Ladder::new();
    let key = key("bert", "anna", 3);
    let mut store = ladder.open();
    let run = store.begin_run().unwrap();
    let id = claimed(store.claim(run, &key, None).unwrap());
    assert_eq!(store.pairs(0).unwrap(), []);
    assert_eq!(store.finish(run, &[finished(id)]).unwrap(), [true]);
    drop(store);

    let mut store = ladder.open();
    assert_eq!(store.claim(run, &key, None).unwrap(), Claim::Finished);
    let pairs = store.pairs(0).unwrap();
    assert_eq!((pairs.len(), &pairs[0].key), (1, &key));
    let result = pairs[0].result().unwrap();
    assert_eq!((result.wins, result.draws, result.losses), (1, 1, 0));
    assert_eq!(
        pairs[0].games.as_ref().unwrap()[0].times,
        [Duration::from_micros(1500), Duration::ZERO]
    );
    let mut records = Vec::new();
    (&store as &dyn Store)
        .each_game::<StoreError>(|record| {
            records.push(record);
            Ok(())
        })
        .unwrap();
    assert_eq!(records, pair(id.pair));
    assert_eq!(store.problems().unwrap(), []);
    assert_eq!(store.pairs(pairs[0].finished).unwrap(), []);
}

#[test]
fn a_stored_game_ends_as_its_record_says_and_an_unknown_ending_is_an_error() {
    let ladder = Ladder::new();
    let mut store = ladder.open();
    let run = store.begin_run().unwrap();
    let key = key("anna", "bert", 0);
    let id = claimed(store.claim(run, &key, None).unwrap());
    let mut pair = finished(id);
    pair.games[0].termination = Termination::WithoutCapture;
    store.finish(run, &[pair]).unwrap();
    let endings = |store: &SqliteStore| {
        let pairs = store.pairs(0)?;
        let games = pairs[0].games.as_ref().unwrap().each_ref();
        Ok::<_, StoreError>(games.map(|game| game.termination))
    };
    let expected = [Termination::WithoutCapture, Termination::NoMoves];
    assert_eq!(endings(&store).unwrap(), expected);

    let rename = "UPDATE game SET record = json_replace(record, '$.termination', 'boredom')";
    store.connection.execute(rename, ()).unwrap();
    let error = endings(&store).unwrap_err().to_string();
    assert!(error.contains("unknown variant `boredom`"), "{error}");
}

#[test]
fn two_runs_never_hold_the_same_pair_while_its_lease_lasts() {
    let ladder = Ladder::new();
    let (mut one, mut two) = (ladder.open(), ladder.open());
    let (first, second) = (one.begin_run().unwrap(), two.begin_run().unwrap());
    let key = key("anna", "bert", 0);
    let id = claimed(one.claim(first, &key, None).unwrap());
    assert_eq!(two.claim(second, &key, None).unwrap(), Claim::Taken);
    two.release(first).unwrap();
    let again = claimed(two.claim(second, &key, None).unwrap());
    assert_ne!(id, again);
    assert_eq!(
        one.finish(first, &[finished(id)]).unwrap(),
        [false],
        "it was taken away"
    );
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

/// A clock that the test moves: what the calendar says, and the time that has passed.
#[derive(Clone, Debug, Default)]
struct TestClock(Arc<[AtomicU64; 2]>);

impl TestClock {
    fn set_calendar(&self, hours: u64) {
        self.0[0].store(hours * 3_600_000, Ordering::Relaxed);
    }

    fn pass(&self, seconds: u64) {
        self.0[1].fetch_add(seconds, Ordering::Relaxed);
    }
}

impl Clock for TestClock {
    fn calendar_ms(&self) -> u64 {
        self.0[0].load(Ordering::Relaxed)
    }

    fn elapsed(&self) -> Duration {
        Duration::from_secs(self.0[1].load(Ordering::Relaxed))
    }
}

/// Two runs of a ladder on one clock, the first of which holds a pair.
fn two_runs(ladder: &Ladder, clock: &TestClock) -> ([SqliteStore; 2], [u64; 2], Lease) {
    let mut stores = [(); 2].map(|()| ladder.open().with_clock(clock.clone()));
    let runs = stores.each_mut().map(|store| store.begin_run().unwrap());
    let lease = stores[0].claim(runs[0], &key("anna", "bert", 0), None);
    let lease = claimed(lease.unwrap());
    (stores, runs, lease)
}

#[test]
fn a_lease_that_is_not_renewed_ends_and_who_has_lost_it_cannot_store() {
    let (ladder, clock) = (Ladder::new(), TestClock::default());
    let ([mut slow, mut quick], [first, second], lost) = two_runs(&ladder, &clock);
    let key = key("anna", "bert", 0);
    for _ in 0..5 {
        assert_eq!(quick.claim(second, &key, None).unwrap(), Claim::Taken);
        clock.pass(3);
    }
    let taken = claimed(quick.claim(second, &key, None).unwrap());
    assert!(taken.pair == lost.pair && taken.fence > lost.fence);
    assert_eq!(slow.finish(first, &[finished(lost)]).unwrap(), [false]);
    slow.keep_void(first, lost, &pair(lost.pair)).unwrap();
    slow.give_back(first, lost, &pair(lost.pair)).unwrap();
    assert_eq!(void_games(&slow), 0);
    assert_eq!(quick.finish(second, &[finished(taken)]).unwrap(), [true]);
    assert_eq!(slow.finish(first, &[finished(lost)]).unwrap(), [false]);
    assert_eq!(slow.pairs(0).unwrap().len(), 1);
}

#[test]
fn a_run_that_claims_its_own_lost_pair_again_cannot_store_what_it_played_before() {
    let (ladder, clock) = (Ladder::new(), TestClock::default());
    let ([mut store, mut other], [run, second], lost) = two_runs(&ladder, &clock);
    other.release(run).unwrap();
    let key = key("anna", "bert", 0);
    let again = claimed(store.claim(run, &key, None).unwrap());
    let before = Lease {
        pair: again.pair,
        ..lost
    };
    assert_eq!(store.finish(run, &[finished(before)]).unwrap(), [false]);
    assert_eq!(other.claim(second, &key, None).unwrap(), Claim::Taken);
    assert_eq!(store.finish(run, &[finished(again)]).unwrap(), [true]);
}

#[test]
fn renewing_holds_a_lease_however_the_calendar_is_moved() {
    let (ladder, clock) = (Ladder::new(), TestClock::default());
    let ([mut store, mut other], [run, second], lease) = two_runs(&ladder, &clock);
    let key = key("anna", "bert", 0);
    for hours in [1000, 998, 3000, 0, 500, 500, 500] {
        clock.set_calendar(hours);
        store.renew(run, &[lease.pair]).unwrap();
        assert_eq!(other.claim(second, &key, None).unwrap(), Claim::Taken);
        clock.pass(12);
    }
    assert_eq!(store.finish(run, &[finished(lease)]).unwrap(), [true]);
}

#[test]
fn what_a_lock_on_the_file_kept_everybody_from_is_no_reason_to_take_a_lease() {
    let (ladder, clock) = (Ladder::new(), TestClock::default());
    let ([_, mut other], [_, second], _) = two_runs(&ladder, &clock);
    let key = key("anna", "bert", 0);
    assert_eq!(other.claim(second, &key, None).unwrap(), Claim::Taken);
    clock.pass(34);
    assert_eq!(other.claim(second, &key, None).unwrap(), Claim::Taken);
}

#[test]
fn runs_at_once_keep_to_a_quota_between_them() {
    let ladder = Ladder::new();
    let (mut one, mut two) = (ladder.open(), ladder.open());
    let (first, second) = (one.begin_run().unwrap(), two.begin_run().unwrap());
    let key = |round| key("anna", "bert", round);
    let of = |pairs, after| Some(Quota { pairs, after });
    let id = claimed(one.claim(first, &key(0), of(2, 0)).unwrap());
    claimed(two.claim(second, &key(1), of(2, 0)).unwrap());
    let claim = |store: &mut SqliteStore, quota| store.claim(first, &key(2), quota).unwrap();
    assert_eq!(claim(&mut one, of(2, 0)), Claim::Full, "both are leased");
    one.finish(first, &[finished(id)]).unwrap();
    assert_eq!(claim(&mut one, of(2, 0)), Claim::Full, "one is finished");
    assert_eq!(claim(&mut one, of(1, 1)), Claim::Full, "and known to be");
    two.release(second).unwrap();
    claimed(claim(&mut one, of(1, 1)));
}

#[test]
fn games_are_kept_that_were_played_again() {
    let (ladder, clock) = (Ladder::new(), TestClock::default());
    let ([mut store, _], [run, _], lease) = two_runs(&ladder, &clock);
    store.keep_void(run, lease, &pair(lease.pair)).unwrap();
    assert_eq!((void_games(&store), store.pairs(0).unwrap().len()), (2, 0));
}

#[test]
fn the_games_of_a_void_pair_are_kept_and_it_can_be_claimed_again() {
    let ladder = Ladder::new();
    let mut store = ladder.open();
    let run = store.begin_run().unwrap();
    let key = key("anna", "bert", 0);
    let id = claimed(store.claim(run, &key, None).unwrap());
    store.give_back(run, id, &pair(id.pair)).unwrap();
    assert_eq!((void_games(&store), store.pairs(0).unwrap().len()), (2, 0));
    claimed(store.claim(run, &key, None).unwrap());
}

#[test]
fn a_disabled_bot_is_remembered_with_its_reason_until_it_is_enabled() {
    let ladder = Ladder::new();
    ladder.open().disable("anna", "could not start").unwrap();
    let mut store = ladder.open();
    assert_eq!(
        store.disabled().unwrap(),
        [("anna".into(), "could not start".into())]
    );
    store.enable("anna").unwrap();
    assert_eq!(store.disabled().unwrap(), []);
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
