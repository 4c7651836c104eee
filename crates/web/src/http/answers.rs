//! Read requests: the data of pages, and streams of news.

use super::{HttpError, HttpResult, Shared, refuse};
use crate::data;
use crate::error::SiteError;
use crate::live::events;
use crate::site::Site;
use crate::view::analyse;
use crate::viewers::content_type;
use axum::Json as Body;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// What the site answers, computed on another thread because reading takes time.
async fn ask<T: Send + 'static>(
    app: Shared,
    question: impl FnOnce(&mut Site) -> Result<Option<T>, SiteError> + Send + 'static,
) -> Result<T, HttpError> {
    let asked = spawn_blocking(move || question(&mut app.lock())).await;
    let answer = asked.map_err(|_| failed("the question was not answered"))?;
    answer.map_err(failed)?.ok_or_else(nothing)
}

fn failed(why: impl ToString) -> HttpError {
    refuse(StatusCode::INTERNAL_SERVER_ERROR, why)
}

fn nothing() -> HttpError {
    refuse(StatusCode::NOT_FOUND, "there is nothing with this name")
}

/// What is in the file of this name of an exported site, and each game by itself.
pub(super) async fn data(State(app): State<Shared>, Path(name): Path<String>) -> HttpResult {
    let json = ask(app, move |site| match name.strip_suffix(".json") {
        Some(name) => data::data(site, name),
        None => Ok(None),
    });
    Ok(([(header::CONTENT_TYPE, "application/json")], json.await?).into_response())
}

/// The analysis of a game. It ends early if the page is left, because this future is dropped then.
pub(super) async fn analysis(State(app): State<Shared>, Path(file): Path<String>) -> HttpResult {
    let id = file.strip_suffix(".json").and_then(|id| id.parse().ok());
    let id = id.ok_or_else(nothing)?;
    let (record, _) = ask(app.clone(), move |site| site.game(id)).await?;
    let _turn = app.analysis.lock().await;
    let page = Arc::new(());
    let watched = Arc::downgrade(&page);
    let is_watched = move |_, _| watched.strong_count() > 0;
    let analysis = spawn_blocking(move || analyse(&record, is_watched)).await;
    drop(page);
    let analysis = analysis.map_err(|_| failed("the game was not analysed"))?;
    Ok(Body(analysis.ok_or_else(nothing)?).into_response())
}

/// A file of a contest's viewer.
pub(super) async fn viewer_file(
    State(app): State<Shared>,
    Path((hash, name)): Path<(String, String)>,
) -> HttpResult {
    let headers = [(header::CONTENT_TYPE, content_type(&name))];
    let file = ask(app, move |site| Ok(site.viewers.file(&hash, &name)?)).await?;
    Ok((headers, file).into_response())
}

pub(super) async fn changes(State(app): State<Shared>) -> Response {
    events(app.changes.clone())
}

pub(super) async fn live(State(app): State<Shared>) -> HttpResult {
    if app.lock().live.is_none() {
        let why = "no game is under way: this is a file of finished games";
        return Err(refuse(StatusCode::NOT_FOUND, why));
    }
    Ok(events(app.live.clone()))
}
