//! Games played by clicks: games of each kind, begun anywhere; and variations, which have links.

use super::driver::{Browser, Server};
use super::{HEADING, played_ladder};

/// Plays with clicks, any move each time, until the game is over.
fn play_by_clicks(browser: &Browser) -> String {
    for step in 0..2000 {
        // Where something can be clicked, it is marked: the square that a piece may go to, or any piece that can move.
        let state = format!(
            "const over = document.querySelector('.turn-status .verdict');
             if (over) return over.innerText;
             const squares = [...document.querySelectorAll('.board .square')];
             const target = document.querySelector('.board .target');
             const free = [...document.querySelectorAll('.board .free')];
             if (!target && !free.length) return null;
             const next = target
                 ? squares.find((square) => square.x.baseVal.value + 50 === target.cx.baseVal.value
                     && square.y.baseVal.value + 50 === target.cy.baseVal.value)
                 : squares[free[{step} % free.length].dataset.place];
             next.id = 'next-{step}';
             return 'marked'"
        );
        match browser.wait(&state).as_str().unwrap() {
            "marked" => browser.click(&format!("#next-{step}")),
            over => return over.into(),
        }
    }
    panic!("the game does not end: {}", browser.text());
}

/// Leaves the game that is under way in this tab, if there is one, for the form of a new one.
fn leave(browser: &Browser) {
    browser.wait(
        "const buttons = [...document.querySelectorAll('.controls button')];
         buttons.find((button) => /Leave|New game/.test(button.innerText))?.click();
         return document.querySelector('.setup') !== null",
    );
}

fn begin(browser: &Browser, server: &Server, game: &str, position: &str, opponent: &str) {
    browser.open("about:blank");
    browser.open(&format!("{}#play", server.url));
    leave(browser);
    let choose = |name: &str, value: &str| {
        browser.js(&format!(
            "const field = document.querySelector('.setup [data-name={name:?}]');
             field.value = {value:?};
             field.dispatchEvent(new Event('change'))"
        ));
    };
    choose("Game", game);
    choose("Opponent", opponent);
    choose("Position", position);
    browser.click(".setup .primary");
    browser.wait("return document.querySelector('.turn-status')?.innerText");
}

fn press(browser: &Browser, button: &str) {
    browser.wait(&format!(
        "const found = [...document.querySelectorAll('main button, main a')].find((one) => one.textContent === {button:?});
         found?.click();
         return Boolean(found)"
    ));
}

const MOVES: &str =
    "return [...document.querySelectorAll('.moves .move')].map((move) => move.innerText).join(' ')";

#[test]
fn a_game_of_each_kind_is_played_by_clicks_to_its_end() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = played_ladder();
    let server = Server::start(&ladder.folder);
    let ends = [
        (
            "everchess standard",
            "8/8/p7/8/8/P6P/8/8 w",
            "built-in random",
        ),
        ("checkers classroom", "W:WK22,K25:B9,18", "built-in random"),
    ];
    // Each is soon over, with any clicks.
    for (game, position, opponent) in ends {
        begin(&browser, &server, game, position, opponent);
        let verdict = play_by_clicks(&browser);
        assert!(verdict.ends_with('.'), "{game}: {verdict}");
    }
    // Chess has no limit of turns between people: the shortest mate there is.
    begin(&browser, &server, "chess two-player", "", "person");
    for (turn, mv) in (1..).zip(["f2f3", "e7e5", "g2g4", "d8h4"]) {
        browser.wait("return document.querySelector('.board .free') !== null");
        browser.click(".type-move input");
        browser.keys(&format!("{mv}\u{E007}"));
        browser.wait(&format!(
            "return document.querySelectorAll('.moves li').length === {turn}"
        ));
    }
    let verdict = browser.wait("return document.querySelector('.turn-status .verdict')?.innerText");
    assert!(verdict.as_str().unwrap().ends_with('.'), "{verdict}");
}

