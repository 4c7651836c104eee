//! Bots that try to disturb others without leaving their sandbox: their opponent's start, their init, the user's files
//! and what the kernel counts for each user. As all users of the tests of escapes.

use crate::common::sandbox::{EscapeSetup, User, log};
use crate::common::{process_tag, wait_until};
use serde_json::Value;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::process::Command;

#[test]
fn descriptors_in_flight_keep_no_other_bot_from_starting() {
    let setup = EscapeSetup::new();
    for user in User::all() {
        let tag = process_tag();
        let (flooder, honest) = (
            setup.bot("escape in-flight", &tag),
            setup.bot("honest -", &tag),
        );
        let options = "--openings none --games 6 --max-turns 4 --concurrency 2 --time 30s --first-turn 30s --json";
        let options: Vec<&str> = options.split(' ').collect();
        let done = setup.run(
            user,
            &[&["match", &flooder, &honest], &options[..]].concat(),
        );
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{user:?}: {said}");
        let result: Value = serde_json::from_slice(&done.stdout).unwrap();
        assert_eq!(result["faults"], serde_json::json!([]), "{user:?}");
    }
}

#[test]
fn a_process_opens_at_most_1024_files_and_cannot_ask_for_more() {
    let setup = EscapeSetup::new();
    for user in User::all() {
        let tell = "sh -c 'echo soft $(ulimit -n) hard $(ulimit -Hn) >&2'";
        let done = setup.run(user, &["match", tell, "random", "--games", "1"]);
        let said = String::from_utf8_lossy(&done.stdout);
        assert!(said.contains("soft 1024 hard 1024"), "{user:?}: {said}");
    }
}

#[test]
fn shared_resources_are_neither_locked_nor_used_up() {
    let setup = EscapeSetup::new();
    let own = setup.workspace.path("bots/one/own");
    std::fs::set_permissions(&own, PermissionsExt::from_mode(0o666)).unwrap();
    let attempts = [
        "watch;timer;asynchronous;large-pipe;share-core".into(),
        format!("flush={}", own.display()),
        format!(
            "flags={0};version={0};lock={0};record-lock={0};lease={0}",
            own.display()
        ),
        format!("idle={0};limit={0}", std::process::id()),
    ];
    let wanted = attempts.join(";");
    for user in User::all() {
        let game = setup.play(user, &format!("escape '{wanted}'"), &[]);
        let log = log(&game);
        assert!(!log.contains("escaped:"), "{user:?}:\n{log}");
        assert_eq!(log.matches("refused:").count(), 13, "{user:?}:\n{log}");
    }
}

#[test]
fn a_bot_can_neither_see_nor_decide_what_part_of_a_file_is_in_memory() {
    let setup = EscapeSetup::new();
    let own = setup.workspace.path("bots/one/own");
    let attempts = [
        "asks-what-is-read",
        "asks-what-is-mapped",
        "forgets-file",
        "fetches-file",
    ];
    let attempts = attempts
        .map(|attempt| format!("{attempt}={}", own.display()))
        .join(";");
    for user in User::all() {
        let log = log(&setup.play(user, &format!("escape '{attempts}'"), &[]));
        assert_eq!(log.matches("refused:").count(), 4, "{user:?}:\n{log}");
    }
}

/// A message queue or a set of semaphores that everybody may use.
struct SystemV {
    kind: &'static str,
    number: String,
}

impl SystemV {
    fn new(kind: &'static str, options: &[&str]) -> SystemV {
        let made = Command::new("ipcmk")
            .args(options)
            .args(["-p", "0666"])
            .output();
        let said = String::from_utf8(made.unwrap().stdout).unwrap();
        let number = said.split_whitespace().last().expect("its number").into();
        SystemV { kind, number }
    }
}

impl Drop for SystemV {
    fn drop(&mut self) {
        let _ = Command::new("ipcrm")
            .args([self.kind, &self.number])
            .status();
    }
}

#[test]
fn queues_and_semaphores_of_others_are_not_used_by_their_numbers() {
    let setup = EscapeSetup::new();
    let (queue, semaphores) = (
        SystemV::new("-q", &["-Q"]),
        SystemV::new("-s", &["-S", "1"]),
    );
    let attempts = format!(
        "sends-message={0};asks-of-queue={0};adds-to-semaphore={1}",
        queue.number, semaphores.number
    );
    for user in User::all() {
        let log = log(&setup.play(user, &format!("escape '{attempts}'"), &[]));
        assert_eq!(log.matches("refused:").count(), 3, "{user:?}:\n{log}");
    }
}

