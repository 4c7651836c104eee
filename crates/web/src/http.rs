//! The server: routes, and the loop that looks for what is new.

use super::bot_page::bot_page;
use super::cached_answer::CachedAnswer;
use super::guard::{HEADERS, Hosts, Token, refuse_foreign};
use super::index::Filter;
use super::live::{Json, events};
use super::position::{Question, answer};
use super::sessions::{Order, Sessions};
use super::site::Site;
use super::{analysis, assets, play};
use anyhow::Context;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json as Body, Router};
use serde::Serialize;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How often the ladder or the file is looked at: what is played on this machine should not wait for readers.
const LOOK: Duration = Duration::from_secs(2);
/// So much longer than a look and the standings that follow from it took is the pause until the next.
const LOOK_SHARE: u32 = 50;
/// But people need not wait longer for news than this.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// How often it is asked whether to end.
const TICK: Duration = Duration::from_millis(200);
/// The niceness of the threads that read and rate.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;
/// The most that a request may bring.
const LARGEST_REQUEST: usize = 16 << 10;

/// How a server is asked for and what it allows.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens; of several the first that is free.
    pub listen: Vec<SocketAddr>,
    /// The names by which it may be asked for, besides addresses.
    pub hosts: Vec<String>,
    /// How many games and analyses may go on at once; none where they are not allowed.
    pub seats: usize,
}

struct App {
    site: Mutex<Site>,
    standings: CachedAnswer,
    changes: watch::Receiver<Json>,
    token: Token,
    hosts: Hosts,
    sessions: Sessions,
    seats: usize,
}

type Shared = Arc<App>;

