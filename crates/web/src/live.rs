//! Streams of states to browsers, as server-sent events.

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::watch;

/// A state as JSON, of which only the newest is of interest.
pub(super) type Json = Arc<str>;

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
