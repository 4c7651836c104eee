//! Freezes a program that is idle for longer than a moment. Freezing and thawing a control group takes longer than a
//! quick opponent's turn. What a program can do in that moment is little compared with its own turn.
//!
//! One thread of this process freezes all programs, so that only the thread that thaws a group waits for a slow freeze.

use super::cgroup::Freezer;
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
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
    is_idle: bool,
    is_frozen: bool,
    /// How many times it has become idle.
    times: u64,
}

/// A program that became idle at this moment, and how many times it has.
struct Entry {
    since: Instant,
    times: u64,
    group: Arc<Group>,
}

/// All programs that became idle within [`GRACE`], the earliest first.
struct Queue {
    entries: VecDeque<Entry>,
    has_thread: bool,
}

static QUEUE: Mutex<Queue> = Mutex::new(Queue {
    entries: VecDeque::new(),
    has_thread: false,
});
static CAME: Condvar = Condvar::new();

impl IdleFreezer {
    pub(super) fn new(freezer: Freezer) -> IdleFreezer {
        let state = Mutex::default();
        IdleFreezer(Arc::new(Group { freezer, state }))
    }

    /// Marks the program as idle. It is frozen unless [`resume`](Self::resume) comes before [`GRACE`] is over.
    pub(super) fn pause(&self) {
        let mut state = self.0.lock();
        if std::mem::replace(&mut state.is_idle, true) {
            return;
        }
        state.times += 1;
        let entry = Entry {
            since: Instant::now(),
            times: state.times,
            group: self.0.clone(),
        };
        drop(state);
        if entry.queue().is_err() {
            self.0.lock().freeze(&self.0.freezer);
        }
    }

    /// Ends the idle time. When this returns, the program runs.
    pub(super) fn resume(&self) {
        let mut state = self.0.lock();
        state.is_idle = false;
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
        self.0.lock().is_idle = false;
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

impl State {
    fn freeze(&mut self, freezer: &Freezer) {
        if self.is_idle && !self.is_frozen {
            self.is_frozen = freezer.freeze().is_ok();
        }
    }
}

impl Entry {
    /// Hands it to the freezing thread.
    ///
    /// # Errors
    /// When the thread cannot be started.
    fn queue(self) -> io::Result<()> {
        let mut queue = QUEUE.lock().unwrap_or_else(PoisonError::into_inner);
        if !queue.has_thread {
            thread::Builder::new().name("freezer".into()).spawn(serve)?;
            queue.has_thread = true;
        }
        queue.entries.push_back(self);
        // If others are in the queue, it waits for the first of them.
        if queue.entries.len() == 1 {
            CAME.notify_one();
        }
        Ok(())
    }
}

/// Freezes each program that is still idle when its grace is over.
fn serve() {
    loop {
        let entry = next();
        thread::sleep((entry.since + GRACE).saturating_duration_since(Instant::now()));
        let mut state = entry.group.lock();
        if state.times == entry.times {
            state.freeze(&entry.group.freezer);
        }
    }
}

/// The next entry, once there is one.
fn next() -> Entry {
    let mut queue = QUEUE.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        match queue.entries.pop_front() {
            Some(entry) => return entry,
            None => queue = CAME.wait(queue).unwrap_or_else(PoisonError::into_inner),
        }
    }
}
