//! Games of boards of other sizes than 8 by 8, which a program of one's own has (the example `small_boards`), and boards
//! whose row 1 is on top.

use super::driver::{Browser, Server};
use super::played_ladder;
use crate::common::{TestWorkspace, crownhead, example};
use assert_cmd::Command;
use serde_json::json;
use std::path::PathBuf;

/// The record of a match of the game.
fn recorded(workspace: &TestWorkspace) -> PathBuf {
    let path = workspace.path("climb.jsonl");
    Command::new(example("small_boards"))
        .args([
            "match", "random", "random", "--game", "climb", "--games", "2",
        ])
        .args(["--seed", "1", "--openings", "none", "--record"])
        .arg(&path)
        .assert()
        .success();
    path
}

#[test]
fn a_board_of_any_size_is_drawn_with_its_coordinates_and_sides() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let workspace = TestWorkspace::new();
    let server = Server::of(&example("small_boards"), &recorded(&workspace));
    browser.open(&format!("{}#game=1&turn=9999", server.url));
    browser.wait("return document.querySelector('.board .piece') !== null");
    let squares = "return document.querySelectorAll('.board .square').length";
    assert_eq!(browser.js(squares), 110);
    let labels = "return [...document.querySelectorAll('.coordinate')].map((text) => text.textContent).join(' ')";
    assert_eq!(
        browser.js(labels),
        "A B C D E F G H I J K 10 9 8 7 6 5 4 3 2 1"
    );
    let is_square =
        "const { width, height } = document.querySelector('.square').getBoundingClientRect();
        return Math.abs(width - height) < 0.5";
    assert_eq!(browser.js(is_square), true);
    // The game ends with a disc on the last row, whose square is marked as the move that put it there.
    let last = "const piece = document.querySelector('.board .piece');
        const mark = document.querySelector('.mark.end').getBoundingClientRect();
        const at = piece.getBoundingClientRect();
        return Number(piece.dataset.place) < 11 && Math.abs(mark.x + mark.width / 2 - at.x - at.width / 2) < 3";
    assert_eq!(browser.js(last), true);
    let told = "return document.querySelector('.board').getAttribute('aria-label')";
    let told = browser.js(told).to_string();
    assert!(
        told.contains("yellow: disc") && told.contains("blue: disc"),
        "{told}"
    );
    // The last position as text, in which 10 and 11 empty squares are numbers.
    browser.js(
        "navigator.clipboard.writeText = async (text) => { window.copied = text; };
         document.querySelector('.actions button').click()",
    );
    let copied = browser.wait("return window.copied");
    let copied = copied.as_str().unwrap();
    let rows: Vec<&str> = copied.split(&['/', ' '][..]).collect();
    assert_eq!(rows.len(), 11, "{copied}");
    for row in &rows[..10] {
        let numbers = row
            .split(char::is_alphabetic)
            .filter_map(|number| number.parse::<usize>().ok());
        let letters = row.chars().filter(|letter| letter.is_alphabetic());
        assert_eq!(numbers.sum::<usize>() + letters.count(), 11, "{copied}");
    }
    assert!(["y", "b"].contains(&rows[10]), "{copied}");
    // The search of the page does not know the game.
    let navigation = browser.js("return document.querySelector('nav').innerText");
    assert!(
        !navigation.as_str().unwrap().contains("Play"),
        "{navigation}"
    );
    browser.open(&format!("{}#play", server.url));
    browser.wait("return document.body.innerText.includes('no search for climb')");
}

#[test]
fn row_1_is_on_top_where_the_rules_say_so_with_column_a_at_the_left() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let server = Server::start(&played_ladder().folder);
    let shown = "const labels = [...document.querySelectorAll('.coordinate')].map((text) => text.textContent).join('');
        const { x, y } = document.querySelector('[data-square=B1]');
        return [labels, x.baseVal.value, y.baseVal.value]";
    for (rules, expected, flipped) in [
        (
            "contest",
            json!(["ABCDEFGH87654321", 100, 700]),
            json!(["HGFEDCBA12345678", 600, 0]),
        ),
        (
            "classroom",
            json!(["ABCDEFGH12345678", 100, 0]),
            json!(["HGFEDCBA87654321", 600, 700]),
        ),
    ] {
        browser.open("about:blank");
        browser.open(&format!(
            "{}#analysis&game=checkers&rules={rules}",
            server.url
        ));
        browser.wait("return document.querySelector('.board .piece') !== null");
        assert_eq!(browser.js(shown), expected, "{rules}");
        browser.click("[aria-label='Flip the board']");
        assert_eq!(browser.js(shown), flipped, "{rules}");
    }
}

#[test]
fn a_record_of_a_game_that_the_program_lacks_is_explained() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let workspace = TestWorkspace::new();
    let path = recorded(&workspace);
    let page = workspace.path("game.html");
    let replayed = crownhead()
        .arg("replay")
        .arg(&path)
        .arg("--html")
        .arg(&page)
        .assert()
        .failure();
    let told = String::from_utf8(replayed.get_output().stderr.clone()).unwrap();
    let expected =
        "no game is called `climb` in this program, which knows checkers, everchess, chess";
    assert!(told.contains(expected), "{told}");
    let server = Server::start(&path);
    browser.open(&server.url);
    browser.wait("return document.querySelector('tbody a') !== null");
    browser.open("about:blank");
    browser.open(&format!("{}#game=1", server.url));
    let told = browser.wait("return document.querySelector('.problem')?.innerText");
    assert!(told.as_str().unwrap().contains(expected), "{told}");
}
