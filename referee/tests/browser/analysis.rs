//! The analysis of a whole game on its page: by a button of the server, and in a page that is one file.

use super::driver::{Browser, Server};
use crate::common::{TestWorkspace, crownhead};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A game of one bot that makes mistakes, short, for an analysis gives way to all else that the machine has to do.
fn recorded(workspace: &TestWorkspace) -> PathBuf {
    let path = workspace.path("games.jsonl");
    let mut play = crownhead();
    play.args([
        "match",
        "random",
        "alphabeta --depth 4",
        "--games",
        "1",
        "--seed",
        "10",
    ]);
    play.args(["--openings", "random 2", "--time", "10s", "--record"]);
    play.arg(&path).assert().success();
    path
}

/// The mistakes that `replay --blunder` lists.
fn listed(path: &PathBuf) -> Value {
    let mut replay = crownhead();
    replay.arg("replay").arg(path).args(["--blunder", "--json"]);
    let output = replay.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The turns of the mistakes that the page lists, and those that it marks among the moves.
const SHOWN: &str = "
    const numbers = (css) => [...document.querySelectorAll(css)].map((own) => Number(own.innerText));
    const listed = numbers('.mistakes .number');
    return listed.length > 0 && [listed, numbers('.turn:has(.glyph) .number')]";

#[test]
fn a_button_analyses_the_whole_game_as_replay_does_and_can_be_cancelled() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let workspace = TestWorkspace::new();
    let path = recorded(&workspace);
    let listed = listed(&path);
    let turns: Vec<&Value> = listed["mistakes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mistake| &mistake["turn"])
        .collect();
    assert!(!turns.is_empty(), "{listed}");
    let server = Server::start(&path);
    browser.open(&format!("{}#game=1", server.url));
    let button = "document.querySelector('.game-analysis button.primary')";
    browser.wait(&format!("return {button} !== null"));
    browser.js(&format!("{button}.click()"));
    browser.js("[...document.querySelectorAll('.game-analysis button')].find((own) => own.innerText === 'Cancel').click()");
    browser.wait(&format!(
        "return {button} !== null && !document.querySelector('.game-analysis progress')"
    ));
    browser.js(&format!("{button}.click()"));
    let shown = browser.wait(SHOWN);
    assert_eq!(shown, json!([turns, turns]));
    // A mistake's button leads to its turn, which shows the better move and its line.
    browser.js("document.querySelector('.mistakes button').click()");
    let detail = browser
        .wait("return document.querySelector('.detail .judged')?.innerText")
        .to_string();
    let better: Vec<&str> = listed["mistakes"][0]["better"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert!(
        detail.contains(&format!("better {}", better.join(" "))),
        "{detail}"
    );
    // The share of best moves of each bot stands in the summary.
    let shares = browser.js("return [...document.querySelectorAll('.game-analysis tbody td:nth-child(2)')].map((own) => own.title.split(' ').map(Number))");
    let best = |player: usize| {
        (
            &listed["best"][player]["found"],
            &listed["best"][player]["of"],
        )
    };
    for player in 0..2 {
        assert_eq!((&shares[player][0], &shares[player][2]), best(player));
    }
}

#[test]
fn a_page_that_is_one_file_has_its_analysis_with_it() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let workspace = TestWorkspace::new();
    let path = recorded(&workspace);
    let page = workspace.path("game.html");
    let mut replay = crownhead();
    replay.arg("replay").arg(&path).arg("--html").arg(&page);
    replay.assert().success();
    browser.open(&format!("file://{}", page.display()));
    browser.wait(SHOWN);
}
