//! The games and analyses that browsers have started: each is a thread, limited in number and in time.

use super::guard::secret;
use super::live::Json;
use crownhead_browser::Order;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long a game waits for a person.
const PATIENCE: Duration = Duration::from_mins(15);
/// How long it waits when no page shows it. A page that is reloaded, or opened again, continues it.
const UNATTENDED: Duration = Duration::from_mins(2);
/// How often a waiting game checks whether a page shows it.
const TICK: Duration = Duration::from_secs(1);
/// How long all may take to end, because abandoned games are still written.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// All sessions.
#[derive(Debug)]
pub(super) struct Sessions {
    /// How many there may be at once.
    pub(super) most: usize,
    open: Mutex<HashMap<String, Session>>,
}

#[derive(Debug)]
struct Session {
    orders: Sender<Order>,
    states: watch::Receiver<Json>,
    stopped: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

/// The thread's end of a session.
#[derive(Debug)]
pub(super) struct SessionThread {
    orders: Receiver<Order>,
    states: watch::Sender<Json>,
    /// Raised when the session is to end at once.
    pub(super) stopped: Arc<AtomicBool>,
    pub(super) started: Instant,
}

/// All places are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("all {0} places for games and analyses are taken; try again later, or raise --max-games")]
pub(super) struct NoSeat(usize);

impl Sessions {
    /// At most this many at once.
    pub(super) fn new(most: usize) -> Sessions {
        Sessions {
            most,
            open: Mutex::default(),
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Session>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a session that runs `work` on its own thread; returns the session's name.
    pub(super) fn begin(
        &self,
        work: impl FnOnce(SessionThread) + Send + 'static,
    ) -> Result<String, NoSeat> {
        let mut open = self.open();
        open.retain(|_, session| session.states.has_changed().is_ok());
        if open.len() >= self.most {
            return Err(NoSeat(self.most));
        }
        let (orders, incoming) = mpsc::channel();
        let (publish, states) = watch::channel(Json::from("{}"));
        let stopped = Arc::new(AtomicBool::new(false));
        let session = SessionThread {
            orders: incoming,
            states: publish,
            stopped: stopped.clone(),
            started: Instant::now(),
        };
        let thread = std::thread::spawn(move || work(session));
        let name = secret();
        let session = Session {
            orders,
            states,
            stopped,
            thread,
        };
        open.insert(name.clone(), session);
        Ok(name)
    }

    /// The states of a session, if it exists.
    pub(super) fn states(&self, name: &str) -> Option<watch::Receiver<Json>> {
        Some(self.open().get(name)?.states.clone())
    }

    /// Sends a session an order; `false` if it has ended.
    pub(super) fn tell(&self, name: &str, order: Order) -> bool {
        let mut open = self.open();
        let Some(session) = open.get(name) else {
            return false;
        };
        if order == Order::Stop {
            session.stopped.store(true, Ordering::Relaxed);
        }
        let sent = session.orders.send(order).is_ok();
        if !sent {
            open.remove(name);
        }
        sent
    }

    /// Ends them all, and waits for them for a moment.
    pub(super) fn close(&self) {
        let closed = std::mem::take(&mut *self.open());
        let end = |session: Session| {
            session.stopped.store(true, Ordering::Relaxed);
            session.thread
        };
        let threads: Vec<JoinHandle<()>> = closed.into_values().map(end).collect();
        let until = Instant::now() + LAST_WORDS;
        while !threads.iter().all(JoinHandle::is_finished) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl SessionThread {
    /// Shows this state.
    pub(super) fn show(&self, state: &impl Serialize) {
        let json = serde_json::to_string(state).expect("a state is plain data");
        self.states.send_replace(json.into());
    }

    /// The person's next command. To stop, if nothing comes for long, no page shows the session, or it is closed.
    pub(super) fn wait(&self) -> Order {
        self.wait_by(TICK, Instant::now)
    }

    /// The same with this clock, which is read after each tick.
    fn wait_by(&self, tick: Duration, mut now: impl FnMut() -> Instant) -> Order {
        let asked = now();
        let mut shown = asked;
        loop {
            match self.orders.recv_timeout(tick) {
                Ok(order) => return order,
                Err(RecvTimeoutError::Disconnected) => return Order::Stop,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let now = now();
            if self.is_watched() {
                shown = now;
            }
            if now - asked > PATIENCE || now - shown > UNATTENDED {
                return Order::Stop;
            }
        }
    }

    /// Skips the person's commands that came meanwhile.
    pub(super) fn drop_orders(&self) {
        while self.orders.try_recv().is_ok() {}
    }

    /// Whether a browser reads it; the session itself holds one receiver.
    pub(super) fn is_watched(&self) -> bool {
        self.states.receiver_count() > 1
    }
}

#[cfg(test)]
pub(super) mod tests;
