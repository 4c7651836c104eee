//! `crownhead replay`, `show` and `perft`, as a person sees them.

use crate::common::{TestWorkspace, crownhead};
use predicates::prelude::*;

/// A short game with a jump, told by hand, that red loses by an illegal reply.
pub(super) const RECORD: &str = r#"{"version":3,"game":"checkers","rules":"contest","number":4,"seed":1,"players":[{"side":"black","name":"anna","command":"./anna"},{"side":"red","name":"bert","command":"./bert"}],"limits":{"first_turn_us":1000000,"turn_us":100000},"profile":"strict","clock":"wall","max_turns":200,"opening":["C3D4"],"turns":[{"player":1,"reply":"B6C5","us":1200},{"player":0,"reply":"D4B6","us":85000},{"player":1,"reply":"H6G5","us":3}],"scores":[1,0],"termination":"illegal-reply","reason":"red answered `H6G5` but it must capture: A7C5 or C7A5"}"#;

#[test]
fn a_replay_shows_every_turn_the_last_move_and_the_verdict() {
    let workspace = TestWorkspace::new();
    let file = workspace.path("games.jsonl");
    std::fs::write(&file, format!("\n{RECORD}\n")).unwrap();
    let output = crownhead()
        .arg("replay")
        .arg(&file)
        .arg("--ascii")
        .output()
        .unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("Game 4: anna (black) against bert (red), contest checkers\n"),
        "{text}"
    );
    assert!(
        text.contains("Turn 1: black played C3D4 as the opening has it\n"),
        "{text}"
    );
    assert!(
        text.contains("Turn 2: red played B6C5 in 1.2 ms\n"),
        "{text}"
    );
    let after_the_jump = "\
Turn 3: black played D4B6 in 85.0 ms
8     r     r     r     r
7  r     r     r     r
6    [b]    r     r     r
5  .     .     .     .
4     .    [.]    .     .
3  b     .     b     b
2     b     b     b     b
1  b     b     b     b
   A  B  C  D  E  F  G  H
";
    assert!(text.contains(after_the_jump), "{text}");
    assert!(
        text.ends_with("anna (black) won: red answered `H6G5` but it must capture: A7C5 or C7A5\n"),
        "{text}"
    );
}

