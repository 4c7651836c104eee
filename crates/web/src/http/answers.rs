//! Read requests: the site, its games, and streams of news.

use super::super::bot_page::bot_page;
use super::super::live::events;
use super::super::site::Site;
use super::super::view::analyse;
use super::super::viewers::content_type;
use super::{HttpError, HttpResult, Shared, refuse};
use anyhow::Context;
use axum::Json as Body;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::str::FromStr;
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// The response to a question about the site, computed on another thread because reading takes time.
async fn ask(
    app: Shared,
    question: impl FnOnce(&mut Site) -> anyhow::Result<Option<Response>> + Send + 'static,
) -> HttpResult {
    let asked = spawn_blocking(move || question(&mut app.lock())).await;
    let answer = asked.context("the question was not answered").flatten()?;
    answer.ok_or_else(nothing)
}

fn nothing() -> HttpError {
    refuse(StatusCode::NOT_FOUND, "there is nothing with this name")
}

fn json(value: impl Serialize) -> Response {
    Body(value).into_response()
}

fn json_text(text: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

pub(super) async fn about(State(app): State<Shared>) -> HttpResult {
    ask(app, |site| Ok(Some(json(site.about())))).await
}

pub(super) async fn standings(State(app): State<Shared>) -> HttpResult {
    ask(app, |site| Ok(Some(json_text(site.standings()?)))).await
}

pub(super) async fn history(State(app): State<Shared>) -> HttpResult {
    ask(app, |site| Ok(Some(json_text(site.history()?)))).await
}

pub(super) async fn contents(State(app): State<Shared>) -> HttpResult {
    ask(app, |site| Ok(Some(json(site.index.contents())))).await
}

pub(super) async fn list(State(app): State<Shared>, Path(file): Path<String>) -> HttpResult {
    ask(app, move |site| {
        let list = number(&file).and_then(|number| site.index.list(number));
        Ok(list.map(json))
    })
    .await
}

/// The number in `12.json`.
fn number<N: FromStr>(file: &str) -> Option<N> {
    file.strip_suffix(".json")?.parse().ok()
}

pub(super) async fn bot(State(app): State<Shared>, Path(file): Path<String>) -> HttpResult {
    ask(app, move |site| match number(&file) {
        Some(number) => Ok(bot_page(site, number)?.map(json)),
        None => Ok(None),
    })
    .await
}

pub(super) async fn game(State(app): State<Shared>, Path(file): Path<String>) -> HttpResult {
    ask(app, move |site| {
        let Some(id) = number(&file) else {
            return Ok(None);
        };
        let game = site.game(id)?;
        let view = game.map(|game| site.view(id, game)).transpose()?;
        Ok(view.map(json))
    })
    .await
}

/// The analysis of a game. It ends early if the page is left, because this future is dropped then.
pub(super) async fn analysis(State(app): State<Shared>, Path(file): Path<String>) -> HttpResult {
    let id = number(&file).ok_or_else(nothing)?;
    let own = app.clone();
    let game = spawn_blocking(move || own.lock().game(id)).await;
    let game = game.context("the game was not read").flatten()?;
    let (record, _) = game.ok_or_else(nothing)?;
    let _turn = app.analysis.lock().await;
    let page = Arc::new(());
    let watched = Arc::downgrade(&page);
    let is_watched = move |_, _| watched.strong_count() > 0;
    let analysis = spawn_blocking(move || analyse(&record, is_watched)).await;
    let analysis = analysis.context("the game was not analysed")?;
    drop(page);
    analysis.map(json).ok_or_else(nothing)
}

/// A file of a contest's viewer.
pub(super) async fn viewer_file(
    State(app): State<Shared>,
    Path((hash, name)): Path<(String, String)>,
) -> HttpResult {
    ask(app, move |site| {
        let headers = [(header::CONTENT_TYPE, content_type(&name))];
        let bytes = site.viewers.file(&hash, &name)?;
        Ok(bytes.map(|bytes| (headers, bytes).into_response()))
    })
    .await
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
