//! What the tests of the real program share: running it, and bots written in the shell.

#![allow(dead_code)] // Each test file uses its part.

pub(crate) mod ladder;
#[path = "../../../tests/support/record_schema.rs"]
mod record_schema;
#[cfg(target_os = "linux")]
pub(crate) mod sandbox;
#[path = "../../../tests/support/skip.rs"]
pub(crate) mod skip;
pub(crate) mod table;
pub(crate) mod terminal;

use assert_cmd::Command;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// The program under test, ready for arguments.
pub(crate) fn crownhead() -> Command {
    Command::cargo_bin("crownhead").expect("cargo has built the program")
}

/// A copy of a program that every user may run, who may not enter our folder. The next `crownhead` removes it with its
/// folder, which is called like one of a run.
pub(crate) fn program_for_all(program: &Path) -> PathBuf {
    static COPIES: Mutex<BTreeMap<PathBuf, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut copies = COPIES.lock().unwrap_or_else(PoisonError::into_inner);
    let copy = copies.entry(program.into()).or_insert_with(|| {
        let folder = format!("crownhead-{}", std::process::id());
        let folder = everyones_folder().join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        let copy = folder.join(program.file_name().expect("a program"));
        write_copy(program, &copy);
        for path in [&folder, &copy] {
            std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("our own");
        }
        copy
    });
    copy.clone()
}

/// Puts a program there, for it to be run.
pub(crate) fn copy_program(from: &Path, to: &Path) {
    // A copy for each test takes long. Another file system takes no link.
    if std::fs::hard_link(program_for_all(from), to).is_err() {
        write_copy(from, to);
    }
}

/// By a process of its own: a child that another test starts meanwhile would inherit our open file, and until it is closed
/// there too the copy cannot be run (`ETXTBSY`).
fn write_copy(from: &Path, to: &Path) {
    let copied = std::process::Command::new("cp").args([from, to]).status();
    assert!(copied.expect("cp is on every system").success());
}

/// A folder for temporary files that an ordinary user can use too: the one of the environment may be the administrator's
/// alone.
pub(crate) fn everyones_folder() -> PathBuf {
    let folder = std::env::temp_dir();
    let mode = std::fs::metadata(&folder).map_or(0, |folder| folder.permissions().mode());
    if mode & 0o7 == 0o7 {
        folder
    } else {
        "/tmp".into()
    }
}

/// A folder for one test's bots and files.
pub(crate) struct TestWorkspace {
    folder: TempDir,
}

/// A bot in the shell reads a turn with `turn`, which leaves the first legal move in `$move`.
const READS_TURNS: &str = r#"#!/bin/sh
turn() {
    for row in 1 2 3 4 5 6 7 8; do read -r line || exit 0; done
    read -r count
    move=
    while [ "$count" -gt 0 ]; do
        read -r listed
        [ -n "$move" ] || move=$listed
        count=$((count - 1))
    done
}
read -r colour
"#;

impl TestWorkspace {
    pub(crate) fn new() -> TestWorkspace {
        TestWorkspace {
            folder: tempfile::tempdir_in(everyones_folder()).expect("a folder for temporary files"),
        }
    }

    /// The path of a file in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A copy of a program, which every user may run, in a folder where every user may write.
    pub(crate) fn open_copy(&self, program: &Path) -> PathBuf {
        let copy = self.path(
            program
                .file_name()
                .and_then(|name| name.to_str())
                .expect("a name"),
        );
        copy_program(program, &copy);
        let folder = self.folder.path();
        std::fs::set_permissions(folder, PermissionsExt::from_mode(0o777)).expect("our own");
        copy
    }

