//! A browser for tests of the page, driven by WebDriver, and the server that it looks at.

use super::reads::{Watch, undeclared};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

/// How long a page may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// `crownhead serve`, ended when this is dropped.
pub(crate) struct Server {
    process: Child,
    /// Its address.
    pub(crate) url: String,
    /// What it printed: the address with the token that play and analysis need.
    pub(crate) link: String,
}

impl Server {
    pub(crate) fn start(path: &Path, options: &[&str]) -> Server {
        Server::of(&assert_cmd::cargo::cargo_bin("crownhead"), path, options)
    }

    /// The same by another program than `crownhead`, with games of its own.
    pub(crate) fn of(program: &Path, path: &Path, options: &[&str]) -> Server {
        let mut process = Command::new(program)
            .arg("serve")
            .arg(path)
            .args(["--listen", "127.0.0.1:0"])
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(process.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let link = line.trim().to_string();
        assert!(link.starts_with("http://127.0.0.1:"), "{link}");
        let url = link.split('?').next().unwrap().to_string();
        Server { process, url, link }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Headless Chromium, which can reach this machine alone.
pub(crate) struct Browser {
    /// What it downloads, and what it and its driver leave behind.
    folder: TempDir,
    driver: Child,
    runtime: Runtime,
    client: Option<Client>,
    /// What pages have read of answers that was not in them.
    missing: RefCell<Vec<String>>,
}

impl Browser {
    /// `None`, and a line that says so, where there is no browser to drive.
    pub(crate) fn start() -> Option<Browser> {
        let folder = tempfile::tempdir().unwrap();
        let driver = Command::new("chromedriver")
            .arg("--port=0")
            .env("TMPDIR", folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut driver) = driver else {
            let in_ci = std::env::var_os("CI").is_some_and(|ci| ci == "true");
            assert!(!in_ci, "chromedriver is not there, which .ci/run installs");
            println!("skipped: chromedriver is not there (Debian's chromium-driver)");
            return None;
        };
        let out = BufReader::new(driver.stdout.take().unwrap());
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
            "--window-size=1280,1000",
            // Nothing but this machine has an address.
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ];
        let downloads = folder.path().join("downloads");
        let preferences = json!({ "download.default_directory": downloads });
        let capabilities = json!({
            "goog:chromeOptions": { "args": arguments, "prefs": preferences },
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities.as_object().unwrap().clone());
        let url = format!("http://127.0.0.1:{port}");
        let client = runtime.block_on(builder.connect(&url)).expect("a session");
        let watching = runtime.block_on(client.issue_cmd(Watch));
        watching.expect("chromedriver passes on what Chromium's tools ask");
        Some(Browser {
            folder,
            driver,
            runtime,
            client: Some(client),
            missing: RefCell::default(),
        })
    }

    fn client(&self) -> &Client {
        self.client.as_ref().unwrap()
    }

    pub(crate) fn open(&self, url: &str) {
        self.note_missing_reads();
        self.runtime.block_on(self.client().goto(url)).unwrap();
    }

    fn note_missing_reads(&self) {
        let script = "return globalThis.missingReads ? missingReads() : []";
        let missing = self.client().execute(script, Vec::new());
        // A page that is being left answers nothing.
        if let Ok(Value::Array(missing)) = self.runtime.block_on(missing) {
            let missing = missing.iter().filter_map(Value::as_str);
            self.missing.borrow_mut().extend(missing.map(String::from));
        }
    }

    /// What a script returns in the page.
    pub(crate) fn js(&self, script: &str) -> Value {
        let done = self.client().execute(script, Vec::new());
        self.runtime
            .block_on(done)
            .unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until a script returns something true, and gives that.
    pub(crate) fn wait(&self, script: &str) -> Value {
        let begun = Instant::now();
        loop {
            let value = self.js(script);
            if !matches!(value, Value::Null | Value::Bool(false)) && value != 0 && value != "" {
                return value;
            }
            let text = || self.js("return document.body.innerText");
            assert!(
                begun.elapsed() < PATIENCE,
                "{script}: {value}; the page shows {}",
                text()
            );
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// What follows is asked of the only frame in the page.
    pub(crate) fn enter_frame(&self) {
        self.runtime.block_on(self.client().enter_frame(0)).unwrap();
    }

    pub(crate) fn leave_frame(&self) {
        self.runtime
            .block_on(self.client().enter_parent_frame())
            .unwrap();
    }

    /// Clicks the first element that fits.
    pub(crate) fn click(&self, css: &str) {
        let clicked = async { self.client().find(Locator::Css(css)).await?.click().await };
        self.runtime
            .block_on(clicked)
            .unwrap_or_else(|error| panic!("{css}: {error}"));
    }

    /// The text of the file of this name that a click on the button with these words gives the reader.
    pub(crate) fn download(&self, button: &str, name: &str) -> String {
        let mark = format!(
            "for (const one of document.querySelectorAll('.actions button, .actions a')) one.id = '';
             [...document.querySelectorAll('.actions button, .actions a')].find((one) => one.textContent === {button:?}).id = 'taken'"
        );
        self.js(&mark);
        self.click("#taken");
        let (path, begun) = (
            self.folder.path().join("downloads").join(name),
            Instant::now(),
        );
        while !path.exists() {
            assert!(
                begun.elapsed() < PATIENCE,
                "{name} does not come: {}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(30));
        }
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        text
    }

    /// Types into whatever has the focus.
    pub(crate) fn keys(&self, keys: &str) {
        let typed = async { self.client().active_element().await?.send_keys(keys).await };
        self.runtime.block_on(typed).unwrap();
    }

    /// The text of the page.
    pub(crate) fn text(&self) -> String {
        let text = self.js("return document.body.innerText");
        text.as_str().unwrap_or_default().into()
    }

    pub(crate) fn resize(&self, width: u32, height: u32) {
        let done = self.client().set_window_size(width, height);
        self.runtime.block_on(done).unwrap();
    }

    /// The pieces that are drawn: place, side, and whether it is a king of draughts, by the shapes that stand there.
    pub(crate) fn board(&self) -> Value {
        self.js(
            "return [...document.querySelectorAll('.board .piece')].map((piece) =>
                [Number(piece.dataset.place), piece.dataset.side,
                 Boolean(piece.querySelector('.crown'))]).sort((a, b) => a[0] - b[0])",
        )
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.note_missing_reads();
        }
        if let Some(client) = self.client.take() {
            let _ = self.runtime.block_on(client.close());
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let missing = self.missing.take();
        let undeclared = undeclared(&missing);
        assert!(
            undeclared.is_empty() || std::thread::panicking(),
            "the page reads of answers what is not in them: {undeclared:?}"
        );
    }
}
