//! A referee's process: lines in and lines out, without blocking for ever, and its standard error.
//!
//! It is killed with all its processes when this is dropped. If Crownhead itself is killed, the process sees the end of
//! its standard input. Leaves out the meaning of the lines.

use crate::RefereeError;
use crate::java::Launch;
use crownhead_record::text::beginning;
use crownhead_sandbox::{ExitKind, Program, Reception, Sandbox, StartError};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a referee may be silent, including the start of a Java virtual machine.
const SILENCE: Duration = Duration::from_secs(30);

/// The interval of checks for an interrupted run.
const TICK: Duration = Duration::from_millis(50);

/// How long a process that has closed its output may take to end and to say why.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// As the engine counts lines, with the last part of standard error.
const RECEPTION: Reception = Reception {
    returns_end_lines: true,
    kept_errors: 4096,
};

/// A running referee.
#[derive(Debug)]
pub(crate) struct Process {
    name: String,
    program: Program,
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
    /// Starts what is called `name`, in this sandbox if there is one, on these cores, or on any if there are none.
    pub(crate) fn start(
        launch: &Launch,
        name: &str,
        sandbox: Option<&Sandbox>,
        cores: &[usize],
    ) -> Result<Process, RefereeError> {
        let mut command = launch.command(sandbox.is_some());
        let started = match sandbox {
            None => Program::start_plain(&mut command, cores, None, RECEPTION),
            Some(sandbox) => {
                let mut sandbox = sandbox.clone();
                sandbox.cores = cores.into();
                let started = Program::start(&mut command, &sandbox, RECEPTION);
                started.map_err(|(StartError::Program(why) | StartError::Sandbox(why))| {
                    io::Error::other(why)
                })
            }
        };
        match started {
            Ok(program) => Ok(Process {
                name: name.into(),
                program,
            }),
            Err(error) => Err(RefereeError::Io {
                name: name.into(),
                error,
            }),
        }
    }

    /// Sends `bytes`. The part that the pipe does not take now is sent while waiting. If the referee has ended, its
    /// output shows that.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.program.pipes.send(bytes);
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
            let pipes = &mut self.program.pipes;
            let line = pipes.take_line();
            let length = line.as_ref().map_or(pipes.lines.bytes().len(), Vec::len);
            if length > wait.left {
                return Err(self.problem(too_much(wait.most)));
            }
            if let Some(line) = line {
                wait.left = wait.left.saturating_sub(length + 1);
                return Ok(String::from_utf8_lossy(&line).into_owned());
            }
            if pipes.output_ended() {
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
            let step = TICK.min(SILENCE.saturating_sub(wait.waited));
            let done = self.program.pipes.wait(None, began + step);
            // If Crownhead itself was stopped meanwhile, that does not count as silence.
            wait.waited += began.elapsed().min(2 * TICK);
            done.map_err(|error| RefereeError::Io {
                name: self.name.clone(),
                error,
            })?;
        }
    }

    /// The error that its output ended before `expected`.
    pub(crate) fn ended(&mut self, expected: &str) -> RefereeError {
        let deadline = Instant::now() + LAST_WORDS;
        while (self.exit_kind().is_none() || !self.program.stderr.has_ended())
            && Instant::now() < deadline
        {
            std::thread::sleep(Duration::from_millis(2));
        }
        let how = match self.exit_kind() {
            Some(kind @ ExitKind::Code(_)) => format!("ended with {kind}"),
            Some(ExitKind::Signal(signal)) => format!("was killed by signal {signal}"),
            None => "closed its output".into(),
        };
        self.problem(format!("{how}{}; expected {expected}", self.last_words()))
    }

    /// How it ended, if it has.
    fn exit_kind(&mut self) -> Option<ExitKind> {
        Some(self.program.group.ended().ok()??.kind)
    }

    /// Whether it has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.exit_kind().is_some()
    }

    /// The end of its standard error, as part of a sentence; empty if there is none.
    fn last_words(&self) -> String {
        let text = self.program.stderr.take_last().kept;
        let text = String::from_utf8_lossy(&text);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Process {
        let launch = Launch {
            program: "sh".into(),
            arguments: ["-c", script].map(Into::into).into(),
            folder: ".".into(),
        };
        Process::start(&launch, "shell", None, &[]).unwrap()
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
        assert_eq!(process.program.pipes.unread(), Some(300_000));
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
