//! The server in this process: what it answers, what it begins, and what it refuses, without a socket, and how it listens.

mod guarded;
mod listening;
mod reading;
mod starting;

use super::{Answer, InProcess};
use crate::test_records::{ONE, TWO, site_of, three_games};
use axum::body::Body;
use axum::extract::Request;
use serde_json::Value;
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
        let (site, folder) = site_of(lines);
        Served {
            server: InProcess::new(site, seats).unwrap(),
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
