//! What workers play, and what they report.

use super::cluster::{Cluster, client};
use super::machine::{Host, SPEED, SharedLadder, moves};
use crate::ladder::{Ladder, THREE, waiting_bot};
use crownhead_ladder::update;
use std::fs::write;

pub(super) fn workers_play_what_is_published_and_the_same_as_one_run_from_a_file(
    cluster: &Cluster,
) {
    let settings = "pairs = 2\nseed = 9";
    let shared = SharedLadder::new(cluster, settings, &THREE);
    let published = shared.publish();
    assert_eq!(published.bots, ["first", "last", "other"]);
    assert!(published.is_new && !shared.publish().is_new);
    // Workers get the published files, not the present ones.
    write(shared.ladder.path("bot.sh"), "exit 1").unwrap();
    std::thread::scope(|scope| {
        for name in ["one", "two"] {
            let host = Host::new(name, &shared.url);
            scope.spawn(move || host.play_pairs(6));
        }
    });
    let in_file = Ladder::new(settings, &THREE);
    assert_eq!(in_file.run().last().finished, 6);
    assert_eq!(moves(&shared.ladder.games()), moves(&in_file.games()));

    let workers = shared.workers();
    let names: Vec<&str> = workers.iter().map(|worker| &*worker.machine.name).collect();
    assert_eq!(names, ["one", "two"]);
    assert_eq!(workers.iter().map(|worker| worker.games).sum::<u64>(), 12);
    for worker in workers {
        assert_eq!(worker.doing, None, "{worker:?}");
        let machine = &worker.machine;
        assert_eq!(
            (machine.cores, machine.concurrency, machine.speed),
            (2, 1, SPEED)
        );
        assert_eq!(worker.void, 0);
    }
}

pub(super) fn a_playing_worker_takes_up_what_is_published_anew(cluster: &Cluster) {
    let shared = SharedLadder::new(cluster, "pairs = 1", &THREE[..1]);
    shared.publish();
    let folder = shared.ladder.folder();
    let host = Host::new("one", &shared.url);
    let seen = shared.ladder.path("seen");
    let (mut doing, mut publications) = (Vec::new(), 0);
    let ran = host.play_until(|shown| {
        doing.extend(shared.worker("one").doing);
        if doing.iter().any(|doing| doing.starts_with("plays ")) {
            write(&seen, "").unwrap();
        }
        let is_due = shown.finished == publications;
        if is_due && publications == 0 {
            // It waits, and plays once there is another.
            shared.with_bots(&THREE[..2]);
        } else if is_due && publications == 1 {
            // A changed bot plays as its new version once that is published.
            write(shared.ladder.path("bot.sh"), waiting_bot(&seen)).unwrap();
            let told = shared.refusal();
            assert!(told.contains("crownhead ladder update"), "{told}");
            for (bot, _) in &THREE[..2] {
                update(&folder, bot).unwrap();
            }
        }
        if is_due {
            shared.publish();
            publications += 1;
        }
        Ok(shown.finished == 2)
    });
    assert_eq!(ran.last().finished, 2);
    let idle = "fewer than two of the ladder's bots can play here: this worker waits until others are published";
    assert_eq!(ran.news.matches(idle).count(), 1, "{}", ran.news);
    assert!(doing.contains(&"waits for pairs".into()), "{doing:?}");
    assert!(
        doing.contains(&"plays first : last".into())
            || doing.contains(&"plays last : first".into()),
        "{doing:?}"
    );
    let versions = |game: usize| shared.ladder.games()[game].players[0].version.clone();
    assert_ne!(versions(0), versions(2));
}

pub(super) fn a_bot_that_does_not_start_on_a_worker_is_not_played_there_any_more(
    cluster: &Cluster,
) {
    let shared = SharedLadder::new(cluster, "pairs = 1", &THREE);
    write(shared.ladder.path("gone"), "#!/no/such/interpreter\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(shared.ladder.path("gone"), mode).unwrap();
    let bots = [THREE[0], THREE[1], ("gone", "./gone")];
    shared.with_bots(&bots);
    shared.publish();
    let mut is_told = false;
    let ran = Host::new("one", &shared.url).play_until(|shown| {
        let told = "gone does not play here any more: it could not start 3 times in a row";
        is_told |= shown.news.contains(told);
        Ok(is_told && shown.finished == 1)
    });
    // It may play on others.
    assert!(
        ran.standings
            .unwrap()
            .rows
            .iter()
            .all(|row| row.disabled.is_none())
    );
}

pub(super) fn a_run_renews_its_leases_while_it_plays(cluster: &Cluster) {
    let shared = SharedLadder::new(cluster, "pairs = 1", &THREE[..2]);
    let seen = shared.ladder.path("seen");
    write(shared.ladder.path("bot.sh"), waiting_bot(&seen)).unwrap();
    shared.publish();
    let renewed = "SELECT count(*) FROM pair JOIN run ON run.id = pair.run
         WHERE leased_until > run.began + make_interval(secs => 65)";
    let mut client = client(&shared.url);
    let ran = Host::new("one", &shared.url).play_until(|shown| {
        let renewed: i64 = client.query_one(renewed, &[]).unwrap().get(0);
        if renewed > 0 {
            write(&seen, "")?;
        }
        Ok(shown.finished == 1)
    });
    assert_eq!(ran.last().finished, 1);
}
