//! A ladder in a folder of its own, for tests of the real program.

use super::{TestWorkspace, crownhead};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

/// A ladder of built-ins that answer at once, with short games.
pub(crate) struct Ladder {
    _workspace: TestWorkspace,
    pub(crate) folder: PathBuf,
}

impl Ladder {
    /// `settings` are lines of the configuration; `bots` names with commands.
    pub(crate) fn new(settings: &str, bots: &[(&str, &str)]) -> Ladder {
        Ladder::begin(settings, bots, &[])
    }

    /// The same with its games in the database of this address.
    pub(crate) fn in_database(url: &str, settings: &str, bots: &[(&str, &str)]) -> Ladder {
        let settings = format!("store = \"{url}\"\n{settings}");
        Ladder::begin(&settings, bots, &["--store", url])
    }

    fn begin(settings: &str, bots: &[(&str, &str)], options: &[&str]) -> Ladder {
        let workspace = TestWorkspace::new();
        let folder = workspace.path("ladder");
        crownhead()
            .args(["ladder", "new"])
            .arg(&folder)
            .args(options)
            .assert()
            .success();
        // Generous limits, so that a busy machine costs no game; the sandbox has tests of its own.
        let config = format!(
            "openings = \"random 4\"\nmax_turns = 30\nsandbox = \"off\"\n\
             time = \"20s\"\nfirst_turn = \"20s\"\n{settings}\n"
        );
        std::fs::write(folder.join("ladder.toml"), config).unwrap();
        let ladder = Ladder {
            _workspace: workspace,
            folder,
        };
        for (name, command) in bots {
            ladder.add(name, command);
        }
        ladder
    }

    /// The ladder whose folder this is a copy of, as it stood when no one wrote in it.
    pub(crate) fn copy_of(folder: &Path) -> Ladder {
        let workspace = TestWorkspace::new();
        let copy = workspace.path("ladder");
        let mut copying = assert_cmd::Command::new("cp");
        copying.arg("-R").arg(folder).arg(&copy).assert().success();
        Ladder {
            _workspace: workspace,
            folder: copy,
        }
    }

    pub(crate) fn add(&self, name: &str, command: &str) {
        let mut add = self.command("add");
        add.args([name, command]).assert().success();
    }

    pub(crate) fn command(&self, name: &str) -> assert_cmd::Command {
        let mut command = crownhead();
        command.args(["ladder", name]).arg(&self.folder);
        command
    }

    /// The command that lists its games.
    pub(crate) fn list(&self) -> assert_cmd::Command {
        let mut command = crownhead();
        command.arg("replay").arg(&self.folder).arg("--list");
        command
    }

    /// A run that the test does not wait for.
    pub(crate) fn run_in_background(&self) -> Child {
        self.run_with(&[])
    }

    /// The same with these variables in its environment.
    pub(crate) fn run_with(&self, environment: &[(&str, &str)]) -> Child {
        std::process::Command::new(assert_cmd::cargo::cargo_bin("crownhead"))
            .args(["ladder", "run"])
            .arg(&self.folder)
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// Has a ladder of three bots end soon after what it has played. Every round has each pairing once, and a few pairs
    /// may have been given back. Gives the pairs of each pairing.
    pub(crate) fn end_soon(&self) -> u64 {
        let played = self.standings()["pairs"].as_u64().unwrap();
        let pairs = played / 3 + 4;
        let config = self.folder.join("ladder.toml");
        let settings = read(&config).replace(ENDLESS, &format!("pairs = {pairs}"));
        std::fs::write(config, settings).unwrap();
        pairs
    }

    pub(crate) fn standings(&self) -> Value {
        let output = self.command("standings").arg("--json").output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// All games, in an order that does not depend on when they were played, without what does.
    pub(crate) fn games(&self, file: &str) -> Vec<Value> {
        let path = self.folder.join(file);
        self.command("export").arg(&path).assert().success();
        let mut games: Vec<Value> = read(&path)
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        for game in &mut games {
            let game = game.as_object_mut().unwrap();
            game.remove("number");
            for player in game["players"].as_array_mut().unwrap() {
                player.as_object_mut().unwrap().remove("start_up_us");
            }
            for turn in game["turns"].as_array_mut().unwrap() {
                for measured in ["us", "work_us", "waited_us", "given_back_us", "lag_us"] {
                    turn.as_object_mut().unwrap().remove(measured);
                }
            }
        }
        games.sort_by_key(Value::to_string);
        games
    }
}

pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// More pairs than any machine plays during a test.
pub(crate) const ENDLESS: &str = "pairs = 5000";

pub(crate) const THREE: [(&str, &str); 3] = [
    ("chance", "random"),
    ("taker", "greedy"),
    ("second", "random"),
];
