//! A network that swallows messages and ends connections, and leases that end meanwhile. A late pair is stored once or refused.

use super::cluster::{Cluster, client};
use super::fixture::{ask, claimed, finished, games, key, play};
use super::proxy::{Proxy, Swallow};
use crownhead_ladder::store::{Access, PostgresStore, Store};

/// The same database, by way of a proxy.
fn through(proxy: &Proxy, url: &str) -> String {
    let (database, _) = url.split_once("&host=").unwrap();
    let folder = proxy.folder().display();
    format!("{database}&host={folder}")
}

fn lapse_leases(url: &str) {
    let lapse = "UPDATE pair SET leased_until = clock_timestamp() WHERE leased_until IS NOT NULL";
    client(url).execute(lapse, &[]).unwrap();
}

pub(super) fn a_pair_whose_answer_was_swallowed_is_stored_once(cluster: &Cluster) {
    let url = cluster.database();
    let address = url.clone();
    let direct = Store::from(PostgresStore::open(&address, Access::New).unwrap());
    let proxy = Proxy::to(cluster.socket());
    let mut store =
        Store::from(PostgresStore::open(&through(&proxy, &url), Access::Write).unwrap());
    let run = store.begin_run().unwrap();
    let lease = claimed(store.claim(run, &key(&["anna", "bert"], 0)).unwrap());
    drop(proxy.cut(Swallow::Commits));
    assert_eq!(ask(|| store.finish(run, &[finished(lease)])), [true]);
    assert_eq!(direct.pairs(0).unwrap().len(), 1);
    let count = "SELECT count(*) FROM game";
    let games: i64 = client(&url).query_one(count, &[]).unwrap().get(0);
    assert_eq!(games, 2);
    assert_eq!(
        ask(|| store.finish(run, &[finished(lease)])),
        [true],
        "it is there"
    );
    play(&mut store, run, 1);
    assert_eq!(direct.pairs(0).unwrap().len(), 2);
}

pub(super) fn a_pair_that_comes_after_its_lease_was_given_to_another_is_refused(cluster: &Cluster) {
    let url = cluster.database();
    let address = url.clone();
    let mut other = Store::from(PostgresStore::open(&address, Access::New).unwrap());
    let proxy = Proxy::to(cluster.socket());
    let mut late = Store::from(PostgresStore::open(&through(&proxy, &url), Access::Write).unwrap());
    let run = late.begin_run().unwrap();
    let key = key(&["anna", "bert"], 0);
    let lease = claimed(late.claim(run, &key).unwrap());
    let held = proxy.cut(Swallow::Requests);
    std::thread::scope(|scope| {
        let late = scope.spawn(|| ask(|| late.finish(run, &[finished(lease)])));
        let run = other.begin_run().unwrap();
        assert_eq!(other.claim(run, &key).unwrap(), None);
        lapse_leases(&url);
        let taken = claimed(other.claim(run, &key).unwrap());
        assert!(taken.pair == lease.pair && taken.fence > lease.fence);
        assert_eq!(ask(|| other.finish(run, &[finished(taken)])), [true]);
        drop(held);
        assert_eq!(late.join().unwrap(), [false]);
    });
    assert_eq!(other.pairs(0).unwrap().len(), 1);
}

pub(super) fn a_lease_lasts_by_the_servers_clock_and_once_it_has_ended_nothing_is_stored_under_it(
    cluster: &Cluster,
) {
    let url = cluster.database();
    let address = url.clone();
    let mut one = Store::from(PostgresStore::open(&address, Access::New).unwrap());
    let mut two = Store::from(PostgresStore::open(&address, Access::Write).unwrap());
    let runs = [one.begin_run().unwrap(), two.begin_run().unwrap()];
    let key = key(&["anna", "bert"], 0);
    // In microseconds.
    let clock = |moment: &str| -> i64 {
        let select = format!("SELECT (extract(epoch FROM {moment}) * 1000000)::int8");
        client(&url).query_one(&select, &[]).unwrap().get(0)
    };
    let now = || clock("clock_timestamp()");
    let end = || clock("(SELECT leased_until FROM pair)");
    // A minute from a moment between that one and now.
    let is_a_minute_from = |before: i64| (before..=now()).contains(&(end() - 60_000_000));
    let before = now();
    let lease = claimed(one.claim(runs[0], &key).unwrap());
    assert!(is_a_minute_from(before));
    let before = now();
    one.renew(runs[0], &[lease.pair]).unwrap();
    assert!(is_a_minute_from(before));

    lapse_leases(&url);
    one.renew(runs[0], &[lease.pair]).unwrap();
    assert!(end() <= now(), "a renewal revives nothing");
    assert_eq!(ask(|| one.finish(runs[0], &[finished(lease)])), [false]);
    one.give_back(runs[0], lease, &games(lease.pair)).unwrap();
    let void = "SELECT count(*) FROM void_game";
    let void: i64 = client(&url).query_one(void, &[]).unwrap().get(0);
    assert_eq!((void, one.pairs(0).unwrap().len()), (0, 0));
    let taken = claimed(two.claim(runs[1], &key).unwrap());
    one.renew(runs[0], &[lease.pair]).unwrap();
    assert_eq!(ask(|| one.finish(runs[0], &[finished(lease)])), [false]);
    assert_eq!(ask(|| two.finish(runs[1], &[finished(taken)])), [true]);
}

pub(super) fn a_lost_connection_is_told_after_a_moment_by_who_plays(cluster: &Cluster) {
    let proxy = Proxy::to(cluster.socket());
    let url = through(&proxy, &cluster.database());
    let mut store = Store::from(PostgresStore::open(&url, Access::New).unwrap());
    let run = store.begin_run().unwrap();
    proxy.end();
    let told = store.renew(run, &[1]).unwrap_err();
    assert!(told.passing().is_some(), "{told}");
    assert!(told.to_string().contains(&url), "{told}");
}
