//! The server in this process, without a socket: what it answers, what it begins, and what it refuses.

mod guarded;
mod reading;
mod starting;

use super::{Answer, InProcess, Site};
use crate::test_records::record;
use axum::body::Body;
use axum::extract::Request;
use serde_json::{Value, json};
use std::fmt::Write;
use tempfile::TempDir;

/// A server of a file of games.
struct Served {
    server: InProcess,
    /// The site reads its file again for each game.
    _folder: TempDir,
}

impl Served {
    /// Of these lines, with so many seats.
    fn new(lines: &[impl ToString], seats: usize) -> Served {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let mut text = String::new();
        for line in lines {
            writeln!(text, "{}", line.to_string()).unwrap();
        }
        std::fs::write(&path, text).unwrap();
        Served {
            server: InProcess::new(Site::open(&path).unwrap(), seats).unwrap(),
            _folder: folder,
        }
    }

    fn ask(&mut self, request: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let (method, target) = request.split_once(' ').unwrap();
        let mut builder = Request::builder().method(method).uri(target);
        if headers.iter().all(|(name, _)| *name != "host") {
            builder = builder.header("host", "localhost");
        }
        for &(name, value) in headers {
            builder = builder.header(name, value);
        }
        let request = builder.body(Body::from(body.to_string())).unwrap();
        self.server.answer(request).unwrap()
    }

    fn get(&mut self, target: &str) -> Answer {
        self.ask(&format!("GET {target}"), &[], "")
    }

    /// What is answered there, which is JSON.
    fn read(&mut self, target: &str) -> Value {
        let answer = self.get(target);
        assert_eq!(answer.status, 200, "{target}: {}", text(&answer));
        value(&answer)
    }

    /// The status and what is said there.
    fn refused(&mut self, target: &str) -> (u16, String) {
        refusal(&self.get(target))
    }

    /// What a page of this server sends.
    fn post(&mut self, target: &str, body: &Value) -> Answer {
        let token = self.server.token().to_string();
        let headers = [
            ("x-crownhead-token", &*token),
            ("content-type", "application/json"),
        ];
        self.ask(&format!("POST {target}"), &headers, &body.to_string())
    }
}

fn text(answer: &Answer) -> &str {
    std::str::from_utf8(&answer.body).unwrap()
}

fn value(answer: &Answer) -> Value {
    serde_json::from_slice(&answer.body).unwrap()
}

/// The status of an answer that refuses, and its reason.
fn refusal(answer: &Answer) -> (u16, String) {
    let why = value(answer)["error"].as_str().unwrap().to_string();
    (answer.status, why)
}

const ONE: &str = "one";
const TWO: &str = "<b>two</b>";

/// Three games between two bots, the last of them lost by an illegal move, and a line that is no game.
fn three_games() -> [String; 4] {
    let line = ["A3B4", "B6A5", "C3D4"];
    [
        record(1, [ONE, TWO], &line, json!([1, 0]), "no-moves").to_string(),
        record(2, [TWO, ONE], &line, json!([0.5, 0.5]), "turn-limit").to_string(),
        "no game".into(),
        record(
            3,
            [ONE, TWO],
            &["C3D4", "H8H8"],
            json!([1, 0]),
            "illegal-reply",
        )
        .to_string(),
    ]
}
