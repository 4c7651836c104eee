//! Freezes a program that is idle for longer than a moment. Freezing and thawing a control group takes longer than a
//! quick opponent's turn. What a program can do in that moment is little compared with its own turn.
//!
//! One thread of this process freezes all programs, so that only the thread that thaws a group waits for a slow freeze.

use super::cgroup::Freezer;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long an idle program keeps running.
const GRACE: Duration = Duration::from_millis(2);

/// Freezes one program's group while it is idle. Dropping this leaves the group as it is.
#[derive(Debug)]
pub(super) struct IdleFreezer(Arc<Group>);

#[derive(Debug)]
struct Group {
    freezer: Freezer,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// When it became idle, if it is.
    idle_since: Option<Instant>,
    is_frozen: bool,
}

/// When a program became idle, and its group.
type Idle = (Instant, Arc<Group>);

/// Leads to the thread that freezes each program that is still idle when its grace is over; `None` if that cannot be
/// started.
static IDLE: LazyLock<Option<Sender<Idle>>> = LazyLock::new(|| {
    let (sender, idle) = channel::<Idle>();
    let freeze_all = move || {
        for (since, group) in idle {
            thread::sleep((since + GRACE).saturating_duration_since(Instant::now()));
            let mut state = group.lock();
            if state.idle_since == Some(since) {
                state.is_frozen = group.freezer.freeze().is_ok();
            }
        }
    };
    let thread = thread::Builder::new().name("freezer".into());
    thread.spawn(freeze_all).ok().map(|_| sender)
});

impl IdleFreezer {
    pub(super) fn new(freezer: Freezer) -> IdleFreezer {
        let state = Mutex::default();
        IdleFreezer(Arc::new(Group { freezer, state }))
    }

    /// Marks the program as idle. It is frozen unless [`resume`](Self::resume) comes before [`GRACE`] is over.
    pub(super) fn pause(&self) {
        let mut state = self.0.lock();
        if state.idle_since.is_some() {
            return;
        }
        let since = Instant::now();
        state.idle_since = Some(since);
        let entry = (since, self.0.clone());
        if IDLE.as_ref().is_none_or(|idle| idle.send(entry).is_err()) {
            state.is_frozen = self.0.freezer.freeze().is_ok();
        }
    }

    /// Ends the idle time. When this returns, the program runs.
    pub(super) fn resume(&self) {
        let mut state = self.0.lock();
        state.idle_since = None;
        if std::mem::take(&mut state.is_frozen) {
            // Fails once the group is gone, and the program with it.
            let _ = self.0.freezer.thaw();
        }
    }

    /// See [`Freezer::processor_time`].
    pub(super) fn processor_time(&self) -> Option<Duration> {
        self.0.freezer.processor_time()
    }

    /// Stops freezing the group. If it is frozen, it stays frozen.
    pub(super) fn cease(&self) {
        self.0.lock().idle_since = None;
    }
}

impl Drop for IdleFreezer {
    /// The next program may be in the same group.
    fn drop(&mut self) {
        self.cease();
    }
}

impl Group {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
