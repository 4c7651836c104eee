//! Games of external referees in the page, with a viewer of a contest: a small one of our own, in a jar that is also the
//! referee.

use super::driver::{Browser, Server};
use super::{HEADING, http_server, python_server};
use crate::common::{TestWorkspace, crownhead, records};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The viewer's page. It says what it got, and what it was refused.
const PLAYER: &str = "<!doctype html><meta charset=utf-8><p id=got></p><p id=frame></p><script type=module src=probe.js></script>";
const PROBE: &str = "
const told = {};
const refused = (act) => { try { act(); return 'had'; } catch { return 'refused'; } };
told.page = refused(() => parent.document.title);
told.cookies = refused(() => document.cookie);
told.storage = refused(() => localStorage.length);
told.address = refused(() => { parent.location = 'about:blank'; });
const reads = (url, options) => fetch(url, options).then((answer) => answer.text(), () => 'refused');
const asked = Promise.all([
  reads('../../data/site.json').then((text) => { told.data = text; }),
  reads('config.js').then((text) => { told.own = text; }),
  reads('assets.js').then((text) => { told.assets = text; }),
  import('./core/Drawer.js').then(({ name }) => { told.module = name; }),
]);
addEventListener('message', async ({ data }) => {
  if (data.type === 'libraries') told.libraries = Object.keys(data.libraries);
  if (data.type === 'viewer') told.viewer = data.viewerUrl.split('/').slice(-2).join('/');
  if (data.type === 'frame') document.getElementById('frame').textContent = data.frame;
  if (data.type === 'frames' && data.gameInfo) {
    parent.postMessage({ type: 'parsedGameInfo' }, '*');
    await asked;
    const { agents, frames } = data.gameInfo;
    told.agents = agents.map(({ name }) => name);
    told.frames = frames.length;
    document.getElementById('got').textContent = JSON.stringify(told);
  }
});
parent.postMessage({ type: 'ready' }, '*');
";

/// A folder with a jar that is a referee and its viewer.
struct Contest {
    folder: TestWorkspace,
}

impl Contest {
    fn new() -> Contest {
        let contest = Contest {
            folder: TestWorkspace::new(),
        };
        let parts = contest.path("parts");
        let referee = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../crates/external/tests/referees/engine.py");
        let files = [
            ("__main__.py", &*std::fs::read_to_string(referee).unwrap()),
            ("view/player.html", PLAYER),
            ("view/probe.js", PROBE),
            ("view/config.js", "export const modules = []"),
            ("view/core/Drawer.js", "export const name = 'the drawer'"),
            ("view/lib/pixi6.js", ""),
            ("view/assets/logo.png", "logo"),
        ];
        for (name, text) in files {
            let path = parts.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let made = Command::new("python3")
            .args(["-m", "zipfile", "-c"])
            .arg(contest.path("race.jar"))
            .args(["__main__.py", "view"].map(|part| parts.join(part)))
            .status();
        assert!(made.unwrap().success());
        contest
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path(name)
    }

    /// The file of the games of a round of bots that are called so.
    fn play(&self, bots: &[&str]) -> PathBuf {
        let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/dice_bot.py");
        let record = self.path("games.jsonl");
        let mut command = crownhead();
        command.arg("match");
        for name in bots {
            let how = if *name == "best" { "best" } else { "worst" };
            command.arg(format!("python3 {} {how}", bot.display()));
        }
        for name in bots {
            command.args(["--names", name]);
        }
        command.args(["--openings", "seeds 5", "--referee-protocol", "engine"]);
        let players = bots.len().to_string();
        command.args([
            "--players",
            &players,
            "--games",
            &players,
            "--first-turn",
            "10s",
            "--time",
            "10s",
        ]);
        let referee = format!("python3 {} --limit 10000", self.path("race.jar").display());
        command
            .args(["--referee", &referee, "--record"])
            .arg(&record);
        command.assert().success();
        record
    }
}

/// What the viewer says it got.
fn told_by_viewer(browser: &Browser) -> Value {
    browser.wait("return document.querySelector('.viewer iframe') !== null");
    browser.enter_frame();
    let told = browser.wait("return document.getElementById('got')?.textContent");
    browser.leave_frame();
    serde_json::from_str(told.as_str().unwrap()).unwrap()
}

/// That it is loaded with the game, and that nothing of the page or the server is its own.
fn check_viewer(browser: &Browser) {
    let told = told_by_viewer(browser);
    for closed in ["page", "cookies", "storage", "address", "data"] {
        assert_eq!(told[closed], "refused", "{closed}: {told:#}");
    }
    assert_eq!(told["own"], "export const modules = []");
    assert_eq!(told["module"], "the drawer");
    assert_eq!(told["libraries"], json!(["PIXI6"]));
    assert_eq!(told["viewer"], "core/Drawer.js");
    let assets = told["assets"].as_str().unwrap();
    assert!(
        assets.contains("\"logo.png\":\"assets/logo.png\""),
        "{assets}"
    );
    let names = told["agents"].as_array().unwrap();
    assert_eq!(names.len(), 3, "{told:#}");
    assert!(told["frames"].as_u64() > Some(9), "{told:#}");
}

/// Which of the frames that are drawn the viewer shows.
fn frame_shown(browser: &Browser) -> String {
    browser.enter_frame();
    let frame = browser.wait("return document.getElementById('frame').textContent");
    browser.leave_frame();
    frame.as_str().unwrap().into()
}

#[test]
fn a_game_of_three_is_shown_turn_by_turn_beside_its_contests_own_viewer() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let contest = Contest::new();
    let record = contest.play(&["best", "worst", "third"]);
    let server = Server::start(&record);
    browser.open(&format!("{}#games", server.url));
    browser.wait("return document.querySelectorAll('tbody tr').length === 3");
    let text = browser.text();
    for told in ["best 1 (", "worst", "seed 5", "the referee’s scores"] {
        assert!(text.contains(told), "{told}: {text}");
    }
    assert_eq!(
        browser.js("return document.querySelectorAll('nav#nav a').length"),
        2,
        "{text}"
    );

