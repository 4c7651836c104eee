//! Bots that try to escape from their sandbox: as the user who runs the tests, as an ordinary user where the
//! tests may become one, and where the system allows no namespaces.
#![allow(clippy::print_stdout)] // Tests say what they skipped.

use crate::common::sandbox::{EscapeSetup, User, can_freeze, is_long, log};
use crate::common::{TestWorkspace, crownhead, misbehave, process_tag};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn no_attempt_to_escape_succeeds() {
    let setup = EscapeSetup::new();
    let path = |name: &str| setup.workspace.path(name).display().to_string();
    setup.file("bots/secret");
    std::fs::write(setup.file("victim"), "precious").unwrap();
    let home = std::env::home_dir().unwrap_or_default();
    let home = home.display();
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    let (tcp_port, udp_port) = (
        tcp.local_addr().unwrap().port(),
        udp.local_addr().unwrap().port(),
    );
    let by_path = UnixListener::bind(path("socket")).unwrap();
    let mailbox = UnixDatagram::bind(path("mailbox")).unwrap();
    std::fs::set_permissions(path("mailbox"), PermissionsExt::from_mode(0o777)).unwrap();
    let name = process_tag();
    let by_name = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    let own = std::process::id();
    let attempts = [
        format!(
            "read={};list={home};finds={0};finds={home};read=/../{0};list=/../{home}",
            path("bots/secret"),
        ),
        format!(
            "read={};write={};append={}",
            path("victim"),
            path("victim"),
            path("victim")
        ),
        format!("remove={};link={}", path("victim"), path("link")),
        format!("write={};remove={0}", path("bots/one/own")),
        "write=/crownhead-escape;write=/etc/crownhead-escape;write=/proc/self/oom_score_adj".into(),
        "read=/etc/shadow;write=/proc/sys/kernel/core_pattern;read=/dev/mem".into(),
        format!("tcp={tcp_port};udp={udp_port};listen;netlink"),
        format!("unix={};unix-datagram={0};abstract={name}", path("socket")),
        format!(
            "pair-to={};pair-connected={0};pair-named={name}-taken",
            path("mailbox")
        ),
        format!(
            "attribute={};times={0};owner={0};owner-of-link={0};mode={0}",
            path("victim")
        ),
        format!("mode-of-open={};mode={0}", setup.bot.display()),
        format!("kill={own};trace={own};read=/proc/{own}/environ;read=/proc/{own}/maps"),
        "trace-parent;mount;namespace;raise-limits".into(),
    ];
    let wanted = attempts.join(";");
    let count = wanted.split(';').count();
    for user in User::all() {
        let game = setup.play(user, &format!("escape '{wanted}'"), &[]);
        let log = log(&game);
        assert!(!log.contains("escaped:"), "{user:?}:\n{log}");
        assert_eq!(log.matches("refused:").count(), count, "{user:?}:\n{log}");
        assert_eq!(
            game["termination"], "turn-limit",
            "{user:?}: the bot plays on"
        );
    }
    assert_eq!(std::fs::read_to_string(path("victim")).unwrap(), "precious");
    let mode = std::fs::metadata(path("victim"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o666);
    drop((tcp, udp, by_path, mailbox, by_name));
}

#[test]
fn a_bot_reads_its_own_folder_and_what_it_is_allowed() {
    let setup = EscapeSetup::new();
    let book = setup.file("book");
    let own = setup.workspace.path("bots/one/own");
    for user in User::all() {
        let attempts = format!("escape 'read={book};read={};write={book}'", own.display());
        let game = setup.play(user, &attempts, &["--allow-read", &book]);
        let log = log(&game);
        assert_eq!(log.matches("escaped: read").count(), 2, "{user:?}:\n{log}");
        assert!(log.contains("refused: write"), "{user:?}:\n{log}");
    }
}

#[test]
fn files_that_the_referee_has_inherited_are_not_passed_on() {
    let workspace = TestWorkspace::new();
    std::fs::write(workspace.path("secret"), "a password").unwrap();
    let record = workspace.path("games");
    let bot = format!("'{}' escape inherited", misbehave().display());
    for sandbox in ["auto", "off"] {
        let script = "exec \"$@\" 7<secret";
        let done = Command::new("sh")
            .args(["-c", script, "sh"])
            .arg(assert_cmd::cargo::cargo_bin!("crownhead"))
            .args(["match", &bot, "random", "--games", "1", "--max-turns", "2"])
            .args(["--openings", "none"])
            .args(["--time", "30s", "--first-turn", "30s", "--sandbox", sandbox])
            .arg("--record")
            .arg(&record)
            .current_dir(workspace.path(""))
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
        let game = std::fs::read_to_string(&record).unwrap();
        assert!(game.contains("refused: inherited"), "{sandbox}: {game}");
        std::fs::remove_file(&record).unwrap();
    }
}

#[test]
fn runtimes_can_talk_to_their_children() {
    let setup = EscapeSetup::new();
    for user in User::all() {
        let game = setup.play(user, "escape 'pair-of-streams;pair-of-packets'", &[]);
        let log = log(&game);
        assert_eq!(
            log.matches("escaped: pair-of").count(),
            2,
            "{user:?}:\n{log}"
        );
    }
}

#[test]
fn a_bot_cannot_reach_its_init() {
    let setup = EscapeSetup::new();
    for user in User::all() {
        // Before its start is reported, and after.
        for case in ["escape", "escape-later"] {
            let attempts = "kill-parent;stop-parent;idle-parent;nice-parent;limit-parent";
            let attempts =
                format!("{case} '{attempts};reads-of-parent=environ;reads-of-parent=maps'");
            let game = setup.play(user, &attempts, &["--suspend-idle"]);
            assert_eq!(
                log(&game).matches("refused: ").count(),
                7,
                "{user:?}: {game}"
            );
            assert_eq!(game["termination"], "turn-limit", "{user:?}: {game}");
        }
    }
}

#[test]
fn fork_bombs_are_confined_to_the_sandbox() {
    let setup = EscapeSetup::new();
    // A control group counts the processes of the one, the kernel those of the other.
    let is_tried = |user: &User| is_long() || *user != User::Ordinary;
    for user in User::all().into_iter().filter(is_tried) {
        // Its children do not answer: black is late on any machine.
        let game = setup.play(user, "fork-bomb -", &["--first-turn", "100ms"]);
        assert_eq!(game["termination"], "timeout", "{user:?}: {game}");
    }
}

#[test]
fn a_bot_that_fills_the_disk_fills_its_own_folder() {
    let setup = EscapeSetup::new();
    for user in User::all() {
        let game = setup.play(user, "fills-disk -", &[]);
        let (log, reason) = (log(&game), game["reason"].to_string());
        let killed = reason.contains("wrote more than 64 MB into its temporary folder");
        assert!(
            killed || log.contains("refused: filled the disk"),
            "{user:?}: {game}"
        );
        assert!(!log.contains("escaped:"), "{user:?}: {game}");
    }
    let private = abandoned_folders(&setup.temporary());
    assert!(private.is_empty(), "not removed: {private:?}");
}

/// The private folders here that belong to no living supervisor.
fn abandoned_folders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    let orphaned = |path: &PathBuf| {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let supervisor = name
            .strip_prefix("crownhead-")
            .and_then(|pid| pid.parse::<u32>().ok());
        supervisor.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists())
    };
    entries.map(|entry| entry.path()).filter(orphaned).collect()
}

