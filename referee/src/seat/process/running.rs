//! A bot that runs: one exchange of a turn and a line, its deadline, and its end.

use super::backend::ProcessBackend;
use super::conditions::Conditions;
use super::meter::{Meter, Reading};
use super::pipes::{Pipes, Waited};
use crate::diagnosis::{FirstRead, TurnFacts};
use crate::judge::{Clock, HARD_CAP, Spent};
use crate::table::Fault;
use std::cell::RefCell;
use std::process::Command;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a bot may take to end by itself once its input is closed, before it is killed.
const SHUTDOWN_GRACE: Duration = Duration::from_millis(100);

/// How long a process whose output has ended may take to end too, before it counts as running on: long enough
/// that its exit status arrives on a busy machine.
const EXIT_GRACE: Duration = Duration::from_secs(1);

/// Interval at which a waiting referee checks whether it was interrupted.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(100);

/// Interval at which a bot that has read nothing yet is looked at, to know when it begins.
const READ_STEP: Duration = Duration::from_millis(5);

/// How long a bot that waits in the run queue is given before its clock is read again.
const QUEUE_STEP: Duration = Duration::from_millis(1);

/// A bot that was started.
#[derive(Debug)]
pub(super) struct RunningBot {
    pub(super) backend: ProcessBackend,
    /// Shared with the opponent's seat, which reads on while it is asked itself.
    pub(super) pipes: Rc<RefCell<Pipes>>,
    /// The opponent's.
    pub(super) idle: Option<Rc<RefCell<Pipes>>>,
    /// `None` until the bot runs.
    meter: Option<Meter>,
    /// Whether the bot has read something of its input.
    has_read: bool,
}

/// The terms on which a bot is asked.
pub(super) struct Asking<'a> {
    pub(super) limit: Duration,
    /// The limit with the grace that lateness has.
    pub(super) allowed: Duration,
    pub(super) clock: Clock,
    pub(super) longest_reply: usize,
    pub(super) interrupted: &'a AtomicBool,
}

/// What became of a turn.
pub(super) struct Exchange {
    pub(super) reply: Result<Vec<u8>, Fault>,
    pub(super) spent: Spent,
    pub(super) early: bool,
    /// Whether the bot waited in the run queue when its time was up.
    pub(super) starved: bool,
    pub(super) facts: TurnFacts,
}

impl RunningBot {
    pub(super) fn start(
        program: &mut Command,
        conditions: &Conditions,
    ) -> Result<RunningBot, Fault> {
        let (backend, (input, output, error)) =
            ProcessBackend::start(program, &conditions.sandbox)?;
        let pipes = Pipes::new(input, output, error, &conditions.profile)
            .map_err(|error| Fault::RefereeFault(error.to_string()))?;
        Ok(RunningBot {
            backend,
            pipes: Rc::new(RefCell::new(pipes)),
            idle: None,
            meter: None,
            has_read: false,
        })
    }

    pub(super) fn get_ready(&mut self) -> Result<(), Fault> {
        if self.meter.is_none() {
            self.meter = Some(Meter::of(self.backend.await_start()?));
        }
        Ok(())
    }

    fn read_meter(&self) -> Reading {
        self.meter.as_ref().map(Meter::read).unwrap_or_default()
    }

    /// Sends a request and waits for one line.
    pub(super) fn exchange(&mut self, request: &[u8], asking: &Asking<'_>) -> Exchange {
        let mut facts = TurnFacts::default();
        let before = self.read_meter();
        let early = {
            let mut pipes = self.pipes.borrow_mut();
            pipes.read_output();
            pipes.pending() > 0
        };
        let started = Instant::now();
        self.pipes.borrow_mut().send(request);
        let reply = self.await_line(started, &before, asking, &mut facts);
        let wall = started.elapsed();
        let after = self.read_meter();
        let starved = matches!(reply, Err(Fault::Timeout { .. })) && {
            std::thread::sleep(QUEUE_STEP);
            let queued = |meter: &Meter| meter.waits_in_queue(&after);
            self.meter.as_ref().is_some_and(queued)
        };
        self.has_read |= reply.is_ok();
        let pipes = self.pipes.borrow();
        facts.unread = pipes.unread();
        facts.unfinished = pipes.unfinished().to_vec();
        drop(pipes);
        Exchange {
            reply,
            spent: after.since(&before, wall),
            early,
            starved,
            facts,
        }
    }

    fn await_line(
        &mut self,
        started: Instant,
        before: &Reading,
        asking: &Asking<'_>,
        facts: &mut TurnFacts,
    ) -> Result<Vec<u8>, Fault> {
        let mut deadline = started + asking.allowed;
        let mut last = *before;
        let sent = self.pipes.borrow().unread();
        loop {
            if let Some(outcome) = self.outcome(asking) {
                return outcome;
            }
            if !self.has_read && self.pipes.borrow().unread() < sent {
                self.has_read = true;
                facts.first_read = Some(FirstRead {
                    after: started.elapsed(),
                    work: self.read_meter().work(),
                });
            }
            let step = match self.has_read {
                true => INTERRUPT_INTERVAL,
                false => READ_STEP,
            };
            let wake = deadline.min(Instant::now() + step);
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

    pub(super) fn wait(&mut self, deadline: Instant) -> std::io::Result<Waited> {
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
    pub(super) fn shut_down(&mut self) {
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
