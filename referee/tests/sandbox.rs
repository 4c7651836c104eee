//! Bots that try to get out of their locked room: as the user who runs the tests, as an ordinary user where
//! the tests may become one, and where no namespaces can be had.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout)] // Tests say what they skipped.

mod common;

use common::{Workshop, crownhead, mark, misbehave, stragglers};
use serde_json::Value;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Who runs the referee.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Who {
    /// Whoever runs the tests.
    Us,
    /// Somebody without privileges.
    Ordinary,
    /// Us, where the system allows no new namespaces.
    WithoutNamespaces,
}

const NOBODY: u32 = 65_534;

impl Who {
    /// Those whom the tests can be.
    fn all() -> Vec<Who> {
        let mut all = vec![Who::Us];
        if rustix::process::getuid().is_root() {
            all.push(Who::Ordinary);
        }
        if without_namespaces(Path::new("true"))
            .status()
            .is_ok_and(|status| status.success())
        {
            all.push(Who::WithoutNamespaces);
        }
        all
    }

    fn command(self, program: &Path) -> Command {
        match self {
            Who::Us => Command::new(program),
            Who::Ordinary => {
                let mut command = Command::new(program);
                command.uid(NOBODY).gid(NOBODY);
                command
            }
            Who::WithoutNamespaces => without_namespaces(program),
        }
    }
}

/// In a namespace of users that may make no others.
fn without_namespaces(program: &Path) -> Command {
    let mut command = Command::new("unshare");
    let script = "echo 0 >/proc/sys/user/max_pid_namespaces && exec \"$@\"";
    command
        .args(["--user", "--map-root-user", "sh", "-c", script, "sh"])
        .arg(program);
    command
}

/// A folder that everybody may enter, with copies of the programs, for those who may not come to ours.
struct Ground {
    workshop: Workshop,
    crownhead: PathBuf,
    bot: PathBuf,
}

impl Ground {
    fn new() -> Ground {
        let workshop = Workshop::new();
        let open = |path: &Path| {
            std::fs::set_permissions(path, PermissionsExt::from_mode(0o777))
                .expect("our own folder");
        };
        let folder = workshop.path("bots").join("one");
        std::fs::create_dir_all(&folder).unwrap();
        for path in [&workshop.path(""), &workshop.path("bots"), &folder] {
            open(path);
        }
        let (program, bot) = (workshop.path("crownhead"), folder.join("bot"));
        std::fs::copy(assert_cmd::cargo::cargo_bin!("crownhead"), &program).unwrap();
        std::fs::copy(misbehave(), &bot).unwrap();
        std::fs::write(folder.join("own"), "weights").unwrap();
        Ground {
            workshop,
            crownhead: program,
            bot,
        }
    }

