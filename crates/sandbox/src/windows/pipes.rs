//! A program's input and output, on Windows: two threads read and write them, because a pipe there cannot be waited for
//! together with others. Leaves out the thread that reads its standard error.

use super::sys;
use crate::lines::Lines;
use crate::program::Waited;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::windows::io::{BorrowedHandle, OwnedHandle};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The pipes of one program.
#[derive(Debug)]
pub struct Pipes {
    shared: Arc<Shared>,
    /// What the program has written and was not taken yet.
    pub lines: Lines,
    /// Whether the output has ended, and all of it was taken.
    output_ended: bool,
    /// When the last wait ended, before anything was taken.
    woke: Instant,
}

/// What the threads and the caller hand to each other.
#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default, Debug)]
struct State {
    received: Vec<u8>,
    output_ended: bool,
    output_closed: bool,
    unsent: Vec<u8>,
    input_closed: bool,
    /// Whether the program has closed its input.
    input_refused: bool,
}

/// What would be waited for together with the pipes. The end of a program is seen at a tick instead.
pub type Exit<'a> = BorrowedHandle<'a>;

/// What is read at once, and what is held of it until it is taken: as much as a pipe holds on Linux.
const CHUNK: usize = 1 << 14;
const HELD: usize = 1 << 16;

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn wait_while(&self, condition: impl FnMut(&mut State) -> bool) -> MutexGuard<'_, State> {
        let waited = self.changed.wait_while(self.lock(), condition);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, mut output: ChildStdout) {
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = output.read(&mut chunk);
            match read {
                Ok(count @ 1..) => {
                    self.change(|state| state.received.extend_from_slice(&chunk[..count]));
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                _ => return self.change(|state| state.output_ended = true),
            }
            // A program that floods its output waits, as with a pipe of Unix.
            let is_full = |state: &mut State| state.received.len() >= HELD && !state.output_closed;
            if self.wait_while(is_full).output_closed {
                return;
            }
        }
    }

    fn write(&self, mut input: ChildStdin) {
        loop {
            let idle = |state: &mut State| state.unsent.is_empty() && !state.input_closed;
            let mut state = self.wait_while(idle);
            if state.input_closed {
                return;
            }
            let bytes = std::mem::take(&mut state.unsent);
            drop(state);
            if input.write_all(&bytes).is_err() {
                self.change(|state| state.input_refused = true);
                return;
            }
        }
    }
}

impl Pipes {
    /// The caller's ends of a program's pipes.
    pub(crate) fn new(
        input: ChildStdin,
        output: ChildStdout,
        returns_end: bool,
    ) -> io::Result<Pipes> {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let thread = |name: &str| {
            std::thread::Builder::new()
                .name(name.into())
                .stack_size(1 << 17)
        };
        let [reader, writer] = [(); 2].map(|()| shared.clone());
        thread("output").spawn(move || reader.read(output))?;
        thread("input").spawn(move || writer.write(input))?;
        Ok(Pipes {
            shared,
            lines: Lines::new(returns_end),
            output_ended: false,
            woke: Instant::now(),
        })
    }

    /// Sends `bytes`, without waiting until they are taken.
    pub fn send(&mut self, bytes: &[u8]) {
        self.shared
            .change(|state| state.unsent.extend_from_slice(bytes));
    }

    /// The next line the program has written, without its end. A last line may lack it.
    pub fn take_line(&mut self) -> Option<Vec<u8>> {
        let line = self.lines.take();
        if line.is_none() && self.output_ended {
            return self.lines.take_rest();
        }
        line
    }

    /// Whether the program's output has ended and all of it was read.
    pub fn output_ended(&self) -> bool {
        self.output_ended
    }

    /// Whether the program has closed its input: seen once something is sent.
    pub fn input_closed(&self) -> bool {
        let state = self.shared.lock();
        state.input_closed || state.input_refused
    }

    /// Closes the program's standard input.
    pub fn close_input(&mut self) {
        self.shared.change(|state| state.input_closed = true);
    }

    /// Closes all pipes: what the program writes from now on is lost.
    pub fn close_all(&mut self) {
        self.shared
            .change(|state| (state.input_closed, state.output_closed) = (true, true));
        self.output_ended = true;
    }

    /// Unknown: what a pipe holds is only seen at its other end.
    pub fn unread(&self) -> Option<usize> {
        None
    }

    /// Takes what is there now of the output.
    pub fn read_output(&mut self) {
        let mut state = self.shared.lock();
        self.lines.push(&state.received);
        state.received.clear();
        self.output_ended |= state.output_ended;
        drop(state);
        self.shared.changed.notify_all();
    }

    /// Waits until the program writes or closes something, and takes it; until `deadline` at the latest.
    ///
    /// # Errors
    /// Never here.
    pub fn wait(&mut self, _: Option<Exit<'_>>, deadline: Instant) -> io::Result<Waited> {
        let late = Instant::now() >= deadline;
        let left = deadline.saturating_duration_since(Instant::now());
        let has_ended = self.output_ended;
        let is_idle =
            |state: &mut State| state.received.is_empty() && (has_ended || !state.output_ended);
        let state = self.shared.lock();
        let waited = self.shared.changed.wait_timeout_while(state, left, is_idle);
        let (state, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        drop(state);
        self.woke = Instant::now();
        self.read_output();
        // A program that floods a pipe keeps something happening for ever: the deadline holds all the same.
        Ok(match late || waited.timed_out() {
            true => Waited::TimeUp,
            false => Waited::Something,
        })
    }

    /// When the last wait ended: what it has taken was there then.
    pub fn woke(&self) -> Instant {
        self.woke
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        self.close_all();
    }
}

/// The pipe of standard error, as a file.
pub(crate) fn file_of(pipe: ChildStderr) -> File {
    OwnedHandle::from(pipe).into()
}

/// Nothing: it is only read when something is there.
pub(crate) fn never_block(_: &File) -> io::Result<()> {
    Ok(())
}

/// How often it is looked whether there is something to read.
const STEP: Duration = Duration::from_millis(10);

/// Whether there is something to read, or the end, within this time.
pub(crate) fn is_readable(pipe: &File, within: Duration) -> Option<bool> {
    let deadline = Instant::now() + within;
    loop {
        match sys::waiting(pipe) {
            Ok(0) => {}
            Ok(_) | Err(_) => return Some(true),
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Some(false);
        }
        std::thread::sleep(STEP.min(left));
    }
}

/// Reads what is there now.
pub(crate) fn read_now(mut pipe: &File, chunk: &mut [u8]) -> io::Result<usize> {
    match sys::waiting(pipe) {
        Ok(0) => Err(ErrorKind::WouldBlock.into()),
        Ok(_) => pipe.read(chunk),
        Err(_) => Ok(0),
    }
}
