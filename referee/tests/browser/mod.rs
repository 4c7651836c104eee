//! The web application in a real browser: what people see, click and type. Where there is no chromedriver, these tests
//! say that they were skipped.
#![allow(clippy::print_stdout)] // Tests say what they skipped.

mod analysis;
mod boards;
mod chromium;
mod contests;
mod driver;
mod find;
mod library;
mod live;
mod playing;
mod reads;
mod replay;
mod shown;

use self::driver::{Browser, Server};
use crate::common::ladder::{Ladder, THREE, read};
use crate::common::skip::is_there;
use crate::common::{TestWorkspace, crownhead};
use crownhead::board::Side;
use crownhead::games::checkers::Checkers;
use crownhead::notation::Notation;
use crownhead_bots::games;
use crownhead_record::{GameRecord, read_games, write_pdn};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

/// A ladder of six games. They are played once, and each test has a copy of its own.
fn played_ladder() -> Ladder {
    static PLAYED: OnceLock<PathBuf> = OnceLock::new();
    let played = PLAYED.get_or_init(|| {
        let ladder = Ladder::new("pairs = 1", &THREE);
        ladder.command("run").assert().success();
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("played-ladder");
        let _ = std::fs::remove_dir_all(&kept);
        let mut keeping = assert_cmd::Command::new("cp");
        keeping.arg("-R").arg(&ladder.folder).arg(&kept);
        keeping.assert().success();
        kept
    });
    Ladder::copy_of(played)
}

fn records(ladder: &Ladder) -> Vec<GameRecord> {
    let path = ladder.folder.join("all.jsonl");
    ladder.command("export").arg(&path).assert().success();
    let text = read(&path);
    std::fs::remove_file(&path).unwrap();
    read_games(text.as_bytes()).map(Result::unwrap).collect()
}

/// The pieces of a position as [`Browser::board`] gives them.
fn pieces(record: &GameRecord) -> Value {
    let board = record.rebuild(games::usual()).unwrap();
    let letters = board.rows().concat();
    let pieces = letters.char_indices().filter_map(|(place, letter)| {
        let (side, _) = Checkers::symbol(letter as u8)?;
        let side = if side == Side::Black { "black" } else { "red" };
        Some(json!([place, side, letter.is_ascii_uppercase()]))
    });
    pieces.collect()
}

/// Both files that the page of a game gives the reader are those that the referee itself writes.
fn downloads_are_the_referees(browser: &Browser, record: &GameRecord, id: u64) {
    browser.wait("return document.querySelector('.actions') !== null");
    let line = browser.download("JSON line", &format!("game-{id}.jsonl"));
    assert_eq!(line, serde_json::to_string(record).unwrap() + "\n");
    let pdn = browser.download("PDN", &format!("game-{id}.pdn"));
    assert_eq!(pdn, write_pdn(record).unwrap());
}

const HEADING: &str = "return document.querySelector('h1')?.innerText";

#[test]
fn every_game_of_a_ladder_ends_on_the_board_that_the_referee_recorded() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = played_ladder();
    let server = Server::start(&ladder.folder);
    let records = records(&ladder);
    assert_eq!(records.len(), 6);
    // The first game of each pair.
    for record in records.iter().step_by(2) {
        let number = record.number;
        browser.open(&format!("{}#game={number}&turn=0", server.url));
        browser.wait(&format!("{HEADING}.startsWith('Game {number}\\n') && document.querySelector('.board .piece') !== null"));
        let turns = record.opening.len() + record.turns.len();
        // One turn after the other, as a person looks at it.
        browser.js("document.activeElement.blur()");
        browser.keys(&"\u{E014}".repeat(turns));
        browser.wait(&format!(
            "return location.hash === '#game={number}&turn={turns}'"
        ));
        assert_eq!(browser.board(), pieces(record), "game {number}");
        assert!(
            browser.text().contains(&record.reason),
            "{}",
            browser.text()
        );
    }
    let last = &records[4];
    downloads_are_the_referees(&browser, last, last.number);
}

