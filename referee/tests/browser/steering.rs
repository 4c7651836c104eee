//! A ladder managed in the browser.

use super::driver::{Browser, Server};
use crate::common::ladder::{Ladder, THREE, read};
use serde_json::json;

#[test]
fn a_bot_is_added_a_run_is_begun_and_stopped_and_its_log_is_shown() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = Ladder::new("pairs = 200", &THREE);
    let server = Server::start(&ladder.folder, &[]);
    // Without the token there is a sentence and nothing to press.
    browser.open(&format!("{}#steering", server.url));
    browser.wait("return document.body.innerText.includes('open the link that Crownhead printed')");
    assert_eq!(
        browser.js("return document.querySelectorAll('main button').length"),
        json!(0)
    );
    browser.open(&format!("{}#steering", server.link));
    browser.wait("return document.querySelector('[data-name=Name]') !== null");
    browser.click("[data-name=Name]");
    browser.keys("mine\u{E004}alphabeta --depth 1\u{E007}");
    browser.wait("return document.querySelector('.said').innerText.includes('mine is added')");
    browser.wait("return document.querySelector('[aria-label=\"Disable mine\"]') !== null");
    assert!(read(&ladder.folder.join("ladder.toml")).contains("\"mine\""));
    let press = |words: &str| {
        browser.js(&format!(
            "[...document.querySelectorAll('.manage button')].find((one) => one.textContent === {words:?} && !one.disabled).click()"
        ));
    };
    press("Start a run");
    browser.wait("return [...document.querySelectorAll('.manage button')].some((one) => one.textContent === 'Stop the run' && !one.disabled)");
    browser.wait("return document.querySelector('.log').innerText.includes('pairs finished')");
    press("Stop the run");
    browser.wait("return document.body.innerText.includes('No run started here is under way')");
    browser.resize(390, 900);
    let fits = "return document.documentElement.scrollWidth <= innerWidth";
    assert_eq!(browser.js(fits), json!(true));
}
