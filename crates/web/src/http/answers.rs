//! Read requests: the site, its games, and streams of news.

use super::super::bot_page::bot_page;
use super::super::game_list::Part;
use super::super::live::events;
use super::super::site::Site;
use super::super::viewers::{ViewerGame, content_type};
use super::{HttpResult, Shared, refuse, unprocessable};
use anyhow::Context;
use axum::Json as Body;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use crownhead_record::{GameFilter, GameRecord, write_pdn};
use serde::Serialize;
use std::error::Error;
use std::str::FromStr;
use tokio::task::spawn_blocking;

/// The response to a question about the site, computed on another thread because reading takes time.
async fn ask(
    app: Shared,
    question: impl FnOnce(&mut Site) -> anyhow::Result<Option<Response>> + Send + 'static,
) -> HttpResult {
    let asked = spawn_blocking(move || question(&mut app.lock())).await;
    let answer = asked.context("the question was not answered").flatten()?;
    answer.ok_or_else(|| refuse(StatusCode::NOT_FOUND, "there is nothing with this name"))
}

pub(super) fn json(value: impl Serialize) -> Response {
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

pub(super) async fn workers(State(app): State<Shared>) -> HttpResult {
    ask(app, |site| Ok(site.workers()?.map(json))).await
}

pub(super) async fn games(
    State(app): State<Shared>,
    filter: Result<Query<GameFilter>, QueryRejection>,
    part: Result<Query<Part>, QueryRejection>,
) -> HttpResult {
    let refused = |rejection: QueryRejection| {
        let told = rejection
            .source()
            .map_or_else(|| rejection.to_string(), ToString::to_string);
        refuse(StatusCode::BAD_REQUEST, told)
    };
    let (Query(filter), Query(part)) = (filter.map_err(refused)?, part.map_err(refused)?);
    ask(app, move |site| Ok(Some(json(site.list(&filter, part)?)))).await
}

/// `12.json` as its number and kind.
fn split_name<N: FromStr>(file: &str) -> Option<(N, &str)> {
    let (number, kind) = file.split_once('.')?;
    Some((number.parse().ok()?, kind))
}

pub(super) async fn bot(State(app): State<Shared>, Path(file): Path<String>) -> HttpResult {
    ask(app, move |site| match split_name(&file) {
        Some((number, "json")) => Ok(bot_page(site, number)?.map(json)),
        _ => Ok(None),
    })
    .await
}

const NO_PDN: &str = "PDN is for board games; only the referee knows this game's board";

/// A game as the page draws it (`12.json`), as its record (`12.jsonl`), or as PDN (`12.pdn`).
pub(super) async fn game(State(app): State<Shared>, Path(file): Path<String>) -> HttpResult {
    ask(app, move |site| {
        let Some((id, kind)) = split_name(&file) else {
            return Ok(None);
        };
        let game = site.game(id)?;
        game.map_or(Ok(None), |game| told_as(kind, id, game, site))
    })
    .await
}

/// A game in one of the formats of [`game`].
fn told_as(
    kind: &str,
    id: u64,
    (record, line): (GameRecord, String),
    site: &Site,
) -> anyhow::Result<Option<Response>> {
    let text = match kind {
        "json" => return Ok(Some(json(site.view(id, record)?))),
        "jsonl" => Some(line + "\n"),
        "pdn" => match write_pdn(&record) {
            Ok(text) => Some(text),
            Err(error) => {
                let told = match record.referee {
                    Some(_) => NO_PDN.into(),
                    None => error.to_string(),
                };
                return Ok(Some(unprocessable(told).into_response()));
            }
        },
        _ => None,
    };
    let disposition = format!("attachment; filename=\"game-{id}.{kind}\"");
    let headers = [(header::CONTENT_DISPOSITION, disposition)];
    Ok(text.map(|text| (headers, text).into_response()))
}

/// The games that were played here.
pub(super) async fn played(State(app): State<Shared>) -> HttpResult {
    let kept = app.kept.clone();
    ask(app, move |_| Ok(Some(json(kept.list()?)))).await
}

/// One of them, in the formats of [`game`].
pub(super) async fn played_game(State(app): State<Shared>, Path(file): Path<String>) -> HttpResult {
    let kept = app.kept.clone();
    ask(app, move |site| {
        let Some((id, kind)) = split_name(&file) else {
            return Ok(None);
        };
        let game = kept.game(id)?;
        game.map_or(Ok(None), |game| told_as(kind, id, game, site))
    })
    .await
}

/// The viewer's data of an external referee's game (`12.json`).
pub(super) async fn views(State(app): State<Shared>, Path(file): Path<String>) -> HttpResult {
    ask(app, move |site| match split_name(&file) {
        Some((id, "json")) => {
            let game = site.game(id)?;
            Ok(game
                .and_then(|(record, _)| ViewerGame::of(&record))
                .map(json))
        }
        _ => Ok(None),
    })
    .await
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
