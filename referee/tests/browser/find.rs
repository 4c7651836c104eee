//! Finding bots and games: tables in any order, games by filters, on a server and in an exported site alike, and a bot's
//! page.

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
fn a_server_and_an_exported_site_list_the_same_games_in_the_same_order() {
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
    for filter in [
        "",
        "&sort=turns",
        "&sort=-second&min_turns=30",
        "&bot=chance",
        "&bot=chance&side=black",
        "&bot=taker&result=won&max_turns=99",
        "&bot=chance&opponent=taker&opening=-&termination=fault",
    ] {
        let urls = [server.url.clone(), format!("http://127.0.0.1:{port}/")];
        let [live, still] = urls.map(|url| {
            browser.open("about:blank");
            browser.open(&format!("{url}#games{filter}"));
            browser.wait(HEADING);
            browser.js(LISTED)
        });
        assert_eq!(live, still, "{filter}");
        lists.push(live);
    }
    web.kill().unwrap();
    web.wait().unwrap();
    assert_eq!(lists[0], json!([6, 5, 4, 3, 2, 1]));
    assert_eq!(lists[3].as_array().map(Vec::len), Some(4), "{}", lists[3]);
    assert_eq!(lists[4].as_array().map(Vec::len), Some(2), "{}", lists[4]);
    assert!(
        lists[1..3].iter().any(|list| *list != lists[0]),
        "{lists:?}"
    );
}

#[test]
fn a_filter_is_chosen_without_leaving_its_field_and_the_search_box_leads_to_a_bot() {
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
    browser.js("document.activeElement.blur()");
    browser.keys("/");
    browser.keys("tak\u{E007}");
    browser.wait("return document.querySelector('h1').innerText === 'taker'");
    for part in ["Against each opponent", "From each opening"] {
        assert!(browser.text().contains(part), "{part}: {}", browser.text());
    }
    // One is the best where it is above the bot's own score, and the worst where it is below.
    let extremes = |scores: &str| {
        browser.js(&format!(
            "const scores = {scores}.map(([name, won, lost]) => ({{ name, score: {{ won, drawn: 0, lost }} }}));
             return extremes('against', scores, ({{ name }}) => name)?.textContent ?? null"
        ))
    };
    assert_eq!(extremes("[['one', 4, 0], ['two', 2, 0]]"), Value::Null);
    let told = extremes("[['one', 0, 4], ['two', 4, 0], ['three', 2, 2]]");
    let told = told.as_str().unwrap().replace('\u{a0}', " ");
    assert_eq!(told, "Best againsttwo 100 %Worst againstone 0 %");
    browser.keys("/");
    browser.keys("a\u{E007}");
    browser.wait("return document.body.innerText.includes('2 of 3 rows have “a” in the name.')");
}
