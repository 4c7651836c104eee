//! What a referee of lines shows of the board, in the page: text, and pictures, which do no harm.

use super::driver::{Browser, Server};
use crate::common::{TestWorkspace, crownhead};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The record of a game whose referee shows so.
fn play(workspace: &TestWorkspace, show: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bot = tests.join("tests/fixtures/dice_bot.py");
    let referee = tests.join("../crates/external/tests/referees/lines.py");
    let record = workspace.path("games.jsonl");
    let mut command = crownhead();
    command.args(["match", "random"]);
    command.arg(format!("python3 {}", bot.display()));
    let referee = format!(
        "python3 {} --legal --show {show} --reason 'all dice are rolled'",
        referee.display()
    );
    command.args(["--referee", &referee, "--games", "1", "--seed", "5"]);
    command.args(["--openings", "random 1"]);
    command.args(["--first-turn", "10s", "--time", "10s", "--record"]);
    command.arg(&record).assert().success();
    record
}

/// What is shown of the board.
fn shown(browser: &Browser) -> Value {
    browser.js("return document.querySelector('pre.shown')?.textContent ?? null")
}

#[test]
fn the_board_that_a_referee_shows_as_text_goes_with_the_turns() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let workspace = TestWorkspace::new();
    let server = Server::start(&play(&workspace, "text"));
    for (turn, board) in [
        (0, "round 1\n|"),
        (1, "round 1\n|"),
        (2, "round 2\n|"),
        (6, "round 3\n|"),
    ] {
        browser.open(&format!("{}#game=1&turn={turn}", server.url));
        browser.wait(&format!(
            "return document.querySelector('pre.shown')?.textContent.startsWith({board:?})"
        ));
    }
    let text = browser.text();
    assert!(text.contains("all dice are rolled: "), "{text}");
    assert!(!text.contains("viewer of the contest"), "{text}");
    browser.open(&format!("{}#game=1&turn=1", server.url));
    browser.wait("return document.body.innerText.includes('got the opening’s reply')");
    let marked = "return document.querySelectorAll('.turn.opening').length";
    assert_eq!(browser.js(marked), 1);
}

#[test]
fn a_picture_is_drawn_and_neither_it_nor_markup_in_a_text_does_anything() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let workspace = TestWorkspace::new();
    let record = play(&workspace, "hostile");
    let file = workspace.path("game.html");
    let mut replay = crownhead();
    replay.arg("replay").arg(&record).arg("--html").arg(&file);
    replay.assert().success();
    let server = Server::start(&record);
    for page in [
        format!("{}#game=1&", server.url),
        format!("file://{}#", file.display()),
    ] {
        browser.open("about:blank");
        browser.open(&format!("{page}turn=1"));
        browser.wait("return document.querySelector('pre.shown') !== null");
        let text = shown(&browser);
        assert!(
            text.as_str().unwrap().contains("</pre><img src=x"),
            "{text}"
        );
        browser.open("about:blank");
        browser.open(&format!("{page}turn=6"));
        // It is 60 wide and 40 high.
        browser.wait("return document.querySelector('img.shown')?.naturalHeight > 0");
        let made = "return document.querySelectorAll('main script, main foreignObject, main img:not(.shown)').length";
        assert_eq!(browser.js(made), 0, "{page}");
        let title = browser.js("return document.title");
        assert_ne!(title, "taken", "{page}");
    }
}
