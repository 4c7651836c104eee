//! People at the table: `crownhead play` with piped input, compared byte for byte.
//!
//! The classroom's transcripts were written by a model of its dialogue that shares no code with the program.

use crate::common::terminal::{at_terminal, in_locale, with_echo};
use crate::common::{TestWorkspace, crownhead, records};
use assert_cmd::Command;
use std::path::Path;

/// `crownhead play` with these words as arguments, in a folder of its own.
pub(super) fn play_in(folder: &Path, arguments: &str) -> Command {
    let mut command = crownhead();
    command.current_dir(folder).arg("play");
    command.args(arguments.split_whitespace());
    command
}

/// What a game that people type prints, all of it; the program is content.
pub(super) fn shown(arguments: &str, typed: &str) -> String {
    let workspace = TestWorkspace::new();
    shown_in(&workspace, arguments, typed)
}

pub(super) fn shown_in(workspace: &TestWorkspace, arguments: &str, typed: &str) -> String {
    let mut command = play_in(&workspace.path(""), arguments);
    let output = command.write_stdin(typed).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    // But for the classroom's, a game whose input ends says so.
    let is_left = error == "note: the input ended, so the game was left\n";
    assert!(error.is_empty() || is_left, "{error}");
    String::from_utf8(output.stdout).unwrap()
}

