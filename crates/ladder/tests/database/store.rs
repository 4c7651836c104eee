//! The laws of every ladder's store: the same tests over SQLite and PostgreSQL.

use super::cluster::Cluster;
use super::fixture::{ask, claimed, finished, games, key, play, round};
use crownhead_ladder::store::{
    Access, BotVersion, FinishedPair, Lease, PostgresStore, Problem, SqliteStore, Store, StoredPair,
};
use crownhead_record::GameRecord;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A new ladder, opened any number of times.
struct Place {
    name: &'static str,
    open: Box<dyn Fn() -> Store + Sync>,
}

impl Place {
    fn open(&self) -> Store {
        (self.open)()
    }
}

/// Runs a test over each kind of store.
fn in_each(cluster: Option<&Cluster>, test: impl Fn(&Place)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    SqliteStore::create(&path).unwrap();
    test(&Place {
        name: "SQLite",
        open: Box::new(move || SqliteStore::open(&path).unwrap().into()),
    });
    if let Some(cluster) = cluster {
        let address = cluster.database();
        PostgresStore::open(&address, Access::New).unwrap();
        test(&Place {
            name: "PostgreSQL",
            open: Box::new(move || PostgresStore::open(&address, Access::Write).unwrap().into()),
        });
    }
}

fn numbers(pairs: &[StoredPair]) -> Vec<u64> {
    pairs.iter().map(|pair| pair.finished).collect()
}

pub(super) fn a_finished_pair_reads_back_whole_and_is_never_claimed_again(
    cluster: Option<&Cluster>,
) {
    in_each(cluster, |place| {
        let key = key(&["bert", "anna"], 3);
        let mut store = place.open();
        let run = store.begin_run().unwrap();
        let lease = claimed(store.claim(run, &key).unwrap());
        assert_eq!(store.pairs(0).unwrap(), []);
        assert_eq!(store.finish(run, &[finished(lease)]).unwrap(), [true]);

        let mut store = place.open();
        let run = store.begin_run().unwrap();
        assert_eq!(store.claim(run, &key).unwrap(), None);
        let pairs = store.pairs(0).unwrap();
        assert_eq!((pairs.len(), &pairs[0].key), (1, &key), "{}", place.name);
        let [first, second] = pairs[0].rated() else {
            panic!("{pairs:?}")
        };
        let points = ["anna", "bert"].map(|name| [first, second].map(|game| game.points_of(name)));
        assert_eq!(points, [[Some(1.0), Some(0.5)], [Some(0.0), Some(0.5)]]);
        assert_eq!(first.times, [Duration::from_micros(1500), Duration::ZERO]);
        let records: Result<Vec<_>, _> = store.records().collect();
        assert_eq!(records.unwrap(), games(lease.pair));
        assert_eq!(store.problems(&mut |_| None).unwrap(), []);
        assert_eq!(store.pairs(pairs[0].finished).unwrap(), []);
    });
}

pub(super) fn a_game_is_found_by_its_number_as_it_was_written_and_listed_without_its_record(
    cluster: Option<&Cluster>,
) {
    in_each(cluster, |place| {
        let mut store = place.open();
        let run = store.begin_run().unwrap();
        let [first, second] = [0, 1].map(|round| play(&mut store, run, round));
        let record = store.record(2 * second.pair).unwrap().unwrap();
        let written = serde_json::to_string(&games(second.pair)[1]).unwrap();
        assert_eq!(record, written, "{}", place.name);
        assert_eq!(store.record(1_000_001).unwrap(), None);
        let pairs = store.pairs(0).unwrap();
        let all: Vec<_> = pairs.iter().flat_map(StoredPair::rated).collect();
        let numbered: Vec<_> = all.iter().map(|listed| listed.number).collect();
        let [one, two] = [first.pair, second.pair];
        assert_eq!(numbered, [2 * one - 1, 2 * one, 2 * two - 1, 2 * two]);
        let listed = &all[3];
        assert_eq!(listed.players, ["bert", "anna"]);
        let points = listed.points.as_deref();
        // The opening's turns count.
        assert_eq!((listed.turns, points), (3, Some(&[0.5, 0.5][..])));
        assert!(!listed.opening.is_empty());
    });
}

