//! The library in the page plays and analyses, on a server and in an export that was opened as a file.

use super::driver::{Browser, Server};
use super::{crownhead, played_ladder};

/// Types this move into its field, and waits until this many are on the list.
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
    browser.click(".setup .primary");
    type_move(browser, "A3B4", 2);
    browser
        .wait("return document.querySelector('.replay').innerText.includes('Its last move took')");
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
    // An analysis that runs deeper until it is stopped.
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
fn a_server_and_an_export_that_is_opened_as_a_file_play_and_analyse() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = played_ladder();
    plays_and_analyses(&browser, &Server::start(&ladder.folder).url);
    let site = ladder.folder.join("site");
    let mut export = crownhead();
    export.args(["export", "site"]).arg(&ladder.folder);
    export.arg(&site).assert().success();
    plays_and_analyses(&browser, &format!("file://{}/index.html", site.display()));
}
