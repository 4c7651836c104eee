//! Connections: how many there may be, which one a new one replaces, and how long a client may keep one waiting. The
//! router answers the requests.
//!
//! Any user of this machine can open connections, and all of them come from one address. So a connection above the
//! limit is not refused. Instead, the connection that has been useless for longest is closed.

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use futures_util::future::select;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::collections::BTreeMap;
use std::future::Future;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

/// The most connections at once.
const MOST: usize = 256;
/// The most from one address of another machine.
const MOST_OF_ADDRESS: usize = 64;
/// How long a client may take for the head of a request, and be silent after a response.
const SILENCE: Duration = Duration::from_secs(20);
/// How long a client may leave data unread, in milliseconds.
#[cfg(target_os = "linux")]
const UNREAD: u32 = 30_000;
/// The most bytes of a request's head, and of a response that waits to be sent.
const BUFFER: usize = 16 << 10;
/// How long to wait when no connection can be accepted: too many files are open.
const PAUSE: Duration = Duration::from_millis(100);
/// How long responses under way may take at the end.
const FAREWELL: Duration = Duration::from_secs(1);
/// The streams that pages follow all the time. They ask again when one ends.
const NEWS: [&str; 2] = ["/data/events", "/data/live"];

/// Serves all connections until `until` is over, and open ones a moment longer.
pub(super) async fn accept(listener: TcpListener, routes: Router, until: impl Future<Output = ()>) {
    let graceful = GracefulShutdown::new();
    let accepting = async {
        let connections = Connections::default();
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => connections.begin(stream, peer.ip(), &routes, &graceful),
                Err(_) => sleep(PAUSE).await,
            }
        }
    };
    select(pin!(until), pin!(accepting)).await;
    let _ = timeout(FAREWELL, graceful.shutdown()).await;
}

/// The open connections.
#[derive(Clone, Default)]
struct Connections(Arc<Mutex<Table>>);

#[derive(Default)]
struct Table {
    open: BTreeMap<u64, Connection>,
    /// Counts connections and what happens to them.
    count: u64,
}

struct Connection {
    address: IpAddr,
    state: State,
    /// When it entered its state, by the table's count.
    since: u64,
    /// The connection ends when this is dropped.
    _open: oneshot::Sender<()>,
}

/// The present use of a connection, the least useful first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum State {
    /// The client is silent, or about to send.
    Waiting,
    /// It follows the news.
    Following,
    /// It is being answered, or follows a game or an analysis of its own.
    Answering,
}

impl Connections {
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Serves this connection in its own task, if there is room for it.
    fn begin(
        &self,
        stream: TcpStream,
        address: IpAddr,
        routes: &Router,
        graceful: &GracefulShutdown,
    ) {
        let Some((id, closed)) = self.lock().admit(address) else {
            return;
        };
        // The kernel gives up a client that reads nothing.
        #[cfg(target_os = "linux")]
        let _ = rustix::net::sockopt::set_tcp_user_timeout(&stream, UNREAD);
        let _ = stream.set_nodelay(true);
        let (own, routes) = (self.clone(), TowerToHyperService::new(routes.clone()));
        let service = service_fn(move |request| {
            own.lock().set(id, State::Answering);
            let follows = NEWS.contains(&hyper::Request::uri(&request).path());
            let (own, answer) = (own.clone(), routes.call(request));
            async move {
                let answer: Response = answer.await?;
                own.lock().set(id, state_after(&answer, follows));
                Ok::<_, std::convert::Infallible>(answer)
            }
        });
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(SILENCE)
            .max_buf_size(BUFFER);
        let answered = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
        let own = self.clone();
        tokio::spawn(async move {
            select(pin!(answered), closed).await;
            own.lock().open.remove(&id);
        });
    }
}

fn state_after(answer: &Response, follows: bool) -> State {
    let kind = answer.headers().get(header::CONTENT_TYPE);
    let is_stream = kind.map(HeaderValue::as_bytes) == Some(b"text/event-stream");
    match (is_stream, follows) {
        (false, _) => State::Waiting,
        (true, true) => State::Following,
        (true, false) => State::Answering,
    }
}

