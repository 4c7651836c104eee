//! The server: routes, access, and the loop that looks for news. Every request only reads.

mod answers;

use super::assets;
use super::connections::accept;
use super::error::SiteError;
use super::guard::{HEADERS, Hosts, VIEWER_HEADERS, is_foreign};
use super::live::Json;
use super::site::Site;
use super::viewers::FOLDER as VIEWERS;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Json as Body, Router};
use crownhead_record::system_error::reason;
use serde_json::{Value, json};
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::spawn_blocking;

/// How often the ladder or the file is looked at. Games on this machine should not wait for readers.
const LOOK: Duration = Duration::from_secs(3);
/// Interval between checks whether to end.
const TICK: Duration = Duration::from_millis(200);
/// How often games under way are looked at, while a page shows them.
const LIVE_LOOK: Duration = Duration::from_millis(400);
/// The niceness of the threads that read, rate and analyse, so that they do not slow down the games on this machine.
const NICENESS: i32 = 10;
/// How many requests are answered at once, because all read the same site.
const READERS: usize = 4;

/// The address of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// Its addresses; it uses the first free one.
    pub listen: Vec<SocketAddr>,
    /// The names that it accepts, in addition to addresses.
    pub hosts: Vec<String>,
}

fn why_not_listening(addresses: &[SocketAddr], error: &io::Error) -> String {
    let listed: Vec<String> = addresses.iter().map(|it| format!("`{it}`")).collect();
    let listed = listed.join(" and ");
    match (error.kind(), addresses) {
        (ErrorKind::AddrInUse, [address, ..]) => format!(
            "{listed} is in use, perhaps by another `crownhead serve`. Take another port, such as `--port {}`",
            address.port().checked_add(1).unwrap_or(PORT)
        ),
        _ => format!("cannot listen on {listed}: {}", reason(error)),
    }
}

/// The port of the pages.
pub const PORT: u16 = 8642;

#[derive(Debug)]
struct App {
    site: Mutex<Site>,
    changes: watch::Receiver<Json>,
    /// The games under way.
    live: watch::Receiver<Json>,
    hosts: Hosts,
    /// Held while a game is analysed: one at a time.
    analysis: tokio::sync::Mutex<()>,
}

type Shared = Arc<App>;

/// Serves the site until `interrupted` is set; `ready` is called with the link to the page.
///
/// # Errors
/// When it cannot listen on any of the addresses.
pub fn serve(
    site: Site,
    options: &Options,
    interrupted: &Arc<AtomicBool>,
    ready: impl FnOnce(&str) -> io::Result<()>,
) -> Result<(), SiteError> {
    // One thread. Long work runs on other threads, which give way to games.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(READERS)
        .on_thread_start(|| crownhead_sandbox::give_way(NICENESS))
        .build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(&*options.listen).await;
        let why = |error| SiteError::CannotListen(why_not_listening(&options.listen, &error));
        let listener = listener.map_err(why)?;
        let address = listener.local_addr()?;
        let (tell, changes) = watch::channel(Json::from("{}"));
        let (tell_live, live) = watch::channel(Json::from("{}"));
        let app = Arc::new(App {
            site: Mutex::new(site),
            changes,
            live,
            hosts: Hosts::new(address.ip(), &options.hosts),
            analysis: tokio::sync::Mutex::default(),
        });
        ready(&format!("http://{address}/"))?;
        let watching_games = tokio::spawn(watch_games(app.clone(), tell_live));
        let until = watch_site(app.clone(), tell, interrupted.clone());
        let until = async {
            until.await;
            watching_games.abort();
        };
        accept(listener, routes(app), until).await;
        Ok(())
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

/// Looks for news and sends them to the pages, until it is interrupted. Then all streams end, because the server waits
/// for them.
async fn watch_site(app: Shared, tell: watch::Sender<Json>, interrupted: Arc<AtomicBool>) {
    let mut told = app.lock().generation;
    let mut next = Instant::now();
    while !interrupted.load(Ordering::Relaxed) {
        if Instant::now() >= next {
            let own = app.clone();
            let looked = spawn_blocking(move || {
                let mut site = own.lock();
                // A file that cannot be read now, for example while it is moved, may be readable in a moment.
                let _ = site.refresh();
                site.generation
            });
            let generation = looked.await.unwrap_or(told);
            if generation != told {
                told = generation;
                tell.send_replace(format!("{{\"generation\":{generation}}}").into());
            }
            next = Instant::now() + LOOK;
        }
        tokio::time::sleep(TICK).await;
    }
}

/// Sends the state of games under way to the pages that show them.
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
    for (name, kind, text) in assets::files() {
        let file = get(move || async move { ([(header::CONTENT_TYPE, kind)], text) });
        router = router.route(&format!("/{name}"), file);
    }
    router
        .route("/", get(async || Html(assets::page("live"))))
        .route("/data/{*name}", get(answers::data))
        .route("/data/analysis/{file}", get(answers::analysis))
        .route(
            &format!("/{VIEWERS}/{{hash}}/{{*name}}"),
            get(answers::viewer_file),
        )
        .route("/data/events", get(answers::changes))
        .route("/data/live", get(answers::live))
        .layer(from_fn_with_state(app.clone(), guard))
        .with_state(app)
}

/// A request that is refused, with the reason for people.
type HttpError = (StatusCode, Body<Value>);

fn refuse(status: StatusCode, why: impl ToString) -> HttpError {
    (status, Body(json!({ "error": why.to_string() })))
}

type HttpResult = Result<Response, HttpError>;

/// Checks every request, and completes every response.
async fn guard(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let is_viewers = request.uri().path().starts_with(&format!("/{VIEWERS}/"));
    let headers = if is_viewers { VIEWER_HEADERS } else { HEADERS };
    let mut response = match allow(&app, &request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in headers {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

fn allow(app: &App, request: &Request) -> Result<(), HttpError> {
    let host = request.headers().get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
    if !app.hosts.allow(host) {
        let told = format!(
            "this server does not respond to the name {host:?}; use its address, or start it with --host NAME"
        );
        return Err(refuse(StatusCode::MISDIRECTED_REQUEST, told));
    }
    if request.uri().path().starts_with("/data/") && is_foreign(request.headers()) {
        let why = "the request comes from a page of another site";
        return Err(refuse(StatusCode::FORBIDDEN, why));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
