//! Streams of states to browsers, as server-sent events, and the state of the runs whose games are under way.

use axum::body::Bytes;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use crownhead_arena::runner::LiveRun;
use crownhead_ladder::live_runs;
use futures_util::stream;
use serde::Serialize;
use serde_json::json;
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::watch;

/// A state as JSON, of which only the newest is of interest.
pub(super) type Json = Arc<str>;

/// Plain data as JSON.
pub(super) fn json(value: impl Serialize) -> Bytes {
    serde_json::to_vec(&value).expect("plain data").into()
}

/// The source of games under way.
#[derive(Clone, Debug)]
pub(super) enum LiveSource {
    /// The run of this process.
    Here(Arc<LiveRun>),
    /// This machine's runs of the ladder in this folder.
    Folder(PathBuf),
}

impl LiveSource {
    /// The state of the runs, as JSON.
    pub(super) fn state(&self) -> Json {
        let runs = match self {
            LiveSource::Here(run) => vec![run.snapshot()],
            LiveSource::Folder(folder) => live_runs(folder),
        };
        json!({ "runs": runs }).to_string().into()
    }
}

/// The states of `source`, from the one it has now; the stream ends when the source is gone. A browser that reads
/// slowly skips states.
pub(super) fn events(source: watch::Receiver<Json>) -> Response {
    let states = stream::unfold((source, true), |(mut source, first)| async move {
        if !first && source.changed().await.is_err() {
            return None;
        }
        let state = source.borrow_and_update().clone();
        let event = Event::default().data(&*state);
        Some((Ok::<_, Infallible>(event), (source, false)))
    });
    Sse::new(states)
        .keep_alive(KeepAlive::default())
        .into_response()
}
