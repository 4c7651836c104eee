//! A bot in a process of its own, which speaks the line protocol on its standard input and output.
//!
//! The deadline of a turn is one absolute moment: no output moves it. What a bot has written is read before
//! its silence is judged, its standard error is drained and never judged, and a bot that does not read its
//! input blocks nobody. When the seat is dropped, the process and its process group are gone.

mod pipes;
mod tail;

use super::{Answer, ExitKind, Fault, Said, Seat, Turn};
use crownhead::notation::Notation;
use crownhead::protocol;
use pipes::{Pipes, Waited};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid,
};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The most bytes a reply may have (the contest's engine 4.7.8 reads 10,000 bytes of output a turn).
pub const LONGEST_REPLY: usize = 10_000;

/// How long a bot may take to end by itself once its input has ended, before it is killed.
const FAREWELL: Duration = Duration::from_millis(100);

/// How long a process whose output has ended may take to end too, before it counts as running on.
const ENDING: Duration = Duration::from_millis(200);

/// A bot process at the table.
#[derive(Debug)]
pub struct Process {
    running: Result<Running, String>,
    /// The colour line, until it has been sent with the first turn.
    greeting: String,
    interrupted: Arc<AtomicBool>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    pipes: Pipes,
}

impl Process {
    /// Starts a bot for one game.
    ///
    /// `colour` is the letter of its colour line. When the program does not start, that is what the seat
    /// answers with. Once `interrupted` is set, the seat answers no more.
    pub fn start(program: &mut Command, colour: char, interrupted: Arc<AtomicBool>) -> Process {
        let mut greeting = String::new();
        protocol::write_colour(colour, &mut greeting);
        let running = Running::start(program)
            .map_err(|error| format!("{}: {error}", program.get_program().to_string_lossy()));
        Process {
            running,
            greeting,
            interrupted,
        }
    }

    /// Ends the bot, if it has not ended, and gives the last part of its standard error.
    pub fn finish(mut self) -> Vec<u8> {
        match &mut self.running {
            Ok(running) => {
                running.end();
                running.pipes.log().to_vec()
            }
            Err(_) => Vec::new(),
        }
    }
}

impl<G: Notation> Seat<G> for Process {
    fn ask(&mut self, turn: &Turn<'_, G>) -> Answer {
        let running = match &mut self.running {
            Ok(running) => running,
            Err(why) => {
                return Answer {
                    reply: Err(Fault::CannotStart(why.clone())),
                    time: Duration::ZERO,
                };
            }
        };
        if self.interrupted.load(Ordering::Relaxed) {
            return Answer {
                reply: Err(Fault::Interrupted),
                time: Duration::ZERO,
            };
        }
        let mut request = std::mem::take(&mut self.greeting);
        protocol::write_turn(turn.history.position(), turn.moves, &mut request);

        let began = Instant::now();
        let reply = running.exchange(request.as_bytes(), began, turn.limit);
        let time = began.elapsed();
        let reply = match reply {
            Ok(_) if time > turn.limit => Err(Fault::Late {
                limit: turn.limit,
                after: time,
            }),
            reply => reply.map(Said::Move),
        };
        Answer { reply, time }
    }
}

impl Running {
    fn start(program: &mut Command) -> std::io::Result<Running> {
        let mut child = program
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let pipes = Pipes::of(&mut child).inspect_err(|_| {
            // Nobody could talk to it: it must not stay behind.
            let _ = child.kill();
            let _ = child.wait();
        })?;
        Ok(Running { child, pipes })
    }

    /// Sends a request and waits for one line, until `limit` after `began`.
    fn exchange(
        &mut self,
        request: &[u8],
        began: Instant,
        limit: Duration,
    ) -> Result<Vec<u8>, Fault> {
        let deadline = began + limit;
        self.pipes.send(request);
        loop {
            if let Some(line) = self.pipes.take_line() {
                return Ok(line);
            }
            if self.pipes.pending() > LONGEST_REPLY {
                return Err(Fault::EndlessLine {
                    limit: LONGEST_REPLY,
                });
            }
            if self.pipes.output_ended() {
                return Err(self.why_output_ended());
            }
            match self.pipes.wait(deadline) {
                Ok(Waited::Something) => {}
                Ok(Waited::TimeUp) => return Err(Fault::Timeout { limit }),
                Err(error) => return Err(Fault::Referee(error.to_string())),
            }
        }
    }

    fn why_output_ended(&mut self) -> Fault {
        let deadline = Instant::now() + ENDING;
        loop {
            match self.exit_kind() {
                Ok(Some(kind)) => {
                    self.pipes.drain_log();
                    return Fault::Ended(kind);
                }
                Ok(None) if Instant::now() >= deadline => return Fault::ClosedOutput,
                Ok(None) => sleep(Duration::from_millis(1)),
                Err(error) => return Fault::Referee(error.to_string()),
            }
        }
    }

    /// How the process ended, if it has; it is not reaped, so that its number stays its own.
    fn exit_kind(&self) -> rustix::io::Result<Option<ExitKind>> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.pid()), options)?;
        Ok(
            status.map(|status: WaitIdStatus| match status.exit_status() {
                Some(code) => ExitKind::Code(code),
                None => ExitKind::Signal(status.terminating_signal().unwrap_or(0)),
            }),
        )
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Lets the bot end by itself, then kills what is left of its process group.
    fn end(&mut self) {
        self.pipes.close_input();
        let deadline = Instant::now() + FAREWELL;
        while !self.pipes.all_ended() && Instant::now() < deadline {
            self.pipes.take_line();
            if !matches!(self.pipes.wait(deadline), Ok(Waited::Something)) {
                break;
            }
            self.pipes.forget_output();
        }
        // Before the process is reaped: until then nobody else can have its number.
        let _ = kill_process_group(self.pid(), Signal::KILL);
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Ok(running) = &mut self.running {
            running.end();
        }
    }
}