#[test]
fn markup_in_names_words_and_files_stays_text() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let workspace = TestWorkspace::new();
    let evil = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>";
    let path = workspace.path("<b>games&.jsonl");
    let record = json!({
        "version": crownhead_record::VERSION, "game": "checkers", "rules": "contest",
            "profile": "strict", "clock": "wall", "number": 1, "seed": 1,
        "players": [{"side": "black", "name": evil, "command": evil, "log": evil},
            {"side": "red", "name": "b", "command": "b"}],
        "limits": {"first_turn_us": 1, "turn_us": 1}, "max_turns": 200, "opening": [],
        "turns": [{"player": 0, "reply": evil, "us": 5, "stderr": {"text": evil}, "said": {"depth": 1, evil: 2}}],
        "scores": [0, 1], "termination": "illegal-reply", "reason": format!("black answered `{evil}`"),
    });
    std::fs::write(&path, format!("{record}\n")).unwrap();
    let server = Server::start(&path);
    for page in ["", "#bot=0", "#games", "#game=1&turn=1"] {
        browser.open("about:blank");
        browser.open(&format!("{}{page}", server.url));
        browser.wait(HEADING);
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(
            browser.js("return window.hacked ?? null"),
            Value::Null,
            "{page}"
        );
        let made = "return document.querySelectorAll('main img, main script, main b b').length";
        assert_eq!(browser.js(made), 0, "{page}");
        assert!(
            browser.text().contains("onerror='window.hacked=1'"),
            "{page}: {}",
            browser.text()
        );
    }
    let file = workspace.path("game.html");
    crownhead()
        .arg("replay")
        .arg(&path)
        .arg("--html")
        .arg(&file)
        .assert()
        .success();
    browser.open(&format!("file://{}", file.display()));
    browser.wait(HEADING);
    assert_eq!(browser.js("return window.hacked ?? null"), Value::Null);
    assert_eq!(
        browser.js("return document.querySelectorAll('img').length"),
        0
    );
    assert!(browser.text().contains("onerror='window.hacked=1'"));
}

#[test]
fn one_game_as_a_file_is_replayed_without_a_server() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = played_ladder();
    let record = &records(&ladder)[0];
    let [lines, page] = ["one.jsonl", "one.html"].map(|name| ladder.folder.join(name));
    std::fs::write(&lines, serde_json::to_string(record).unwrap() + "\n").unwrap();
    crownhead()
        .arg("replay")
        .arg(&lines)
        .arg("--html")
        .arg(&page)
        .assert()
        .success();
    browser.open(&format!("file://{}#turn=0", page.display()));
    browser.wait("return document.querySelector('.board .piece') !== null");
    browser.keys("\u{E010}");
    assert_eq!(browser.board(), pieces(record));
    assert_eq!(
        browser.js("return performance.getEntriesByType('resource').length"),
        0
    );
    downloads_are_the_referees(&browser, record, record.number);
}

#[test]
fn everything_is_reached_by_keys_alone() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = played_ladder();
    let server = Server::start(&ladder.folder);
    browser.open(&server.url);
    browser.wait("return document.querySelector('tbody a') !== null");
    let focus = "return document.activeElement.innerText || document.activeElement.getAttribute('aria-label')";
    let reach = |wanted: &str| {
        for _ in 0..80 {
            browser.keys("\u{E004}");
            if browser
                .js(focus)
                .as_str()
                .is_some_and(|text| text.trim() == wanted)
            {
                return;
            }
        }
        panic!("{wanted} is not reached: {}", browser.text());
    };
    reach("Skip to the content");
    reach("Games");
    browser.keys("\u{E007}");
    browser.wait(&format!("{HEADING} === 'Games'"));
    reach("6");
    browser.keys("\u{E007}");
    browser.wait(&format!("{HEADING}.startsWith('Game 6')"));
    reach("Flip the board (f)");
    browser.keys("\u{E014}\u{E014}\u{E012}");
    browser.wait("return location.hash === '#game=6&turn=1'");
    browser.keys("\u{E010}");
    browser.wait("return document.querySelector('.detail .verdict') !== null");
    browser.keys("\u{E011}");
    browser.wait("return location.hash === '#game=6&turn=0'");
}

