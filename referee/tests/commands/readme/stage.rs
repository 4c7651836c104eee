//! The bots and the files that README.md names: what a block's commands find in their folder.

use crate::common::skip::is_there;
use crate::common::{TestWorkspace, copy_program, crownhead};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Bots that play by the rules.
pub(super) fn own_bots(workspace: &TestWorkspace) {
    for name in ["my_bot", "new", "old"] {
        workspace.bot(name, "while turn; do echo \"$move\"; done");
    }
}

/// A bot that as black moves a man of its opponent's, and as red never answers.
pub(super) fn faulty_bot(workspace: &TestWorkspace) {
    let script = "turn; [ \"$colour\" = r ] || echo B6C5; exec sleep 1000";
    workspace.bot("my_bot", script);
}

/// Five bots with five mistakes.
pub(super) fn five_mistakes(workspace: &TestWorkspace) {
    let programs = in_the_repository("referee/tests/judging/programs");
    for (name, program) in [
        ("a.py", "no_flush.py"),
        ("b.js", "reads_to_end.js"),
        ("c.js", "colour_every_turn.js"),
        ("e.py", "index_error.py"),
    ] {
        copy_program(&programs.join(program), &workspace.path(name));
    }
    if is_there("c++") {
        let mut compile = Command::new("c++");
        compile.arg(programs.join("part_of_list.cpp"));
        let done = compile.arg("-o").arg(workspace.path("d")).status();
        assert!(done.unwrap().success());
    }
}

/// A ladder that has played its games, and a file with three games.
pub(super) fn ladder_and_games(workspace: &TestWorkspace) {
    own_bots(workspace);
    for arguments in [
        "ladder new night",
        "ladder add night one random",
        "ladder add night other random",
        "ladder run night",
        "match random random --games 3 --max-turns 6 --record games.jsonl",
    ] {
        output_of(arguments, workspace);
        quicken(workspace);
    }
}

/// Bots that play by the rules, and files that the README names by their paths in the repository.
pub(super) fn files_of_the_repository(workspace: &TestWorkspace) {
    own_bots(workspace);
    for folder in ["bots/starters", "examples/chess"] {
        let copy = workspace.path(folder);
        std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
        let mut copying = Command::new("cp");
        let copied = copying.arg("-R").arg(in_the_repository(folder)).arg(copy);
        assert!(copied.status().unwrap().success());
    }
}

/// What this command prints in the folder.
pub(super) fn output_of(arguments: &str, workspace: &TestWorkspace) -> String {
    let mut command = crownhead();
    command.current_dir(workspace.path(""));
    let done = command.args(arguments.split(' ')).assert().success();
    String::from_utf8(done.get_output().stdout.clone()).unwrap()
}

/// Makes a new ladder short, with limits that no bot exceeds, however busy the machine.
pub(super) fn quicken(workspace: &TestWorkspace) {
    const SHORT: &str =
        "openings = \"random 4\"\nmax_turns = 8\npairs = 1\ntime = \"20s\"\nfirst_turn = \"20s\"\n";
    let settings = workspace.path("night/ladder.toml");
    let is_new = std::fs::read_to_string(&settings)
        .is_ok_and(|text| !text.lines().any(|line| line == "[[bot]]"));
    if is_new {
        std::fs::write(settings, SHORT).unwrap();
    }
}

/// Whether this word of a command is no bot, or one that can be started on this machine.
pub(super) fn can_be_started(word: &str, workspace: &TestWorkspace) -> bool {
    match word.split_once(' ') {
        Some((program @ ("python3" | "node"), _)) => is_there(program),
        _ => word != "./d" || workspace.path("d").exists(),
    }
}

fn in_the_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}
