//! Chromium and its driver as processes. They take seconds of a core to start: a test that is done with its own leaves
//! it, as good as new, for another, and they end with the process of the tests, whatever becomes of it.

use super::reads;
use crate::common::skip::path_of;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use tokio::runtime::{Builder, Runtime};
use url::{ParseError, Url};

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
    pub(super) runtime: Runtime,
    pub(super) client: Client,
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
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
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
        let capabilities = json!({ "goog:chromeOptions": options });
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities.as_object().unwrap().clone());
        let url = format!("http://127.0.0.1:{port}");
        let client = runtime.block_on(builder.connect(&url)).expect("a session");
        let chromium = Chromium {
            folder,
            keeper,
            runtime,
            client,
        };
        chromium.tell("Page.addScriptToEvaluateOnNewDocument", reads::watch());
        let downloads = json!({ "behavior": "allow", "downloadPath": chromium.downloads() });
        chromium.tell("Browser.setDownloadBehavior", downloads);
        chromium.resize(WINDOW);
        chromium
    }

    /// Leaves it to another test: nothing of this one's pages is left in it.
    pub(super) fn leave(self) {
        self.runtime
            .block_on(self.client.goto("about:blank"))
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
        let done = self.client.set_window_size(width, height);
        self.runtime.block_on(done).unwrap();
    }

    /// A command of the Chrome DevTools Protocol.
    fn tell(&self, command: &'static str, parameters: Value) {
        let done = self.client.issue_cmd(Tools(command, parameters));
        let done = self.runtime.block_on(done);
        done.expect("chromedriver passes on what Chromium's tools ask");
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        self.keeper.stdin = None;
        let _ = self.keeper.wait();
    }
}

#[derive(Debug)]
struct Tools(&'static str, Value);

impl WebDriverCompatibleCommand for Tools {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        let session = session.unwrap_or_default();
        base.join(&format!("session/{session}/goog/cdp/execute"))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        let Tools(command, parameters) = self;
        let body = json!({ "cmd": command, "params": parameters });
        (Method::POST, Some(body.to_string()))
    }
}
