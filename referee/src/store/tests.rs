//! Claims, leases and finished pairs in a file.

use super::*;
use crate::judge::TimeLimits;
use crate::record::{PlayerRecord, TurnRecord, VERSION};
use crate::table::Termination;

const LEASE: Duration = Duration::from_secs(60);

struct Ladder {
    _folder: tempfile::TempDir,
    path: std::path::PathBuf,
}

impl Ladder {
    fn new() -> Ladder {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        Ladder {
            _folder: folder,
            path,
        }
    }

    fn open(&self) -> Store {
        Store::open(&self.path).unwrap()
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
        clock: crate::judge::Clock::Wall,
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

fn pair(id: u64) -> [GameRecord; 2] {
    [
        game(2 * id - 1, "anna", "bert", RecordedResult::Black),
        game(2 * id, "bert", "anna", RecordedResult::Draw),
    ]
}

fn void_games(store: &Store) -> u64 {
    let count = "SELECT count(*) FROM spoiled";
    store
        .connection
        .query_row(count, (), |row| row.get(0))
        .unwrap()
}

fn claimed(claim: Claim) -> u64 {
    match claim {
        Claim::Claimed(id) => id,
        other => panic!("not claimed but {other:?}"),
    }
}

#[test]
fn a_finished_pair_reads_back_whole_and_is_never_claimed_again() {
    let ladder = Ladder::new();
    let key = PairKey::new("bert", "anna", 3);
    let mut store = ladder.open();
    let run = store.begin_run().unwrap();
    let id = claimed(store.claim(run, &key, LEASE, None).unwrap());
    assert_eq!(store.pairs(0).unwrap(), []);
    assert_eq!(store.finish(run, &[(id, pair(id))]).unwrap(), [true]);
    drop(store);

    let mut store = ladder.open();
    assert_eq!(
        store.claim(run, &key, LEASE, None).unwrap(),
        Claim::Finished
    );
    let pairs = store.pairs(0).unwrap();
    assert_eq!((pairs.len(), &pairs[0].key), (1, &key));
    let result = pairs[0].result();
    assert_eq!((result.wins, result.draws, result.losses), (1, 1, 0));
    assert_eq!(
        pairs[0].games[0].times,
        [Duration::from_micros(1500), Duration::ZERO]
    );
    let mut records = Vec::new();
    store
        .each_game::<StoreError>(|record| {
            records.push(record);
            Ok(())
        })
        .unwrap();
    assert_eq!(records, pair(id));
    assert_eq!(store.problems().unwrap(), Vec::<String>::new());
    assert_eq!(store.pairs(pairs[0].finished).unwrap(), []);
}

#[test]
fn a_stored_game_ends_as_its_record_says_and_an_unknown_ending_is_an_error() {
    let ladder = Ladder::new();
    let mut store = ladder.open();
    let run = store.begin_run().unwrap();
    let key = PairKey::new("anna", "bert", 0);
    let id = claimed(store.claim(run, &key, LEASE, None).unwrap());
    let mut games = pair(id);
    games[0].termination = Termination::WithoutCapture;
    store.finish(run, &[(id, games)]).unwrap();
    let endings = |store: &Store| {
        let pairs = store.pairs(0)?;
        let games = pairs[0].games.each_ref();
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
    let key = PairKey::new("anna", "bert", 0);
    let id = claimed(one.claim(first, &key, LEASE, None).unwrap());
    assert_eq!(two.claim(second, &key, LEASE, None).unwrap(), Claim::Taken);
    two.release(first).unwrap();
    let again = claimed(two.claim(second, &key, LEASE, None).unwrap());
    assert_ne!(id, again);
    assert_eq!(
        one.finish(first, &[(id, pair(id))]).unwrap(),
        [false],
        "it was taken away"
    );
}

#[test]
fn a_new_file_can_be_opened_by_many_at_once() {
    for _ in 0..20 {
        let ladder = Ladder::new();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| ladder.open().begin_run().unwrap());
            }
        });
    }
}

#[test]
fn a_lease_that_is_not_renewed_ends_and_a_late_finish_is_not_counted_twice() {
    let ladder = Ladder::new();
    let (mut slow, mut quick) = (ladder.open(), ladder.open());
    let (first, second) = (slow.begin_run().unwrap(), quick.begin_run().unwrap());
    let key = PairKey::new("anna", "bert", 0);
    let id = claimed(slow.claim(first, &key, Duration::ZERO, None).unwrap());
    std::thread::sleep(Duration::from_millis(5));
    let taken = claimed(quick.claim(second, &key, LEASE, None).unwrap());
    assert_eq!(id, taken);
    assert_eq!(quick.finish(second, &[(id, pair(id))]).unwrap(), [true]);
    assert_eq!(slow.finish(first, &[(id, pair(id))]).unwrap(), [false]);
    assert_eq!(slow.pairs(0).unwrap().len(), 1);
}

#[test]
fn renewing_holds_a_lease() {
    let ladder = Ladder::new();
    let mut store = ladder.open();
    let (run, other) = (store.begin_run().unwrap(), store.begin_run().unwrap());
    let key = PairKey::new("anna", "bert", 0);
    claimed(store.claim(run, &key, Duration::ZERO, None).unwrap());
    store.renew(run, LEASE).unwrap();
    std::thread::sleep(Duration::from_millis(5));
    assert_eq!(store.claim(other, &key, LEASE, None).unwrap(), Claim::Taken);
}

#[test]
fn runs_at_once_keep_to_a_quota_between_them() {
    let ladder = Ladder::new();
    let (mut one, mut two) = (ladder.open(), ladder.open());
    let (first, second) = (one.begin_run().unwrap(), two.begin_run().unwrap());
    let key = |round| PairKey::new("anna", "bert", round);
    let of = |pairs, after| Some(Quota { pairs, after });
    let id = claimed(one.claim(first, &key(0), LEASE, of(2, 0)).unwrap());
    claimed(two.claim(second, &key(1), LEASE, of(2, 0)).unwrap());
    let claim = |store: &mut Store, quota| store.claim(first, &key(2), LEASE, quota).unwrap();
    assert_eq!(claim(&mut one, of(2, 0)), Claim::Full, "both are leased");
    one.finish(first, &[(id, pair(id))]).unwrap();
    assert_eq!(claim(&mut one, of(2, 0)), Claim::Full, "one is finished");
    assert_eq!(claim(&mut one, of(1, 1)), Claim::Full, "and known to be");
    two.release(second).unwrap();
    claimed(claim(&mut one, of(1, 1)));
}

#[test]
fn games_are_kept_that_were_played_again() {
    let ladder = Ladder::new();
    let mut store = ladder.open();
    store.keep_void(&pair(1)).unwrap();
    assert_eq!((void_games(&store), store.pairs(0).unwrap().len()), (2, 0));
}

#[test]
fn the_games_of_a_void_pair_are_kept_and_it_can_be_claimed_again() {
    let ladder = Ladder::new();
    let mut store = ladder.open();
    let run = store.begin_run().unwrap();
    let key = PairKey::new("anna", "bert", 0);
    let id = claimed(store.claim(run, &key, LEASE, None).unwrap());
    store.void_pair(run, id, &pair(id)).unwrap();
    assert_eq!((void_games(&store), store.pairs(0).unwrap().len()), (2, 0));
    claimed(store.claim(run, &key, LEASE, None).unwrap());
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
    let error = Store::open(&ladder.path).unwrap_err().to_string();
    assert!(error.contains("not a database"), "{error}");
}