#[test]
fn an_illegal_try_is_answered_by_the_referee_and_undo_takes_a_turn_back() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = played_ladder();
    let server = Server::start(&ladder.folder);
    begin(&browser, &server, "checkers contest", "", "built-in random");
    browser.wait("return document.querySelector('.board .free') !== null");
    browser.click(".type-move input");
    browser.keys("A3A4\u{E007}");
    let message = browser.wait("return document.querySelector('.message').innerText");
    assert_eq!(message, "no piece ever stands on A4");
    // With keys alone: from A1 to a man that can move, and on.
    browser.js("document.querySelector('.board').focus()");
    let up = "\u{E013}";
    browser.keys(&format!("{up}{up}{up}\u{E007}{up}\u{E014}\u{E007}"));
    browser.wait("return document.querySelectorAll('.moves li').length === 2");
    assert!(browser.text().contains("A3B4"), "{}", browser.text());
    browser.wait("return !document.querySelector('.controls button').disabled");
    browser.click(".controls button");
    browser.wait("return document.querySelectorAll('.moves li').length === 0");
}

#[test]
fn a_game_goes_on_when_another_page_was_shown_and_offers_a_rematch() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = played_ladder();
    let server = Server::start(&ladder.folder);
    begin(
        &browser,
        &server,
        "checkers contest",
        "B:W18:B14",
        "built-in greedy",
    );
    browser.js("location.hash = '#games'");
    browser.wait(&format!("{HEADING} === 'Games'"));
    browser.js("location.hash = '#play'");
    browser.wait("return document.querySelector('.replay .board .free') !== null");
    play_by_clicks(&browser);
    press(&browser, "Rematch");
    browser
        .wait("return document.querySelector('.players p:first-child')?.innerText === 'red you'");
}

#[test]
fn a_game_goes_on_from_any_turn_and_a_variation_has_a_link() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = played_ladder();
    let server = Server::start(&ladder.folder);
    browser.open(&format!("{}#game=1&turn=3", server.url));
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
    browser.open(&format!("{}#game=1&turn=3", server.url));
    press(&browser, "Analyse from here");
    browser.wait(&format!("{MOVES} === {:?}", line.join(" ")));
    let current = "return document.querySelector('.tree [aria-current] .number')?.innerText";
    browser.wait(&format!("{current} === '3'"));
    browser.js("document.activeElement.blur()");
    browser.keys("\u{E012}");
    browser.wait(&format!("{current} === '2'"));
}

#[test]
fn another_move_is_a_variation_which_has_a_link() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = played_ladder();
    let server = Server::start(&ladder.folder);
    let link = "#analysis&game=checkers&rules=contest&moves=A3B4~B6A5~C3D4&turn=1";
    browser.open(&format!("{}{link}", server.url));
    browser.wait(&format!("{MOVES} === 'A3B4 B6A5 C3D4'"));
    browser.click(".type-move input");
    browser.keys("D6C5\u{E007}");
    browser.wait(&format!("{MOVES} === 'A3B4 B6A5 D6C5 C3D4'"));
    let variation = "return document.querySelector('.variation')?.innerText.includes('D6C5')";
    assert_eq!(browser.js(variation), true);
    let address =
        browser.wait("return location.hash.endsWith('&moves=A3B4~D6C5') && location.hash");
    // The link alone brings the variation back.
    browser.open("about:blank");
    browser.open(&format!("{}{}", server.url, address.as_str().unwrap()));
    browser.wait(&format!("{MOVES} === 'A3B4 D6C5'"));
    browser.click(".aside .primary");
    browser.wait("return document.querySelector('.lines .first') !== null");
    // A move that is not legal leaves the line as it is, and says why.
    browser.open("about:blank");
    browser.open(&format!(
        "{}#analysis&game=checkers&rules=contest&moves=A3B4~A3B4",
        server.url
    ));
    browser
        .wait("return document.querySelector('.problem')?.innerText.startsWith('move 2, A3B4: ')");
}
