//! What people and programs see of a recorded game: replay, and ask.

use super::{AMPLE, Played, crownhead, dice_bot, play, referee};
use serde_json::Value;

fn played() -> Played {
    let arguments = ["--games", "2", "--openings", "seeds 5"];
    play(&referee("engine", AMPLE), &["best", "crash"], &arguments)
}

/// What a command prints of the games.
fn shown(played: &Played, command: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let mut program = crownhead();
    program
        .arg(command)
        .arg(played.folder.path("games.jsonl"))
        .args(arguments);
    let output = program.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[test]
fn replay_lists_and_tells_a_game_with_the_names_of_its_players() {
    let played = played();
    let (_, list) = shown(&played, "replay", &["--list"]);
    assert!(
        list.starts_with("game  player 1  player 2  result ")
            && list.contains("\n   1  best      crash "),
        "{list}"
    );
    let (status, told) = shown(&played, "replay", &[]);
    assert_eq!(status, Some(0), "{told}");
    assert!(
        told.starts_with("Game 1: best (player 1) against crash (player 2), engine, seed 5"),
        "{told}"
    );
    for part in [
        "Turn 1: best (player 1) answered in ",
        "  TAKE ",
        "crash (player 2) did not answer",
        "the dice are loaded",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn one_turn_is_shown_with_what_was_sent_and_as_json_and_as_the_bot_got_it() {
    let played = played();
    let (_, told) = shown(&played, "replay", &["--turn", "1"]);
    assert!(
        told.contains("Game 1, turn 1: best (player 1) was sent\n\n  0 2\n  1 "),
        "{told}"
    );
    let (_, json) = shown(&played, "replay", &["--fault", "--json"]);
    let turn: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&turn["termination"], &turn["player"]),
        (&"crash".into(), &1.into())
    );
    let (_, sent) = shown(&played, "replay", &["--turn", "3", "--protocol"]);
    let lines: Vec<&str> = sent.lines().collect();
    assert_eq!(
        (lines.len(), lines[0]),
        (3, "0 2"),
        "what it was told, and its two turns: {sent}"
    );
    let (status, refused) = shown(&played, "replay", &["--turn", "99"]);
    assert_eq!(status, Some(2));
    assert!(refused.contains("game 1 has turns 1 to "), "{refused}");
}

#[test]
fn commands_that_need_a_board_say_so() {
    let played = played();
    for (command, option) in [("replay", "--blunder"), ("replay", "--fen")] {
        let (status, told) = shown(&played, command, &[option]);
        assert_eq!(status, Some(2));
        assert!(told.contains(&format!("{option} needs a board")), "{told}");
    }
    let (status, told) = shown(&played, "ask", &["random"]);
    assert_eq!(status, Some(2));
    assert!(
        told.contains("the built-in bots play Crownhead's own games"),
        "{told}"
    );
}

#[test]
fn ask_puts_a_recorded_turn_to_a_bot_as_it_was() {
    let played = played();
    let time = ["--time", "10s", "--first-turn", "10s"];
    let ask = |how: &str, more: &[&str]| {
        shown(
            &played,
            "ask",
            &[&[&*dice_bot(how)], &time[..], more].concat(),
        )
    };
    let (status, told) = ask("best", &["--turn", "3"]);
    assert_eq!(status, Some(0), "{told}");
    assert!(told.contains(", as in the record"), "{told}");
    let (_, told) = ask("worst", &["--turn", "3"]);
    assert!(told.contains("; the record has `TAKE "), "{told}");
    let (_, told) = ask("worst", &["--turn", "3", "--repeat", "3"]);
    assert!(told.contains("Asked 3 times: TAKE "), "{told}");
    // Without --turn it is the one that lost the game.
    let (status, told) = ask("crash", &[]);
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("ValueError: the dice are loaded"), "{told}");
}