    /// A bot that plays by this shell script, once it has read its colour; gives its path as a command.
    pub(crate) fn bot(&self, name: &str, script: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, format!("{READS_TURNS}{script}\n")).expect("writing a bot");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("chmod");
        path.to_str().expect("a readable path").to_string()
    }

    /// A bot that always plays the first move of the list.
    pub(crate) fn honest_bot(&self) -> String {
        self.bot("honest", "while turn; do echo \"$move\"; done")
    }

    /// Runs a match and gives its result as JSON.
    ///
    /// Time limits are generous unless `arguments` set them: an honest bot does not lose by a busy machine. Games begin
    /// at the start unless `arguments` name openings.
    pub(crate) fn match_json(&self, arguments: &[&str]) -> serde_json::Value {
        let mut command = crownhead();
        command.arg("match").args(arguments).arg("--json");
        if !arguments.iter().any(|word| word.starts_with("--opening")) {
            command.args(["--openings", "none"]);
        }
        if !arguments.contains(&"--time") {
            command.args(["--time", "10s", "--first-turn", "30s"]);
        }
        let output = command.output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{error}");
        serde_json::from_slice(&output.stdout).expect("the output is JSON")
    }
}

/// `match` between these two from the start, ready for more arguments.
pub(crate) fn match_of(first: &str, second: &str, games: u32, seed: u32) -> Command {
    let mut command = crownhead();
    command.args(["match", first, second, "--openings", "none"]);
    command.args(["--games", &games.to_string()]);
    command.args(["--seed", &seed.to_string()]);
    command
}

/// The games that the program has recorded in this file, in order. Each keeps to the schema of the guide.
pub(crate) fn records(file: impl AsRef<Path>) -> Vec<serde_json::Value> {
    let schema = record_schema::RecordSchema::load();
    let text = std::fs::read_to_string(file).expect("the record");
    let games = text.lines().map(|line| {
        let game = serde_json::from_str(line).expect("a game is a JSON object");
        schema.check(&game).expect("a game keeps to the schema");
        game
    });
    games.collect()
}

/// The command lines of the processes that mention `text`.
pub(crate) fn processes_that_mention(text: &str) -> Vec<String> {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let command_lines = processes.flatten().filter_map(|process| {
        let own = std::process::id().to_string();
        let is_other = process.file_name().to_str() != Some(&own);
        let bytes = std::fs::read(process.path().join("cmdline"))
            .ok()
            .filter(|_| is_other)?;
        Some(String::from_utf8_lossy(&bytes).replace('\0', " "))
    });
    command_lines.filter(|line| line.contains(text)).collect()
}

/// The path of `misbehave`, an example of this package.
pub(crate) fn misbehave() -> PathBuf {
    static BUILT: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    BUILT.get_or_init(|| example("misbehave")).clone()
}

/// The path of an example of this package.
pub(crate) fn example(name: &str) -> PathBuf {
    let program = assert_cmd::cargo::cargo_bin!("crownhead");
    let path = program.with_file_name("examples").join(name);
    // `cargo test` builds the examples; `cargo test --test NAME` does not, and may find an old one.
    let changed = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples")
        .join(name);
    let sources = std::fs::read_dir(sources).expect("the sources are there");
    let newest = sources.flatten().map(|file| changed(&file.path())).max();
    if changed(&path) < newest.flatten() {
        let mut build = std::process::Command::new(env!("CARGO"));
        let build = build.args(["build", "--example", name, "-p", "crownhead-referee"]);
        let profile = (!cfg!(debug_assertions)).then_some("--release");
        let done = build.args(profile).status();
        assert!(done.is_ok_and(|status| status.success()));
    }
    path
}

/// Processes that keep every core busy until they are dropped, each in a session of its own: one that the kernel gives
/// as much of a core as a bot.
pub(crate) struct CpuLoad(Vec<std::process::Child>);

impl CpuLoad {
    pub(crate) fn of(size: usize) -> CpuLoad {
        let spinner = || {
            std::process::Command::new(misbehave())
                .arg("spin")
                .spawn()
                .expect("misbehave is there")
        };
        CpuLoad((0..size).map(|_| spinner()).collect())
    }
}

