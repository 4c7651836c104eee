//! Games of boards of other sizes than 8 by 8, with moves of one square and of none: what the page shows of them, and how
//! they are clicked. They are those of the example `small_boards`.

use super::driver::{Browser, Server};
use super::playing::{begin, play_by_clicks};
use crate::common::{TestWorkspace, crownhead, example};
use assert_cmd::Command;
use serde_json::json;
use std::path::PathBuf;

/// The record of a match of this game.
fn recorded(workspace: &TestWorkspace, game: &str) -> PathBuf {
    let path = workspace.path(&format!("{game}.jsonl"));
    Command::new(example("small_boards"))
        .args(["match", "random", "random", "--game", game, "--games", "2"])
        .args(["--seed", "1", "--openings", "none", "--record"])
        .arg(&path)
        .assert()
        .success();
    path
}

fn serve(workspace: &TestWorkspace, game: &str) -> Server {
    Server::of(&example("small_boards"), &recorded(workspace, game), &[])
}

const MOVES: &str =
    "return [...document.querySelectorAll('.moves .move')].map((move) => move.innerText).join(' ')";

#[test]
fn a_board_of_any_size_is_drawn_with_its_coordinates_and_sides() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let workspace = TestWorkspace::new();
    let server = serve(&workspace, "climb");
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
}

#[test]
fn row_1_is_on_top_where_the_rules_say_so_with_column_a_at_the_left() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let workspace = TestWorkspace::new();
    // Whatever was recorded, the games of the program are analysed.
    let server = Server::start(&recorded(&workspace, "climb"), &[]);
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
            server.link
        ));
        browser.wait("return document.querySelector('.board .piece') !== null");
        assert_eq!(browser.js(shown), expected, "{rules}");
        browser.click("[aria-label='Flip the board']");
        assert_eq!(browser.js(shown), flipped, "{rules}");
    }
}

#[test]
fn a_game_of_one_square_moves_is_played_by_a_click_each_and_passed_by_a_button() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let workspace = TestWorkspace::new();
    let server = serve(&workspace, "climb");
    begin(&browser, &server, "climb usual", "", "person");
    browser.wait("return document.querySelector('.choices button')?.innerText === 'PASS'");
    browser.click(".choices button");
    browser.wait(&format!("{MOVES} === 'PASS'"));
    browser.wait("return document.querySelector('.choices button') === null");
    browser.click("[data-square=C2]");
    browser.wait(&format!("{MOVES} === 'PASS C2'"));
    // Two moves of one square are told apart by their names.
    browser.wait("return document.querySelector('.target') !== null");
    browser.click("[data-square=K3]");
    let names = "return [...document.querySelectorAll('.choices button')].map((button) => button.innerText).join(' ')";
    browser.wait(&format!("{names} === 'K3 K3-GIFT'"));
    browser.click(".choices button:last-child");
    browser.wait(&format!("{MOVES} === 'PASS C2 K3-GIFT'"));
    // A square that is no move is told to the referee at the first click.
    browser.wait("return document.querySelector('.target') !== null");
    browser.click("[data-square=C9]");
    browser.wait("return document.querySelector('.message').innerText.includes('lowest row')");
    // An opponent is played to the end.
    begin(&browser, &server, "climb usual", "", "built-in random");
    let verdict = play_by_clicks(&browser);
    assert!(verdict.contains(" won: "), "{verdict}");
}

#[test]
fn where_a_column_is_clicked_any_of_its_squares_does() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let workspace = TestWorkspace::new();
    let server = serve(&workspace, "drop");
    begin(&browser, &server, "drop usual", "", "person");
    for (turn, square) in (1..).zip(["C4", "C1", "C2"]) {
        browser.wait("return document.querySelector('.target') !== null");
        browser.click(&format!("[data-square={square}]"));
        browser.wait(&format!(
            "return document.querySelectorAll('.moves li').length === {turn}"
        ));
    }
    assert_eq!(browser.js(MOVES), "C C C");
    // Three discs above one another, the first at the foot: row 1 is the last of four of five squares each.
    let pieces = json!([
        [7, "yellow", false],
        [12, "blue", false],
        [17, "yellow", false]
    ]);
    assert_eq!(browser.board(), pieces);
}

#[test]
fn a_position_of_any_game_is_set_up_analysed_and_passed() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let workspace = TestWorkspace::new();
    let server = serve(&workspace, "climb");
    browser.open(&format!("{}#analysis", server.link));
    browser.wait("return document.querySelector('.choices button')?.innerText === 'PASS'");
    browser.click(".choices button");
    browser.wait("return document.querySelector('.turn-status').innerText.startsWith('blue')");
    let position = "return document.querySelector('[aria-label=Position]').value";
    let expected = "11/11/11/11/11/11/11/11/11/y10 b";
    assert_eq!(browser.js(position), expected);
    // In the editor: a yellow disc on K1 as well, yellow to move.
    browser.js("[...document.querySelectorAll('.controls button')].find((one) => one.innerText === 'Set up').click()");
    browser.click("[aria-label='yellow disc']");
    browser.click("[data-square=K1]");
    browser.js("const side = document.querySelector('.editor select');
         side.value = 'yellow';
         side.dispatchEvent(new Event('change'))");
    browser.click(".editor .primary");
    browser.wait(&format!(
        "{position} === '11/11/11/11/11/11/11/11/11/y9y y'"
    ));
    browser.click(".aside .controls .primary");
    browser.wait("return document.querySelector('.arrow .here') !== null");
}

#[test]
fn a_record_of_a_game_that_the_program_lacks_is_told_so() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let workspace = TestWorkspace::new();
    let path = recorded(&workspace, "climb");
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
    let server = Server::start(&path, &[]);
    browser.open(&server.url);
    browser.wait("return document.querySelector('tbody a') !== null");
    browser.open("about:blank");
    browser.open(&format!("{}#game=1", server.url));
    let told = browser.wait("return document.querySelector('.problem')?.innerText");
    assert!(told.as_str().unwrap().contains(expected), "{told}");
}