#[test]
fn standings_follow_a_running_ladder() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = Ladder::new("pairs = 1", &THREE);
    let server = Server::start(&ladder.folder);
    browser.open(&server.url);
    browser.wait("return document.body.innerText.includes('No game has been played yet')");
    ladder.command("run").assert().success();
    browser.wait("return document.querySelector('tbody a') !== null");
    let games =
        "return Number(/([\\d,]+) games?/.exec(document.body.innerText)[1].replace(',', ''))";
    let first = browser.wait(games).as_u64().unwrap();
    let config = ladder.folder.join("ladder.toml");
    let settings = std::fs::read_to_string(&config).unwrap();
    std::fs::write(config, settings.replace("pairs = 1\n", "pairs = 2\n")).unwrap();
    ladder.command("run").assert().success();
    browser.wait(&format!("{games} > {first}"));
}

#[test]
fn an_export_works_from_a_subfolder_of_any_web_server() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = played_ladder();
    let root = TestWorkspace::new();
    let site = root.path("some/where");
    crownhead()
        .args(["export", "site"])
        .arg(&ladder.folder)
        .arg(&site)
        .assert()
        .success();
    let Some((mut web, port)) = http_server(&root.path("")) else {
        return;
    };
    let record = &records(&ladder)[3];
    browser.open(&format!("http://127.0.0.1:{port}/some/where/"));
    browser.wait("return document.querySelectorAll('tbody a').length > 2");
    browser.open(&format!(
        "http://127.0.0.1:{port}/some/where/#games&bot=chance"
    ));
    browser.wait("return document.querySelectorAll('tbody tr').length === 4");
    browser.open(&format!(
        "http://127.0.0.1:{port}/some/where/#game={}&turn=9999",
        record.number
    ));
    browser.wait("return document.querySelector('.board .piece') !== null");
    assert_eq!(browser.board(), pieces(record));
    downloads_are_the_referees(&browser, record, record.number);
    let other = format!(
        "return performance.getEntriesByType('resource').filter(({{ name }}) => !name.startsWith('http://127.0.0.1:{port}/some/where/')).length"
    );
    assert_eq!(browser.js(&other), 0);
    web.kill().unwrap();
    web.wait().unwrap();
}

/// Python's web server over a folder, and the port that it says it took: one picked beforehand is another test's by then.
/// `None` where there is no Python.
fn http_server(folder: &Path) -> Option<(std::process::Child, u16)> {
    let module = ["-m", "http.server", "--bind", "127.0.0.1", "0"];
    python_server(folder, &module)
}

/// The same with a script or module of one's own, which is run in the folder.
fn python_server(folder: &Path, script: &[&str]) -> Option<(std::process::Child, u16)> {
    if !is_there("python3") {
        return None;
    }
    let mut server = Command::new("python3")
        .arg("-u")
        .args(script)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut told = String::new();
    let mut said = BufReader::new(server.stdout.take().unwrap());
    said.read_line(&mut told).unwrap();
    // "Serving HTTP on 127.0.0.1 port 40123 (http://127.0.0.1:40123/) ..."
    let port = told.split(" port ").nth(1).and_then(|rest| {
        let (port, _) = rest.split_once(' ')?;
        port.parse().ok()
    });
    Some((
        server,
        port.unwrap_or_else(|| panic!("no port in {told:?}")),
    ))
}

#[test]
fn pages_fit_a_phone() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let ladder = played_ladder();
    let server = Server::start(&ladder.folder);
    browser.resize(500, 800);
    for page in [
        "",
        "#games",
        "#bot=0",
        "#game=1&turn=3",
        "#play",
        "#analysis",
    ] {
        browser.open("about:blank");
        browser.open(&format!("{}{page}", server.url));
        browser.wait(HEADING);
        // Headless Chromium has no narrower window: the page is narrowed within it.
        let wide = browser.js(
            "document.body.style.width = '360px';
             return Math.max(...[...document.querySelectorAll('main > *, main > * > *')].map((part) => part.getBoundingClientRect().right))",
        );
        assert!(wide.as_f64().unwrap() <= 360.5, "{page} is {wide} wide");
    }
}