impl Drop for CpuLoad {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A user without privileges whom the tests may become.
pub(crate) struct OrdinaryUser {
    number: u32,
    home: TempDir,
}

/// An ordinary user with a home of their own, made once for all tests; `None` where the tests may not make one.
pub(crate) fn ordinary_user() -> Option<OrdinaryUser> {
    const NAME: &str = "crownhead-test";
    if !rustix::process::getuid().is_root() {
        return None;
    }
    let number = || {
        let id = std::process::Command::new("id")
            .args(["-u", NAME])
            .output()
            .ok()?;
        String::from_utf8(id.stdout).ok()?.trim().parse().ok()
    };
    let made = || {
        // Two tests may do this at once: who comes second finds it done.
        let mut add = std::process::Command::new("useradd");
        let _ = add
            .args(["--no-create-home", "--user-group", NAME])
            .output();
        number()
    };
    let number = number().or_else(made)?;
    let home = tempfile::tempdir_in(everyones_folder()).ok()?;
    std::os::unix::fs::chown(home.path(), Some(number), Some(number)).ok()?;
    Some(OrdinaryUser { number, home })
}

impl OrdinaryUser {
    /// Runs a program as this user, at home.
    pub(crate) fn command(&self, program: &Path) -> std::process::Command {
        let mut command = std::process::Command::new("setpriv");
        let id = self.number;
        command
            .args([format!("--reuid={id}"), format!("--regid={id}")])
            .args(["--clear-groups", "--"])
            .arg(program)
            .env("HOME", self.home.path())
            .env("TMPDIR", everyones_folder())
            .current_dir(self.home.path());
        command
    }

    /// Makes this file or folder theirs.
    pub(crate) fn own(&self, path: &Path) {
        std::os::unix::fs::chown(path, Some(self.number), Some(self.number)).expect("chown");
    }

    /// The user's home.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }
}

/// A game of black's and white's part by a referee that is started so.
pub(crate) fn played_by(
    command: impl Fn(&Path) -> std::process::Command,
    black: &str,
    white: &str,
    options: &[&str],
) -> crownhead_record::GameRecord {
    let workspace = TestWorkspace::new();
    let bot = workspace.open_copy(&misbehave());
    let program = workspace.open_copy(assert_cmd::cargo::cargo_bin!("crownhead"));
    let record = workspace.path("games.jsonl");
    let part = |what| format!("'{}' {what}", bot.display());
    let done = command(&program)
        .args(["match", &part(black), &part(white), "--games", "1"])
        .args(["--openings", "none", "--first-turn", "30s"])
        .args(options)
        .arg("--record")
        .arg(&record)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    serde_json::from_slice(&std::fs::read(&record).unwrap()).unwrap()
}

/// Limits that no built-in bot is late by, however busy the machine.
pub(crate) const AMPLE_TIME: [&str; 4] = ["--time", "10s", "--first-turn", "30s"];

/// Waits until `is_so`, for two minutes; `told` is said if it does not come to that.
pub(crate) fn wait_until<T: std::fmt::Display>(
    told: impl FnOnce() -> T,
    mut is_so: impl FnMut() -> bool,
) {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(120);
    while !is_so() {
        assert!(std::time::Instant::now() < deadline, "{}", told());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// A number that a long test takes from its environment.
pub(crate) fn setting(name: &str, short: u64) -> u64 {
    std::env::var(name).map_or(short, |text| text.parse().expect("a number"))
}

/// A word in the command lines of one test's bots, by which they are found.
pub(crate) fn process_tag() -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("tag-{}-{number}-end", std::process::id())
}

/// Waits until no process mentions `text`; gives those that still do after ten seconds.
pub(crate) fn remaining_processes(text: &str) -> Vec<String> {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(10);
    loop {
        let left = processes_that_mention(text);
        if left.is_empty() || std::time::Instant::now() > deadline {
            return left;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// What this player has written to its standard error in a recorded game.
pub(crate) fn written_by(player: usize, game: &serde_json::Value) -> String {
    let turns = game["turns"].as_array().into_iter().flatten();
    let turns = turns.filter(|turn| turn["player"] == player);
    let parts = std::iter::once(&game["players"][player]["stderr_before"])
        .chain(turns.map(|turn| &turn["stderr"]))
        .chain([&game["players"][player]["stderr_after"]]);
    parts.filter_map(|part| part["text"].as_str()).collect()
}
