//! A browser for tests of the page, driven by WebDriver, and the server that it looks at.

use super::chromium::Chromium;
use super::reads::undeclared;
use crate::common::skip::is_there;
use serde_json::{Value, json};
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

    /// The value that a command of WebDriver gives, or the driver's message.
    fn command(&self, name: &str, parameters: Value) -> Result<Value, String> {
        self.chromium().command(name, parameters)
    }

    /// What a script returns, or what it hands to its last argument where `way` is `async`.
    fn execute(&self, way: &str, script: &str) -> Result<Value, String> {
        let script = json!({ "script": script, "args": [] });
        self.command(&format!("execute/{way}"), script)
    }

    pub(crate) fn open(&self, url: &str) {
        self.note_missing_reads();
        self.command("url", json!({ "url": url })).unwrap();
    }

    fn note_missing_reads(&self) {
        let script = "return globalThis.missingReads ? missingReads() : []";
        // A page that is being left answers nothing.
        if let Ok(Value::Array(missing)) = self.execute("sync", script) {
            let missing = missing.iter().filter_map(Value::as_str);
            self.missing.borrow_mut().extend(missing.map(String::from));
        }
    }

    /// What a script returns in the page.
    pub(crate) fn js(&self, script: &str) -> Value {
        self.execute("sync", script)
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
        match self.execute("async", &look) {
            Ok(mut done) => {
                assert_eq!(done["error"], Value::Null, "{script}");
                done["value"].take()
            }
            Err(error) if error.contains("unloaded") => Value::Null,
            Err(error) => panic!("{script}: {error}"),
        }
    }

    /// What follows is asked of the only frame in the page.
    pub(crate) fn enter_frame(&self) {
        self.command("frame", json!({ "id": 0 })).unwrap();
    }

    pub(crate) fn leave_frame(&self) {
        self.command("frame/parent", json!({})).unwrap();
    }

    /// Clicks the first element that fits.
    pub(crate) fn click(&self, css: &str) {
        let found = json!({ "using": "css selector", "value": css });
        self.command("element", found)
            .and_then(|element| self.command(&format!("{}/click", path(&element)), json!({})))
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
        let script = "return document.activeElement";
        let focused = path(&self.execute("sync", script).unwrap());
        self.command(&format!("{focused}/value"), json!({ "text": keys }))
            .unwrap();
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

/// The path of commands to an element, which is an object of one key.
fn path(element: &Value) -> String {
    let ids = element
        .as_object()
        .and_then(|object| object.values().next());
    let id = ids.and_then(Value::as_str).expect("an element has an id");
    format!("element/{id}")
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
