//! A worker's copy of a ladder, and what its bots may reach there.

use super::cluster::Cluster;
use super::machine::{Host, SharedLadder};
use crate::ladder::{BOT, THREE, waiting_bot};
use crownhead_ladder::{Grants, publish};
use crownhead_sandbox::SandboxMode;
use std::fs::{File, create_dir, read_to_string, remove_file, write};
use std::path::Path;

/// Replaces a file of a worker.
fn forge(path: &Path) {
    remove_file(path).unwrap();
    write(path, "exit 1").unwrap();
}

pub(super) fn what_a_worker_keeps_of_bots_is_fetched_again_where_it_was_changed(cluster: &Cluster) {
    let shared = SharedLadder::new(cluster, "pairs = 1", &THREE[..2]);
    shared.publish();
    let host = Host::new("one", &shared.url);
    host.play_pairs(1);
    let kept = host.kept("bot.sh");
    assert_eq!(kept.len(), 2);
    for path in &kept {
        forge(path);
    }
    shared.change("pairs = 1", "pairs = 2", &THREE[..2]);
    shared.publish();
    host.play_pairs(2);
    for path in &kept {
        assert_eq!(read_to_string(path).unwrap(), BOT);
    }

    // A changed copy in the store is reported and not played.
    shared.spoil("UPDATE file SET content = 'exit 1'");
    let ran = Host::new("two", &shared.url).play_until(|_| Ok(true));
    for (bot, _) in &THREE[..2] {
        let told =
            format!("{bot} does not play here: its file bot.sh: it is damaged in the store\n");
        assert!(ran.news.contains(&told), "{}", ran.news);
    }
}

pub(super) fn files_changed_while_a_bot_plays_are_fetched_again(cluster: &Cluster) {
    let shared = SharedLadder::new(cluster, "pairs = 1", &THREE[..2]);
    let [plays, changed] = ["plays", "changed"].map(|name| shared.ladder.path(name));
    // It says that it plays, and waits until its files are changed.
    let bot = format!(": >{}\n{}", plays.display(), waiting_bot(&changed));
    write(shared.ladder.path("bot.sh"), &bot).unwrap();
    shared.publish();
    let host = Host::new("one", &shared.url);
    let mut kept = Vec::new();
    let ran = host.play_until(|shown| {
        if plays.exists() && kept.is_empty() {
            kept = host.kept("bot.sh");
            kept.iter().for_each(|path| forge(path));
            write(&changed, "")?;
        }
        Ok(shown.finished == 1)
    });
    assert_eq!((ran.last().finished, kept.len()), (1, 2));
    for path in kept {
        assert_eq!(read_to_string(path).unwrap(), bot);
    }
}

pub(super) fn openings_travel_with_the_ladder(cluster: &Cluster) {
    let settings = "openings = \"begin.pdn\"\npairs = 1";
    let shared = SharedLadder::new(cluster, settings, &THREE[..2]);
    let opening = "[Event \"?\"]\n[GameType \"21\"]\n\n1. 11-15 22-18 *\n";
    write(shared.ladder.path("begin.pdn"), opening).unwrap();
    shared.publish();
    let host = Host::new("one", &shared.url);
    host.play_pairs(1);
    let games = shared.ladder.games();
    assert!(
        games.iter().all(|game| game.opening.len() == 2),
        "{games:?}"
    );
    assert_eq!(host.kept("begin.pdn").len(), 1);
}

pub(super) fn a_bot_that_cannot_be_built_is_told_and_the_others_are_published(cluster: &Cluster) {
    let broken = ("broken", "sh bot.sh\nbuild = \"echo no luck >&2; exit 3\"");
    let retired = ("retired", "sh nothing.sh\nretired = true");
    let bots = [THREE[0], broken, THREE[1], retired];
    let shared = SharedLadder::new(cluster, "pairs = 1", &bots);
    let published = publish(&shared.ladder.folder()).unwrap();
    assert_eq!(published.bots, ["first", "last"]);
    let [(name, reason)] = &published.failed[..] else {
        panic!("{published:?}");
    };
    assert_eq!(name, "broken");
    assert!(reason.ends_with(": no luck"), "{reason}");
    Host::new("one", &shared.url).play_pairs(1);
}

pub(super) fn a_bot_reads_on_a_worker_what_that_grants_where_it_is_what_its_version_is_made_of(
    cluster: &Cluster,
) {
    let book = tempfile::tempdir().unwrap();
    let path = book.path().canonicalize().unwrap();
    write(path.join("book.txt"), "a book").unwrap();
    let settings = format!("pairs = 1\nallow_read = [\"{}\"]", path.display());
    let shared = SharedLadder::new(cluster, &settings, &THREE[..2]);
    shared.publish();
    let machine = |grants: Grants| {
        let mut host = Host::new("one", &shared.url);
        host.options.sandbox = SandboxMode::Auto;
        host.options.grants = grants;
        host
    };
    let granted = Grants::new(std::slice::from_ref(&path), &[], &[]).unwrap();
    let news = |host: &Host| host.play_until(|_| Ok(true)).news;
    let told = news(&machine(Grants::default()));
    let shown = path.display();
    let expected = format!(
        "first does not play here: the ladder lets its bots read {shown}, and this worker does not; `--allow-read \
         {shown}` does\n"
    );
    assert!(told.contains(&expected), "{told}");

    write(path.join("book.txt"), "another book").unwrap();
    let told = news(&machine(granted.clone()));
    let expected = format!(
        "first does not play here: this machine has other files in {shown} than those its version is made of"
    );
    assert!(told.contains(&expected), "{told}");
    write(path.join("book.txt"), "a book").unwrap();
    machine(granted).play_pairs(1);
    // Without a sandbox, nothing needs to be granted.
    shared.change("pairs = 1", "pairs = 2", &THREE[..2]);
    shared.publish();
    Host::new("two", &shared.url).play_pairs(2);
}

pub(super) fn a_bot_of_more_than_64_mb_does_not_travel(cluster: &Cluster) {
    let bots = [THREE[0], ("large", "sh large/bot.sh")];
    let shared = SharedLadder::new(cluster, "pairs = 1", &bots);
    create_dir(shared.ladder.path("large")).unwrap();
    write(shared.ladder.path("large/bot.sh"), BOT).unwrap();
    // Each of them may be part of a bot, and a common file would travel once.
    for name in ["one", "two"] {
        let path = shared.ladder.path(&format!("large/{name}.bin"));
        write(&path, name).unwrap();
        let file = File::options().write(true).open(path).unwrap();
        file.set_len(33 << 20).unwrap();
    }
    let told = shared.refusal();
    let expected = "large: its files have 66 MB, and 64 MB at most travel to workers; name what";
    assert!(told.contains(expected), "{told}");
}
