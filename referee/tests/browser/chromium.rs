//! Chromium and its driver as processes. They take seconds of a core to start: a test that is done with its own leaves
//! it, as good as new, for another, and they end with the process of the tests, whatever becomes of it.

use super::reads;
use crate::common::skip::path_of;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

/// Those that no test uses now.
static IDLE: Mutex<Vec<Chromium>> = Mutex::new(Vec::new());

/// The window of a test that asks for no other, in pixels.
const WINDOW: (u32, u32) = (1280, 1000);

/// Starts the driver, and ends it, all that it has started and what they have written once no one holds the standard
/// input any more. Chromium writes on after it was told to end.
const KEEPER: &str = "chromedriver --port=0 </dev/null &
trap '' TERM
cat >/dev/null
kill 0
wait
while pkill -KILL -f -- \"$TMPDIR/\"; do sleep 0.05; done
rm -rf \"$TMPDIR\"";

/// Headless Chromium with a session of WebDriver, which can reach this machine alone.
pub(super) struct Chromium {
    /// What it downloads, and what it and its driver leave behind.
    folder: PathBuf,
    keeper: Child,
    /// The address of the session.
    session: String,
}

impl Chromium {
    /// One that is idle, or another.
    pub(super) fn take() -> Chromium {
        let idle = IDLE.lock().unwrap().pop();
        idle.unwrap_or_else(Chromium::start)
    }

    fn start() -> Chromium {
        let folder = tempfile::tempdir().unwrap().keep();
        let mut keeper = Command::new("sh")
            .args(["-c", KEEPER])
            .env("TMPDIR", &folder)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let out = BufReader::new(keeper.stdout.take().unwrap());
        let port = out.lines().map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        let port = port.expect("chromedriver says its port");
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            // A page that is opened takes the place of the last one in its process, instead of one in a process of its own.
            "--disable-site-isolation-trials",
            "--disable-features=BackForwardCache,IsolateOrigins,site-per-process,SpareRendererForSitePerProcess",
            // Nothing but this machine has an address.
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ];
        let mut options = json!({ "args": arguments });
        // The same browser without what a screen needs takes half as long to start.
        if let Some(shell) = path_of("chromium-headless-shell") {
            options["binary"] = json!(shell);
        }
        let url = format!("http://127.0.0.1:{port}/session");
        let wanted = json!({ "alwaysMatch": { "goog:chromeOptions": options } });
        let started = post(&url, &json!({ "capabilities": wanted })).expect("a session");
        let id = started["sessionId"].as_str().expect("a session has an id");
        let chromium = Chromium {
            folder,
            keeper,
            session: format!("{url}/{id}"),
        };
        chromium.tell("Page.addScriptToEvaluateOnNewDocument", reads::watch());
        let downloads = json!({ "behavior": "allow", "downloadPath": chromium.downloads() });
        chromium.tell("Browser.setDownloadBehavior", downloads);
        chromium.resize(WINDOW);
        chromium
    }

    /// Leaves it to another test: nothing of this one's pages is left in it.
    pub(super) fn leave(self) {
        self.command("url", json!({ "url": "about:blank" }))
            .unwrap();
        self.tell("Network.clearBrowserCookies", json!({}));
        let everything = json!({ "origin": "*", "storageTypes": "all" });
        self.tell("Storage.clearDataForOrigin", everything);
        self.resize(WINDOW);
        let _ = std::fs::remove_dir_all(self.downloads());
        IDLE.lock().unwrap().push(self);
    }

    pub(super) fn downloads(&self) -> PathBuf {
        self.folder.join("downloads")
    }

    pub(super) fn resize(&self, (width, height): (u32, u32)) {
        self.command("window/rect", json!({ "width": width, "height": height }))
            .unwrap();
    }

    /// The value that a command of the session gives, or the driver's message.
    pub(super) fn command(&self, name: &str, parameters: Value) -> Result<Value, String> {
        post(&format!("{}/{name}", self.session), &parameters)
    }

    /// A command of the Chrome DevTools Protocol.
    fn tell(&self, command: &str, parameters: Value) {
        let told = json!({ "cmd": command, "params": parameters });
        self.command("goog/cdp/execute", told)
            .expect("chromedriver passes on what Chromium's tools ask");
    }
}

/// A command of WebDriver (<https://www.w3.org/TR/webdriver2/>): its value, or the driver's message.
fn post(url: &str, parameters: &Value) -> Result<Value, String> {
    let answer = minreq::post(url).with_body(parameters.to_string()).send();
    let answer = answer.map_err(|error| error.to_string())?;
    let mut body: Value =
        serde_json::from_slice(answer.as_bytes()).map_err(|error| error.to_string())?;
    match answer.status_code {
        200 => Ok(body["value"].take()),
        _ => Err(body["value"]["message"].to_string()),
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        self.keeper.stdin = None;
        let _ = self.keeper.wait();
    }
}