    /// Black does this against an honest bot for a few turns; gives the record.
    fn play(&self, who: Who, case: &str, options: &[&str]) -> Value {
        let mark = mark();
        let record = self.workshop.path(&format!("games-of-{mark}"));
        let bot = |case: &str| format!("'{}' {case} {mark}", self.bot.display());
        let done = who
            .command(&self.crownhead)
            .args([
                "match",
                &bot(case),
                &bot("honest -"),
                "--games",
                "1",
                "--max-turns",
                "4",
            ])
            .args(["--time", "30s", "--record"])
            .arg(&record)
            .args(if options.contains(&"--first-turn") {
                &[][..]
            } else {
                &["--first-turn", "30s"]
            })
            .args(options)
            .current_dir(self.workshop.path(""))
            .output()
            .unwrap();
        assert!(
            done.status.success(),
            "{who:?}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        assert_eq!(stragglers(&mark), Vec::<String>::new(), "{who:?}");
        let text = std::fs::read_to_string(record).unwrap();
        serde_json::from_str(&text).unwrap()
    }
}

fn log(game: &Value) -> String {
    game["black"]["log"]
        .as_str()
        .unwrap_or_default()
        .replace("\\n", "\n")
}

#[test]
fn no_attempt_to_get_out_succeeds() {
    let ground = Ground::new();
    let path = |name: &str| ground.workshop.path(name).display().to_string();
    std::fs::write(path("bots/secret"), "the opponent's weights").unwrap();
    std::fs::write(path("victim"), "precious").unwrap();
    for name in ["bots/secret", "victim"] {
        std::fs::set_permissions(path(name), PermissionsExt::from_mode(0o666)).unwrap();
    }
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
    let name = mark();
    let by_name = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    let own = std::process::id();
    let attempts = [
        format!(
            "read={};list={home};list={};list=/",
            path("bots/secret"),
            path("bots")
        ),
        format!(
            "read={};write={};append={}",
            path("victim"),
            path("victim"),
            path("victim")
        ),
        format!("remove={};link={}", path("victim"), path("link")),
        format!("write={};remove={0}", path("bots/one/own")),
        "write=/tmp/crownhead-escape;write=/dev/shm/../../tmp/crownhead-escape".into(),
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
        format!("mode-of-open={};mode={0}", ground.bot.display()),
        format!("kill={own};trace={own};read=/proc/{own}/environ;read=/proc/{own}/maps"),
        "trace-parent;mount;namespace;raise-limits".into(),
    ];
    let wanted = attempts.join(";");
    let count = wanted.split(';').count();
    for who in Who::all() {
        let game = ground.play(who, &format!("escape '{wanted}'"), &[]);
        let log = log(&game);
        assert!(!log.contains("escaped:"), "{who:?}:\n{log}");
        assert_eq!(log.matches("refused:").count(), count, "{who:?}:\n{log}");
        assert_eq!(
            game["termination"], "turn-limit",
            "{who:?}: the bot plays on"
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
    let ground = Ground::new();
    let path = |name: &str| ground.workshop.path(name).display().to_string();
    std::fs::write(path("book"), "openings").unwrap();
    std::fs::set_permissions(path("book"), PermissionsExt::from_mode(0o666)).unwrap();
    for who in Who::all() {
        let attempts = format!(
            "escape 'read={};read={};write={0}'",
            path("book"),
            path("bots/one/own")
        );
        let game = ground.play(who, &attempts, &["--allow-read", &path("book")]);
        let log = log(&game);
        assert_eq!(log.matches("escaped: read").count(), 2, "{who:?}:\n{log}");
        assert!(log.contains("refused: write"), "{who:?}:\n{log}");
    }
}

#[test]
fn what_the_referee_has_inherited_is_not_handed_down() {
    let workshop = Workshop::new();
    std::fs::write(workshop.path("secret"), "a password").unwrap();
    let record = workshop.path("games");
    let bot = format!("'{}' escape inherited", misbehave().display());
    for sandbox in ["auto", "off"] {
        let script = "exec \"$@\" 7<secret";
        let done = Command::new("sh")
            .args(["-c", script, "sh"])
            .arg(assert_cmd::cargo::cargo_bin!("crownhead"))
            .args(["match", &bot, "random", "--games", "1", "--max-turns", "2"])
            .args(["--time", "30s", "--first-turn", "30s", "--sandbox", sandbox])
            .arg("--record")
            .arg(&record)
            .current_dir(workshop.path(""))
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
    let ground = Ground::new();
    for who in Who::all() {
        let game = ground.play(who, "escape 'pair-of-streams;pair-of-packets'", &[]);
        let log = log(&game);
        assert_eq!(
            log.matches("escaped: pair-of").count(),
            2,
            "{who:?}:\n{log}"
        );
    }
}

#[test]
fn killing_ones_guard_ends_nobody_but_oneself() {
    let ground = Ground::new();
    for who in Who::all() {
        // It plays a turn before, so that it has started by everybody's word.
        let game = ground.play(who, "escape-later kill-parent", &[]);
        let guard_lives_on = log(&game).contains("refused: kill-parent: it lives on");
        let (termination, result) = match guard_lives_on {
            true => ("turn-limit", "draw"),
            // Where namespaces cannot be had, the guard's death is the bot's.
            false => ("crash", "white"),
        };
        assert_eq!(game["termination"], termination, "{who:?}: {game}");
        assert_eq!(game["result"], result, "{who:?}: {game}");
        assert!(!(guard_lives_on && who == Who::WithoutNamespaces), "{game}");
    }
}

#[test]
fn killing_ones_guard_before_it_has_said_that_one_runs_is_no_way_out_either() {
    let ground = Ground::new();
    for who in Who::all() {
        // Who of the two is quicker is the scheduler's to say.
        for _ in 0..5 {
            let game = ground.play(who, "escape kill-parent", &[]);
            let guard_lives_on = log(&game).contains("refused: kill-parent: it lives on");
            let result = if guard_lives_on { "draw" } else { "white" };
            assert_eq!(game["result"], result, "{who:?}: {game}");
        }
    }
}

#[test]
fn bombs_of_forks_go_off_in_the_room_only() {
    let ground = Ground::new();
    for who in Who::all() {
        // Its children answer for nobody: black is late, which nothing here can make it not be.
        let game = ground.play(who, "fork-bomb -", &["--first-turn", "300ms"]);
        assert_eq!(game["termination"], "timeout", "{who:?}: {game}");
    }
}

#[test]
fn a_bot_that_fills_the_disk_fills_its_own_folder() {
    let ground = Ground::new();
    let before = temporary_folders();
    for who in Who::all() {
        let game = ground.play(who, "fills-disk -", &[]);
        let (log, reason) = (log(&game), game["reason"].to_string());
        let killed = reason.contains("wrote more than 64 MB into its temporary folder");
        assert!(
            killed || log.contains("refused: filled the disk"),
            "{who:?}: {game}"
        );
        assert!(!log.contains("escaped:"), "{who:?}: {game}");
    }
    assert_eq!(temporary_folders(), before, "private folders are removed");
}

/// The private folders there are that belong to no living keeper.
fn temporary_folders() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(std::env::temp_dir())
        .into_iter()
        .flatten()
        .flatten();
    let orphaned = |path: &PathBuf| {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let keeper = name
            .strip_prefix("crownhead-")
            .and_then(|pid| pid.parse::<u32>().ok());
        keeper.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists())
    };
    entries.map(|entry| entry.path()).filter(orphaned).collect()
}

#[test]
fn a_bot_that_eats_memory_dies_of_it_and_that_is_said() {
    let ground = Ground::new();
    for who in Who::all() {
        let game = ground.play(who, "eats-memory 3000", &[]);
        let reason = game["reason"].as_str().unwrap();
        assert!(!log(&game).contains("escaped:"), "{who:?}: {game}");
        match game["termination"].as_str().unwrap() {
            "out-of-memory" => assert_eq!(reason, "black's bot used more than 768 MB of memory"),
            "crash" => assert!(
                reason.contains("probably out of memory"),
                "{who:?}: {reason}"
            ),
            other => panic!("{who:?}: {other}: {reason}"),
        }
    }
}

#[test]
fn interpreters_run_in_the_room() {
    let workshop = Workshop::new();
    let bots = [
        (
            "python3",
            "bot.py",
            // An event loop, and a child, each of which wants a pair of sockets or files of its own.
            "import asyncio, subprocess, tempfile\nasyncio.new_event_loop()\n\
             subprocess.run(['true'], stdout=subprocess.PIPE, check=True)\n\
             tempfile.NamedTemporaryFile(mode='w').write('notes')\ninput()\nwhile True:\n    [input() for _ in range(8)]\n    \
             moves = [input() for _ in range(int(input()))]\n    print(moves[0], flush=True)\n",
        ),
        (
            "node",
            "bot.js",
            "require('child_process').execFileSync('true');\n\
             let lines = null; require('readline').createInterface({input: process.stdin}).on('line', line => {\n\
             if (lines === null) { lines = []; return; }\n lines.push(line);\n\
             if (lines.length > 9 && lines.length == 9 + Number(lines[8])) { console.log(lines[9]); lines = []; } });\n",
        ),
        (
            "java",
            "Bot.java",
            "import java.util.*;\nclass Bot { public static void main(String[] words) {\n\
             Scanner in = new Scanner(System.in); in.nextLine();\n while (in.hasNextLine()) {\n\
             for (int row = 0; row < 8; row++) in.nextLine();\n int count = Integer.parseInt(in.nextLine());\n\
             String first = in.nextLine(); for (int i = 1; i < count; i++) in.nextLine();\n\
             System.out.println(first); } } }\n",
        ),
    ];
    for (interpreter, file, text) in bots {
        let found = Command::new(interpreter).arg("--version").output();
        if !found.is_ok_and(|output| output.status.success()) {
            println!("skipped: no {interpreter} here");
            continue;
        }
        let path = workshop.path(file);
        std::fs::write(&path, text).unwrap();
        let bot = format!("{interpreter} '{}'", path.display());
        let result = workshop.match_json(&[
            &bot,
            "random",
            "--games",
            "1",
            "--max-turns",
            "10",
            "--time",
            "60s",
            "--first-turn",
            "60s",
        ]);
        assert_eq!(result["faults"], serde_json::json!([]), "{interpreter}");
    }
}

#[test]
fn what_the_system_lacks_is_said_once_and_refused_where_all_is_required() {
    let program = assert_cmd::cargo::cargo_bin!("crownhead");
    if !Who::all().contains(&Who::WithoutNamespaces) {
        println!("skipped: no namespace of users here");
        return;
    }
    let run = |sandbox: &str| {
        let mut command = without_namespaces(program);
        command.args([
            "match",
            "random",
            "random",
            "--games",
            "2",
            "--sandbox",
            sandbox,
        ]);
        command.output().unwrap()
    };
    let lax = run("auto");
    let said = String::from_utf8(lax.stderr).unwrap();
    assert!(lax.status.success(), "{said}");
    assert_eq!(said.matches("note: no namespaces").count(), 1, "{said}");
    let strict = run("require");
    let said = String::from_utf8(strict.stderr).unwrap();
    assert_eq!(strict.status.code(), Some(1));
    assert!(
        said.contains("--sandbox require: this system does not allow all of it"),
        "{said}"
    );
    assert!(run("off").stderr.is_empty());
    crownhead()
        .args(["match", "random", "random", "--sandbox", "maybe"])
        .assert()
        .code(2);
}