pub(super) fn a_round_of_three_bots_is_stored_and_read_whole(cluster: Option<&Cluster>) {
    in_each(cluster, |place| {
        let mut store = place.open();
        let run = store.begin_run().unwrap();
        let bots = ["anna", "bert", "carl"];
        for number in 0..2 {
            let lease = claimed(store.claim(run, &key(&bots, number)).unwrap());
            assert_eq!(store.under_way().unwrap(), [bots], "{}", place.name);
            let played = FinishedPair {
                games: round(lease.pair),
                ..finished(lease)
            };
            assert_eq!(store.finish(run, &[played]).unwrap(), [true]);
        }
        let pairs = store.pairs(0).unwrap();
        let listed: Vec<_> = pairs.iter().flat_map(StoredPair::rated).collect();
        let numbers: Vec<u64> = listed.iter().map(|game| game.number).collect();
        let first = 3 * pairs[0].number - 2;
        assert_eq!((numbers.len(), numbers[0]), (6, first), "{}", place.name);
        assert_eq!(listed[4].players, ["bert", "carl", "anna"]);
        assert_eq!(listed[4].points_of("anna"), Some(0.25));
        for game in listed {
            let record = store.record(game.number).unwrap().unwrap();
            let record: GameRecord = serde_json::from_str(&record).unwrap();
            assert_eq!(record.number, game.number, "{}", place.name);
        }
        assert_eq!(store.record(numbers[5] + 1).unwrap(), None);
        assert_eq!(store.problems(&mut |_| None).unwrap(), []);
    });
}

pub(super) fn two_runs_never_hold_the_same_pair_and_who_lost_it_cannot_store(
    cluster: Option<&Cluster>,
) {
    in_each(cluster, |place| {
        let (mut one, mut two) = (place.open(), place.open());
        let (first, second) = (one.begin_run().unwrap(), two.begin_run().unwrap());
        let key = key(&["anna", "bert"], 0);
        let lost = claimed(one.claim(first, &key).unwrap());
        assert_eq!(one.claim(first, &key).unwrap(), None);
        assert_eq!(two.claim(second, &key).unwrap(), None);
        assert_eq!(two.under_way().unwrap(), [["anna", "bert"]]);
        one.renew(first, &[lost.pair]).unwrap();
        assert_eq!(two.claim(second, &key).unwrap(), None);
        two.release(first).unwrap();
        let again = claimed(two.claim(second, &key).unwrap());
        assert_ne!(lost, again);
        assert_eq!(one.finish(first, &[finished(lost)]).unwrap(), [false]);
        one.give_back(first, lost, &[]).unwrap();
        one.renew(first, &[lost.pair]).unwrap();
        assert_eq!(two.finish(second, &[finished(again)]).unwrap(), [true]);
        assert_eq!(one.finish(first, &[finished(lost)]).unwrap(), [false]);
        assert_eq!(two.pairs(0).unwrap().len(), 1, "{}", place.name);
    });
}

pub(super) fn a_run_that_claims_its_own_lost_pair_again_cannot_store_what_it_played_before(
    cluster: Option<&Cluster>,
) {
    in_each(cluster, |place| {
        let mut store = place.open();
        let run = store.begin_run().unwrap();
        let key = key(&["anna", "bert"], 0);
        let lost = claimed(store.claim(run, &key).unwrap());
        store.release(run).unwrap();
        let again = claimed(store.claim(run, &key).unwrap());
        assert!(again.fence > lost.fence, "{}", place.name);
        let before = Lease {
            pair: again.pair,
            ..lost
        };
        assert_eq!(store.finish(run, &[finished(before)]).unwrap(), [false]);
        assert_eq!(store.finish(run, &[finished(again)]).unwrap(), [true]);
    });
}

pub(super) fn a_pair_that_is_given_back_is_claimed_again_and_a_void_one_is_not(
    cluster: Option<&Cluster>,
) {
    in_each(cluster, |place| {
        let mut store = place.open();
        let run = store.begin_run().unwrap();
        let key = key(&["anna", "bert"], 0);
        let lease = claimed(store.claim(run, &key).unwrap());
        store.give_back(run, lease, &games(lease.pair)).unwrap();
        assert_eq!(store.pairs(0).unwrap(), []);
        let lease = claimed(store.claim(run, &key).unwrap());
        let void = FinishedPair {
            void: Some("a bot starved".into()),
            ..finished(lease)
        };
        assert_eq!(store.finish(run, &[void]).unwrap(), [true]);
        assert_eq!(store.claim(run, &key).unwrap(), None);
        let pairs = store.pairs(0).unwrap();
        assert_eq!((pairs.len(), &pairs[0].games), (1, &None), "{}", place.name);
        assert_eq!(store.problems(&mut |_| None).unwrap(), []);
    });
}

