//! Files that commands write: without `--force`, every command keeps an existing file.

use super::bundle::write_bot;
use crate::common::ladder::{Ladder, THREE};
use crate::common::{AMPLE_TIME, TestWorkspace, crownhead};
use assert_cmd::Command;

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What commands read.
struct Sources {
    workspace: TestWorkspace,
    ladder: Ladder,
}

impl Sources {
    fn new() -> Sources {
        let sources = Sources {
            workspace: TestWorkspace::new(),
            ladder: Ladder::new("pairs = 1", &THREE),
        };
        sources.ladder.command("run").assert().success();
        let games = sources.path("games.jsonl");
        let options = ["--games", "2", "--openings", "none", "--record", &games];
        let mut played = crownhead();
        played.args(["match", "greedy", "random"]);
        played.args(options).args(AMPLE_TIME).assert().success();
        let train = ["train", "games", &sources.path("train.games")];
        let few = "--nodes 1 --games 5";
        let mut trained = crownhead();
        trained.args(train).args(few.split(' ')).assert().success();
        write_bot(&sources.workspace, "fn main() {}");
        sources
    }

    fn path(&self, name: &str) -> String {
        self.workspace.path(name).to_str().unwrap().to_string()
    }
}

/// Every command and option that writes a file, by its manual page and as it makes this file.
fn commands(sources: &Sources, file: &Path) -> Vec<(&'static str, Command)> {
    let [games, trained] = ["games.jsonl", "train.games"].map(|name| sources.path(name));
    let ladder = sources.ladder.folder.display();
    let manifest = sources.path("Cargo.toml");
    let site = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../fuzz/seeds/site_games/direct.json"
    );
    let short = "--max-turns 2 --openings none --time 20s --first-turn 20s --record";
    let lines = [
        ("match", format!("match random greedy --games 2 {short}")),
        ("sprt", format!("sprt random random --max-pairs 1 {short}")),
        ("ladder-export", format!("ladder export {ladder}")),
        ("play", "play random greedy --seed 3 --record".into()),
        (
            "bundle",
            format!("bundle --manifest-path {manifest} --output"),
        ),
        ("import", format!("import {site} --out")),
        ("replay", format!("replay {games} --game 1 --html")),
        (
            "train-fit",
            format!("train fit {trained} --hidden 16 --epochs 1 --output"),
        ),
    ];
    let command = |(page, line): (&'static str, String)| {
        let mut command = crownhead();
        command.args(line.split(' ')).arg(file);
        (page, command)
    };
    lines.into_iter().map(command).collect()
}

const EARLIER: &str = "what was there\n";

/// The names in a folder.
fn names(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap();
    files.map(|file| file.unwrap().path()).collect()
}

#[test]
fn a_file_is_kept_unless_force_is_given() {
    let sources = Sources::new();
    let folder = sources.workspace.path("made");
    std::fs::create_dir(&folder).unwrap();
    let file = folder.join("file");
    for (page, mut command) in commands(&sources, &file) {
        std::fs::write(&file, EARLIER).unwrap();
        let refused = command.output().unwrap();
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{page}: {told}");
        let sentence = "already exists. Name another file, or replace it with `--force`.\n";
        assert!(told.contains(sentence), "{page}: {told}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), EARLIER, "{page}");

        let replaced = command.arg("--force").output().unwrap();
        let told = String::from_utf8_lossy(&replaced.stderr).into_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(
            !text.is_empty() && !text.contains(EARLIER),
            "{page}: {told}"
        );
        assert_eq!(names(&folder), [file.as_path()], "{page}");
    }
}

#[test]
fn every_command_with_force_is_tried() {
    let sources = Sources::new();
    let man = sources.workspace.path("man1");
    crownhead().arg("man").arg(&man).assert().success();
    let mut with_force: Vec<String> = names(&man)
        .iter()
        .filter(|page| {
            std::fs::read_to_string(page)
                .unwrap()
                .contains("\\-\\-force")
        })
        .map(|page| page.file_stem().unwrap().to_str().unwrap().to_string())
        .collect();
    let commands = commands(&sources, Path::new("file"));
    let mut tried: Vec<String> = commands
        .iter()
        .map(|(page, _)| format!("crownhead-{page}"))
        .collect();
    tried.dedup();
    tried.sort();
    with_force.sort();
    assert_eq!(tried, with_force);
}

/// Writes the games of a ladder into what this path names.
fn export(ladder: &Ladder, file: &Path) -> Command {
    let mut command = ladder.command("export");
    command.arg(file);
    command
}

#[test]
fn links_lead_to_the_file_that_is_kept_or_replaced() {
    let workspace = TestWorkspace::new();
    let [file, link, dangling] = ["file", "link", "dangling"].map(|name| workspace.path(name));
    std::fs::write(&file, EARLIER).unwrap();
    let ladder = Ladder::new("pairs = 1", &THREE);
    symlink("file", &link).unwrap();
    symlink("nothing", &dangling).unwrap();
    export(&ladder, &link).assert().code(2);
    export(&ladder, &dangling).assert().code(2);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), EARLIER);
    export(&ladder, &link).arg("--force").assert().success();
    assert!(link.is_symlink());
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "",
        "no game was played"
    );
    export(&ladder, &dangling).arg("--force").assert().code(2);
    assert!(dangling.is_symlink() && !workspace.path("nothing").exists());
}

#[test]
fn a_device_or_pipe_is_written_to_and_stays() {
    let workspace = TestWorkspace::new();
    let ladder = Ladder::new("pairs = 1", &THREE);
    ladder.command("run").assert().success();
    export(&ladder, Path::new("/dev/null")).assert().success();
    for stdout in ["-", "/dev/stdout"] {
        let told = export(&ladder, Path::new(stdout)).output().unwrap();
        let told = String::from_utf8(told.stdout).unwrap();
        assert_eq!(told.lines().count(), 6, "{told}");
    }
    let folder = workspace.path("folder");
    std::fs::create_dir(&folder).unwrap();
    export(&ladder, &folder).arg("--force").assert().code(2);
}

#[test]
fn a_match_that_is_killed_before_its_first_game_leaves_the_earlier_ones() {
    let workspace = TestWorkspace::new();
    let bot = workspace.bot("thinks", "sleep 600");
    let folder = workspace.path("made");
    std::fs::create_dir(&folder).unwrap();
    let file = folder.join("games.jsonl");
    std::fs::write(&file, EARLIER).unwrap();
    let mut played = std::process::Command::new(assert_cmd::cargo::cargo_bin("crownhead"))
        .args([
            "match",
            &bot,
            "random",
            "--time",
            "600s",
            "--first-turn",
            "600s",
            "--force",
        ])
        .arg("--record")
        .arg(&file)
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while names(&folder).len() < 2 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let made = names(&folder).len();
    played.kill().unwrap();
    played.wait().unwrap();
    assert_eq!(made, 2, "the new file lies beside the earlier one");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), EARLIER);
}
