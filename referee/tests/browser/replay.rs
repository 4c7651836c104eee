//! One game on its page: what goes with the turn that is shown, and what stands beside it.

use super::driver::{Browser, Server};
use super::played_ladder;
use crate::common::{TestWorkspace, crownhead};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The record of a game whose first turns may take longer than the others, as a value.
fn played(workspace: &TestWorkspace) -> Value {
    let path = workspace.path("played.jsonl");
    let mut play = crownhead();
    play.args(["match", "random", "greedy", "--games", "1", "--seed", "3"]);
    play.args(["--openings", "random 4", "--max-turns", "60"]);
    play.args(["--first-turn", "20s", "--time", "10s", "--record"]);
    play.arg(&path).assert().success();
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn written(workspace: &TestWorkspace, record: &Value) -> PathBuf {
    let path = workspace.path("games.jsonl");
    std::fs::write(&path, format!("{record}\n")).unwrap();
    path
}

#[test]
fn the_list_of_turns_goes_with_the_game() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let workspace = TestWorkspace::new();
    let record = played(&workspace);
    let turns = record["turns"].as_array().unwrap().len() + 4;
    assert!(turns > 30, "{turns}");
    let server = Server::start(&written(&workspace, &record));
    browser.resize(500, 800);
    browser.open(&format!("{}#game=1&turn=0", server.url));
    browser.wait("return document.querySelector('.board .piece') !== null");
    let is_seen = "const list = document.querySelector('.moves').getBoundingClientRect();
        const turn = document.querySelector('.turn[aria-current]').getBoundingClientRect();
        return turn.top >= list.top && turn.bottom <= list.bottom";
    for turn in 0..=turns {
        browser.wait(&format!("return location.hash === '#game=1&turn={turn}'"));
        assert_eq!(browser.js(is_seen), true, "turn {turn}");
        browser.keys("\u{E014}");
    }
}

#[test]
fn the_line_of_limits_has_the_longer_first_turns() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let workspace = TestWorkspace::new();
    let record = played(&workspace);
    let server = Server::start(&written(&workspace, &record));
    browser.open(&format!("{}#game=1&turn=0", server.url));
    let heights = browser.wait(
        "const line = document.querySelector('.chart .limit');
         return line && line.getAttribute('points').split(' ').map((point) => Number(point.split(',')[1]))",
    );
    let heights: Vec<f64> = serde_json::from_value(heights).unwrap();
    // A limit has two ends; that of both first turns is drawn higher, which is a smaller number.
    assert_eq!(heights.len(), 2 * record["turns"].as_array().unwrap().len());
    let (first, others) = heights.split_at(4);
    assert!(first.iter().all(|&height| height == first[0]), "{first:?}");
    assert!(others.iter().all(|&height| height > first[0]), "{others:?}");
}

#[test]
fn output_that_is_not_kept_is_counted_beside_what_is() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let workspace = TestWorkspace::new();
    let mut record = played(&workspace);
    record["turns"][0]["stderr"] = json!({ "cut": 14 });
    record["turns"][1]["stderr"] = json!({ "text": "depth 3", "cut": 1 });
    let server = Server::start(&written(&workspace, &record));
    let told = |turn: usize| {
        browser.open(&format!("{}#game=1&turn={turn}", server.url));
        browser.wait(&format!(
            "return document.querySelector('.detail')?.innerText.includes('Turn {turn}:')"
        ));
        browser.js(
            "return [document.querySelector('.detail').innerText.includes('14 bytes, cut off'),
                     document.querySelector('.detail figcaption')?.innerText.includes('the first 1 byte was cut off') ?? false,
                     document.querySelector('.words pre')?.innerText ?? null]",
        )
    };
    assert_eq!(told(5), json!([true, false, null]));
    assert_eq!(told(6), json!([false, true, "depth 3"]));
}

#[test]
fn an_export_that_is_opened_as_a_file_says_what_it_needs() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = played_ladder();
    let site = ladder.folder.join("site");
    let mut export = crownhead();
    export.args(["export", "site"]).arg(&ladder.folder);
    export.arg(&site).assert().success();
    for page in ["", "#games", "#game=1", "#bot=0"] {
        browser.open("about:blank");
        browser.open(&format!("file://{}/index.html{page}", site.display()));
        browser.wait("return document.body.innerText.includes('This page was opened as a file')");
        assert!(browser.text().contains("python3 -m http.server"), "{page}");
    }
}