#[test]
fn a_bot_that_uses_too_much_memory_is_killed_and_the_reason_is_reported() {
    let setup = EscapeSetup::new();
    // `machine::memory` tries users who have namespaces.
    for user in User::without_namespaces() {
        let game = setup.play(user, "eats-memory 3000", &[]);
        let reason = game["reason"].as_str().unwrap();
        assert!(!log(&game).contains("escaped:"), "{user:?}: {game}");
        let told = match game["termination"].as_str().unwrap() {
            "out-of-memory" => reason.starts_with("black's bot used more than 768 MB of memory"),
            "crash" => reason.contains("probably out of memory"),
            _ => false,
        };
        assert!(told, "{user:?}: {game}");
    }
}

#[test]
fn all_features_may_be_required_where_the_system_has_them() {
    // An administrator without control groups of version 2 has not all of them.
    if !can_freeze() {
        return;
    }
    let setup = EscapeSetup::new();
    let arguments = ["match", "random", "random", "--games", "2"];
    let done = setup.run(
        User::Own,
        &[&arguments[..], &["--sandbox", "require"]].concat(),
    );
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(done.status.success(), "{said}");
    assert!(!said.contains("note:"), "{said}");
}

#[test]
fn missing_features_are_said_once_and_refused_where_all_are_required() {
    let setup = EscapeSetup::new();
    for user in User::without_namespaces() {
        let run = |sandbox: &str| {
            let options = ["--games", "2", "--sandbox", sandbox];
            setup.run(
                user,
                &[&["match", "random", "random"][..], &options].concat(),
            )
        };
        let lax = run("auto");
        let said = String::from_utf8(lax.stderr).unwrap();
        assert!(lax.status.success(), "{said}");
        assert_eq!(said.matches("note: this system lacks").count(), 1, "{said}");
        let strict = run("require");
        let said = String::from_utf8(strict.stderr).unwrap();
        assert_eq!(strict.status.code(), Some(1));
        let refusal = "error: `--sandbox require`: this system lacks ";
        assert!(said.starts_with(refusal), "{said}");
        assert!(said.contains("\n  - no namespaces ("), "{said}");
        assert!(run("off").stderr.is_empty());
    }
    crownhead()
        .args(["match", "random", "random", "--sandbox", "maybe"])
        .assert()
        .code(2);
}
