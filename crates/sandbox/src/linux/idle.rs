//! Has a program frozen that is idle for longer than a moment. To freeze and to thaw a control group takes longer than a
//! quick opponent's turn, and what a program can do in that moment is nothing beside what it can do in its own turn.
//!
//! One thread of this process freezes all of them, so that nobody waits for a group that is slow to be frozen but who
//! thaws it.

use super::cgroup::Freezer;
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// For how long an idle program runs on.
const GRACE: Duration = Duration::from_millis(2);

/// Freezes one program's group while it is idle. When this is dropped, the group stays as it is.
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
    /// How often it has become idle.
    times: u64,
}

/// A program that has become idle for so many times at this moment.
struct Entry {
    since: Instant,
    times: u64,
    group: Arc<Group>,
}

/// All programs that have become idle within [`GRACE`], the first of them in front.
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

    /// From now on the program is idle: it is frozen unless [`resume`](Self::resume) comes before [`GRACE`] is over.
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

    /// The program is not idle any more; when this returns, it goes on.
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

    /// From now on the group is not frozen; if it is, it stays so.
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
    /// Leaves it to the thread that freezes.
    ///
    /// # Errors
    /// When there is no such thread and none can be had.
    fn queue(self) -> io::Result<()> {
        let mut queue = QUEUE.lock().unwrap_or_else(PoisonError::into_inner);
        if !queue.has_thread {
            thread::Builder::new().name("freezer".into()).spawn(serve)?;
            queue.has_thread = true;
        }
        queue.entries.push_back(self);
        // With others in the queue, it waits for the first of them.
        if queue.entries.len() == 1 {
            CAME.notify_one();
        }
        Ok(())
    }
}

/// Freezes whoever is still idle when its moment is over.
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
