//! A referee's process: lines in and lines out, without blocking for ever, and its standard error.
//!
//! It runs in its own process group, on the given cores, and is killed with its group when this is dropped. If
//! Crownhead itself is killed, the process sees the end of its standard input. Leaves out the meaning of the lines.

use crate::RefereeError;
use crate::received::Received;
use crownhead_record::text::beginning;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid,
};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a referee may be silent, including the start of a Java virtual machine.
const SILENCE: Duration = Duration::from_secs(30);

/// The interval of checks for an interrupted run.
const TICK: Duration = Duration::from_millis(50);

/// How long a process that has closed its output may take to end and to say why.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// How many bytes of its standard error are kept.
const ERROR_KEPT: usize = 4096;

/// A running referee.
#[derive(Debug)]
pub(crate) struct Process {
    name: String,
    child: Child,
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    error: Option<ChildStderr>,
    unsent: Vec<u8>,
    received: Received,
    /// The last part of its standard error.
    last_error: Vec<u8>,
}

/// A wait for a referee's next step.
#[derive(Debug)]
pub(crate) struct Wait<'a> {
    interrupted: &'a AtomicBool,
    waited: Duration,
    /// How many bytes it may write, and how many are left.
    most: usize,
    left: usize,
}

impl<'a> Wait<'a> {
    /// A wait for at most this many bytes.
    pub(crate) fn new(interrupted: &'a AtomicBool, most: usize) -> Wait<'a> {
        Wait {
            interrupted,
            waited: Duration::ZERO,
            most,
            left: most,
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
        let process = Process {
            name: name.into(),
            input: child.stdin.take(),
            output: child.stdout.take(),
            error: child.stderr.take(),
            unsent: Vec::new(),
            received: Received::default(),
            last_error: Vec::new(),
            child,
        };
        let pipes = [
            process.input.as_ref().map(AsFd::as_fd),
            process.output.as_ref().map(AsFd::as_fd),
            process.error.as_ref().map(AsFd::as_fd),
        ];
        for pipe in pipes.into_iter().flatten() {
            never_block(pipe).map_err(io)?;
        }
        Ok(process)
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
                Err(_) => {
                    self.input = None;
                    return self.unsent.clear();
                }
            }
        }
    }

    /// The next line.
    ///
    /// # Errors
    /// When it is interrupted, cannot be read, is larger than the rest of the wait allows, or no line comes before the
    /// wait is over; `expected` describes the expected line.
    pub(crate) fn line(
        &mut self,
        wait: &mut Wait<'_>,
        expected: &str,
    ) -> Result<String, RefereeError> {
        loop {
            let mut line = self.received.take_line();
            if line.is_none() && self.output.is_none() {
                line = self.received.take_rest();
            }
            let length = line.as_ref().map_or(self.received.len(), Vec::len);
            if length > wait.left {
                return Err(self.problem(too_much(wait.most)));
            }
            if let Some(line) = line {
                wait.left = wait.left.saturating_sub(length + 1);
                return Ok(String::from_utf8_lossy(&line).into_owned());
            }
            if self.output.is_none() {
                return Err(self.ended(expected));
            }
            if wait.waited >= SILENCE {
                let limit = SILENCE.as_secs();
                let problem = format!("said nothing more for {limit} s; expected {expected}");
                return Err(self.problem(problem + &self.last_words()));
            }
            if wait.interrupted.load(Ordering::Relaxed) {
                return Err(RefereeError::Interrupted);
            }
            let began = Instant::now();
            let done = self.exchange(TICK.min(SILENCE.saturating_sub(wait.waited)));
            // If Crownhead itself was stopped meanwhile, that does not count as silence.
            wait.waited += began.elapsed().min(2 * TICK);
            done.map_err(|error| RefereeError::Io {
                name: self.name.clone(),
                error,
            })?;
        }
    }

