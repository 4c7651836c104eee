//! The server without a socket: a request in, its response out, on the caller's thread. For tests and fuzzing.

use super::{App, Hosts, Json, KeptGames, Sessions, Shared, Site, Token, routes};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tower_service::Service;

/// The most bytes of a response: more than any page has.
const LARGEST_ANSWER: usize = 64 << 20;

/// A server that listens on no address.
#[derive(Debug)]
pub struct InProcess {
    runtime: Runtime,
    pub(super) app: Shared,
    token: String,
    routes: Router,
}

/// A server's response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body; empty for a stream of events, which does not end.
    pub body: Vec<u8>,
}

impl InProcess {
    /// Serves this site, with this many places for games and analyses.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn new(site: Site, seats: usize) -> std::io::Result<InProcess> {
        let (expected, token) = Token::new();
        let (_, changes) = watch::channel(Json::from("{}"));
        let (_, live) = watch::channel(Json::from("{}"));
        let app = Arc::new(App {
            site: Mutex::new(site),
            changes,
            live,
            steering: None,
            token: expected,
            hosts: Hosts::new(IpAddr::V4(Ipv4Addr::LOCALHOST), &[]),
            sessions: Sessions::new(seats),
            kept: Arc::new(KeptGames::open(None).map_err(std::io::Error::other)?),
        });
        Ok(InProcess {
            runtime: tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .build()?,
            routes: routes(app.clone()),
            app,
            token,
        })
    }

    /// The token that a page's requests need to start something.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The response to one request.
    ///
    /// # Errors
    /// When the response breaks off.
    pub fn answer(&mut self, request: Request<Body>) -> Result<Answer, axum::Error> {
        let Ok(response) = self.runtime.block_on(self.routes.call(request));
        let (head, body) = response.into_parts();
        let kind = head.headers.get(header::CONTENT_TYPE);
        let is_stream = kind.is_some_and(|kind| kind == "text/event-stream");
        let body = if is_stream {
            Vec::new()
        } else {
            self.runtime
                .block_on(to_bytes(body, LARGEST_ANSWER))?
                .into()
        };
        Ok(Answer {
            status: head.status.as_u16(),
            headers: head.headers,
            body,
        })
    }

    /// Ends all games and analyses.
    pub fn end_sessions(&self) {
        self.app.sessions.close();
    }
}
