//! What goes wrong around a worker and does not end it: a full disk at the server, sandboxes that fail; and where its password comes from.

use super::cluster::{client, cluster};
use super::machines::{Machines, Worker};
use crate::common::ladder::{Ladder, THREE, read};
use crate::common::{crownhead, wait_until};
use predicates::prelude::*;
use rustix::process::{Pid, Signal, kill_process};

/// A published ladder of two built-in bots, with this many pairs.
fn ladder(url: &str, pairs: u32) -> Ladder {
    let ladder = Ladder::in_database(url, &format!("pairs = {pairs}"), &THREE[..2]);
    ladder.command("publish").assert().success();
    ladder
}

fn tells(worker: &Worker, told: &str) {
    wait_until(|| read(&worker.log), || read(&worker.log).contains(told));
}

#[test]
fn a_worker_tries_again_until_the_servers_disk_has_room() {
    let Some(cluster) = cluster() else { return };
    let url = cluster.database();
    let _ladder = ladder(&url, 6);
    // The server says so by this code, whatever has no room.
    let full = "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            RAISE EXCEPTION 'could not extend file \"base/1/1\": No space left on device' USING ERRCODE = 'disk_full';
        END $$;
        CREATE TRIGGER no_room BEFORE INSERT ON game EXECUTE FUNCTION no_room();";
    client(&url).batch_execute(full).unwrap();
    let machines = Machines::new(&url);
    let worker = machines.start("one", &[], &[]);
    tells(&worker, "No space left on device; it is tried again");
    assert_eq!(machines.stored(), 0);
    client(&url)
        .batch_execute("DROP TRIGGER no_room ON game")
        .unwrap();
    machines.wait_for(6, &[&worker]);
    let log = worker.end();
    assert_eq!(log.matches("it is tried again").count(), 1, "{log}");
}

#[test]
fn a_worker_whose_sandboxes_fail_pauses_and_goes_on_and_gives_the_pair_back() {
    let Some(cluster) = cluster() else { return };
    let url = cluster.database();
    let _ladder = ladder(&url, 4);
    let machines = Machines::new(&url);
    let worker = machines.start("one", &[], &[]);
    let told = "this worker claims no pair for 5 s, and others may play it";
    wait_until(
        || read(&worker.log),
        || {
            // So often that no game is over in between: three have to fail in a row.
            for _ in 0..20 {
                let mut children = children(worker.child.id());
                let _ = children.try_for_each(|child| kill_process(child, Signal::KILL));
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            read(&worker.log).contains(told)
        },
    );
    machines.wait_for(4, &[&worker]);
    worker.end();
    let claims = "SELECT sum(fence)::bigint FROM pair";
    let claims: i64 = client(&url).query_one(claims, &[]).unwrap().get(0);
    assert!(claims > 6, "it was given back each time, and claimed again");
}

/// The processes that this one has started.
fn children(parent: u32) -> impl Iterator<Item = Pid> {
    let threads = std::fs::read_dir(format!("/proc/{parent}/task"));
    let threads = threads.into_iter().flatten().flatten();
    let texts =
        threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    let pids: Vec<i32> = texts
        .flat_map(|text| {
            text.split_whitespace()
                .filter_map(|word| word.parse().ok())
                .collect::<Vec<_>>()
        })
        .collect();
    pids.into_iter().filter_map(Pid::from_raw)
}

#[test]
fn a_password_in_an_argument_is_refused_with_a_way_out_and_not_repeated() {
    for words in [
        &["worker", "postgres://anna:hunter2@db.example/night"][..],
        &[
            "worker",
            "postgres://anna@db.example/night?password=hunter2",
        ],
        &[
            "ladder",
            "new",
            "night",
            "--store",
            "postgres://anna:hunter2@db.example/night",
        ],
    ] {
        let refused = crownhead().args(words).assert().code(2);
        let told =
            predicate::str::contains("PGPASSWORD").and(predicate::str::contains("~/.pgpass"));
        let quiet = predicate::str::contains("hunter2").not();
        refused.stderr(told.and(quiet));
    }
}