    browser.open(&format!("{}#game=1&turn=0", server.url));
    check_viewer(&browser);
    let first = frame_shown(&browser);
    browser.js("document.activeElement.blur()");
    for _ in 0..3 {
        browser.keys("\u{E014}");
    }
    browser.wait("return location.hash === '#game=1&turn=3'");
    let text = browser.text();
    for told in ["was sent", "replied", "TAKE ", "of 10.00 s", "takes"] {
        assert!(text.contains(told), "{told}: {text}");
    }
    assert!(
        !text.contains("$0") && !text.contains("KEY_FRAME"),
        "{text}"
    );
    browser.enter_frame();
    browser.wait(&format!(
        "return document.getElementById('frame').textContent !== '{first}'"
    ));
    browser.leave_frame();

    // What is looked at in the viewer is shown beside it; markup that it sends stays text.
    browser.enter_frame();
    browser.js("parent.postMessage({ type: 'progress', frame: 0 }, '*')");
    browser.js("parent.postMessage({ type: 'error', error: { message: '<b>broken</b>' } }, '*')");
    browser.leave_frame();
    browser.wait("return location.hash === '#game=1&turn=0'");
    browser.wait("return document.body.innerText.includes('<b>broken</b>')");

    for page in ["play", "analysis"] {
        browser.open(&format!("{}#{page}", server.url));
        browser.wait("return document.body.innerText.includes('Only its referee knows')");
    }
    for (page, told) in [
        ("bot=0", "In an earlier seat"),
        ("standings", "First, between, last"),
        ("standings", "Mean place against"),
    ] {
        browser.open(&format!("{}#{page}", server.url));
        browser.wait(&format!(
            "return document.body.innerText.includes('{told}')"
        ));
    }
    browser.wait("return document.querySelectorAll('.standings tbody tr').length === 6");
}

#[test]
fn without_its_viewer_a_game_is_told_in_words_and_a_sentence_says_why() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let contest = Contest::new();
    let record = contest.play(&["best", "worst"]);
    let [page, untimed] = ["game.html", "untimed.jsonl"].map(|name| contest.path(name));
    // As a game from elsewhere, it has no times.
    let mut game = records(&record).remove(0);
    for turn in game["turns"].as_array_mut().unwrap() {
        turn["us"] = json!(0);
    }
    std::fs::write(&untimed, format!("{game}\n")).unwrap();
    crownhead()
        .arg("replay")
        .arg(&untimed)
        .arg("--html")
        .arg(&page)
        .assert()
        .success();
    let told = |url: &str, why: &str, is_timed: bool| {
        browser.open("about:blank");
        browser.open(url);
        browser.wait(HEADING);
        let text = browser.text();
        assert!(text.contains(why), "{why}: {text}");
        assert!(text.contains("TAKE ") && text.contains("takes"), "{text}");
        assert_eq!(text.contains(" of 10.00 s"), is_timed, "{text}");
        assert_eq!(
            browser.js("return document.querySelectorAll('iframe').length"),
            0
        );
    };
    told(
        &format!("file://{}#turn=2", page.display()),
        "its files come with the referee",
        false,
    );
    let server = Server::start(&record);
    let game = format!("{}#game=1&turn=2", server.url);
    std::fs::rename(contest.path("race.jar"), contest.path("gone.jar")).unwrap();
    told(&game, "there is no jar or build folder with a viewer", true);
    let mut bytes = std::fs::read(contest.path("gone.jar")).unwrap();
    // A jar may begin with anything.
    bytes.insert(0, b'#');
    std::fs::write(contest.path("race.jar"), bytes).unwrap();
    // One that has not looked before: that there is none is remembered for a while.
    let server = Server::start(&record);
    let game = format!("{}#game=1&turn=2", server.url);
    told(&game, "has changed since the game was played", true);
}

#[test]
fn an_export_has_the_viewer_and_needs_a_host_that_lets_it_load() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let contest = Contest::new();
    let record = contest.play(&["best", "worst", "third"]);
    let site = contest.path("site");
    crownhead()
        .args(["export", "site"])
        .arg(&record)
        .arg(&site)
        .assert()
        .success();
    let Some((mut web, port)) = http_server(&site) else {
        return;
    };
    browser.open(&format!("http://127.0.0.1:{port}/#game=2"));
    browser.wait("return document.body.innerText.includes('Access-Control-Allow-Origin')");
    assert!(browser.text().contains("was sent") || browser.text().contains("The start"));
    web.kill().unwrap();
    web.wait().unwrap();

    let sends_header = "
import http.server
class Handler(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        self.send_header('Access-Control-Allow-Origin', '*')
        super().end_headers()
http.server.test(Handler, port=0, bind='127.0.0.1')";
    let Some((mut web, port)) = python_server(&site, &["-c", sends_header]) else {
        return;
    };
    browser.open(&format!("http://127.0.0.1:{port}/#game=2"));
    let told = told_by_viewer(&browser);
    assert_eq!(told["page"], "refused", "{told:#}");
    assert_eq!(told["module"], "the drawer");
    assert_eq!(told["agents"].as_array().map(Vec::len), Some(3));
    web.kill().unwrap();
    web.wait().unwrap();
}