pub(super) fn impossible_pairs_are_played_again_and_their_games_kept(cluster: Option<&Cluster>) {
    in_each(cluster, |place| {
        let mut store = place.open();
        let run = store.begin_run().unwrap();
        let [one, _] = [0, 1].map(|round| play(&mut store, run, round));
        let lies = |game: &GameRecord| (game.number == 2 * one.pair).then(|| "it lies".into());
        let told = store.problems(&mut { lies }).unwrap();
        let problem = Problem {
            told: "it lies".into(),
            pair: Some(one.pair),
        };
        assert_eq!(told, [problem]);
        store.play_again(&[one.pair]).unwrap();
        let left = store.pairs(0).unwrap();
        assert_eq!((left.len(), left[0].key.round), (1, 1), "{}", place.name);
        play(&mut store, run, 0);
        assert_eq!(store.problems(&mut |_| None).unwrap(), []);
    });
}

pub(super) fn a_bot_is_disabled_until_it_is_enabled_or_another_version_plays(
    cluster: Option<&Cluster>,
) {
    in_each(cluster, |place| {
        let mut store = place.open();
        let version = |name: &str, current| BotVersion {
            bot: "anna".into(),
            version: name.into(),
            description: "{}".into(),
            current,
        };
        store.accept(&version("one", true)).unwrap();
        store.set_disabled("anna", Some("could not start")).unwrap();
        store.set_disabled("anna", Some("crashed")).unwrap();
        let disabled = || place.open().bot_states().unwrap().disabled;
        assert_eq!(disabled(), [("anna".to_string(), "crashed".to_string())]);
        let run = store.begin_run().unwrap();
        play(&mut store, run, 0);
        store.set_disabled("anna", None).unwrap();
        assert_eq!(disabled(), []);
        let last = store.pairs(0).unwrap()[0].finished;
        assert_eq!(
            store.bot_states().unwrap().enabled,
            [("anna".to_string(), last)]
        );
        store.set_disabled("anna", Some("crashed")).unwrap();
        store.accept(&version("two", true)).unwrap();
        assert_eq!(disabled(), [], "{}", place.name);
        let known = [version("one", false), version("two", true)];
        assert_eq!(store.versions().unwrap(), known);
        store.accept(&version("one", true)).unwrap();
        let known = [version("one", true), version("two", false)];
        assert_eq!(store.versions().unwrap(), known);
    });
}

pub(super) fn a_reader_beside_sixteen_writers_sees_each_pair_exactly_once(
    cluster: Option<&Cluster>,
) {
    const WRITERS: u64 = 16;
    const PAIRS: u64 = 12;
    in_each(cluster, |place| {
        let over = AtomicBool::new(false);
        let (seen, last) = std::thread::scope(|scope| {
            let writers: Vec<_> = (0..WRITERS)
                .map(|writer| {
                    scope.spawn(move || {
                        let mut store = place.open();
                        let run = ask(|| store.begin_run());
                        for round in 0..PAIRS {
                            play(&mut store, run, writer * PAIRS + round);
                        }
                    })
                })
                .collect();
            let reader = scope.spawn(|| {
                let store = place.open();
                let (mut seen, mut last) = (Vec::new(), 0);
                loop {
                    let is_over = over.load(Ordering::SeqCst);
                    let new = ask(|| store.pairs(last));
                    assert!(numbers(&new).is_sorted());
                    last = new.last().map_or(last, |pair| pair.finished);
                    seen.extend(new.into_iter().map(|pair| pair.key.round));
                    if is_over {
                        return (seen, last);
                    }
                }
            });
            let written: Vec<_> = writers.into_iter().map(|writer| writer.join()).collect();
            over.store(true, Ordering::SeqCst);
            assert!(written.iter().all(Result::is_ok));
            reader.join().unwrap()
        });
        assert_eq!(seen.len() as u64, WRITERS * PAIRS, "{}", place.name);
        let different: BTreeSet<u64> = seen.into_iter().collect();
        assert_eq!(different.len() as u64, WRITERS * PAIRS);
        let store = place.open();
        assert_eq!(numbers(&store.pairs(0).unwrap()).last(), Some(&last));
    });
}
