//! A browser for tests of the page, driven by WebDriver, and the server that it looks at.

use super::chromium::Chromium;
use super::reads::undeclared;
use crate::common::skip::is_there;
use fantoccini::{Client, Locator};
use serde_json::Value;
use std::cell::RefCell;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a page may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// `crownhead serve`, ended when this is dropped.
pub(crate) struct Server {
    process: Child,
    /// Its address.
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn start(path: &Path) -> Server {
        Server::of(&assert_cmd::cargo::cargo_bin("crownhead"), path)
    }

    /// The same by another program than `crownhead`, with games of its own.
    pub(crate) fn of(program: &Path, path: &Path) -> Server {
        let mut process = Command::new(program)
            .arg("serve")
            .arg(path)
            .args(["--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(process.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let url = line.trim().to_string();
        assert!(url.starts_with("http://127.0.0.1:"), "{url}");
        Server { process, url }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A browser that a test has to itself.
pub(crate) struct Browser {
    /// There until it is dropped.
    chromium: Option<Chromium>,
    /// What pages have read of answers that was not in them.
    missing: RefCell<Vec<String>>,
}

impl Browser {
    /// `None`, and a line that says so, where there is no browser to drive.
    pub(crate) fn start() -> Option<Browser> {
        is_there("chromedriver").then(|| Browser {
            chromium: Some(Chromium::take()),
            missing: RefCell::default(),
        })
    }

    fn chromium(&self) -> &Chromium {
        self.chromium.as_ref().unwrap()
    }

    fn client(&self) -> &Client {
        &self.chromium().client
    }

    /// The answer of the driver.
    fn wait_for<T>(&self, answer: impl Future<Output = T>) -> T {
        self.chromium().runtime.block_on(answer)
    }

    pub(crate) fn open(&self, url: &str) {
        self.note_missing_reads();
        self.wait_for(self.client().goto(url)).unwrap();
    }

    fn note_missing_reads(&self) {
        let script = "return globalThis.missingReads ? missingReads() : []";
        let missing = self.client().execute(script, Vec::new());
        // A page that is being left answers nothing.
        if let Ok(Value::Array(missing)) = self.wait_for(missing) {
            let missing = missing.iter().filter_map(Value::as_str);
            self.missing.borrow_mut().extend(missing.map(String::from));
        }
    }

    /// What a script returns in the page.
    pub(crate) fn js(&self, script: &str) -> Value {
        let done = self.client().execute(script, Vec::new());
        self.wait_for(done)
            .unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until a script returns something true, and gives that.
    pub(crate) fn wait(&self, script: &str) -> Value {
        let begun = Instant::now();
        loop {
            let value = self.look_for_a_second(script);
            if !matches!(value, Value::Null | Value::Bool(false)) && value != 0 && value != "" {
                return value;
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "{script}: {value}; the page shows {}",
                self.text()
            );
        }
    }

    /// What a script returned last, looked at in the page itself, which takes less of the machine than to ask again and
    /// again. `Null` where the page was left meanwhile.
    fn look_for_a_second(&self, script: &str) -> Value {
        let look = format!(
            "const [done] = arguments, end = Date.now() + 1000;
            const look = () => {{
                try {{
                    const value = (() => {{ {script} }})();
                    if (value || Date.now() >= end) done({{ value }}); else setTimeout(look, 20);
                }} catch (error) {{ done({{ error: String(error) }}); }}
            }};
            look();"
        );
        let done = self.client().execute_async(&look, Vec::new());
        match self.wait_for(done) {
            Ok(mut done) => {
                assert_eq!(done["error"], Value::Null, "{script}");
                done["value"].take()
            }
            Err(error) if error.to_string().contains("unloaded") => Value::Null,
            Err(error) => panic!("{script}: {error}"),
        }
    }

    /// What follows is asked of the only frame in the page.
    pub(crate) fn enter_frame(&self) {
        self.wait_for(self.client().enter_frame(0)).unwrap();
    }

    pub(crate) fn leave_frame(&self) {
        self.wait_for(self.client().enter_parent_frame()).unwrap();
    }

    /// Clicks the first element that fits.
    pub(crate) fn click(&self, css: &str) {
        let clicked = async { self.client().find(Locator::Css(css)).await?.click().await };
        self.wait_for(clicked)
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
        let (path, begun) = (self.chromium().downloads().join(name), Instant::now());
        loop {
            // Chromium takes the name with an empty file, and puts the whole one in its place.
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            if !text.is_empty() {
                std::fs::remove_file(path).unwrap();
                return text;
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "{name} does not come: {}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Types into whatever has the focus.
    pub(crate) fn keys(&self, keys: &str) {
        let typed = async { self.client().active_element().await?.send_keys(keys).await };
        self.wait_for(typed).unwrap();
    }

    /// The text of the page.
    pub(crate) fn text(&self) -> String {
        let text = self.js("return document.body.innerText");
        text.as_str().unwrap_or_default().into()
    }

    pub(crate) fn resize(&self, width: u32, height: u32) {
        self.chromium().resize((width, height));
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
        // What failed may be in any state.
        if std::thread::panicking() {
            return;
        }
        self.note_missing_reads();
        if let Some(chromium) = self.chromium.take() {
            chromium.leave();
        }
        let missing = self.missing.take();
        let undeclared = undeclared(&missing);
        assert!(
            undeclared.is_empty(),
            "the page reads of answers what is not in them: {undeclared:?}"
        );
    }
}