#[test]
fn a_replay_of_everchess_counts_whole_turns_and_the_moves_in_them() {
    let moves = "e2e3 e7e6 e3e4 e6e5 a2a3 d7d6 b2b3 d6d5 e4d5 a3a4 h7h6".split(' ');
    let sides = "wbwbwbwbwwb".chars();
    let turns: Vec<String> = moves
        .zip(sides)
        .map(|(name, side)| {
            let player = i32::from(side == 'w');
            format!(r#"{{"player":{player},"reply":"{name}","us":1000}}"#)
        })
        .collect();
    let turns = turns.join(",");
    let record = RECORD
        .replace(
            r#""checkers","rules":"contest""#,
            r#""everchess","rules":"standard""#,
        )
        .replace(r#""opening":["C3D4"]"#, r#""opening":[]"#);
    let (head, rest) = record.split_once(r#""turns":["#).unwrap();
    let (_, verdict) = rest.split_once(']').unwrap();
    let workspace = TestWorkspace::new();
    let file = workspace.path("games.jsonl");
    std::fs::write(&file, format!("{head}\"turns\":[{turns}]{verdict}\n")).unwrap();
    let output = crownhead().arg("replay").arg(&file).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for line in [
        "Turn 1, move 1: white played e2e3 in 1.0 ms",
        "Turn 9, move 9: white played e4d5 in 1.0 ms",
        "Turn 9, move 10: white played a3a4 in 1.0 ms",
        "Turn 10, move 11: black played h7h6 in 1.0 ms",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in {text}");
    }
}

#[test]
fn a_record_cannot_steer_a_terminal() {
    let workspace = TestWorkspace::new();
    let file = workspace.path("games.jsonl");
    let steering = |text: &str| RECORD.replace(text, &format!("{text}\\u001b[2J"));
    for text in [r#""side":"red"#, r#""name":"bert"#, "red answered"] {
        std::fs::write(&file, steering(text)).unwrap();
        for arguments in [&["--list"][..], &[], &["--turn", "2"]] {
            let output = crownhead()
                .arg("replay")
                .arg(&file)
                .args(arguments)
                // As on a terminal, where nothing is taken out of what is printed.
                .env("CLICOLOR_FORCE", "1")
                .output()
                .unwrap();
            let shown = String::from_utf8(output.stdout).unwrap();
            assert!(shown.contains("bert"), "{text} {arguments:?}: {shown}");
            assert!(
                !shown.contains("\u{1b}[2J"),
                "{text} {arguments:?}: {shown}"
            );
        }
    }
}

#[test]
fn a_broken_record_names_its_line_and_what_was_expected() {
    let workspace = TestWorkspace::new();
    let cases = [
        (
            "{\"version\":1,\n",
            "line 1 is no game's record: it ends at column 13",
        ),
        (
            "{\"version\":9}\n",
            "line 1: the record has version 9; this program reads version 3",
        ),
        (
            &RECORD.replace("[1,0]", "[1]"),
            "its lists disagree: two players or more, a score for each",
        ),
        (
            &RECORD.replace("{\"player\":0", "{\"player\":2"),
            "turns of theirs alone",
        ),
        (
            &RECORD.replace("D4B6", "D4E5"),
            "turn 3 of the record is `D4E5`, which is no legal move",
        ),
        (
            &RECORD.replace("\"contest\"", "\"coffee\""),
            "names the rule book `coffee`",
        ),
    ];
    for (text, reason) in cases {
        let file = workspace.path("games.jsonl");
        std::fs::write(&file, text).unwrap();
        crownhead()
            .arg("replay")
            .arg(&file)
            .assert()
            .code(2)
            .stderr(predicate::str::contains(reason));
    }
}

#[test]
fn a_game_that_is_not_there_is_refused_with_those_that_are() {
    let workspace = TestWorkspace::new();
    let file = workspace.path("games.jsonl");
    std::fs::write(&file, format!("{RECORD}\n")).unwrap();
    crownhead()
        .arg("replay")
        .arg(&file)
        .args(["--game", "5"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("has no game 5. It has game 4"));
}

#[test]
fn a_pdn_file_of_another_variant_alone_is_refused_by_its_type_and_one_beside_others_is_skipped() {
    let workspace = TestWorkspace::new();
    let file = workspace.path("games.pdn");
    let foreign = "[GameType \"20\"]\n[Result \"0-2\"]\n1. 32-28 19-23 2. 28x19 14x23 0-2\n\n";
    let told = "games.pdn`: game 1: line 1, column 1: GameType 20 is another game";
    std::fs::write(&file, foreign.repeat(2)).unwrap();
    for options in [&["--list"][..], &["--list", "--json"], &[]] {
        let mut replay = crownhead();
        let refused = replay
            .arg("replay")
            .arg(&file)
            .args(options)
            .assert()
            .code(2);
        let refused = refused.stdout("").stderr(predicate::str::contains(told));
        refused.stderr(predicate::str::contains("game 2").not());
    }
    let openings = format!("--openings={}", file.display());
    crownhead()
        .args(["match", "random", "greedy", &openings])
        .assert()
        .code(2)
        .stderr(predicate::str::contains(told));
    let own = "[Black \"anna\"]\n[White \"bert\"]\n1. 11-15 22-18 0-2\n";
    std::fs::write(&file, format!("{own}\n{foreign}")).unwrap();
    crownhead()
        .args(["replay", "--list"])
        .arg(&file)
        .assert()
        .success()
        .stdout(
            "game  black  red   result   turns  ended by\n   1  anna   bert  red won      2  ending not stated\n",
        )
        .stderr(predicate::str::contains(format!(
            "warning: {}",
            file.display()
        )));
}

#[test]
fn show_draws_a_position_in_discs_with_its_legal_moves() {
    crownhead()
        .args(["show", "--fen", "B:W19,18,10,11:BK7"])
        .assert()
        .success()
        .stdout(
            "\
8     ·     ·     ·     ·
7  ·     ·     ·     ·
6     ·     ·     ·     ·
5  ·     ⛀     ⛀     ·
4     ·     ·     ·     ·
3  ·     ⛀     ⛀     ·
2     ·     ⛃     ·     ·
1  ·     ·     ·     ·
   A  B  C  D  E  F  G  H
black to move: D2B4D6F4D2 D2F4D6B4D2
FEN B:W10,11,18,19:BK7
",
        );
}

#[test]
fn a_fen_that_no_play_reaches_is_refused_with_the_reason() {
    crownhead()
        .args(["show", "--fen", "B:W21:B32"])
        .assert()
        .code(2)
        .stdout("")
        .stderr(predicate::str::contains(
            "a man of black on B8, where it would have been crowned",
        ));
}

#[test]
fn perft_counts_depth_by_depth_and_by_first_move() {
    crownhead()
        .args(["perft", "--depth", "6"])
        .assert()
        .success()
        .stdout(predicate::str::is_match(r"(?m)^    6 +36,768 +[\d.]+( [kM])?$").unwrap());
    let output = crownhead()
        .args(["perft", "--depth", "5", "--divide"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let leaves = |line: &str| line.split_whitespace().nth(1).unwrap().replace(',', "");
    let first_moves: Vec<u64> = text
        .lines()
        .take(7)
        .map(|line| leaves(line).parse().unwrap())
        .collect();
    assert_eq!(first_moves.iter().sum::<u64>(), 7361, "{text}");
    assert!(text.lines().last().unwrap().starts_with("all"), "{text}");
}

#[test]
fn a_position_of_every_game_is_shown_from_its_rows_and_told_as_them() {
    let everchess = "8/2p5/3P4/1p6/8/8/5P2/8 w";
    let chess = "7k/8/6K1/5Q2/8/8/8/8 w";
    for (game, fen) in [("everchess", everchess), ("chess", chess)] {
        let show = ["show", "--game", game, "--fen", fen];
        let told = predicate::str::contains(format!("FEN {fen}\n"));
        crownhead().args(show).assert().success().stdout(told);
    }
    let wrong = ["show", "--game", "everchess", "--fen", "8/8 w"];
    let why = predicate::str::contains("`--fen ").and(predicate::str::contains("8 lines"));
    crownhead().args(wrong).assert().code(2).stderr(why);
    // `ask` finds the game by the position.
    let ask = [
        "ask",
        "--fen",
        everchess,
        "alphabeta",
        "--profile",
        "strict",
    ];
    let answer = predicate::str::contains("is a legal move");
    crownhead().args(ask).assert().success().stdout(answer);
}
