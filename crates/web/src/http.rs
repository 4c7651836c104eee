//! The server: routes, and the loop that looks for what is new.

mod in_process;

pub use in_process::{Answer, InProcess};

use super::analysis;
use super::assets;
use super::bot_page::bot_page;
use super::connections::accept;
use super::game_analysis;
use super::game_list::Part;
use super::guard::{HEADERS, Hosts, Token, VIEWER_HEADERS, foreign};
use super::kept::KeptGames;
use super::live::{Json, events};
use super::play::prepare;
use super::priority::give_way;
use super::sessions::{SessionThread, Sessions};
use super::site::Site;
use super::steering::{Steering, SteeringOrder};
use super::viewers::{FOLDER as VIEWERS, ViewerGame, content_type};
use anyhow::Context;
use axum::body::{Body as Unread, Bytes, to_bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json as Body, Router};
use crownhead_bots::games::ListedGame;
use crownhead_browser::{Challenge, Order, Setup, describe};
use crownhead_record::{GameFilter, GameRecord, write_pdn};
use serde::Serialize;
use std::error::Error;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// How often the ladder or the file is looked at: what is played on this machine should not wait for readers.
const LOOK: Duration = Duration::from_secs(2);
/// So much longer than a look and the standings that follow from it took is the pause until the next.
const LOOK_SHARE: u32 = 50;
/// But people need not wait longer for news than this.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// How often it is asked whether to end.
const TICK: Duration = Duration::from_millis(200);
/// How often games under way are looked at, while a page shows them.
const LIVE_LOOK: Duration = Duration::from_millis(400);
/// The niceness of the threads that read and rate.
const NICENESS: i32 = 10;
/// How many questions are answered at once: all read the same site.
const READERS: usize = 4;
/// The most bytes of a request.
const LARGEST_REQUEST: usize = 16 << 10;
/// How long they may take to come.
const SLOWEST_REQUEST: Duration = Duration::from_secs(10);

/// Where a server listens and what it allows.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens; of several the first that is free.
    pub listen: Vec<SocketAddr>,
    /// The names by which it may be asked for, besides addresses.
    pub hosts: Vec<String>,
    /// How many games and analyses may go on at once; none where they are not allowed.
    pub seats: usize,
    /// The program whose `ladder` commands a page may have carried out on the ladder; `None` where it may not.
    pub steering: Option<PathBuf>,
    /// The file to which games that are played here are added; without one they are gone with the server.
    pub played: Option<PathBuf>,
}

#[derive(Debug)]
struct App {
    site: Mutex<Site>,
    changes: watch::Receiver<Json>,
    /// The games under way.
    live: watch::Receiver<Json>,
    /// What a request that starts something must carry.
    token: Token,
    hosts: Hosts,
    sessions: Sessions,
    /// What is done to the ladder from a page, where that is allowed.
    steering: Option<Arc<Steering>>,
    kept: Arc<KeptGames>,
}

type Shared = Arc<App>;

