//! The redrawn board that people play on at a terminal, and how a terminal's colours change it.

use crate::common::TestWorkspace;
use crate::common::terminal::{AtTerminal, at_terminal, in_locale};
use anstream::adapter::strip_str;

/// `crownhead` with these words at a terminal, in a folder of its own.
fn seen(arguments: &str, typed: &str) -> AtTerminal {
    let workspace = TestWorkspace::new();
    let mut command = in_locale("C.UTF-8");
    command.current_dir(workspace.path(""));
    command.args(arguments.split_whitespace());
    at_terminal(command, typed)
}

/// The pages of a game on a terminal: each is what stood there before the next was drawn over it,
/// without colours and the spaces at the ends of lines.
fn pages(arguments: &str, typed: &str) -> Vec<String> {
    let seen = seen(arguments, typed);
    assert_eq!(seen.status, Some(0));
    let is_left = seen.error == "note: the input ended, so the game was left\n";
    assert!(seen.error.is_empty() || is_left, "{}", seen.error);
    let tidy = |page: &str| {
        let page = strip_str(page).to_string();
        page.lines()
            .map(|line| format!("{}\n", line.trim_end()))
            .collect()
    };
    let mut pages = seen.screen.split("\u{1b}[H\u{1b}[J").map(tidy);
    assert_eq!(
        pages.next().as_deref(),
        Some(""),
        "the first page clears the screen"
    );
    pages.collect()
}

#[test]
fn the_screen_of_classroom_checkers_has_row_8_on_top_help_undo_and_q() {
    let pages = pages("play human human --screen", "help\nd6c5\nundo\nq\n");
    assert_eq!(pages.len(), 3);
    assert!(
        pages[0].starts_with("8     ⛀     ⛀     ⛀     ⛀\n"),
        "{}",
        pages[0]
    );
    assert!(pages[0].contains("  hint      what a strong player would do\n"));
    assert!(pages[1].contains("1  ⛂     ⛂     ⛂     ⛂\n   A  B  C  D  E  F  G  H\n"));
    assert!(pages[1].contains("\nTurn 1: white played D6C5\nTurn 2, black to move\n"));
    assert!(pages[2].contains("Turn 1, white to move\n"));
}

#[test]
fn a_person_alone_plays_against_greedy_and_is_first_told_what_to_type() {
    let first = "Type a move (such as f6e5), help or quit; white moves down, black moves up\n";
    let seen = pages("play --seed 1", "b6a5\nquit\n");
    assert_eq!(seen.len(), 3);
    assert!(seen[0].starts_with(first), "{}", seen[0]);
    assert!(seen[1].contains("Turn 2, black to move\n"), "{}", seen[1]);
    // Greedy has moved, and only the first page says what to type.
    assert!(seen[2].contains("Turn 2: black played "), "{}", seen[2]);
    assert!(!seen[2].contains("Type a move"), "{}", seen[2]);
}

#[test]
fn contest_checkers_and_the_other_games_are_redrawn_without_being_asked() {
    for arguments in [
        "play --rules contest",
        "play --game chess",
        "play --game everchess",
    ] {
        assert_eq!(pages(arguments, "").len(), 1, "{arguments}");
    }
}

#[test]
fn a_chain_is_one_turn_and_all_of_it_stands_below_the_next_board() {
    let typed = "d2d3\nd7d6\nd3d4\nd6d5\ne2e3\ne7e6\ne3e4\nd5e4\na7a6\n";
    let pages = pages("play human human --game everchess", typed);
    let line = |page: &str, start: &str| page.lines().any(|line| line.contains(start));
    let goes_on = &pages[pages.len() - 2];
    assert!(line(goes_on, "Turn 8: black played d5e4"), "{goes_on}");
    assert!(line(goes_on, "Turn 8, black to move again"), "{goes_on}");
    let next = &pages[pages.len() - 1];
    assert!(line(next, "Turn 8: black played d5e4 a7a6"), "{next}");
    assert!(line(next, "Turn 9, white to move"), "{next}");
    assert!(!line(next, "again") && !line(next, "Turn 7"), "{next}");
}

#[test]
fn no_side_is_to_move_in_a_game_that_is_over() {
    let typed = include_str!("transcripts/everchess-far-row.in");
    let pages = pages("play human human --game everchess", typed);
    let last = pages.last().unwrap();
    assert!(
        last.contains("white has won: white has reached the goal\n"),
        "{last}"
    );
    assert!(
        !last.contains("to move") && !last.contains("may move"),
        "{last}"
    );
}

#[test]
fn boards_are_ascii_if_that_is_asked_for() {
    for arguments in [
        "play --game chess",
        "play --game everchess",
        "play --rules contest",
        "play --screen",
        "show",
    ] {
        let symbols = seen(arguments, "").screen;
        assert!(!symbols.is_ascii(), "{arguments}");
        let letters = seen(&format!("{arguments} --ascii"), "").screen;
        assert!(letters.is_ascii(), "{arguments}: {letters}");
    }
    let plain = seen("play human human --ascii", "d6\n").screen;
    assert!(plain.is_ascii(), "{plain}");
    assert!(plain.contains("6   w   w   w   w \r\n"), "{plain}");
    assert!(plain.contains("1: basic move: d6->e5\r\n"));
}

#[test]
fn the_dialogue_has_no_colours_and_boards_have_them_unless_told_otherwise() {
    let has_colours = |arguments| seen(arguments, "").screen.contains("\u{1b}[38;5;");
    assert!(has_colours("play --screen"));
    assert!(!has_colours("play --screen --color never"));
    assert!(!has_colours("play human human"));
    assert!(!has_colours("play human human --color always"));
}

#[test]
fn computers_can_be_watched() {
    let started = std::time::Instant::now();
    let pages = pages(
        "play --game everchess random random --seed 1 --delay 20ms",
        "",
    );
    let moves = pages.len() - 1;
    assert!(moves > 10, "{moves}");
    assert!(started.elapsed() >= std::time::Duration::from_millis(20) * moves as u32);
}
