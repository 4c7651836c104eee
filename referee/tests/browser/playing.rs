//! Games played by clicks: begun anywhere, kept, found again; and variations, which have links.

use super::common::ladder::Ladder;
use super::driver::{Browser, Server};
use super::{begin, leave, play_by_clicks, played_ladder};
use crownhead_record::{GameRecord, read_games};
use std::path::Path;

fn records(path: &Path) -> Vec<GameRecord> {
    let text = std::fs::read_to_string(path).unwrap();
    read_games(text.as_bytes()).map(Result::unwrap).collect()
}

fn press(browser: &Browser, button: &str) {
    browser.wait(&format!(
        "const found = [...document.querySelectorAll('main button, main a')].find((one) => one.textContent === {button:?});
         found?.click();
         return Boolean(found)"
    ));
}

fn type_moves(browser: &Browser, moves: &[&str]) {
    for name in moves {
        browser.wait("return document.querySelector('.board .free') !== null");
        browser.click(".type-move input");
        browser.keys(&format!("{name}\u{E007}"));
        browser.wait(&format!(
            "return [...document.querySelectorAll('.moves .move')].at(-1)?.innerText === {name:?}"
        ));
    }
}

const MOVES: &str =
    "return [...document.querySelectorAll('.moves .move')].map((move) => move.innerText).join(' ')";

#[test]
fn a_game_survives_a_reload_is_kept_when_it_ends_and_offers_a_rematch() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder: Ladder = played_ladder();
    let kept = ladder.folder.join("played.jsonl");
    let server = Server::start(&ladder.folder, &[]);
    begin(&browser, &server, "checkers contest", "", "person");
    type_moves(&browser, &["A3B4", "B6A5"]);
    browser.js("location.reload()");
    browser.wait(&format!("{MOVES} === 'A3B4 B6A5'"));
    assert!(!kept.exists(), "a game that goes on is not written yet");
    leave(&browser);
    // It was left, and is kept as it stood; the next one is played to its end.
    begin(
        &browser,
        &server,
        "checkers contest",
        "B:W18:B14",
        "built-in greedy",
    );
    let verdict = play_by_clicks(&browser);
    press(&browser, "Look at the game");
    browser.wait("return location.hash.startsWith('#played=2')");
    browser.wait(&format!(
        "return document.body.innerText.includes({:?})",
        verdict.split(": ").last().unwrap()
    ));
    browser.wait("return document.querySelector('.page.game .actions') !== null");
    let games = records(&kept);
    assert_eq!(games.len(), 2);
    assert_eq!(
        games[0].termination,
        crownhead_record::Termination::Abandoned
    );
    assert_eq!(games[1].players[0].name, "human");
    let line = browser.download("JSON line", "game-2.jsonl");
    assert_eq!(line, serde_json::to_string(&games[1]).unwrap() + "\n");
    // The list has both, the newest first; the game that is over offers a rematch with colours changed.
    press(&browser, "All games played here");
    browser.wait("return document.querySelector('.turn-status .verdict') !== null");
    press(&browser, "Rematch");
    browser
        .wait("return document.querySelector('.players p:first-child')?.innerText === 'red you'");
    leave(&browser);
    let numbers = "return [...document.querySelectorAll('[aria-label=\"Games played here\"] tbody td:first-child')].map((cell) => cell.innerText).join(' ')";
    browser.wait(&format!("{numbers}.endsWith('2 1')"));
}

#[test]
fn a_game_goes_on_from_any_turn_and_a_variation_has_a_link() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = played_ladder();
    let server = Server::start(&ladder.folder, &[]);
    browser.open(&format!("{}#game=1&turn=3", server.link));
    let line = browser.wait(
        "return [...document.querySelectorAll('.moves .turn:not(.start) .move')].map((move) => move.innerText).join(' ')",
    );
    let line: Vec<&str> = line.as_str().unwrap().split(' ').collect();
    press(&browser, "Play from here");
    browser.wait("return document.querySelector('.setup') !== null");
    browser.js(
        "const field = document.querySelector('.setup [data-name=Opponent]');
         field.value = 'person'",
    );
    browser.click(".setup .primary");
    browser.wait(&format!("{MOVES} === {:?}", line[..3].join(" ")));
    // The analysis has the whole game, at the same turn.
    browser.open("about:blank");
    browser.open(&format!("{}#game=1&turn=3", server.link));
    press(&browser, "Analyse from here");
    browser.wait(&format!("{MOVES} === {:?}", line.join(" ")));
    let current = "return document.querySelector('.tree [aria-current] .number')?.innerText";
    browser.wait(&format!("{current} === '3'"));
    browser.js("document.activeElement.blur()");
    browser.keys("\u{E012}");
    browser.wait(&format!("{current} === '2'"));
}

#[test]
fn another_move_is_a_variation_which_has_a_link_and_can_become_the_main_line() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = played_ladder();
    let server = Server::start(&ladder.folder, &[]);
    let link = "#analysis&game=checkers&rules=contest&moves=A3B4~B6A5~C3D4&turn=1";
    browser.open(&format!("{}{link}", server.link));
    browser.wait(&format!("{MOVES} === 'A3B4 B6A5 C3D4'"));
    browser.click(".type-move input");
    browser.keys("D6C5\u{E007}");
    browser.wait(&format!("{MOVES} === 'A3B4 B6A5 D6C5 C3D4'"));
    let variation = "return document.querySelector('.variation')?.innerText.includes('D6C5')";
    assert_eq!(browser.js(variation), true);
    let address =
        browser.wait("return location.hash.endsWith('&moves=A3B4~D6C5') && location.hash");
    press(&browser, "Make it the main line");
    browser.wait("return document.querySelector('.variation')?.innerText.includes('B6A5')");
    press(&browser, "Delete from here");
    browser.wait(&format!("{MOVES} === 'A3B4 B6A5 C3D4'"));
    // The link alone brings the variation back, and the bar says who is ahead there.
    browser.open("about:blank");
    browser.open(&format!("{}{}", server.url, address.as_str().unwrap()));
    browser.wait(&format!("{MOVES} === 'A3B4 D6C5'"));
    let bar = "return document.querySelector('.evaluation').getAttribute('aria-valuetext')";
    assert_eq!(browser.js(bar), "not analysed");
    browser.click(".aside .primary");
    browser.wait("return /ahead|equal|wins/.test(document.querySelector('.evaluation').getAttribute('aria-valuetext'))");
    // A move that is not legal leaves the line as it is, and says why.
    browser.open("about:blank");
    browser.open(&format!(
        "{}#analysis&game=checkers&rules=contest&moves=A3B4~A3B4",
        server.url
    ));
    browser
        .wait("return document.querySelector('.problem')?.innerText.startsWith('move 2, A3B4: ')");
}
