//! A ladder's configuration as a person writes it, with `ladder add` and by hand.

use crate::common::ladder::{Ladder, THREE, read};
use crate::common::{TestWorkspace, crownhead};
use predicates::prelude::*;

#[test]
fn mistakes_in_the_configuration_name_the_line_and_leave_the_file_alone() {
    let ladder = Ladder::new("", &THREE[..2]);
    ladder
        .command("add")
        .args(["taker", "random"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains(
            "a bot is named `taker` already: give the new one another name, or take that one away",
        ));
    let config = ladder.folder.join("ladder.toml");
    let text = read(&config);
    std::fs::write(&config, format!("tmie = \"1s\"\n{text}")).unwrap();
    ladder
        .command("run")
        .assert()
        .code(2)
        .stderr(predicate::str::contains("line 1: there is no key `tmie`"));
    std::fs::write(&config, text.replace("\"greedy\"", "\"gredy\"")).unwrap();
    ladder
        .command("run")
        .assert()
        .code(2)
        .stderr(predicate::str::contains("Did you mean `greedy`?"));
    ladder
        .command("check")
        .assert()
        .code(2)
        .stdout(predicate::str::contains("Did you mean `greedy`?"));
    crownhead()
        .args(["ladder", "run", "/"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("no ladder.toml"));
}

#[test]
fn the_anchor_may_be_named_before_its_bot_is_added() {
    let ladder = Ladder::new("", &[]);
    let config = ladder.folder.join("ladder.toml");
    let text = read(&config) + "# About the bots.\n";
    std::fs::write(&config, format!("anchor = {{ bot = \"taker\" }}\n{text}")).unwrap();
    ladder
        .command("add")
        .args(["other", "random"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("line 1: there is no bot `taker`"));
    ladder.add("taker", "greedy");
    ladder.add("other", "random");
    assert!(read(&config).ends_with(
        "# About the bots.\n\n[[bot]]\nname = \"taker\"\ncommand = \"greedy\"\n\
         \n[[bot]]\nname = \"other\"\ncommand = \"random\"\n"
    ));
}

#[test]
fn a_name_that_was_added_by_mistake_is_free_again_and_one_that_has_played_is_kept() {
    let ladder = Ladder::new("pairs = 1", &THREE[..2]);
    let config = ladder.folder.join("ladder.toml");
    let before = read(&config);
    let bot = ladder.folder.join("bot.sh");
    std::fs::write(&bot, "exit 3").unwrap();
    ladder.add("mine", "sh bot.sh");
    // It is examined, and fails before any game of it is stored.
    ladder.command("update").arg("mine").assert().success();
    ladder.command("disable").arg("mine").assert().success();
    let remove = |name: &str| ladder.command("remove").arg(name).assert();
    let told = "mine is removed: it has played no game, and its name is free";
    remove("mine")
        .success()
        .stdout(predicate::str::contains(told));
    assert_eq!(read(&config), before);
    remove("mine")
        .code(2)
        .stderr(predicate::str::contains("there is no bot `mine`"));
    // Another bot has the name, and plays without a word on what was there before.
    ladder.add("mine", "random");
    ladder.command("run").assert().success();
    assert_eq!(ladder.standings()["pairs"], 3);
    let told = "mine is retired: its games are kept, and so is its name";
    remove("mine")
        .success()
        .stdout(predicate::str::contains(told));
    let told = "`mine` is retired, and its games are kept: give the new bot another name";
    let mut add = ladder.command("add");
    add.args(["mine", "random"]).assert().code(2);
    add.assert().stderr(predicate::str::contains(told));
}

#[test]
fn the_folder_of_a_bot_is_the_same_from_wherever_it_is_named() {
    let workspace = TestWorkspace::new();
    let ladder = workspace.path("deep/night");
    for folder in ["bots", "elsewhere"] {
        std::fs::create_dir_all(workspace.path(folder)).unwrap();
    }
    std::fs::write(workspace.path("bots/bot.py"), "").unwrap();
    crownhead()
        .args(["ladder", "new"])
        .arg(&ladder)
        .assert()
        .success();
    let add = |from: &str, name: &str, folder: &str| {
        let mut command = crownhead();
        command.current_dir(workspace.path(from));
        command.args(["ladder", "add"]).arg(&ladder);
        command.args([
            name,
            "python3 bot.py",
            "--no-smoke-game",
            "--folder",
            folder,
        ]);
        command.assert()
    };
    // As the current folder has it, as the ladder has it, and as it is.
    add("", "here", "bots").success();
    add("elsewhere", "beside", "../bots").success();
    add("", "seen", "../../bots").success();
    add("elsewhere", "seen-too", "../../bots").success();
    let config = read(&ladder.join("ladder.toml"));
    let lines = config.lines().filter(|line| line.starts_with("folder"));
    assert_eq!(lines.collect::<Vec<_>>(), ["folder = \"../../bots\""; 4]);
    let told = "--folder nowhere: there is no such folder, neither in";
    add("", "none", "nowhere")
        .code(2)
        .stderr(predicate::str::contains(told));
}

#[test]
fn a_bot_of_the_current_folder_is_added_as_the_ladder_finds_it() {
    let workspace = TestWorkspace::new();
    workspace.honest_bot();
    std::fs::write(workspace.path("bot.py"), "").unwrap();
    std::fs::write(workspace.path("plain"), "").unwrap();
    let here = workspace.path("");
    let crownhead = || {
        let mut command = crownhead();
        command.current_dir(&here);
        command
    };
    crownhead()
        .args(["ladder", "new", "night"])
        .assert()
        .success();
    let add = |arguments: &[&str]| {
        let mut command = crownhead();
        command.args(["ladder", "add", "night"]).args(arguments);
        command.assert()
    };
    add(&["mine", "./honest"]).success();
    add(&["script", "sh bot.py --fast"]).success();
    add(&["chance", "random"]).success();
    let config = read(&workspace.path("night/ladder.toml"));
    for command in ["\"../honest\"", "\"sh ../bot.py --fast\"", "\"random\""] {
        assert!(config.contains(&format!("command = {command}")), "{config}");
    }
    crownhead()
        .args(["ladder", "check", "night"])
        .assert()
        .success();
    add(&["plain", "./plain"])
        .code(2)
        .stderr(predicate::str::contains("Run `chmod +x night/../plain`"));
    add(&["none", "./none"])
        .code(2)
        .stderr(predicate::str::contains("`./none` does not exist"));
    add(&["two\nlines", "random"])
        .code(2)
        .stderr(predicate::str::contains("without control characters"));
}
