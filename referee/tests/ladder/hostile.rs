//! What somebody who can write to a ladder's database asks of the machines of its workers.

use super::cluster::{client, cluster};
use super::machines::Machines;
use crate::common::ladder::{Ladder, THREE, read};
use crate::common::wait_until;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A bot in the shell that prints its environment and a file, writes into a folder and into its own file, and
/// answers with the first of its moves.
const CURIOUS: &str = "
{ env; cat \"$LOOT\"; echo 'it was here' >\"$HOARD/mark\"
  echo '# more' >>curious.sh && echo its-copy-is-changed; } >&2 2>&1
read colour
while read row; do
  for row in 2 3 4 5 6 7 8; do read row; done
  read moves; read answer; left=$((moves - 1))
  while [ $left -gt 0 ]; do read other; left=$((left - 1)); done
  echo \"$answer\"
done
";

/// A ladder of two built-ins and the bot of the shell, and a machine with a file and a folder that are not theirs.
struct Scene {
    ladder: Ladder,
    url: String,
    loot: PathBuf,
    hoard: PathBuf,
}

impl Scene {
    fn new() -> Option<Scene> {
        let url = cluster()?.database();
        let settings = "pairs = 2\nstderr = \"all\"";
        let ladder = Ladder::in_database(&url, settings, &THREE[..2]);
        let folder = ladder.folder.with_file_name("curious");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("curious.sh"), CURIOUS).unwrap();
        let (loot, hoard) = (
            ladder.folder.with_file_name("loot"),
            ladder.folder.with_file_name("hoard"),
        );
        std::fs::write(&loot, "the-loot-is-read\n").unwrap();
        std::fs::create_dir(&hoard).unwrap();
        let config = ladder.folder.join("ladder.toml");
        let bot = format!(
            "[[bot]]\nname = \"curious\"\ncommand = \"sh curious.sh\"\nfolder = \"../curious\"\n\
             env = {{ LOOT = \"{}\", HOARD = \"{}\" }}\n",
            loot.display(),
            hoard.display()
        );
        std::fs::write(&config, format!("{}\n{bot}", read(&config))).unwrap();
        ladder.command("publish").assert().success();
        Some(Scene {
            ladder,
            url,
            loot,
            hoard,
        })
    }

    /// Writes something else into the database than was published.
    fn forge(&self, change: impl FnOnce(&mut Value)) {
        let mut client = client(&self.url);
        let content = "SELECT content FROM publication";
        let content: String = client.query_one(content, &[]).unwrap().get(0);
        let mut content: Value = serde_json::from_str(&content).unwrap();
        change(&mut content);
        let update = "UPDATE publication SET content = $1";
        client.execute(update, &[&content.to_string()]).unwrap();
    }

    /// Puts a line at the beginning of the published configuration.
    fn forge_setting(&self, line: &str) {
        self.forge(|content| {
            let config = format!("{line}\n{}", content["config"].as_str().unwrap());
            content["config"] = config.into();
        });
    }

    /// What was played, as records.
    fn records(&self) -> String {
        let path = self.ladder.folder.join("all.jsonl");
        let mut export = self.ladder.command("export");
        export.arg("--force").arg(&path).assert().success();
        read(&path)
    }
}

fn shown(path: &Path) -> String {
    path.canonicalize().unwrap().display().to_string()
}

#[test]
fn a_bot_reads_and_writes_on_a_worker_what_its_own_command_line_grants_whatever_the_database_says()
{
    let Some(scene) = Scene::new() else { return };
    let (loot, hoard) = (shown(&scene.loot), shown(&scene.hoard));
    scene.forge_setting(&format!(
        "allow_read = [\"{loot}\"]\nallow_write = [\"{hoard}\"]"
    ));
    let machines = Machines::with_sandbox(&scene.url, "auto");
    let told = format!(
        "curious does not play here: the ladder lets its bots read {loot}, and this worker does not; `--allow-read \
         {loot}` does; the ladder lets its bots write {hoard}, and this worker does not; `--allow-write {hoard}` does"
    );
    let worker = machines.start("one", &[], &[]);
    wait_until(|| read(&worker.log), || read(&worker.log).contains(&told));
    machines.wait_for(2, &[&worker]);
    worker.end();
    assert_eq!(machines.stored(), 2, "the built-ins alone play");
    assert!(!scene.hoard.join("mark").exists());
    // The owner publishes it, and the worker grants it.
    let config = scene.ladder.folder.join("ladder.toml");
    let wish = format!("allow_read = [\"{loot}\"]\n{}", read(&config));
    std::fs::write(&config, wish).unwrap();
    let mut update = scene.ladder.command("update");
    update.arg("curious").assert().success();
    scene.ladder.command("publish").assert().success();
    let worker = machines.start("one", &["--allow-read", &loot], &[]);
    machines.wait_for(6, &[&worker]);
    worker.end();
    let records = scene.records();
    assert!(records.contains("the-loot-is-read"));
    assert!(!scene.hoard.join("mark").exists());
    assert!(!records.contains("its-copy-is-changed"));
}

#[test]
fn a_file_that_a_command_names_before_it_is_there_is_not_opened() {
    let Some(scene) = Scene::new() else { return };
    let machines = Machines::with_sandbox(&scene.url, "auto");
    std::fs::remove_file(&scene.loot).unwrap();
    let loot = scene.loot.display().to_string();
    scene.forge(|content| {
        let bots = content["bots"].as_array_mut().unwrap();
        let curious = bots.iter_mut().find(|bot| bot["bot"] == "curious");
        let words = curious.unwrap()["command"].as_array_mut().unwrap();
        words.push(json!({"text": loot}));
    });
    let worker = machines.start("one", &[], &[]);
    machines.wait_for(1, &[&worker]);
    std::fs::write(&scene.loot, "the-loot-is-read\n").unwrap();
    machines.wait_for(6, &[&worker]);
    worker.end();
    let records = scene.records();
    assert!(records.contains("it was here") || records.contains("No such file"));
    assert!(!records.contains("the-loot-is-read"));
}

#[test]
fn a_bot_on_a_worker_does_not_have_the_workers_environment() {
    let Some(scene) = Scene::new() else { return };
    let machines = Machines::with_sandbox(&scene.url, "auto");
    let environment = [("CLOUD_TOKEN", "a-secret"), ("LC_TIME", "C.UTF-8")];
    let worker = machines.start("one", &[], &environment);
    machines.wait_for(6, &[&worker]);
    worker.end();
    let records = scene.records();
    assert!(records.contains("LC_TIME=C.UTF-8"), "its language");
    assert!(records.contains("LOOT="), "what the ladder says");
    assert!(!records.contains("a-secret"));
}
