//! Requests that start or continue something: games, analyses, and commands for the ladder.

use super::super::live::events;
use super::super::play::prepare;
use super::super::sessions::SessionThread;
use super::super::steering::SteeringOrder;
use super::super::{analysis, game_analysis};
use super::answers::json;
use super::{App, HttpError, HttpResult, Shared, refuse, unprocessable};
use anyhow::Context;
use axum::Json as Body;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use crownhead_browser::{Challenge, Order, Setup, describe};
use serde::Serialize;
use tokio::task::spawn_blocking;

pub(super) async fn position(setup: Body<Setup>) -> HttpResult {
    describe(&setup).map(json).map_err(unprocessable)
}

pub(super) async fn begin_play(
    State(app): State<Shared>,
    challenge: Body<Challenge>,
) -> HttpResult {
    let own = app.clone();
    let prepared = spawn_blocking(move || prepare(&challenge, &own.lock())).await;
    let prepared = prepared.context("the game was not prepared")?;
    let prepared = prepared.map_err(unprocessable)?;
    // Started on this thread, because a process started by the other one would inherit its low priority.
    let kept = app.kept.clone();
    begin(&app, move |session| prepared.play(session, &kept))
}

pub(super) async fn begin_analysis(State(app): State<Shared>, setup: Body<Setup>) -> HttpResult {
    begin(&app, analysis::prepare(&setup).map_err(unprocessable)?)
}

/// Analyses a whole game, by its number.
pub(super) async fn begin_game_analysis(
    State(app): State<Shared>,
    Path(id): Path<u64>,
) -> HttpResult {
    let own = app.clone();
    let game = spawn_blocking(move || own.lock().game(id)).await;
    let game = game.context("the game was not read").flatten()?;
    let gone = || refuse(StatusCode::NOT_FOUND, "there is no game of this number");
    let (record, _) = game.ok_or_else(gone)?;
    begin(&app, game_analysis::prepare(record).map_err(unprocessable)?)
}

pub(super) async fn steer(State(app): State<Shared>, order: Body<SteeringOrder>) -> HttpResult {
    let Some(steering) = app.steering.clone() else {
        let why = "this server manages no ladder";
        return Err(refuse(StatusCode::FORBIDDEN, why));
    };
    // Started on this thread, because a process started by the other one would inherit its low priority.
    let started = steering.start(&order);
    let started = started.map_err(|error| unprocessable(format!("{error:#}")))?;
    let finished = spawn_blocking(move || {
        let state = steering.finish(started);
        if order.0 != SteeringOrder::Look {
            // If something cannot be read now, the next look reads it.
            let _ = app.lock().refresh();
        }
        state
    });
    let state = finished
        .await
        .context("the command was not waited for")
        .flatten()?;
    Ok(json(state))
}

#[derive(Serialize)]
struct Begun {
    session: String,
}

fn begin(app: &App, work: impl FnOnce(SessionThread) + Send + 'static) -> HttpResult {
    let session = app.sessions.begin(work);
    let session = session.map_err(|error| refuse(StatusCode::SERVICE_UNAVAILABLE, error))?;
    Ok(json(Begun { session }))
}

const NO_SESSION: &str = "this game or analysis has ended";

pub(super) async fn session(State(app): State<Shared>, Path(name): Path<String>) -> HttpResult {
    let states = app.sessions.states(&name).map(events);
    states.ok_or_else(|| refuse(StatusCode::NOT_FOUND, NO_SESSION))
}

pub(super) async fn order(
    State(app): State<Shared>,
    Path(name): Path<String>,
    order: Body<Order>,
) -> Result<StatusCode, HttpError> {
    if app.sessions.tell(&name, order.0) {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(refuse(StatusCode::GONE, NO_SESSION))
    }
}
