//! Connections: how many there may be, and how long a client may keep one waiting. The router answers the requests.

use axum::Router;
use futures_util::future::select;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// The most connections at once. One more waits until another ends.
const MOST: usize = 256;
/// How long a client may take for the head of a request, and be silent after a response.
const SILENCE: Duration = Duration::from_secs(20);
/// The most bytes of a request's head, and of a response that waits to be sent.
const BUFFER: usize = 16 << 10;
/// How long to wait when no connection can be accepted: too many files are open.
const PAUSE: Duration = Duration::from_millis(100);
/// How long responses under way may take at the end.
const FAREWELL: Duration = Duration::from_secs(1);

/// Serves all connections until `until` is over, and open ones a moment longer.
pub(super) async fn accept(listener: TcpListener, routes: Router, until: impl Future<Output = ()>) {
    let graceful = GracefulShutdown::new();
    let accepting = async {
        let room = Arc::new(Semaphore::new(MOST));
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(SILENCE)
            .max_buf_size(BUFFER);
        loop {
            let place = room.clone().acquire_owned().await;
            let Ok((stream, _)) = listener.accept().await else {
                sleep(PAUSE).await;
                continue;
            };
            let _ = stream.set_nodelay(true);
            let service = TowerToHyperService::new(routes.clone());
            let answered = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
            tokio::spawn(async move {
                let _place = place;
                let _ = answered.await;
            });
        }
    };
    select(pin!(until), pin!(accepting)).await;
    let _ = timeout(FAREWELL, graceful.shutdown()).await;
}