impl Table {
    /// Room for a connection: its number, and a future that is ready when it must end. If there is no room, the least
    /// useful connection is closed; `None` if all are being answered.
    fn admit(&mut self, address: IpAddr) -> Option<(u64, oneshot::Receiver<()>)> {
        let is_full = self.open.len() >= MOST;
        let of_address = |one: &&Connection| one.address == address;
        // On this machine and behind a web server, all clients have one address.
        let has_most = !address.is_loopback()
            && self.open.values().filter(of_address).count() >= MOST_OF_ADDRESS;
        if is_full || has_most {
            let replaced = self
                .open
                .iter()
                .filter(|(_, one)| !has_most || one.address == address)
                .filter(|(_, one)| one.state < State::Answering)
                .min_by_key(|(_, one)| (one.state, one.since))
                .map(|(id, _)| *id)?;
            self.open.remove(&replaced);
        }
        self.count += 1;
        let (open, closed) = oneshot::channel();
        let connection = Connection {
            address,
            state: State::Waiting,
            since: self.count,
            _open: open,
        };
        self.open.insert(self.count, connection);
        Some((self.count, closed))
    }

    fn set(&mut self, id: u64, state: State) {
        self.count += 1;
        if let Some(one) = self.open.get_mut(&id) {
            (one.state, one.since) = (state, self.count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::response::IntoResponse;
    use std::net::Ipv4Addr;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
    const THERE: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 7));

    /// A table with this many connections from `address`, and the futures of their ends, by number.
    fn full(address: IpAddr, many: usize) -> (Table, BTreeMap<u64, oneshot::Receiver<()>>) {
        let mut table = Table::default();
        let open = (0..many).map(|_| table.admit(address).expect("there is room"));
        let open = open.collect();
        (table, open)
    }

    /// The connections that have ended.
    fn ended(open: &mut BTreeMap<u64, oneshot::Receiver<()>>) -> Vec<u64> {
        let closed = oneshot::error::TryRecvError::Closed;
        open.iter_mut()
            .filter_map(|(id, one)| (one.try_recv() == Err(closed.clone())).then_some(*id))
            .collect()
    }

    #[test]
    fn one_too_many_ends_the_connection_that_waits_longest() {
        let (mut table, mut open) = full(HERE, MOST);
        table.set(1, State::Answering);
        table.set(2, State::Following);
        table.set(3, State::Waiting);
        assert_eq!(ended(&mut open), [0; 0]);
        assert!(table.admit(HERE).is_some());
        assert_eq!(ended(&mut open), [4]);
        assert_eq!(table.open.len(), MOST);
    }

    #[test]
    fn a_stream_of_news_ends_only_when_none_waits_and_an_answer_never() {
        let (mut table, mut open) = full(HERE, MOST);
        let ids: Vec<u64> = open.keys().copied().collect();
        for id in &ids {
            table.set(*id, State::Answering);
        }
        assert!(table.admit(HERE).is_none());
        // The one that began to follow first, not the one that came first.
        table.set(ids[8], State::Following);
        table.set(ids[7], State::Following);
        assert!(table.admit(HERE).is_some());
        assert_eq!(ended(&mut open), [ids[8]]);
    }

    #[test]
    fn only_a_stream_of_news_is_of_less_use_than_an_answer_that_goes_on() {
        let answer = |kind: &'static str| ([(header::CONTENT_TYPE, kind)], "").into_response();
        let [stream, json] = ["text/event-stream", "application/json"].map(answer);
        assert_eq!(state_after(&stream, true), State::Following);
        assert_eq!(state_after(&stream, false), State::Answering);
        assert_eq!(state_after(&json, true), State::Waiting);
        assert_eq!(state_after(&().into_response(), false), State::Waiting);
    }

    #[test]
    fn another_machine_cannot_end_connections_of_others() {
        let (mut table, mut own) = full(HERE, 10);
        let there: Vec<_> = (0..MOST_OF_ADDRESS + 5)
            .filter_map(|_| table.admit(THERE))
            .collect();
        assert_eq!(ended(&mut own), [0; 0]);
        assert_eq!(there.len(), MOST_OF_ADDRESS + 5);
        assert_eq!(table.open.len(), 10 + MOST_OF_ADDRESS);
    }
}
