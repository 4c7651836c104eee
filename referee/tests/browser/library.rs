//! Pages that are files: the library in the page plays and analyses, where they were opened as files too.

use super::driver::Browser;
use super::{crownhead, http_server, played_ladder};
use crate::common::TestWorkspace;
use std::path::Path;

fn export(root: &TestWorkspace) -> std::path::PathBuf {
    let ladder = played_ladder();
    let site = root.path("site");
    let mut export = crownhead();
    export.args(["export", "site"]).arg(&ladder.folder);
    export.arg(&site).assert().success();
    site
}

/// Says this move by the field for it, and waits until so many are on the list.
fn type_move(browser: &Browser, name: &str, moves: usize) {
    browser.wait("return document.querySelector('.board .free') !== null");
    browser.click(".type-move input");
    browser.keys(&format!("{name}\u{E007}"));
    browser.wait(&format!(
        "return document.querySelectorAll('.moves li').length === {moves}"
    ));
}

/// Plays a few turns at the page of this address, takes them back, and analyses a position.
fn plays_and_analyses(browser: &Browser, url: &str) {
    browser.open("about:blank");
    browser.open(&format!("{url}#play"));
    browser.wait("return document.querySelector('.setup .primary') !== null");
    let offered = browser.js("return document.querySelector('[data-name=Opponent]').innerText");
    assert!(
        !offered.as_str().unwrap().contains("of this ladder"),
        "{offered}"
    );
    browser.click(".setup .primary");
    type_move(browser, "A3B4", 2);
    let said =
        browser.wait("return document.querySelector('.replay').innerText.includes('depth 3/')");
    assert_eq!(said, true);
    browser.wait("return document.querySelector('.board .free') !== null");
    browser.click(".type-move input");
    browser.keys("A3A4\u{E007}");
    let message = browser.wait("return document.querySelector('.message').innerText");
    assert_eq!(message, "no piece ever stands on A4");
    browser.click(".controls button");
    browser.wait("return document.querySelectorAll('.moves li').length === 0");

    let position = "game=checkers&rules=contest&position=8%2F8%2F5r2%2F8%2F3r4%2F2B5%2F8%2F8%20b";
    browser.open("about:blank");
    browser.open(&format!("{url}#analysis&{position}"));
    browser.wait("return document.querySelectorAll('.board .piece').length === 3");
    browser.click(".aside .primary");
    let line = browser.wait("return document.querySelector('.lines li')?.innerText");
    assert!(line.as_str().unwrap().contains("wins in"), "{line}");
    browser.wait("return document.querySelector('.aside .primary').innerText === 'Go'");
    // One that goes on until it is stopped, deeper each moment.
    browser.open("about:blank");
    browser.open(&format!("{url}#analysis&game=chess&rules=two-player"));
    browser.wait("return document.querySelectorAll('.board .piece').length === 32");
    browser.click(".aside .primary");
    browser.wait(
        "return Number(/depth (\\d+)/.exec(document.querySelector('.effort').innerText)?.[1]) > 3",
    );
    browser.click(".aside .primary");
    browser.wait("return document.querySelector('.aside .primary').innerText === 'Go'");
}

#[test]
fn an_export_that_is_opened_as_a_file_plays_and_analyses() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let root = TestWorkspace::new();
    let site = export(&root);
    plays_and_analyses(&browser, &format!("file://{}/index.html", site.display()));
}

#[test]
fn an_export_on_a_web_server_plays_and_analyses() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let root = TestWorkspace::new();
    let site = export(&root);
    let Some((mut web, port)) = http_server(Path::new(&site)) else {
        return;
    };
    plays_and_analyses(&browser, &format!("http://127.0.0.1:{port}/"));
    web.kill().unwrap();
    web.wait().unwrap();
}