fn read_transcript(name: &str, ending: &str) -> String {
    let path = format!(
        "{}/tests/commands/transcripts/{name}.{ending}",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn assert_same_lines(shown: &str, expected: &str, what: &str) {
    for (number, (line, expected)) in (1..).zip(shown.lines().zip(expected.lines())) {
        assert_eq!(line, expected, "{what}, line {number}");
    }
    let counts = (shown.lines().count(), expected.lines().count());
    assert_eq!(shown, expected, "{what} in all, {counts:?} lines");
}

/// Types `NAME.in` and expects `NAME.out`.
fn transcript(arguments: &str, name: &str) -> String {
    let shown = shown(arguments, &read_transcript(name, "in"));
    assert_same_lines(&shown, &read_transcript(name, "out"), name);
    shown
}

/// The same in the classroom's dialogue: on a pipe, at a terminal, in any locale.
fn dialogue(arguments: &str, name: &str) -> String {
    let typed = read_transcript(name, "in");
    let expected = read_transcript(name, "out");
    for locale in ["C", "C.UTF-8"] {
        let workspace = TestWorkspace::new();
        let mut command = play_in(&workspace.path(""), arguments);
        command.env_remove("LC_ALL").env("LANG", locale);
        let output = command.write_stdin(typed.as_str()).output().unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        assert_same_lines(&shown, &expected, &format!("{name} on a pipe, {locale}"));

        let mut command = in_locale(locale);
        command.current_dir(workspace.path("")).arg("play");
        command.args(arguments.split_whitespace());
        let shown = at_terminal(command, &typed);
        let expected = with_echo(&expected, &typed);
        let what = format!("{name} at a terminal, {locale}");
        assert_same_lines(&shown.screen, &expected, &what);
        assert_eq!(
            (shown.error.as_str(), shown.status),
            ("", Some(0)),
            "{what}"
        );
    }
    expected
}

/// The boards of a game with their `Turn:` lines, without what was asked.
fn boards(shown: &str) -> Vec<String> {
    let mut boards = vec![String::new()];
    for line in shown.lines() {
        let is_board =
            line.starts_with(|first: char| first.is_ascii_digit() && !line.contains(':'));
        let last = boards.last_mut().expect("never empty");
        if is_board {
            last.push_str(line);
        } else if line.starts_with("Turn: ") {
            last.push_str(line);
            boards.push(String::new());
        }
    }
    boards.pop();
    boards
}

const OPENING: &str = "\
1 ⚈ ◼ ⚈ ◼ ⚈ ◼ ⚈ ◼ \n\
2 ◼ ⚈ ◼ ⚈ ◼ ⚈ ◼ ⚈ \n\
3 ⚈ ◼ ⚈ ◼ ⚈ ◼ ⚈ ◼ \n\
4 ◼ ◻ ◼ ◻ ◼ ◻ ◼ ◻ \n\
5 ◻ ◼ ◻ ◼ ◻ ◼ ◻ ◼ \n\
6 ◼ ⚆ ◼ ⚆ ◼ ⚆ ◼ ⚆ \n\
7 ⚆ ◼ ⚆ ◼ ⚆ ◼ ⚆ ◼ \n\
8 ◼ ⚆ ◼ ⚆ ◼ ⚆ ◼ ⚆ \n  \
  a b c d e f g h\n\
Turn: 1, white\n";

#[test]
fn two_people_play_checkers_without_history_unless_they_ask_for_it() {
    let opening = format!(
        "{OPENING}Select a piece to move\n\
         0: basic move: d6->c5\n\
         1: basic move: d6->e5\n\
         Select a move by entering the corresponding index\n"
    );
    assert_eq!(dialogue("human human", "opening"), opening);
    for same in ["human", "human human off", "human --game checkers"] {
        assert_eq!(shown(same, "d6\n"), opening, "{same}");
    }
}

#[test]
fn the_end_of_input_ends_everything_at_once() {
    dialogue("human human", "end-at-once");
    dialogue("human human", "end-after-piece-refused");
    dialogue("human human on", "end-at-history-question");
    let whole = "d6\n0\nc3\n1\n";
    let all = shown("human human", whole);
    for typed in ["", "d6", "d6\n", "d6\n0\n", "d6\n0\nc3\n", "d6\n9\n"] {
        let part = shown("human human", typed);
        assert!(part.ends_with('\n'), "every prompt is a whole line");
        assert!(typed == "d6\n9\n" || all.starts_with(&part), "{typed:?}");
    }
}

#[test]
fn an_unknown_player_or_history_is_refused_with_a_suggestion() {
    for (arguments, suggestion) in [
        ("hunan", "Did you mean `human`?"),
        ("human randum", "Did you mean `random`?"),
        ("human simpel", "Did you mean `simple`?"),
        ("gready random", "Did you mean `greedy`?"),
        ("human alphabet", "Did you mean `alphabeta`?"),
        ("human ./no_such_bot", "./no_such_bot"),
        ("human human onn", "`on`"),
        ("human human of", "`off`"),
        ("human human maybe", "`on` or `off`"),
        ("--game chekers", "`checkers`"),
    ] {
        let workspace = TestWorkspace::new();
        let output = play_in(&workspace.path(""), arguments).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {error}");
        assert!(output.stdout.is_empty(), "{arguments}");
        assert!(error.contains(suggestion), "{arguments}: {error}");
    }
}

#[test]
fn a_piece_is_refused_for_the_first_reason_that_holds() {
    dialogue("human human", "refused-pieces");
}

#[test]
fn a_wrong_index_gets_only_the_index_question_again() {
    dialogue("human human", "refused-indexes");
}

#[test]
fn a_piece_cannot_move_while_another_must_jump() {
    dialogue("human human", "must-jump");
}

#[test]
fn menus_go_up_left_up_right_down_left_down_right() {
    dialogue("human human", "king-menu");
}

#[test]
fn jumps_are_listed_depth_first_in_that_order_with_what_they_capture() {
    let shown = dialogue("human human", "jumps-depth-first");
    let menu = "\
0: jump move: c1->g1, capturing [d2, f2]
1: jump move: c1->c5, capturing [d2, d4]
2: jump move: c1->g5, capturing [d2, f4]
Select a move by entering the corresponding index
";
    assert!(shown.contains(menu));
}

#[test]
fn the_side_that_takes_the_last_piece_has_won() {
    assert!(dialogue("human human", "white-has-won").ends_with("black\nwhite has won\n"));
}

#[test]
fn a_man_that_is_crowned_jumps_no_further() {
    let shown = dialogue("human human", "crowning-ends-the-move-and-black-wins");
    assert!(shown.ends_with("white\nblack has won\n"));
}

#[test]
fn fifty_turns_without_a_capture_draw() {
    assert!(dialogue("human human", "draw-at-turn-51").ends_with("Turn: 51, white\ndraw\n"));
    assert!(dialogue("human human", "draw-after-50").ends_with("\ndraw\n"));
}

#[test]
fn a_side_with_pieces_but_no_move_draws() {
    assert!(dialogue("human human", "stuck-draw").ends_with("\ndraw\n"));
}

#[test]
fn turns_are_taken_back_and_played_again_before_a_turn() {
    dialogue("human human on", "history-undo-redo");
}

#[test]
fn a_finished_game_ends_without_the_question() {
    dialogue("human human on", "history-end-without-question");
    dialogue("human human on", "history-to-the-end");
}

#[test]
fn the_count_without_a_capture_goes_back_with_the_turns() {
    let shown = dialogue("human human on", "history-counts-go-back");
    assert!(shown.ends_with("\ndraw\n"));
}

#[test]
fn next_alone_keeps_what_can_be_redone() {
    // In plain words a person can redo in their turn, after `next`.
    let typed = "next\na2a3\nundo\nnext\nredo\nnext\n";
    let shown = shown("--game everchess human human on", typed);
    let turns: Vec<&str> = shown
        .lines()
        .filter(|line| line.ends_with(" to move"))
        .collect();
    let (one, two) = ("Turn 1, white to move", "Turn 2, black to move");
    assert_eq!(turns, [one, two, one, two]);
}

#[test]
fn a_computer_waits_for_next_and_repeats_its_choice_after_undo() {
    for player in ["random", "greedy", "simple", "alphabeta"] {
        let typed = "next\nnext\nundo\nundo\nnext\nnext\n";
        let shown = shown(&format!("{player} {player} on --seed 7"), typed);
        let question = "undo, redo, or next\n";
        assert_eq!(shown.matches(question).count(), 7, "{player}");
        assert!(!shown.contains("Select"));
        let boards = boards(&shown);
        assert_eq!(boards.len(), 7);
        assert_eq!(boards[0], boards[4], "{player}: both turns are taken back");
        assert_eq!(boards[..3], boards[4..], "{player}: and played as before");
    }
}

#[test]
fn undo_and_redo_go_over_a_computer_s_turns_and_never_play_them_anew() {
    let typed = "next\nd6\n0\nnext\nundo\nredo\nundo\nundo\nundo\nredo\nredo\nredo\n";
    let shown = shown("human random on --seed 3", typed);
    let boards = boards(&shown);
    let [start, mine, theirs] = [0, 1, 2].map(|index| &boards[index]);
    let rest = [mine, theirs, mine, start, start, mine, theirs, theirs];
    assert_eq!(boards[3..].iter().collect::<Vec<_>>(), rest);
}

#[test]
fn two_computers_play_through_without_a_question() {
    for players in ["random greedy", "simple random", "random random"] {
        let shown = shown(&format!("{players} --seed 5"), "");
        assert!(shown.starts_with(OPENING));
        let is_result = |line: &str| ["white has won", "black has won", "draw"].contains(&line);
        assert!(is_result(shown.lines().last().unwrap()), "{players}");
        for (number, line) in (0..).zip(shown.lines().filter(|line| line.starts_with("Turn: "))) {
            let mover = ["white", "black"][number % 2];
            assert_eq!(line, format!("Turn: {}, {mover}", number + 1));
        }
        let asked = ["Select", "undo"].iter().any(|word| shown.contains(word));
        assert!(!asked, "{players}");
    }
}

#[test]
fn simple_is_greedy_by_another_name() {
    let game = |player: &str| shown(&format!("{player} random --seed 9"), "");
    assert_eq!(game("simple"), game("greedy"));
}

#[test]
fn a_bot_s_command_sits_at_the_table() {
    let workspace = TestWorkspace::new();
    workspace.honest_bot();
    let shown = shown_in(&workspace, "human ./honest", "d6\n0\n");
    assert!(shown.contains("Turn: 2, black\n"));
    assert!(shown.ends_with("Turn: 3, white\nSelect a piece to move\n"));
}

#[test]
fn a_bot_that_fails_has_lost_and_the_reason_is_no_part_of_the_dialogue() {
    let workspace = TestWorkspace::new();
    workspace.bot("nonsense", "turn; echo hello");
    let output = play_in(&workspace.path(""), "random ./nonsense --seed 1")
        .output()
        .unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(
        shown.ends_with("Turn: 2, black\nwhite has won\n"),
        "{shown}"
    );
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("black answered `hello` but "), "{error}");
}

#[test]
fn everchess_says_which_pawns_may_move_and_why_a_move_is_refused() {
    let shown = transcript("human human --game everchess", "everchess-scenario");
    for line in [
        "white must capture with e4",
        "you must capture: e4d5",
        "white may move d2 f2 g2 h2 a3 b3 c3",
        "the pawn on d5 has already moved this turn; a different one must move now",
    ] {
        assert!(shown.lines().any(|found| found == line), "{line}");
    }
}

#[test]
fn everchess_is_lost_for_want_of_a_second_pawn_and_won_on_the_far_row() {
    let lost = transcript("human human --game everchess", "everchess-no-second-pawn");
    let end = "\nTurn 29: white played a3b4\nblack has won: white has no legal move and loses\n";
    assert!(lost.ends_with(end), "{lost}");
    let won = transcript("human human --game everchess", "everchess-far-row");
    assert!(won.ends_with("white has won: white has reached the goal\n"));
}

#[test]
fn computers_play_every_game() {
    for (game, players) in [
        ("everchess", "random greedy"),
        ("everchess", "greedy alphabeta"),
        ("chess", "random greedy"),
    ] {
        let arguments = format!("{players} --game {game} --seed 4");
        let shown = shown(&arguments, "");
        let last = shown.lines().last().unwrap();
        let limit = "200 turns were played: a draw (the limit of games of computers alone)";
        let has_ended = last.contains(" has won: ") || last == limit;
        assert!(has_ended, "{arguments}: {last}");
    }
}

#[test]
fn a_game_with_a_person_has_no_turn_limit() {
    let to_and_fro = "g1f3\ng8f6\nf3g1\nf6g8\n".repeat(51);
    let shown = shown("human human --game chess", &to_and_fro);
    assert!(shown.ends_with("Turn 205, white to move\nwhite, your move (or help):\n"));
}

#[test]
fn players_and_history_are_taken_in_any_case_of_letters() {
    let typed = "next\nd6\n0\nnext\n";
    let plain = shown("human random on --seed 3", typed);
    for same in ["Human RANDOM On --seed 3", "HUMAN Random ON --seed 3"] {
        assert_eq!(shown(same, typed), plain, "{same}");
    }
    let game = |player: &str| shown(&format!("{player} random OFF --seed 9"), "");
    assert_eq!(game("SIMPLE"), game("Greedy"));
    let workspace = TestWorkspace::new();
    let players = ["AlphaBeta --nodes 500", "random", "--seed", "1"];
    let output = play_in(&workspace.path(""), "")
        .args(players)
        .output()
        .unwrap();
    assert!(output.status.success(), "options follow a name in any case");
}

#[test]
fn chess_is_played_in_plain_words() {
    let shown = transcript("human human --game chess", "chess-mate");
    assert!(shown.contains("path blocked at d7\n"));
    assert!(shown.lines().last().unwrap().starts_with("white has won: "));
}

#[test]
fn help_hint_moves_undo_redo_and_quit_are_understood() {
    let typed = "help\nmoves\nhint\nundo\n1\nredo\nundo\nredo\nquit\ne7e6\n";
    let shown = shown("human human --game everchess", typed);
    for line in [
        "  hint      what a strong player would do",
        "  8: h2h3",
        "there is nothing to take back",
        "there is nothing to play again",
    ] {
        assert_eq!(shown.matches(&format!("{line}\n")).count(), 1, "{line}");
    }
    assert!(shown.contains("a strong player would play "));
    assert_eq!(shown.matches("Turn 2, black to move").count(), 2);
    assert!(shown.ends_with("black, your move (or help):\n"));
}

#[test]
fn help_and_quit_are_understood_in_the_classroom_at_a_terminal_and_not_on_a_pipe() {
    let at_a_terminal = |typed: &str| {
        let workspace = TestWorkspace::new();
        let mut command = in_locale("C.UTF-8");
        command.current_dir(workspace.path(""));
        command.args(["play", "human", "human"]);
        let shown = at_terminal(command, typed);
        assert_eq!((shown.error.as_str(), shown.status), ("", Some(0)));
        shown.screen
    };
    let first = at_a_terminal("help\nquit\nd6\n");
    assert!(first.contains("  quit      leave the game\r\n"), "{first}");
    assert!(first.ends_with("quit\r\n"), "{first}");
    let second = at_a_terminal("d6\n?\nexit\n0\n");
    assert!(second.contains("  an index  the number"), "{second}");
    assert!(second.ends_with("exit\r\n"), "{second}");
    let before = at_a_terminal("quit\n");
    assert_eq!(before.matches("Turn: ").count(), 1, "{before}");
    let piped = shown("human human", "help\nquit\n");
    assert_eq!(piped.matches("That is not a square").count(), 2, "{piped}");
}

#[test]
fn a_game_begins_in_any_position_and_is_recorded_as_it_stood_in_the_end() {
    let workspace = TestWorkspace::new();
    let start = "8/2p5/3P4/1p6/8/8/5P2/8 w";
    let mut command = play_in(
        &workspace.path(""),
        "human human --game everchess --record game.jsonl --fen",
    );
    let play = command.arg(start).write_stdin("f2f3\nundo\nd6c7\nquit\n");
    let output = play.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    let game = records(workspace.path("game.jsonl")).remove(0);
    assert_eq!(game["start"]["rows"][1], "..p.....");
    let turns = game["turns"].as_array().unwrap();
    let replies: Vec<&str> = turns
        .iter()
        .filter_map(|turn| turn["reply"].as_str())
        .collect();
    assert_eq!(replies.len(), 1, "{game}");
    assert_eq!(game["termination"], "abandoned");
    // It is shown again, and is not replaced.
    let mut replay = crownhead();
    replay
        .current_dir(workspace.path(""))
        .args(["replay", "game.jsonl", "--game", "1"]);
    let shown = String::from_utf8(replay.output().unwrap().stdout).unwrap();
    assert!(shown.contains("human"), "{shown}");
    let again = play_in(&workspace.path(""), "random random --record game.jsonl").output();
    let error = String::from_utf8(again.unwrap().stderr).unwrap();
    assert!(error.contains("game.jsonl` already exists"), "{error}");
}