/// Serves the site until `interrupted` is set; `ready` is called with the link to the page. Where something may be started
/// from there, the token for that stands in it.
///
/// # Errors
/// When no address can be listened on.
pub fn serve(
    site: Site,
    options: &Options,
    interrupted: &Arc<AtomicBool>,
    ready: impl FnOnce(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    // One thread: what takes long runs on others, which give way to games.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(READERS)
        .on_thread_start(|| give_way(NICENESS))
        .build()?;
    let kept = Arc::new(KeptGames::open(options.played.as_deref())?);
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(&*options.listen).await;
        let listener = listener.with_context(|| {
            let addresses = options.listen.iter().map(SocketAddr::to_string);
            addresses.collect::<Vec<_>>().join(", ")
        })?;
        let address = listener.local_addr()?;
        let (tell, changes) = watch::channel(Json::from("{}"));
        let (tell_live, live) = watch::channel(Json::from("{}"));
        let (token, secret) = Token::new();
        let ladder = site.folder().map(|folder| folder.path().to_path_buf());
        let steering = options.steering.clone().zip(ladder);
        let steering = steering.map(|(program, ladder)| Arc::new(Steering::new(program, ladder)));
        let app = Arc::new(App {
            steering: steering.clone(),
            site: Mutex::new(site),
            changes,
            live,
            token,
            hosts: Hosts::new(address.ip(), &options.hosts),
            sessions: Sessions::new(options.seats),
            kept,
        });
        let link = if options.seats == 0 && steering.is_none() {
            format!("http://{address}/")
        } else {
            format!("http://{address}/?token={secret}")
        };
        ready(&link)?;
        let watching_games = tokio::spawn(watch_games(app.clone(), tell_live));
        let until = watch_site(app.clone(), tell, interrupted.clone());
        let until = async {
            until.await;
            watching_games.abort();
        };
        accept(listener, routes(app), until).await;
        if let Some(steering) = steering {
            steering.close();
        }
        Ok(())
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

/// Looks for what is new and tells the pages, until it is interrupted. Then all streams end, for the server waits for
/// them.
async fn watch_site(app: Shared, tell: watch::Sender<Json>, interrupted: Arc<AtomicBool>) {
    let mut told = app.lock().generation;
    let mut next = Instant::now();
    while !interrupted.load(Ordering::Relaxed) {
        if Instant::now() >= next {
            let started = Instant::now();
            let own = app.clone();
            let looked = spawn_blocking(move || {
                let mut site = own.lock();
                // What cannot be read now (a file that is being moved) may be readable in a moment.
                let _ = site.refresh();
                (site.generation, site.standings_took())
            });
            let (generation, standings) = looked.await.unwrap_or((told, Duration::ZERO));
            if generation != told {
                told = generation;
                tell.send_replace(format!("{{\"generation\":{generation}}}").into());
            }
            let took = started.elapsed() + standings;
            next = Instant::now() + (took * LOOK_SHARE).clamp(LOOK, LONGEST_PAUSE);
        }
        tokio::time::sleep(TICK).await;
    }
    app.sessions.close();
}

/// Tells the pages that show games under way how these stand.
async fn watch_games(app: Shared, tell: watch::Sender<Json>) {
    let Some(source) = app.lock().live.clone() else {
        return;
    };
    loop {
        // The server itself holds one receiver.
        if tell.receiver_count() > 1 {
            let source = source.clone();
            if let Ok(state) = spawn_blocking(move || source.state()).await {
                tell.send_replace(state);
            }
        }
        tokio::time::sleep(LIVE_LOOK).await;
    }
}

impl App {
    fn lock(&self) -> MutexGuard<'_, Site> {
        self.site.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn routes(app: Shared) -> Router {
    let mut router = Router::new();
    for (name, kind, text) in assets::FILES {
        let file = get(move || async move { ([(header::CONTENT_TYPE, kind)], text) });
        router = router.route(&format!("/{name}"), file);
    }
    router
        .route("/", get(page))
        .route("/data/site.json", get(about))
        .route("/data/standings.json", get(standings))
        .route("/data/history.json", get(history))
        .route("/data/workers.json", get(workers))
        .route("/data/bot/{file}", get(bot))
        .route("/data/games.json", get(games))
        .route("/data/game/{file}", get(game))
        .route("/data/views/{file}", get(views))
        .route("/data/played.json", get(played))
        .route("/data/played/{file}", get(played_game))
        .route(&format!("/{VIEWERS}/{{hash}}/{{*name}}"), get(viewer_file))
        .route("/data/events", get(changes))
        .route("/data/live", get(live))
        .route("/data/position", post(position))
        .route("/data/play", post(begin_play))
        .route("/data/analysis", post(begin_analysis))
        .route("/data/analysis/{game}", post(begin_game_analysis))
        .route(STEERING, post(steer))
        .route("/data/session/{name}", get(session).post(order))
        .layer(from_fn_with_state(app.clone(), guard))
        .with_state(app)
}

/// A request that is refused, with the reason for people.
#[derive(Serialize)]
struct HttpError {
    #[serde(skip)]
    status: StatusCode,
    error: String,
}

fn refuse(status: StatusCode, why: impl ToString) -> HttpError {
    let error = why.to_string();
    HttpError { status, error }
}

fn unprocessable(why: String) -> HttpError {
    refuse(StatusCode::UNPROCESSABLE_ENTITY, why)
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        (self.status, Body(self)).into_response()
    }
}

impl From<anyhow::Error> for HttpError {
    fn from(error: anyhow::Error) -> HttpError {
        refuse(StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}"))
    }
}

type HttpResult = Result<Response, HttpError>;

/// Where a ladder is steered.
const STEERING: &str = "/data/steering";

/// What holds for every request, and every answer.
async fn guard(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let is_viewers = request.uri().path().starts_with(&format!("/{VIEWERS}/"));
    let headers = if is_viewers { VIEWER_HEADERS } else { HEADERS };
    let mut response = match admit(&app, request).await {
        Ok(request) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in headers {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

/// A request that is allowed, with all of its body.
async fn admit(app: &App, request: Request) -> Result<Request, HttpError> {
    allow(app, &request)?;
    if request.method().is_safe() {
        return Ok(request);
    }
    let (head, body) = request.into_parts();
    let late = |_| refuse(StatusCode::REQUEST_TIMEOUT, "the request came too slowly");
    let large = |_| {
        let told = format!("a request has at most {LARGEST_REQUEST} bytes");
        refuse(StatusCode::PAYLOAD_TOO_LARGE, told)
    };
    let body = timeout(SLOWEST_REQUEST, to_bytes(body, LARGEST_REQUEST)).await;
    let body = body.map_err(late)?.map_err(large)?;
    Ok(Request::from_parts(head, Unread::from(body)))
}

fn allow(app: &App, request: &Request) -> Result<(), HttpError> {
    let host = request.headers().get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
    if !app.hosts.allow(host) {
        let told = format!(
            "this server does not answer to the name {host:?}; ask for it by its address, or start it with --host NAME"
        );
        return Err(refuse(StatusCode::MISDIRECTED_REQUEST, told));
    }
    let is_steering = request.uri().path() == STEERING;
    let why = if request.method().is_safe() {
        None
    } else if is_steering && app.steering.is_none() {
        Some(
            "no ladder is managed from here: start the server with --allow-steering on a ladder's folder",
        )
    } else if !is_steering && app.sessions.most == 0 {
        Some("play and analysis are not allowed here")
    } else {
        foreign(request.headers(), &app.token)
    };
    why.map_or(Ok(()), |why| Err(refuse(StatusCode::FORBIDDEN, why)))
}

async fn page(State(app): State<Shared>) -> Html<String> {
    let (starts, steers) = (app.sessions.most > 0, app.steering.is_some());
    Html(assets::page("live", starts, steers))
}

/// The answer to a question about the site, found on another thread: reading takes time.
async fn ask(
    app: Shared,
    question: impl FnOnce(&mut Site) -> anyhow::Result<Option<Response>> + Send + 'static,
) -> HttpResult {
    let asked = spawn_blocking(move || question(&mut app.lock())).await;
    let answer = asked.context("the question was not answered").flatten()?;
    answer.ok_or_else(|| refuse(StatusCode::NOT_FOUND, "there is nothing of this name here"))
}

fn json(value: impl Serialize) -> Response {
    Body(value).into_response()
}

fn json_text(text: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

async fn about(State(app): State<Shared>) -> HttpResult {
    ask(app, |site| Ok(Some(json(site.about())))).await
}

async fn standings(State(app): State<Shared>) -> HttpResult {
    ask(app, |site| Ok(Some(json_text(site.standings()?)))).await
}

async fn history(State(app): State<Shared>) -> HttpResult {
    ask(app, |site| Ok(Some(json_text(site.history()?)))).await
}

async fn workers(State(app): State<Shared>) -> HttpResult {
    ask(app, |site| Ok(site.workers()?.map(json))).await
}

async fn games(
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

async fn bot(State(app): State<Shared>, Path(file): Path<String>) -> HttpResult {
    ask(app, move |site| match split_name(&file) {
        Some((number, "json")) => Ok(bot_page(site, number)?.map(json)),
        _ => Ok(None),
    })
    .await
}

const NO_PDN: &str = "PDN tells games on a board; this game is known to its referee alone";

/// A game as the page draws it (`12.json`), as its record (`12.jsonl`), or as PDN (`12.pdn`).
async fn game(State(app): State<Shared>, Path(file): Path<String>) -> HttpResult {
    ask(app, move |site| {
        let Some((id, kind)) = split_name(&file) else {
            return Ok(None);
        };
        let game = site.game(id)?;
        game.map_or(Ok(None), |game| told_as(kind, id, game, site))
    })
    .await
}

/// A game in one of the ways in which [`game`] tells it.
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
async fn played(State(app): State<Shared>) -> HttpResult {
    let kept = app.kept.clone();
    ask(app, move |_| Ok(Some(json(kept.list()?)))).await
}

/// One of them, as [`game`] tells those of the site.
async fn played_game(State(app): State<Shared>, Path(file): Path<String>) -> HttpResult {
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

/// A game of an external referee as its viewer is sent it (`12.json`).
async fn views(State(app): State<Shared>, Path(file): Path<String>) -> HttpResult {
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
async fn viewer_file(
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

async fn changes(State(app): State<Shared>) -> Response {
    events(app.changes.clone())
}

async fn live(State(app): State<Shared>) -> HttpResult {
    if app.lock().live.is_none() {
        let why = "no game is under way here: this is a file of games that were played";
        return Err(refuse(StatusCode::NOT_FOUND, why));
    }
    Ok(events(app.live.clone()))
}

async fn position(setup: Body<Setup>) -> HttpResult {
    describe(&setup, &ListedGame::objects())
        .map(json)
        .map_err(unprocessable)
}

async fn begin_play(State(app): State<Shared>, challenge: Body<Challenge>) -> HttpResult {
    let own = app.clone();
    let prepared = spawn_blocking(move || prepare(&challenge, &own.lock())).await;
    let prepared = prepared.context("the game was not prepared")?;
    let prepared = prepared.map_err(unprocessable)?;
    // Begun here: what the other thread starts would give way to games as it does.
    let kept = app.kept.clone();
    begin(&app, move |session| prepared.play(session, &kept))
}

async fn begin_analysis(State(app): State<Shared>, setup: Body<Setup>) -> HttpResult {
    begin(&app, analysis::prepare(&setup).map_err(unprocessable)?)
}

/// Analyses a whole game, by its number.
async fn begin_game_analysis(State(app): State<Shared>, Path(id): Path<u64>) -> HttpResult {
    let own = app.clone();
    let game = spawn_blocking(move || own.lock().game(id)).await;
    let game = game.context("the game was not read").flatten()?;
    let gone = || refuse(StatusCode::NOT_FOUND, "there is no game of this number");
    let (record, _) = game.ok_or_else(gone)?;
    begin(&app, game_analysis::prepare(record).map_err(unprocessable)?)
}

async fn steer(State(app): State<Shared>, order: Body<SteeringOrder>) -> HttpResult {
    let Some(steering) = app.steering.clone() else {
        let why = "no ladder is managed from here";
        return Err(refuse(StatusCode::FORBIDDEN, why));
    };
    // Begun here: what the other thread starts would give way to games as it does.
    let started = steering.start(&order);
    let started = started.map_err(|error| unprocessable(format!("{error:#}")))?;
    let finished = spawn_blocking(move || {
        let state = steering.finish(started);
        if order.0 != SteeringOrder::Look {
            // What cannot be read now is read by the next look.
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

async fn session(State(app): State<Shared>, Path(name): Path<String>) -> HttpResult {
    let states = app.sessions.states(&name).map(events);
    states.ok_or_else(|| refuse(StatusCode::NOT_FOUND, NO_SESSION))
}

async fn order(
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
