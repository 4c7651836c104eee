//! Who may not play a ladder, and when a worker ends.

use super::cluster::Cluster;
use super::machine::{Host, SPEED, SharedLadder};
use crate::ladder::{Ladder, THREE};
use crownhead_ladder::store::Address;
use crownhead_ladder::{publish, published};
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
        store.expect_shared().unwrap_err().to_string(),
    ] {
        assert!(
            told.contains("crownhead ladder new FOLDER --store"),
            "{told}"
        );
    }
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
        told.ends_with("Install the same version of Crownhead on all machines"),
        "{told}"
    );
}

pub(super) fn a_machine_far_slower_than_the_first_plays_nothing(cluster: &Cluster) {
    let shared = SharedLadder::new(cluster, "pairs = 1", &THREE[..2]);
    shared.publish();
    Host::new("one", &shared.url).play_pairs(1);
    let slow = |factor: f64| Host::new("slow", &shared.url).with_speed(factor * SPEED);
    let told = slow(0.49).refusal();
    let expected =
        "this machine searches 490 k positions/s, and the ladder's first worker 1.00 M: ";
    assert!(told.starts_with(expected), "{told}");
    assert_eq!(shared.workers().len(), 1, "it has not joined");
    shared.change("pairs = 1", "pairs = 2", &THREE[..2]);
    shared.publish();
    slow(0.5).play_pairs(2);
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