#[test]
fn a_bot_sees_no_more_than_it_is_granted() {
    let setup = EscapeSetup::new();
    let path = |name: &str| setup.workspace.path(name).display().to_string();
    setup.file("bots/secret");
    let listener = UnixListener::bind(path("socket")).unwrap();
    let attempts = [
        format!(
            "stat={};stat={};finds={0}",
            path("bots/secret"),
            path("crownhead")
        ),
        format!(
            "stat=/home;stat=/root;stat=/var/log;stat=/proc/{}",
            std::process::id()
        ),
        format!("finds-group;lists-socket={}", path("socket")),
        "read=/proc/slabinfo;read=/proc/timer_list".into(),
    ];
    let wanted = attempts.join(";");
    let count = wanted.split(';').count();
    for user in User::all().into_iter().filter(|user| user.has_namespaces()) {
        let game = setup.play(user, &format!("escape '{wanted}'"), &[]);
        let log = log(&game);
        assert_eq!(log.matches("refused:").count(), count, "{user:?}:\n{log}");
        // No one else sees what it writes where everyone may write.
        let written = format!("/tmp/crownhead-{}", process_tag());
        let game = setup.play(user, &format!("escape 'write={written}'"), &[]);
        assert!(self::log(&game).contains("escaped: write="), "{game}");
        assert!(!std::path::Path::new(&written).exists());
    }
    drop(listener);
}

#[test]
fn a_link_on_the_command_line_opens_the_file_it_leads_to_and_not_its_folder() {
    let setup = EscapeSetup::new();
    setup.folder("keys");
    let [book, key] = ["keys/book", "keys/key"].map(|name| setup.file(name));
    let link = setup.workspace.path("bots/one/book.bin");
    symlink(book, &link).unwrap();
    let attempts = format!("escape 'read={0};read={key}' '{0}'", link.display());
    for user in User::all() {
        let game = setup.play(user, &attempts, &[]);
        let log = log(&game);
        assert_eq!(log.matches("escaped: read").count(), 1, "{user:?}:\n{log}");
        assert!(log.contains("/keys/key: "), "{user:?}:\n{log}");
    }
}

#[test]
fn a_link_in_a_folder_that_is_written_opens_nothing() {
    let setup = EscapeSetup::new();
    let [secrets, data] = ["secrets", "bots/one/data"].map(|name| setup.folder(name));
    let [key, ..] =
        ["secrets/key", "secrets/other", "bots/one/data/plain"].map(|name| setup.file(name));
    // What an earlier game may have left there.
    symlink(key, format!("{data}/weights")).unwrap();
    symlink(&secrets, format!("{data}/sub")).unwrap();
    let attempts = format!(
        "escape 'read={data}/plain;read={data}/weights;read={data}/sub/other;read={secrets}/key;\
         read={secrets}/other;write={data}/sub/key' '{data}/weights' '{data}/sub/key'"
    );
    for user in User::all() {
        let log = log(&setup.play(user, &attempts, &["--allow-write", &data]));
        assert_eq!(log.matches("refused: ").count(), 5, "{user:?}:\n{log}");
        assert!(log.contains("escaped: read="), "{user:?}:\n{log}");
    }
}

#[test]
fn a_filter_that_fails_is_not_done_without() {
    let setup = EscapeSetup::new();
    let done = Command::new(&setup.bot)
        .arg("without-filters")
        .arg(&setup.crownhead)
        .args(["match", "random", "random", "--games", "1"])
        .current_dir(setup.workspace.path(""))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned();
    assert!(said.contains("its filter of system calls: "), "{said}");
}

#[test]
fn a_program_in_bin_opens_what_is_installed_and_not_what_lies_beside() {
    let setup = EscapeSetup::new();
    for folder in ["engine", "engine/bin", "engine/lib"] {
        setup.folder(folder);
    }
    let [own, secret] = ["engine/lib/own", "engine/secret"].map(|name| setup.file(name));
    let installed = setup.workspace.path("engine/bin/bot");
    crate::common::copy_program(&crate::common::misbehave(), &installed);
    let setup = EscapeSetup {
        bot: installed,
        ..setup
    };
    let attempts = format!("escape 'read={own};read={secret}'");
    for user in User::all() {
        let log = log(&setup.play(user, &attempts, &[]));
        assert!(
            log.contains("escaped: read=") && log.contains("/lib/own"),
            "{log}"
        );
        assert_eq!(log.matches("refused: read").count(), 1, "{user:?}:\n{log}");
    }
}

#[test]
fn the_administrators_bots_are_users_of_their_own_and_read_what_he_may() {
    let setup = EscapeSetup::new();
    if !rustix::process::getuid().is_root() {
        return;
    }
    let own = setup.workspace.path("bots/one/own");
    // Neither the folder nor the file is open to others.
    std::fs::set_permissions(&own, PermissionsExt::from_mode(0o600)).unwrap();
    let folder = setup.workspace.path("bots/one");
    std::fs::set_permissions(folder, PermissionsExt::from_mode(0o700)).unwrap();
    let attempts = format!("escape 'own-user=0;read={};write={0}'", own.display());
    let log = log(&setup.play(User::Own, &attempts, &[]));
    assert_eq!(log.matches("escaped: ").count(), 2, "{log}");
    assert!(log.contains("refused: write="), "{log}");
}

