//! A referee's process: lines in and lines out, without blocking for ever, and its standard error.
//!
//! It runs in its own process group, on the given cores, and is killed with its group when this is dropped. If
//! Crownhead itself is killed, the process sees the end of its standard input. Leaves out the meaning of the lines.

use crate::RefereeError;
use crate::received::Received;
use crownhead_record::text::printable;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long a referee may be silent, including the start of a Java virtual machine.
pub(crate) const SILENCE: Duration = Duration::from_secs(30);

/// The interval of checks for an interrupted run.
const TICK: Duration = Duration::from_millis(50);

/// How long a process that has closed its output may take to end and to say why.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// How many bytes of its standard error are kept: the last ones.
const ERROR_KEPT: usize = 4096;

/// A running referee.
#[derive(Debug)]
pub(crate) struct Process {
    name: String,
    child: Child,
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    unsent: Vec<u8>,
    received: Received,
    error: Arc<Mutex<Vec<u8>>>,
    error_reader: Option<JoinHandle<()>>,
}

/// A wait for a referee.
#[derive(Debug)]
pub(crate) struct Wait<'a> {
    interrupted: &'a AtomicBool,
    limit: Duration,
    waited: Duration,
}

/// A line of a referee.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    /// A line without its end.
    Whole(Vec<u8>),
    /// A line that exceeds the limit.
    TooLong,
    /// Its output has ended.
    Ended,
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    /// By itself.
    Status(i32),
    /// By a signal.
    Signal(i32),
}

impl<'a> Wait<'a> {
    /// A wait of at most `limit`.
    pub(crate) fn new(interrupted: &'a AtomicBool, limit: Duration) -> Wait<'a> {
        Wait {
            interrupted,
            limit,
            waited: Duration::ZERO,
        }
    }
}

impl Process {
    /// Starts `command`, which is called `name`, on these cores, or on any if there are none.
    pub(crate) fn start(
        mut command: Command,
        name: &str,
        cores: &[usize],
    ) -> Result<Process, RefereeError> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let io = |error| RefereeError::Io {
            name: name.into(),
            error,
        };
        let mut child = spawn_on(&mut command, cores).map_err(io)?;
        let error = Arc::default();
        let mut process = Process {
            name: name.into(),
            input: child.stdin.take(),
            output: child.stdout.take(),
            error_reader: None,
            unsent: Vec::new(),
            received: Received::default(),
            error: Arc::clone(&error),
            child,
        };
        process.set_up(error).map_err(io)?;
        Ok(process)
    }

    fn set_up(&mut self, kept: Arc<Mutex<Vec<u8>>>) -> io::Result<()> {
        self.input.as_ref().map_or(Ok(()), never_block)?;
        self.output.as_ref().map_or(Ok(()), never_block)?;
        if let Some(pipe) = self.child.stderr.take() {
            let reader = thread::Builder::new().name("referee's errors".into());
            self.error_reader = Some(reader.spawn(move || keep_last(pipe, &kept))?);
        }
        Ok(())
    }

