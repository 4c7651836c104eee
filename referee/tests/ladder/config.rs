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
        .stderr(predicate::str::contains("a second bot named `taker`"));
    let config = ladder.folder.join("ladder.toml");
    let text = read(&config);
    std::fs::write(&config, format!("tmie = \"1s\"\n{text}")).unwrap();
    ladder
        .command("run")
        .assert()
        .code(2)
        .stderr(predicate::str::contains("line 1: unknown field `tmie`"));
    std::fs::write(&config, text.replace("\"greedy\"", "\"gredy\"")).unwrap();
    ladder
        .command("run")
        .assert()
        .code(2)
        .stderr(predicate::str::contains("did you mean `greedy`?"));
    ladder
        .command("check")
        .assert()
        .code(2)
        .stdout(predicate::str::contains("did you mean `greedy`?"));
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
        .stderr(predicate::str::contains("line 1: no bot is named `taker`"));
    ladder.add("taker", "greedy");
    ladder.add("other", "random");
    assert!(read(&config).ends_with(
        "# About the bots.\n\n[[bot]]\nname = \"taker\"\ncommand = \"greedy\"\n\
         \n[[bot]]\nname = \"other\"\ncommand = \"random\"\n"
    ));
}

#[test]
fn openings_and_readable_files_that_are_not_there_are_named_with_their_line() {
    let ladder = Ladder::new("", &THREE[..2]);
    let config = ladder.folder.join("ladder.toml");
    let text = read(&config);
    let cases = [
        ("\nopenings = \"nofile.fen\"", "line 2: "),
        ("\nopenings = \"random 100000\"", "line 2: random 100000: "),
        (
            "game = \"chess\"\nopenings = \"ballots\"",
            "line 2: ballots are",
        ),
        ("game = \"chess\"", "line 1: ballots are"),
        (
            "allow_read = [\n\"nothing\"]",
            "line 2: nothing: No such file",
        ),
    ];
    let (_, others) = text.split_once('\n').unwrap();
    for (settings, told) in cases {
        let openings = if settings.starts_with("allow") {
            "openings = \"random 2\"\n"
        } else {
            ""
        };
        std::fs::write(&config, format!("{settings}\n{openings}{others}")).unwrap();
        let told = || predicate::str::contains(told);
        ladder.command("run").assert().code(2).stderr(told());
        ladder.command("check").assert().code(2).stdout(told());
    }
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
        .stderr(predicate::str::contains("try `chmod +x night/../plain`"));
    add(&["none", "./none"])
        .code(2)
        .stderr(predicate::str::contains("night/./none: No such file"));
    add(&["two\nlines", "random"])
        .code(2)
        .stderr(predicate::str::contains("without control characters"));
}

#[test]
fn only_a_disabled_bot_can_be_enabled_again() {
    let ladder = Ladder::new("pairs = 1", &THREE[..2]);
    for name in ["nosuch", "taker"] {
        ladder
            .command("enable")
            .arg(name)
            .assert()
            .code(2)
            .stderr(predicate::str::contains(format!(
                "{name}: no such bot is disabled; none is"
            )));
    }
    assert_eq!(ladder.standings()["pairs"], 0);
}
