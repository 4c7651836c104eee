//! What is made for shells, for `man`, and for programs of other people.

use crate::common::skip::is_there;
use crate::common::{AMPLE_TIME, TestWorkspace, crownhead};
use predicates::prelude::*;
use std::path::Path;
use std::process::Command;

#[test]
fn every_shell_gets_completions_and_every_command_a_page() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        crownhead()
            .args(["completions", shell])
            .assert()
            .success()
            .stdout(predicate::str::contains("replay"));
    }
    let workspace = TestWorkspace::new();
    let folder = workspace.path("man1");
    crownhead().arg("man").arg(&folder).assert().success();
    for page in ["crownhead.1", "crownhead-match.1", "crownhead-ladder-run.1"] {
        let text = std::fs::read_to_string(folder.join(page)).unwrap();
        for heading in ["SYNOPSIS", "OPTIONS"] {
            assert!(
                text.contains(&format!(".SH \"{heading}\""))
                    || text.contains(&format!(".SH {heading}")),
                "{page}: {text}"
            );
        }
        assert!(text.contains("Exit status: 0"), "{page}: {text}");
    }
}

/// Plays a file through pydraughts and prints each game's last position and the one that its FEN gives.
const REPLAY: &str = r#"
import re, sys
from draughts import Board
for game in open(sys.argv[1]).read().split("[Event ")[1:]:
    headers = dict(re.findall(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]', "[Event " + game))
    board = Board("english", headers.get("FEN", "startpos"))
    moves = re.sub(r"\{[^}]*\}", " ", re.sub(r'(?m)^\[.*\]$', "", "[Event " + game))
    for word in moves.split():
        if word in ("1-0", "0-1", "1/2-1/2", "*") or word.endswith("."):
            continue
        squares = re.split("[-x]", word)
        steps = [move for move in board.legal_moves()
                 if move.pdn_move == word or move.steps_move and [str(int(square)) for square in squares]
                 == [str(square) for square in move.steps_move]]
        if not steps:
            steps = [move for move in board.legal_moves()
                     if re.split("[-x]", move.pdn_move) == [squares[0], squares[-1]]]
        assert steps, (word, board.fen, [move.pdn_move for move in board.legal_moves()])
        board.push(steps[0])
    print(board.fen)
"#;

#[test]
fn games_in_pdn_replay_to_the_same_end_in_another_program() {
    let workspace = TestWorkspace::new();
    let folder = workspace.path("python");
    let succeeds = |python: &Path, arguments: &[&str]| {
        let done = Command::new(python)
            .args(arguments)
            .env("PYTHONPATH", &folder)
            .output();
        done.is_ok_and(|done| done.status.success())
    };
    let install = [
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--no-compile",
        "--target",
        folder.to_str().unwrap(),
        "pydraughts==0.6.7",
    ];
    // Not every Python has pip.
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut pythons = std::env::split_paths(&paths).map(|folder| folder.join("python3"));
    let Some(python) = pythons
        .find(|python| succeeds(python, &["-c", "import draughts"]) || succeeds(python, &install))
    else {
        assert!(!is_there("pip3"), "pip cannot install pydraughts");
        return;
    };
    for rules in ["contest", "classroom"] {
        let pdn = workspace.path(rules).with_extension("pdn");
        crownhead()
            .args([
                "match", "random", "greedy", "--games", "6", "--seed", "5", "--rules", rules,
                "--record",
            ])
            .arg(&pdn)
            .args(AMPLE_TIME)
            .assert()
            .success();
        let script = workspace.path("replay.py");
        std::fs::write(&script, REPLAY).unwrap();
        let [script, file] = [&script, &pdn].map(|path| path.to_str().unwrap());
        let done = Command::new(&python)
            .args([script, file])
            .env("PYTHONPATH", &folder)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{told}");
        let ends = String::from_utf8(done.stdout).unwrap();
        let text = std::fs::read_to_string(&pdn).unwrap();
        let games = crownhead_record::read_pdn(&text);
        assert_eq!(ends.lines().count(), 6);
        for (end, game) in ends.lines().zip(games) {
            let game = game
                .unwrap()
                .rebuild(crownhead_bots::games::usual())
                .unwrap();
            let fen = crownhead_record::fen(game.as_ref()).unwrap();
            assert_eq!(pieces(end), pieces(&fen));
        }
    }
}

/// The side to move and each side's pieces, in any order.
fn pieces(fen: &str) -> Vec<Vec<String>> {
    let position = crownhead::games::checkers::Checkers::from_fen(fen);
    let fen = position.map_or_else(|_| fen.to_string(), |position| position.to_fen());
    let fields = fen.trim_end_matches('.').split(':');
    fields
        .map(|field| {
            let mut squares: Vec<String> = field.split(',').map(str::to_string).collect();
            squares.sort();
            squares
        })
        .collect()
}
