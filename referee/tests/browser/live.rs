//! Games under way in the browser, and how far the run is.

use super::driver::{Browser, Server};
use crate::common::ladder::Ladder;
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// So slow that a game is under way while it is looked at, and within every limit.
const SLOW: &str = "alphabeta --time 150ms";

/// A run with `--serve`, ended when this is dropped.
struct ServedRun {
    process: Child,
    url: String,
}

impl ServedRun {
    fn start(arguments: &[&str]) -> ServedRun {
        let mut process = Command::new(assert_cmd::cargo::cargo_bin("crownhead"))
            .args(arguments)
            .args([
                "--serve",
                "--time",
                "20s",
                "--first-turn",
                "20s",
                "--sandbox",
                "off",
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(process.stderr.take().unwrap()).lines();
        let link =
            told.find_map(|line| Some(line.unwrap()).filter(|line| line.starts_with("http")));
        let link = link.expect("a link");
        // It may have more to say, and must not wait for a reader.
        std::thread::spawn(move || told.for_each(drop));
        ServedRun { process, url: link }
    }
}

impl Drop for ServedRun {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The turn that the first board shows; nothing while there is none.
const TURN: &str =
    "Number(/turn (\\d+)/.exec(document.querySelector('.live-game')?.innerText)?.[1] ?? 0)";

/// Waits until a board shows two turns, one after the other: of one game, or of the next if the first was the last turn.
fn follows_a_game(browser: &Browser) {
    let first = browser.wait(&format!("return {TURN}"));
    browser.wait(&format!("return {TURN} !== {first} && {TURN}"));
    assert!(browser.board().as_array().unwrap().len() > 2);
    browser.wait("return document.querySelector('.live-player.mover .clock').innerText.startsWith('thinks ')");
}

#[test]
fn a_match_shows_its_games_under_way_side_by_side_and_counts_those_that_are_over() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let options = ["--games", "600", "--concurrency", "2", "--max-turns", "30"];
    let run = ServedRun::start(&[&["match", SLOW, "greedy"][..], &options].concat());
    browser.open(&format!("{}#live", run.url));
    follows_a_game(&browser);
    browser.wait("return document.querySelectorAll('.live-game .board').length === 2");
    browser.wait("return / of 600 games/.test(document.querySelector('.progress').innerText)");
    browser.wait("return parseInt(document.querySelector('.progress').innerText) > 0");
    for width in [390, 1280] {
        browser.resize(width, 900);
        let fits = browser.js("return document.documentElement.scrollWidth <= innerWidth");
        assert_eq!(fits, json!(true), "{width}");
    }
}

#[test]
fn a_sequential_test_shows_its_likelihood_ratio_and_its_bounds() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let run = ServedRun::start(&[
        "sprt",
        "alphabeta --depth 2",
        "greedy",
        "--min-pairs",
        "1",
        "--elo1",
        "5",
    ]);
    browser.open(&format!("{}#live", run.url));
    browser.wait("return document.querySelector('[role=meter]') !== null");
    let bound = browser.js("return document.querySelector('[role=meter]').ariaValueMax");
    assert!(bound.as_str().unwrap().starts_with("2.94"), "{bound}");
    browser.wait("return Number(document.querySelector('[role=meter]').ariaValueNow) > 0");
}

#[test]
fn a_ladder_that_another_process_runs_is_followed_until_that_run_is_gone() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = Ladder::new("pairs = 200", &[("slow", SLOW), ("greedy", "greedy")]);
    let server = Server::start(&ladder.folder);
    browser.open(&format!("{}#live", server.url));
    browser.wait("return document.body.innerText.includes('Nothing is running on this machine')");
    let mut run = ladder.run_in_background();
    follows_a_game(&browser);
    browser.wait("return document.querySelector('.progress').innerText.includes('of 200 pairs')");
    // Killed, it takes nothing away that it had written.
    run.kill().unwrap();
    run.wait().unwrap();
    browser.wait("return document.body.innerText.includes('Nothing is running on this machine')");
}
