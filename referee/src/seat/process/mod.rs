//! A bot in processes of its own, which speaks the line protocol on its standard input and output.
//!
//! The deadline of a turn is one absolute moment: no output moves it. What a bot has written is read before
//! its silence is judged; its standard error is drained, also while its opponent thinks, and never judged; and
//! a bot that does not read its input does not block the referee. When the seat is dropped, its processes are gone.

mod backend;
mod conditions;
mod lines;
mod meter;
mod pipes;
mod tail;

use crate::judge::{Clock, HARD_CAP, Profile, Spent};
use crate::table::{Fault, Seat, Termination, TimedReply, Turn};
use backend::ProcessBackend;
use crownhead::notation::Notation;
use crownhead::protocol;
use meter::{Meter, Reading};
use pipes::{Pipes, Waited};
use std::cell::RefCell;
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub use conditions::Conditions;

/// How long a bot may take to end by itself once its input is closed, before it is killed.
const SHUTDOWN_GRACE: Duration = Duration::from_millis(100);

/// How long a process whose output has ended may take to end too, before it counts as running on: long enough
/// that its exit status arrives on a busy machine.
const EXIT_GRACE: Duration = Duration::from_secs(1);

/// Interval at which a waiting referee checks whether it was interrupted.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(100);

/// How long a bot that waits in the run queue is given before its clock is read again.
const QUEUE_STEP: Duration = Duration::from_millis(1);

/// A bot's process at the table.
#[derive(Debug)]
pub struct Process {
    running: Result<Running, Fault>,
    /// The colour line, until it has been sent with the first turn.
    colour_line: String,
    profile: Profile,
    clock: Clock,
    pauses: bool,
    strikes: u32,
    finished: Finished,
    interrupted: Arc<AtomicBool>,
}

/// What is left of a bot when its game is over.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Finished {
    /// The last part of its standard error.
    pub log: Vec<u8>,
    /// Where the time of each turn went, in order.
    pub spent: Vec<Spent>,
    /// Whether its last reply was there before it was asked.
    pub answered_early: bool,
    /// Whether it lost on wall time while it may have waited for a core.
    pub starved: bool,
}

#[derive(Debug)]
struct Running {
    backend: ProcessBackend,
    /// Shared with the opponent's seat, which reads on while it is asked itself.
    pipes: Rc<RefCell<Pipes>>,
    /// The opponent's.
    idle: Option<Rc<RefCell<Pipes>>>,
    /// `None` until the bot runs.
    meter: Option<Meter>,
}

impl Process {
    /// Starts a bot for one game.
    ///
    /// `colour` is the letter of its colour line. When the program does not start, the seat answers with that
    /// fault. Once `interrupted` is set, the seat answers with no move.
    pub fn start(
        program: &mut Command,
        colour: char,
        conditions: &Conditions,
        interrupted: Arc<AtomicBool>,
    ) -> Process {
        let mut colour_line = String::new();
        protocol::write_colour(conditions.colour_line.letter(colour), &mut colour_line);
        Process {
            running: Running::start(program, conditions),
            colour_line,
            profile: conditions.profile,
            clock: conditions.clock,
            pauses: conditions.suspend_idle,
            strikes: 0,
            finished: Finished::default(),
            interrupted,
        }
    }

    /// Seats two bots at one table: while one thinks, the other may go on writing to its standard error.
    pub fn face(&mut self, opponent: &mut Process) {
        if let (Ok(one), Ok(other)) = (&mut self.running, &mut opponent.running) {
            one.idle = Some(other.pipes.clone());
            other.idle = Some(one.pipes.clone());
        }
    }

    /// Closes the bot's standard input, so that it can end by itself.
    pub fn close_stdin(&mut self) {
        if let Ok(running) = &mut self.running {
            running.pipes.borrow_mut().close_input();
            if self.pauses {
                running.backend.resume();
            }
        }
    }

    /// Ends the bot, if it has not ended, and gives what is left of it.
    pub fn finish(mut self) -> Finished {
        self.end();
        std::mem::take(&mut self.finished)
    }

    fn end(&mut self) {
        self.close_stdin();
        if let Ok(running) = &mut self.running {
            running.shut_down();
            self.finished.log = running.pipes.borrow().log().to_vec();
        }
        self.running = Err(Fault::RefereeFault("its bot has been ended".into()));
    }