/// Serves the site until `interrupted` is set; `ready` is told where.
///
/// # Errors
/// When no address can be listened on.
pub fn serve(
    site: Site,
    options: &Options,
    interrupted: &Arc<AtomicBool>,
    ready: impl FnOnce(SocketAddr) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    // One thread: what takes long runs on others, which give way to games.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .on_thread_start(give_way)
        .build()?;
    let served = runtime.block_on(async {
        let listener = listen(&options.listen).await?;
        let address = listener.local_addr()?;
        let (tell, changes) = watch::channel(Json::from("{}"));
        let app = Arc::new(App {
            site: Mutex::new(site),
            standings: CachedAnswer::default(),
            changes,
            token: Token::random(),
            hosts: Hosts::new(address.ip(), &options.hosts),
            sessions: Sessions::new(options.seats),
            seats: options.seats,
        });
        ready(address)?;
        let until = watch_site(app.clone(), tell, interrupted.clone());
        let server = axum::serve(listener, routes(app)).with_graceful_shutdown(until);
        Ok(server.await?)
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

/// Lets this thread run behind the others of the machine.
fn give_way() {
    // For threads one by one, on Linux alone.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
}

async fn listen(addresses: &[SocketAddr]) -> anyhow::Result<tokio::net::TcpListener> {
    let mut failed = anyhow::anyhow!("no address to listen on");
    for &address in addresses {
        match tokio::net::TcpListener::bind(address).await {
            Ok(listener) => return Ok(listener),
            Err(error) => failed = anyhow::Error::new(error).context(address),
        }
    }
    Err(failed)
}

/// Looks for what is new and tells those who watch, until it is interrupted. Then all streams end, for the server
/// waits for them.
async fn watch_site(app: Shared, tell: watch::Sender<Json>, interrupted: Arc<AtomicBool>) {
    let mut next = Instant::now();
    while !interrupted.load(Ordering::Relaxed) {
        if Instant::now() >= next {
            let started = Instant::now();
            let own = app.clone();
            let looked = tokio::task::spawn_blocking(move || {
                let mut site = own.lock();
                Ok::<_, anyhow::Error>(site.refresh()?.then(|| site.generation()))
            });
            // What cannot be read now (a file that is being moved) may be readable in a moment.
            if let Ok(Ok(Some(generation))) = looked.await {
                tell.send_replace(format!("{{\"generation\":{generation}}}").into());
            }
            let took = started.elapsed() + app.standings.took();
            next = Instant::now() + (took * LOOK_SHARE).clamp(LOOK, LONGEST_PAUSE);
        }
        tokio::time::sleep(TICK).await;
    }
    app.sessions.close();
}

impl App {
    fn lock(&self) -> std::sync::MutexGuard<'_, Site> {
        self.site.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn routes(app: Shared) -> Router {
    Router::new()
        .route("/", get(page))
        .route(
            "/app.js",
            get(|| async { asset("text/javascript", assets::SCRIPT) }),
        )
        .route(
            "/style.css",
            get(|| async { asset("text/css", assets::STYLE) }),
        )
        .route(
            "/icon.svg",
            get(|| async { asset("image/svg+xml", assets::ICON) }),
        )
        .route("/data/site.json", get(about))
        .route("/data/standings.json", get(standings))
        .route("/data/history.json", get(history))
        .route("/data/workers.json", get(workers))
        .route("/data/bot/{file}", get(bot))
        .route("/data/games.json", get(games))
        .route("/data/game/{file}", get(game))
        .route("/data/events", get(changes))
        .route("/data/position", post(position))
        .route("/data/play", post(begin_play))
        .route("/data/analysis", post(begin_analysis))
        .route("/data/session/{name}", get(session).post(order))
        .layer(DefaultBodyLimit::max(LARGEST_REQUEST))
        .layer(from_fn_with_state(app.clone(), guard))
        .with_state(app)
}

/// What holds for every request, and every answer.
async fn guard(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
    let mut response = if !app.hosts.allow(host) {
        let told = format!(
            "this server does not answer to the name {host:?}; ask for it by its address, or start it with --host NAME"
        );
        refusal(StatusCode::MISDIRECTED_REQUEST, &told)
    } else if let Some(why) = refused(&app, &request) {
        refusal(StatusCode::FORBIDDEN, why)
    } else {
        next.run(request).await
    };
    response.headers_mut().extend(HEADERS);
    response
}

fn refused(app: &App, request: &Request) -> Option<&'static str> {
    match request.method().is_safe() {
        true => None,
        false if app.seats == 0 => Some("play and analysis are not allowed here"),
        false => refuse_foreign(request.headers(), &app.token),
    }
}

#[derive(Serialize)]
struct Refusal<'a> {
    error: &'a str,
}

fn refusal(status: StatusCode, error: &str) -> Response {
    (status, Body(Refusal { error })).into_response()
}

fn asset(kind: &'static str, text: &'static str) -> Response {
    (
        [(header::CONTENT_TYPE, format!("{kind}; charset=utf-8"))],
        text,
    )
        .into_response()
}

async fn page(State(app): State<Shared>) -> Response {
    let token = if app.seats > 0 { app.token.text() } else { "" };
    let html = assets::live_page(token);
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response()
}

/// What a question about the site comes to, asked on another thread: reading takes time.
async fn ask(
    app: Shared,
    question: impl FnOnce(&mut Site) -> anyhow::Result<Option<Response>> + Send + 'static,
) -> Response {
    let asked = tokio::task::spawn_blocking(move || question(&mut app.lock()));
    let answered = asked
        .await
        .context("the question was not answered")
        .flatten();
    match answered {
        Ok(Some(response)) => response,
        Ok(None) => refusal(StatusCode::NOT_FOUND, "there is nothing of this name here"),
        Err(error) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &format!("{error:#}")),
    }
}

#[allow(clippy::unnecessary_wraps)] // As a question is answered.
fn json(value: &impl Serialize) -> anyhow::Result<Option<Response>> {
    Ok(Some(Body(value).into_response()))
}

async fn about(State(app): State<Shared>) -> Response {
    ask(app, |site| json(&site.about())).await
}

async fn standings(State(app): State<Shared>) -> Response {
    let own = app.clone();
    ask(app, move |site| {
        let standings = own
            .standings
            .answer(site.generation(), || site.standings())?;
        let kind = [(header::CONTENT_TYPE, "application/json")];
        Ok(Some((kind, standings).into_response()))
    })
    .await
}

async fn workers(State(app): State<Shared>) -> Response {
    ask(app, |site| match site.workers()? {
        Some(workers) => json(&workers),
        None => Ok(None),
    })
    .await
}

async fn history(State(app): State<Shared>) -> Response {
    ask(app, |site| json(site.history()?)).await
}

async fn games(State(app): State<Shared>, Query(filter): Query<Filter>) -> Response {
    ask(app, move |site| json(&site.games(&filter))).await
}

async fn bot(State(app): State<Shared>, Path(file): Path<String>) -> Response {
    ask(app, move |site| {
        let number = file
            .strip_suffix(".json")
            .and_then(|number| number.parse().ok());
        let page = number
            .map(|number| bot_page(site, number))
            .transpose()?
            .flatten();
        page.map_or(Ok(None), |page| json(&page))
    })
    .await
}

/// A game as the page draws it (`12.json`), as its record (`12.jsonl`), or as PDN (`12.pdn`).
async fn game(State(app): State<Shared>, Path(file): Path<String>) -> Response {
    ask(app, move |site| {
        let Some((number, kind)) = file.split_once('.') else {
            return Ok(None);
        };
        let Ok(id) = number.parse() else {
            return Ok(None);
        };
        let text = match kind {
            "json" => return site.view(id)?.map_or(Ok(None), |view| json(&view)),
            "jsonl" => site.download(id)?.map(|download| download.line),
            "pdn" => site.download(id)?.and_then(|download| download.pdn),
            _ => None,
        };
        let disposition = format!("attachment; filename=\"game-{id}.{kind}\"");
        let headers = [
            (
                header::CONTENT_TYPE,
                "text/plain; charset=utf-8".to_string(),
            ),
            (header::CONTENT_DISPOSITION, disposition),
        ];
        Ok(text.map(|text| (headers, text).into_response()))
    })
    .await
}

async fn changes(State(app): State<Shared>) -> Response {
    events(app.changes.clone())
}

async fn position(question: Body<Question>) -> Response {
    match answer(question.0) {
        Ok(answer) => Body(answer).into_response(),
        Err(error) => refusal(StatusCode::UNPROCESSABLE_ENTITY, &error),
    }
}

#[derive(Serialize)]
struct Begun {
    session: String,
}

async fn begin_play(State(app): State<Shared>, challenge: Body<play::Challenge>) -> Response {
    let own = app.clone();
    let prepared = tokio::task::spawn_blocking(move || challenge.0.prepare(&own.lock())).await;
    // Begun here: what the other thread starts would give way to games as it does.
    match prepared {
        Ok(Ok(prepared)) => begun(app.sessions.begin(|session| prepared.play(session))),
        Ok(Err(error)) => refusal(StatusCode::UNPROCESSABLE_ENTITY, &error),
        Err(error) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

async fn begin_analysis(State(app): State<Shared>, subject: Body<analysis::Subject>) -> Response {
    match subject.check() {
        Ok(game) => begun(
            app.sessions
                .begin(move |session| subject.0.analyse(game, session)),
        ),
        Err(error) => refusal(StatusCode::UNPROCESSABLE_ENTITY, &error),
    }
}

fn begun(session: Result<String, super::sessions::NoSeat>) -> Response {
    match session {
        Ok(session) => Body(Begun { session }).into_response(),
        Err(error) => refusal(StatusCode::SERVICE_UNAVAILABLE, &error.to_string()),
    }
}

const NO_SESSION: &str = "this game or analysis has ended";

async fn session(State(app): State<Shared>, Path(name): Path<String>) -> Response {
    match app.sessions.states(&name) {
        Some(states) => events(states),
        None => refusal(StatusCode::NOT_FOUND, NO_SESSION),
    }
}

async fn order(State(app): State<Shared>, Path(name): Path<String>, body: Bytes) -> Response {
    let Ok(order) = serde_json::from_slice::<Order>(&body) else {
        return refusal(
            StatusCode::UNPROCESSABLE_ENTITY,
            "expected a move, undo, redo or stop",
        );
    };
    if app.sessions.tell(&name, order) {
        StatusCode::NO_CONTENT.into_response()
    } else {
        refusal(StatusCode::GONE, NO_SESSION)
    }
}