    /// Sends `bytes`. The part that the pipe does not take now is sent while waiting. If the referee has ended, its
    /// output shows that.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.unsent.extend_from_slice(bytes);
        self.flush();
    }

    fn flush(&mut self) {
        let Some(input) = &mut self.input else {
            return self.unsent.clear();
        };
        while !self.unsent.is_empty() {
            match input.write(&self.unsent) {
                Ok(count) => drop(self.unsent.drain(..count)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => return self.close_input(),
            }
        }
    }

    /// Closes its standard input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
        self.unsent = Vec::new();
    }

    /// The next line, of at most `most` bytes.
    ///
    /// # Errors
    /// When it is interrupted, cannot be read, or no line comes before the wait is over; `expected` describes the
    /// expected line.
    pub(crate) fn line(
        &mut self,
        most: usize,
        wait: &mut Wait<'_>,
        expected: &str,
    ) -> Result<Line, RefereeError> {
        loop {
            let line = self.received.take_line();
            if line.as_ref().map_or(self.received.len(), Vec::len) > most {
                return Ok(Line::TooLong);
            }
            if let Some(line) = line {
                return Ok(Line::Whole(line));
            }
            if self.output.is_none() {
                return Ok(self.received.take_rest().map_or(Line::Ended, Line::Whole));
            }
            if wait.waited >= wait.limit {
                let limit = wait.limit.as_secs();
                let problem = format!("said nothing more for {limit} s; expected {expected}");
                return Err(self.problem(problem + &self.last_words()));
            }
            self.wait(wait)?;
        }
    }

    /// Reads and writes as much as possible, for a short time.
    fn wait(&mut self, wait: &mut Wait<'_>) -> Result<(), RefereeError> {
        if wait.interrupted.load(Ordering::Relaxed) {
            return Err(RefereeError::Interrupted);
        }
        let began = Instant::now();
        let ready = self.poll(TICK.min(wait.limit.saturating_sub(wait.waited)));
        // If Crownhead itself was stopped meanwhile, that does not count as silence.
        wait.waited += began.elapsed().min(2 * TICK);
        let [readable, writable] = ready.map_err(|error| self.io(error))?;
        if writable {
            self.flush();
        }
        if readable {
            self.read_output().map_err(|error| self.io(error))?;
        }
        Ok(())
    }

    /// Whether its output is ready, and its input if something is still unsent.
    fn poll(&self, time: Duration) -> io::Result<[bool; 2]> {
        let output = self.output.as_ref().map(AsFd::as_fd);
        let input = self.input.as_ref().filter(|_| !self.unsent.is_empty());
        let files = [
            (output, PollFlags::IN),
            (input.map(AsFd::as_fd), PollFlags::OUT),
        ];
        let watched = |(file, events)| Some(PollFd::from_borrowed_fd(file?, events));
        let mut fds: Vec<PollFd<'_>> = files.into_iter().filter_map(watched).collect();
        match poll(&mut fds, Timespec::try_from(time).ok().as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
        Ok(files.map(|(file, _)| file.is_some() && ready.next().unwrap_or_default()))
    }

    fn read_output(&mut self) -> io::Result<()> {
        let Some(output) = &mut self.output else {
            return Ok(());
        };
        let mut chunk = [0; 1 << 14];
        match output.read(&mut chunk) {
            Ok(0) => self.output = None,
            Ok(count) => self.received.push(&chunk[..count]),
            Err(error) if is_momentary(&error) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// The error that its output ended before `expected`.
    pub(crate) fn ended(&mut self, expected: &str) -> RefereeError {
        let how = match self.await_end(LAST_WORDS) {
            Some(Ended::Status(status)) => format!("ended with exit status {status}"),
            Some(Ended::Signal(signal)) => format!("was killed by signal {signal}"),
            None => "closed its output".into(),
        };
        self.problem(format!("{how}{}; expected {expected}", self.last_words()))
    }

    /// Waits for its end, and that of its standard error, for at most this long.
    pub(crate) fn await_end(&mut self, limit: Duration) -> Option<Ended> {
        let began = Instant::now();
        loop {
            let ended = self.has_ended();
            let mut reader = self.error_reader.iter();
            let over = ended.is_some() && reader.all(JoinHandle::is_finished);
            if over || began.elapsed() >= limit {
                return ended;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// How it ended, if it has. It is not reaped, so that its pid, which is also its group's, is not reused.
    pub(crate) fn has_ended(&self) -> Option<Ended> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let pid = Pid::from_child(&self.child);
        let ended = waitid(WaitId::Pid(pid), options).ok()??;
        let status = ended.exit_status().map(Ended::Status);
        status.or_else(|| ended.terminating_signal().map(Ended::Signal))
    }

    /// The end of its standard error, as part of a sentence; empty if there is none.
    fn last_words(&self) -> String {
        let kept = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept);
        // In a Java stack trace, the exceptions say more than the frames.
        let is_frame = |line: &str| line.starts_with("at ") || line.starts_with("... ");
        let lines = text.lines().map(str::trim);
        let lines: Vec<&str> = lines
            .filter(|line| !line.is_empty() && !is_frame(line))
            .collect();
        let last = &lines[lines.len().saturating_sub(3)..];
        if last.is_empty() {
            return String::new();
        }
        format!("; its standard error ends: {}", shown(&last.join(" | ")))
    }

    /// The error that it did this.
    pub(crate) fn problem(&self, problem: impl Into<String>) -> RefereeError {
        RefereeError::Protocol {
            name: self.name.clone(),
            problem: problem.into(),
        }
    }

    fn io(&self, error: io::Error) -> RefereeError {
        RefereeError::Io {
            name: self.name.clone(),
            error,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Before it is reaped: until then its pid is not reused.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.wait();
    }
}

/// The beginning of a referee's line for people, without control characters.
pub(crate) fn shown(text: &str) -> String {
    const SHOWN: usize = 400;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", printable(&text[..end])),
        None => printable(text),
    }
}

/// Starts a process that runs on these cores, as do the threads that it starts.
fn spawn_on(command: &mut Command, cores: &[usize]) -> io::Result<Child> {
    let child = command.spawn()?;
    #[cfg(target_os = "linux")]
    if !cores.is_empty() {
        let mut set = rustix::thread::CpuSet::new();
        cores.iter().for_each(|&core| set.set(core));
        // This process may have lost a core meanwhile; then the child runs on the others.
        let _ = rustix::thread::sched_setaffinity(Some(Pid::from_child(&child)), &set);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = cores;
    Ok(child)
}

fn never_block(pipe: &impl AsFd) -> io::Result<()> {
    let flags = fcntl_getfl(pipe)?;
    fcntl_setfl(pipe, flags | OFlags::NONBLOCK)?;
    Ok(())
}

fn is_momentary(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock)
}

/// Reads a standard error to its end, and keeps the last part.
fn keep_last(mut pipe: ChildStderr, kept: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 1 << 12];
    loop {
        match pipe.read(&mut chunk) {
            Ok(0) => return,
            Ok(count) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(&chunk[..count]);
                let surplus = kept.len().saturating_sub(ERROR_KEPT);
                kept.drain(..surplus);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Process {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Process::start(command, "shell", &[]).unwrap()
    }

    #[test]
    fn input_that_a_pipe_does_not_take_at_once_is_sent_while_waiting() {
        let never = AtomicBool::new(false);
        let folder = tempfile::tempdir().unwrap();
        let sent = folder.path().join("sent");
        let mut process = shell(&format!(
            "until [ -e {} ]; do sleep 0.02; done; head -c 300000 | wc -c",
            sent.display()
        ));
        process.send(&[b'x'; 300_000]);
        assert!(!process.unsent.is_empty());
        std::fs::write(sent, "").unwrap();
        let line = process.line(100, &mut Wait::new(&never, SILENCE), "a number");
        assert_eq!(line.unwrap(), Line::Whole(b"300000".to_vec()));
    }

    #[test]
    fn a_line_that_is_too_long_is_not_read_to_its_end() {
        let never = AtomicBool::new(false);
        let mut process = shell("yes | tr -d '\\n'");
        let line = process.line(100_000, &mut Wait::new(&never, SILENCE), "a line");
        assert_eq!(line.unwrap(), Line::TooLong);
    }

    #[test]
    fn last_words_show_exceptions_without_their_stack() {
        let mut process = shell(
            "printf 'Exception: no map\\n\\tat Main.main(Main.java:3)\\n\\t... 7 more\\n' >&2; kill -9 $$",
        );
        let said = process.ended("a map").to_string();
        assert_eq!(
            said,
            "the referee shell was killed by signal 9; its standard error ends: Exception: no map; expected a map"
        );
    }
}