    /// What becomes of an answer that took so long.
    fn judge(&mut self, line: Vec<u8>, limit: Duration, spent: &Spent) -> Result<Vec<u8>, Fault> {
        let after = self.clock.counted(spent);
        if after <= limit {
            return Ok(line);
        }
        let grace = self.profile.grace;
        if after > limit + grace.over {
            return Err(Fault::Late { limit, after });
        }
        self.strikes += 1;
        if self.strikes < grace.strikes {
            return Ok(line);
        }
        Err(Fault::StrikeLimit {
            limit,
            after,
            strikes: self.strikes,
        })
    }
}

impl<G: Notation> Seat<G> for Process {
    type Answer = TimedReply;

    fn ask(&mut self, turn: &Turn<'_, G>) -> TimedReply {
        let at_once = |fault| TimedReply {
            reply: Err(fault),
            time: Duration::ZERO,
        };
        let running = match &mut self.running {
            Ok(running) => running,
            Err(fault) => return at_once(fault.clone()),
        };
        if self.interrupted.load(Ordering::Relaxed) {
            return at_once(Fault::Interrupted);
        }
        // A bot's clock starts when it runs (stated: the contest's engine 4.7.8).
        if let Err(fault) = running.get_ready() {
            return at_once(fault);
        }
        if self.pauses {
            running.backend.resume();
        }
        let mut request = std::mem::take(&mut self.colour_line);
        protocol::write_turn(turn.game.position(), turn.moves, &mut request);

        let asking = Asking {
            limit: turn.limit,
            allowed: turn.limit + self.profile.grace.over,
            clock: self.clock,
            longest_reply: self.profile.longest_reply,
            interrupted: &self.interrupted,
        };
        let exchanged = running.exchange(request.as_bytes(), &asking);
        if self.pauses {
            running.backend.pause();
        }
        let Exchange {
            reply,
            spent,
            early,
            starved,
        } = exchanged;
        self.finished.spent.push(spent);
        self.finished.answered_early = early;
        let reply = reply.and_then(|line| self.judge(line, turn.limit, &spent));
        let too_late = reply
            .as_ref()
            .is_err_and(|fault| fault.termination() == Termination::Timeout);
        self.finished.starved =
            too_late && self.clock == Clock::Wall && (starved || spent.starved(turn.limit));
        TimedReply {
            reply,
            time: spent.wall,
        }
    }
}

/// The terms on which a bot is asked.
struct Asking<'a> {
    limit: Duration,
    /// The limit with the grace that lateness has.
    allowed: Duration,
    clock: Clock,
    longest_reply: usize,
    interrupted: &'a AtomicBool,
}

/// What became of a turn.
struct Exchange {
    reply: Result<Vec<u8>, Fault>,
    spent: Spent,
    early: bool,
    /// Whether the bot waited in the run queue when its time was up.
    starved: bool,
}

impl Running {
    fn start(program: &mut Command, conditions: &Conditions) -> Result<Running, Fault> {
        let (backend, (input, output, error)) =
            ProcessBackend::start(program, &conditions.sandbox)?;
        let pipes = Pipes::new(input, output, error, &conditions.profile)
            .map_err(|error| Fault::RefereeFault(error.to_string()))?;
        Ok(Running {
            backend,
            pipes: Rc::new(RefCell::new(pipes)),
            idle: None,
            meter: None,
        })
    }

    fn get_ready(&mut self) -> Result<(), Fault> {
        if self.meter.is_none() {
            self.meter = Some(Meter::of(self.backend.await_start()?));
        }
        Ok(())
    }

    fn read_meter(&self) -> Reading {
        self.meter.as_ref().map(Meter::read).unwrap_or_default()
    }

    /// Sends a request and waits for one line.
    fn exchange(&mut self, request: &[u8], asking: &Asking<'_>) -> Exchange {
        let before = self.read_meter();
        let early = {
            let mut pipes = self.pipes.borrow_mut();
            pipes.read_output();
            pipes.pending() > 0
        };
        let started = Instant::now();
        self.pipes.borrow_mut().send(request);
        let reply = self.await_line(started, &before, asking);
        let wall = started.elapsed();
        let after = self.read_meter();
        let starved = matches!(reply, Err(Fault::Timeout { .. })) && {
            std::thread::sleep(QUEUE_STEP);
            let queued = |meter: &Meter| meter.waits_in_queue(&after);
            self.meter.as_ref().is_some_and(queued)
        };
        Exchange {
            reply,
            spent: after.since(&before, wall),
            early,
            starved,
        }
    }

