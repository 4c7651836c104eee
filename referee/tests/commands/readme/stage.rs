//! The bots and the files that README.md names: what a block's commands find in their folder.

use crate::common::skip::is_there;
use crate::common::{TestWorkspace, copy_program, crownhead};
use std::path::Path;

/// Bots that play by the rules.
pub(super) fn own_bots(workspace: &TestWorkspace) {
    for name in ["my_bot", "new", "old"] {
        workspace.bot(name, "while turn; do echo \"$move\"; done");
    }
}

/// Two bots with a mistake each.
pub(super) fn two_mistakes(workspace: &TestWorkspace) {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judging/programs");
    for (name, program) in [
        ("my_bot.py", "no_flush.py"),
        ("my_bot.js", "colour_every_turn.js"),
    ] {
        copy_program(&programs.join(program), &workspace.path(name));
    }
}

/// Bots that play by the rules, and a file with a short game.
pub(super) fn recorded_games(workspace: &TestWorkspace) {
    own_bots(workspace);
    let mut command = crownhead();
    command.current_dir(workspace.path(""));
    let arguments = "match random random --games 1 --max-turns 6 --record games.jsonl";
    command.args(arguments.split(' ')).assert().success();
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
pub(super) fn can_be_started(word: &str) -> bool {
    match word.split_once(' ') {
        Some((program @ ("python3" | "node"), _)) => is_there(program),
        _ => true,
    }
}