    /// Reads and writes as much as possible; waits for at most this long until something is.
    fn exchange(&mut self, time: Duration) -> io::Result<()> {
        let output = self.output.as_ref().map(AsFd::as_fd);
        let error = self.error.as_ref().map(AsFd::as_fd);
        let input = self.input.as_ref().filter(|_| !self.unsent.is_empty());
        let mut watched: Vec<PollFd<'_>> = [output, error]
            .into_iter()
            .flatten()
            .map(|pipe| PollFd::from_borrowed_fd(pipe, PollFlags::IN))
            .chain(input.map(|pipe| PollFd::new(pipe, PollFlags::OUT)))
            .collect();
        match poll(&mut watched, Timespec::try_from(time).ok().as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        self.flush();
        let mut chunk = [0; 1 << 14];
        let count = read_now(&mut self.output, &mut chunk)?;
        self.received.push(&chunk[..count]);
        let count = read_now(&mut self.error, &mut chunk)?;
        self.last_error.extend_from_slice(&chunk[..count]);
        let surplus = self.last_error.len().saturating_sub(ERROR_KEPT);
        self.last_error.drain(..surplus);
        Ok(())
    }

    /// The error that its output ended before `expected`.
    pub(crate) fn ended(&mut self, expected: &str) -> RefereeError {
        let deadline = Instant::now() + LAST_WORDS;
        let moment = Duration::from_millis(2);
        while (self.has_ended().is_none() || self.error.is_some())
            && Instant::now() < deadline
            && self.exchange(moment).is_ok()
        {}
        let ended = self.has_ended();
        let status = ended.and_then(|ended| ended.exit_status());
        let signal = ended.and_then(|ended| ended.terminating_signal());
        let how = match (status, signal) {
            (Some(status), _) => format!("ended with exit status {status}"),
            (_, Some(signal)) => format!("was killed by signal {signal}"),
            (None, None) => "closed its output".into(),
        };
        self.problem(format!("{how}{}; expected {expected}", self.last_words()))
    }

    /// How it ended, if it has. It is not reaped, so that its pid, which is also its group's, is not reused.
    pub(crate) fn has_ended(&self) -> Option<WaitIdStatus> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(Pid::from_child(&self.child)), options).ok()?
    }

    /// The end of its standard error, as part of a sentence; empty if there is none.
    fn last_words(&self) -> String {
        let text = String::from_utf8_lossy(&self.last_error);
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
}

impl Drop for Process {
    fn drop(&mut self) {
        // Before it is reaped: until then its pid is not reused.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.wait();
    }
}

/// What a referee does that writes more than this many bytes.
pub(crate) fn too_much(most: usize) -> String {
    let (most, unit) = match most >> 20 {
        0 => (most >> 10, "KiB"),
        most => (most, "MiB"),
    };
    format!("said more than {most} {unit} at once; expected a question or the end before")
}

/// The beginning of a referee's line for people, without control characters.
pub(crate) fn shown(text: &str) -> String {
    beginning(text, 400)
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

fn never_block(pipe: BorrowedFd<'_>) -> io::Result<()> {
    let flags = fcntl_getfl(pipe)?;
    Ok(fcntl_setfl(pipe, flags | OFlags::NONBLOCK)?)
}

/// Reads what is in a pipe that never blocks, and closes it at its end.
fn read_now(pipe: &mut Option<impl Read>, chunk: &mut [u8]) -> io::Result<usize> {
    let Some(open) = pipe else { return Ok(0) };
    match open.read(chunk) {
        Ok(0) => *pipe = None,
        Ok(count) => return Ok(count),
        Err(error) if [ErrorKind::Interrupted, ErrorKind::WouldBlock].contains(&error.kind()) => {}
        Err(error) => return Err(error),
    }
    Ok(0)
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
        let line = process.line(&mut Wait::new(&never, 100), "a number");
        assert_eq!(line.unwrap(), "300000");
    }

    #[test]
    fn a_line_that_is_too_long_is_not_read_to_its_end() {
        let never = AtomicBool::new(false);
        let mut process = shell("yes | tr -d '\\n'");
        let line = process.line(&mut Wait::new(&never, 100 << 10), "a line");
        let said = line.unwrap_err().to_string();
        assert!(said.contains("said more than 100 KiB at once"), "{said}");
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