/// What a bot writes into files without a name, which it opens in this way, counts whoever runs the referee.
fn files_without_a_name_count(way: &str) {
    let setup = EscapeSetup::new();
    for user in User::all() {
        let game = setup.play(user, &format!("hides-{way} -"), &[]);
        let reason = game["reason"].to_string();
        let killed = reason.contains("wrote more than 64 MB into its temporary folder");
        let log = log(&game);
        assert!(
            killed || log.contains("refused: hid files"),
            "{user:?}: {game}"
        );
        assert!(!log.contains("escaped:"), "{user:?}: {game}");
    }
}

#[test]
fn files_without_a_name_count_as_what_a_bot_writes() {
    files_without_a_name_count("files");
}

#[test]
fn files_without_a_name_that_a_thread_has_open_count_as_what_a_bot_writes() {
    files_without_a_name_count("files-in-thread");
}

#[test]
fn files_without_a_name_of_a_bot_whose_first_thread_has_ended_count_as_what_it_writes() {
    files_without_a_name_count("files-without-first-thread");
}

#[test]
fn a_process_that_has_left_its_session_stands_still_too_while_the_opponent_thinks() {
    let setup = EscapeSetup::new();
    for user in User::all() {
        let game = setup.play_against(user, "restless-session -", "late 500", &["--suspend-idle"]);
        let log = log(&game);
        let gaps = log.lines().filter_map(|line| {
            let rest = line.strip_prefix("stood still for ")?;
            rest.strip_suffix(" ms")?.parse::<u64>().ok()
        });
        assert!(gaps.max() >= Some(400), "{user:?}: {game}");
    }
}

#[test]
fn memory_held_in_sockets_is_counted() {
    let setup = EscapeSetup::new();
    for user in User::all() {
        let game = setup.play(user, "eats-large-sockets 2600", &[]);
        let log = self::log(&game);
        let killed = game["termination"] == "out-of-memory";
        assert!(
            killed || log.contains("refused: large sockets"),
            "{user:?}: {game}"
        );
        assert!(!log.contains("escaped:"), "{user:?}: {game}");
        if user != User::Own {
            // Nothing counts what is under way.
            let game = setup.play(user, "eats-sockets-in-flight -", &[]);
            assert!(
                self::log(&game).contains("in flight hold 0 MB"),
                "{user:?}: {game}"
            );
        }
    }
}

#[test]
fn supervisors_that_fail_are_the_referees_fault_and_leave_no_folder() {
    let setup = EscapeSetup::new();
    for user in User::all() {
        let tag = process_tag();
        let record = setup.workspace.path(&format!("games-of-{tag}"));
        let (black, white) = (setup.bot("late 2000", &tag), setup.bot("honest -", &tag));
        let referee = user
            .command(&setup.crownhead)
            .args([
                "match",
                "--openings",
                "none",
                &black,
                &white,
                "--games",
                "1",
            ])
            .args(["--max-turns", "4", "--time", "30s", "--first-turn", "30s"])
            .arg("--record")
            .arg(&record)
            .env("HOME", setup.workspace.path("home"))
            .current_dir(setup.workspace.path(""))
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // Its bots are started once before, and then the file is made.
        wait_until(|| "no record", || record.exists());
        let supervisors = supervisors_of(referee.id(), 2);
        for &supervisor in &supervisors {
            let pid = rustix::process::Pid::from_raw(supervisor).unwrap();
            rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
        }
        assert!(referee.wait_with_output().is_ok());
        let game = std::fs::read_to_string(record).unwrap();
        let game: Value = serde_json::from_str(&game).unwrap();
        assert_eq!(game["termination"], "referee-fault", "{user:?}: {game}");
        assert!(game["scores"].is_null(), "{user:?}: {game}");
        for supervisor in supervisors {
            let folder = crate::common::everyones_folder().join(format!("crownhead-{supervisor}"));
            assert!(!folder.exists(), "{user:?}: {}", folder.display());
        }
    }
}

/// Waits until this process has this many supervisors with a bot each, and gives their pids.
fn supervisors_of(referee: u32, count: usize) -> Vec<i32> {
    let children = |pid: i64| {
        let path = format!("/proc/{pid}/task/{pid}/children");
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.split_whitespace()
            .filter_map(|word| word.parse::<i32>().ok())
            .collect::<Vec<_>>()
    };
    let busy = |supervisor: &i32| {
        let mut inits = children((*supervisor).into()).into_iter();
        inits.any(|init| !children(init.into()).is_empty())
    };
    loop {
        let threads = std::fs::read_dir(format!("/proc/{referee}/task"));
        let threads = threads.into_iter().flatten().flatten();
        let found: Vec<i32> = threads
            .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok())
            .flat_map(|text| {
                let words = text.split_whitespace().map(str::parse);
                words.filter_map(Result::ok).collect::<Vec<i32>>()
            })
            .filter(busy)
            .collect();
        if found.len() >= count {
            return found;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}