    fn await_line(
        &mut self,
        started: Instant,
        before: &Reading,
        asking: &Asking<'_>,
    ) -> Result<Vec<u8>, Fault> {
        let mut deadline = started + asking.allowed;
        let mut last = *before;
        loop {
            if let Some(outcome) = self.outcome(asking) {
                return outcome;
            }
            let wake = deadline.min(Instant::now() + INTERRUPT_INTERVAL);
            match self.wait(wake) {
                Ok(Waited::Something) => {}
                Ok(Waited::TimeUp) if asking.interrupted.load(Ordering::Relaxed) => {
                    return Err(Fault::Interrupted);
                }
                Ok(Waited::TimeUp) if wake < deadline => {}
                Ok(Waited::TimeUp) => {
                    // What came at the last moment counts, and a bot that has ended was not merely silent.
                    if let Some(outcome) = self.outcome(asking) {
                        return outcome;
                    }
                    match self.more_time(started, before, &mut last, asking) {
                        Some(later) => deadline = later,
                        None => return Err(self.silence(asking.limit)),
                    }
                }
                Err(error) => return Err(Fault::RefereeFault(error.to_string())),
            }
        }
    }

    /// What came of the turn, if that is known without waiting any longer.
    fn outcome(&mut self, asking: &Asking<'_>) -> Option<Result<Vec<u8>, Fault>> {
        let limit = asking.longest_reply;
        let too_long = Some(Err(Fault::EndlessLine { limit }));
        let mut pipes = self.pipes.borrow_mut();
        match pipes.take_line() {
            Some(line) if line.len() > limit => return too_long,
            Some(line) => return Some(Ok(line)),
            None if pipes.pending() > limit => return too_long,
            None => {}
        }
        if pipes.output_ended() {
            drop(pipes);
            return Some(Err(self.why_output_ended()));
        }
        // Its children may hold the pipes open.
        let fault = self.backend.ended()?;
        pipes.read_output();
        pipes.drain_log();
        let rest = pipes.take_line().or_else(|| pipes.take_rest());
        Some(rest.ok_or(fault))
    }

    fn why_output_ended(&mut self) -> Fault {
        let deadline = Instant::now() + EXIT_GRACE;
        loop {
            if let Some(fault) = self.backend.ended() {
                self.pipes.borrow_mut().drain_log();
                return fault;
            }
            if Instant::now() >= deadline {
                return Fault::ClosedOutput;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn wait(&mut self, deadline: Instant) -> std::io::Result<Waited> {
        let mut idle = self.idle.as_ref().map(|pipes| pipes.borrow_mut());
        let mut pipes = self.pipes.borrow_mut();
        pipes.wait(self.backend.exit_fd(), idle.as_deref_mut(), deadline)
    }

    /// The new deadline of a bot whose wall time is up, if its own clock leaves it time.
    fn more_time(
        &self,
        started: Instant,
        before: &Reading,
        last: &mut Reading,
        asking: &Asking<'_>,
    ) -> Option<Instant> {
        let now = Instant::now();
        let cap = started + asking.limit * HARD_CAP;
        if asking.clock == Clock::Wall || now >= cap {
            return None;
        }
        let reading = self.read_meter();
        let left = asking
            .allowed
            .saturating_sub(asking.clock.counted(&reading.since(before, now - started)));
        let queued = |meter: &Meter| meter.waits_in_queue(last);
        let queued = self.meter.as_ref().is_some_and(queued);
        *last = reading;
        let more = if left.is_zero() && queued {
            QUEUE_STEP
        } else {
            left
        };
        (!more.is_zero()).then(|| (now + more.max(QUEUE_STEP)).min(cap))
    }

    fn silence(&self, limit: Duration) -> Fault {
        if self.pipes.borrow().input_closed() {
            Fault::ClosedInput { limit }
        } else {
            Fault::Timeout { limit }
        }
    }

    /// Waits a moment for a bot whose input is closed to end by itself.
    fn shut_down(&mut self) {
        let deadline = Instant::now() + SHUTDOWN_GRACE;
        while !self.pipes.borrow().all_ended() && self.backend.ended().is_none() {
            match self.wait(deadline) {
                Ok(Waited::Something) => self.pipes.borrow_mut().discard_output(),
                Ok(Waited::TimeUp) | Err(_) => break,
            }
        }
        let mut pipes = self.pipes.borrow_mut();
        pipes.drain_log();
        pipes.close_all();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}
