//! The server in this process: what it answers and what it refuses, without a socket, and how it listens.

mod guarded;
mod listening;
mod reading;

use super::{App, Hosts, routes};
use crate::live::Json;
use crate::tests::records::{ONE, TWO, site_of, three_games};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use serde_json::Value;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tower_service::Service;

/// A server of a file of games.
struct Served {
    runtime: Runtime,
    routes: Router,
    /// The site reads its file again for each game.
    _folder: TempDir,
}

struct Answer {
    status: u16,
    headers: HeaderMap,
    /// Empty for a stream of events, which does not end.
    body: Vec<u8>,
}

impl Served {
    /// Of these lines.
    fn new(lines: &[impl ToString]) -> Served {
        let (site, folder) = site_of(lines);
        let (_, changes) = watch::channel(Json::from("{}"));
        let (_, live) = watch::channel(Json::from("{}"));
        let app = App {
            site: Mutex::new(site),
            changes,
            live,
            hosts: Hosts::new(Ipv4Addr::LOCALHOST.into(), &[]),
            analysis: tokio::sync::Mutex::default(),
        };
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        Served {
            runtime: runtime.enable_time().build().unwrap(),
            routes: routes(Arc::new(app)),
            _folder: folder,
        }
    }

    fn ask(&mut self, request: &str, headers: &[(&str, &str)]) -> Answer {
        let (method, target) = request.split_once(' ').unwrap();
        let mut builder = Request::builder().method(method).uri(target);
        if headers.iter().all(|(name, _)| *name != "host") {
            builder = builder.header("host", "localhost");
        }
        for &(name, value) in headers {
            builder = builder.header(name, value);
        }
        let request = builder.body(Body::empty()).unwrap();
        let Ok(response) = self.runtime.block_on(self.routes.call(request));
        let (head, body) = response.into_parts();
        let kind = head.headers.get(header::CONTENT_TYPE);
        let is_stream = kind.is_some_and(|kind| kind == "text/event-stream");
        let body = match is_stream {
            true => Vec::new(),
            false => self
                .runtime
                .block_on(to_bytes(body, 64 << 20))
                .unwrap()
                .into(),
        };
        Answer {
            status: head.status.as_u16(),
            headers: head.headers,
            body,
        }
    }

    fn get(&mut self, target: &str) -> Answer {
        self.ask(&format!("GET {target}"), &[])
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
