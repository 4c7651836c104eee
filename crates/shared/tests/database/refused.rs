//! Who may not play a ladder, and when a worker ends.

use crate::cluster::Cluster;
use crate::ladder::{Ladder, THREE};
use crate::machine::{Host, SPEED, SharedLadder};
use crownhead_ladder::store::Address;
use crownhead_ladder::store::shared::SharedStore;
use crownhead_ladder::{publish, published, remarks, workers};
use std::os::unix::net::UnixListener;
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) fn a_ladder_that_is_not_published_or_not_in_a_database_has_no_workers(
    cluster: &Cluster,
) {
    let shared = SharedLadder::new(cluster, "pairs = 1", &THREE);
    let told = Host::new("one", &shared.url).refusal();
    assert!(
        told.contains("type `crownhead ladder publish FOLDER`"),
        "{told}"
    );
    assert!(shared.workers().is_empty());

    let in_file = Ladder::new("pairs = 1", &THREE);
    let store = in_file.folder().store().unwrap();
    for told in [
        publish(&in_file.folder()).unwrap_err().to_string(),
        workers(store.as_ref()).unwrap_err().to_string(),
    ] {
        assert!(
            told.contains("crownhead ladder new FOLDER --store"),
            "{told}"
        );
    }
    assert!(remarks(store.as_ref()).unwrap().is_empty());
}

pub(super) fn a_machine_of_another_speed_plays_only_what_any_machine_plays_alike_or_nothing(
    cluster: &Cluster,
) {
    let alike = ("alike", "sh bot.sh\nrepeatable = true");
    let also = ("also", "sh bot.sh last\nrepeatable = true");
    let bots = [THREE[0], alike, also];
    let settings = "pairs = 1\nworkers.band = 10\nworkers.replays = 0\nworkers.speed = 2e6";
    let shared = SharedLadder::new(cluster, settings, &bots);
    shared.publish();
    let slow = || Host::new("slow", &shared.url);
    let told = slow().refusal();
    let expected = "this machine searches 1.00 M positions/s with 1 game at once, -50 % of the 2.00 M that \
                    the ladder asks for, which lets 10 % pass: ";
    assert!(told.starts_with(expected), "{told}");
    assert!(shared.workers().is_empty(), "it has not joined");

    let outside = "workers.outside = \"repeatable\"\nworkers.speed = 2e6";
    shared.change("workers.speed = 2e6", outside, &bots);
    shared.publish();
    slow().play_pairs(1);
    let [one, _] = &shared.ladder.games()[..] else {
        panic!("two games of one pair");
    };
    assert!(
        one.players
            .iter()
            .all(|player| player.name.starts_with("al"))
    );

    // The first worker sets the speed if the ladder names none.
    let unnamed = SharedLadder::new(cluster, "pairs = 1\nworkers.band = 10", &THREE);
    unnamed.publish();
    let fast = |factor: f64| Host::new("fast", &unnamed.url).with_speed(factor * SPEED);
    Host::new("one", &unnamed.url).play_pairs(3);
    let told = fast(1.2).refusal();
    assert!(told.contains(", +20 % of the 1.00 M that "), "{told}");
    unnamed.change("pairs = 1", "pairs = 2", &THREE);
    unnamed.publish();
    fast(1.09).play_pairs(6);
}

pub(super) fn another_version_of_the_search_is_not_mixed_with_that_of_the_ladder(
    cluster: &Cluster,
) {
    let shared = SharedLadder::new(cluster, "pairs = 1", &THREE);
    shared.publish();
    shared.spoil(
        r#"UPDATE publication SET content = replace(content, '"signature":', '"signature":1')"#,
    );
    let told = Host::new("one", &shared.url).refusal();
    assert!(told.contains("that of the ladder 1"), "{told}");
    assert!(
        told.ends_with("expected the same version of Crownhead on all machines"),
        "{told}"
    );
}

pub(super) fn an_excluded_worker_ends_and_its_pairs_are_not_rated_until_it_is_included(
    cluster: &Cluster,
) {
    let shared = SharedLadder::new(cluster, "pairs = 1", &THREE[..2]);
    shared.publish();
    let host = Host::new("one", &shared.url);
    let reason = "its memory is bad";
    let ran = host.play_until(|shown| {
        if shown.finished == 1 {
            assert!(shared.store.exclude("one", Some(reason)).unwrap());
        }
        Ok(false)
    });
    let told =
        "worker one is excluded: its memory is bad. `crownhead ladder include` lets it play again";
    assert_eq!(ran.refusal(), told);
    assert_eq!(host.refusal(), told);
    assert_eq!(shared.worker("one").excluded.as_deref(), Some(reason));
    let remark = "1 pair of worker one is not rated: its memory is bad";
    assert_eq!(remarks(&shared.store).unwrap(), [remark]);
    assert!(!shared.store.exclude("nobody", Some(reason)).unwrap());
    let rated = || {
        let ran = shared.ladder.run();
        (ran.last().finished, ran.last().void)
    };
    assert_eq!(rated(), (1, 1));
    shared.let_in("one");
    assert_eq!(rated(), (1, 0));
    assert!(remarks(&shared.store).unwrap().is_empty());
    host.play_pairs(1);
}

pub(super) fn a_worker_ends_when_another_joins_under_its_name(cluster: &Cluster) {
    let shared = SharedLadder::new(cluster, "pairs = 1", &THREE[..2]);
    shared.publish();
    let [first, second] = [(); 2].map(|()| Host::new("one", &shared.url));
    let over = &AtomicBool::new(false);
    let ran = std::thread::scope(|scope| {
        let mut started = None;
        let ran = first.play_until(|shown| {
            if shown.finished == 1 && started.is_none() {
                let look = |_: &_| Ok(over.load(Ordering::Relaxed));
                let second = &second;
                started = Some(scope.spawn(move || second.play_until(look)));
            }
            Ok(false)
        });
        over.store(true, Ordering::Relaxed);
        started.unwrap().join().unwrap().last();
        ran
    });
    let told = ran.refusal();
    assert!(
        told.starts_with("another worker has joined as one, so this one ends"),
        "{told}"
    );
    assert_eq!(shared.workers().len(), 1);
}

pub(super) fn a_server_that_is_not_there_is_waited_for_until_that_is_interrupted(_: &Cluster) {
    // A socket's path is short.
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    let socket = folder.path().join(".s.PGSQL.5432");
    let url = format!("postgres://ladder@/night?host={}", folder.path().display());
    let elsewhere = Address::parse(&url).unwrap();
    let interrupted = AtomicBool::new(false);
    let mut times = 0;
    let gone = std::thread::scope(|scope| {
        published(&elsewhere, &interrupted, &mut |told| {
            assert!(
                told.ends_with("; it is tried again until that works"),
                "{told}"
            );
            times += 1;
            let listener = UnixListener::bind(&socket).unwrap();
            let interrupted = &interrupted;
            scope.spawn(move || {
                // It is reported once, however often it is tried.
                for _ in 0..2 {
                    listener.accept().unwrap();
                }
                interrupted.store(true, Ordering::Relaxed);
            });
        })
    });
    assert!(gone.is_err());
    assert_eq!(times, 1);
}
