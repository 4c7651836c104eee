//! Finding games: tables in any order, games by filters, on a server and in an exported site alike.

use super::driver::{Browser, Server};
use super::{HEADING, http_server, played_ladder};
use crate::common::crownhead;
use serde_json::{Value, json};

/// The games that are listed, in their order.
const LISTED: &str = "const rows = [...document.querySelectorAll('[aria-label=Games] tbody tr')];
    return rows.length ? rows.map((row) => Number(row.cells[0].innerText)) : document.querySelector('[role=status]').innerText";

#[test]
fn a_table_is_sorted_by_its_heads_with_keys_alone_and_the_address_keeps_the_order() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = played_ladder();
    let server = Server::start(&ladder.folder);
    browser.open(&format!("{}#standings", server.url));
    browser.wait(HEADING);
    let names = "return [...document.querySelectorAll('[aria-label=Standings] tbody tr > th a')].map((name) => name.innerText)";
    let sorted = "return [...document.querySelectorAll('[aria-label=Standings] th[aria-sort]')].map((head) =>
        [head.innerText, head.getAttribute('aria-sort')])";
    assert_eq!(browser.js(sorted), json!([["#", "ascending"]]));
    browser.js("document.querySelector('[data-sort=\"sort bot\"]').focus()");
    let ascending = json!(["chance", "second", "taker"]);
    for (order, direction, hash) in [
        (ascending.clone(), "ascending", "#standings&sort=bot"),
        (
            json!(["taker", "second", "chance"]),
            "descending",
            "#standings&sort=-bot",
        ),
    ] {
        browser.keys("\u{E007}");
        assert_eq!(browser.js(names), order);
        assert_eq!(browser.js(sorted), json!([["Bot", direction]]));
        assert_eq!(browser.js("return location.hash"), hash);
    }
    browser.open("about:blank");
    browser.open(&format!("{}#standings&sort=bot", server.url));
    browser.wait(HEADING);
    assert_eq!(browser.js(names), ascending);
}

#[test]
fn a_server_and_an_exported_site_list_the_games_that_replay_lists() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = played_ladder();
    let site = ladder.folder.join("site");
    let mut export = crownhead();
    export.args(["export", "site"]).arg(&ladder.folder);
    export.arg(&site).assert().success();
    let Some((mut web, port)) = http_server(&site) else {
        return;
    };
    let server = Server::start(&ladder.folder);
    let mut lists = Vec::new();
    for (filter, options) in [
        ("", ""),
        ("&sort=turns", ""),
        ("&sort=-second&min_turns=30", "--min-turns 30"),
        ("&bot=chance", "--bot chance"),
        ("&bot=chance&side=black", "--bot chance --side black"),
        (
            "&bot=taker&result=won&max_turns=99",
            "--bot taker --result won --max-turns 99",
        ),
        ("&result=draw", "--result draw"),
        (
            "&bot=chance&opponent=taker&opening=-&termination=fault",
            "--bot chance --opponent taker --opening - --termination fault",
        ),
    ] {
        let urls = [server.url.clone(), format!("http://127.0.0.1:{port}/")];
        let [live, still] = urls.map(|url| {
            browser.open("about:blank");
            browser.open(&format!("{url}#games{filter}"));
            browser.wait(HEADING);
            browser.js(LISTED)
        });
        assert_eq!(live, still, "{filter}");
        let listed = ladder
            .list()
            .arg("--json")
            .args(options.split_whitespace())
            .output();
        let listed: Value = serde_json::from_slice(&listed.unwrap().stdout).unwrap();
        let numbers = |games: &Value| {
            let mut numbers: Vec<u64> = games
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_u64)
                .collect();
            numbers.sort_unstable();
            numbers
        };
        let games = listed
            .as_array()
            .unwrap()
            .iter()
            .map(|game| game["game"].clone());
        assert_eq!(numbers(&live), numbers(&games.collect()), "{filter}");
        lists.push(live);
    }
    web.kill().unwrap();
    web.wait().unwrap();
    assert_eq!(lists[0], json!([6, 5, 4, 3, 2, 1]));
    assert_eq!(lists[3].as_array().map(Vec::len), Some(4), "{}", lists[3]);
    assert!(
        lists[1..3].iter().any(|list| *list != lists[0]),
        "{lists:?}"
    );
}

#[test]
fn a_filter_is_chosen_without_leaving_its_field() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = played_ladder();
    let server = Server::start(&ladder.folder);
    browser.open(&format!("{}#games", server.url));
    browser.wait(HEADING);
    browser.js("document.querySelector('[data-name=Bot]').focus()");
    browser.keys("chance");
    browser.wait("return location.hash === '#games&bot=chance' && document.querySelectorAll('[aria-label=Games] tbody tr').length === 4");
    assert_eq!(
        browser.js("return document.activeElement.dataset.name"),
        "Bot"
    );
}
