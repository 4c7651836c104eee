//! A bot that runs: one exchange of a turn and a line, its deadline, and its end.

use super::backend::ProcessBackend;
use super::conditions::{Conditions, Placement};
use super::meter::{Meter, Reading};
use super::pipes::{Pipes, Waited};
use super::steal::StealMeter;
use crate::diagnosis::{FirstRead, TurnFacts};
use crate::judge::{Clock, HARD_CAP, Spent};
use crate::table::Fault;
use crownhead_sandbox::Sandbox;
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

/// How long a bot that was queued when its time was up is given to run: waiting is counted when it ends.
const QUEUE_GRACE: Duration = Duration::from_millis(200);

/// How long a bot that is late is looked at before it is asked what was stolen of its core: longer than a tick, for
/// what is stolen is counted by the tick after it.
const STEAL_GRACE: Duration = Duration::from_millis(12);

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
    /// `None` unless the bot is kept on one core.
    steal: Option<StealMeter>,
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
    pub(super) facts: TurnFacts,
    started: Instant,
    /// The bot's clocks when it was asked, and when that was over.
    before: Reading,
    after: Reading,
}

impl RunningBot {
    pub(super) fn start(
        program: &mut Command,
        conditions: &Conditions,
        placement: &Placement,
    ) -> Result<RunningBot, Fault> {
        let sandbox = Sandbox {
            cores: placement.cores.clone(),
            ..conditions.sandbox.clone()
        };
        let (backend, (input, output, error)) = ProcessBackend::start(program, &sandbox)?;
        let pipes = Pipes::new(input, output, error, &conditions.profile)
            .map_err(|error| Fault::RefereeFault(error.to_string()))?;
        Ok(RunningBot {
            backend,
            pipes: Rc::new(RefCell::new(pipes)),
            idle: None,
            meter: None,
            steal: StealMeter::of(&placement.cores),
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
        let mut reading = self.meter.as_ref().map(Meter::read).unwrap_or_default();
        reading.whole = self.backend.processor_time();
        reading
    }

    /// Sends a request and waits for one line.
    pub(super) fn exchange(&mut self, request: &[u8], asking: &Asking<'_>) -> Exchange {
        let mut facts = TurnFacts::default();
        if let Some(steal) = &mut self.steal {
            steal.begin_turn();
        }
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
        let mut after = self.meter.as_ref().map(Meter::read).unwrap_or_default();
        if asking.clock == Clock::Fair {
            // By the other clocks it is asked for only of a bot that is late.
            after.whole = self.backend.processor_time();
        }
        self.has_read |= reply.is_ok();
        let pipes = self.pipes.borrow();
        facts.unread = pipes.unread();
        facts.unfinished = pipes.unfinished().to_vec();
        drop(pipes);
        Exchange {
            reply,
            spent: after.since(&before, wall),
            early,
            facts,
            started,
            before,
            after,
        }
    }

    /// Whether a bot that has not answered in time may have wanted a core. What was stolen of its turn is entered.
    pub(super) fn starved(&self, exchange: &mut Exchange, limit: Duration) -> bool {
        let Exchange { before, after, .. } = exchange;
        let Some(meter) = &self.meter else {
            return false;
        };
        let late = Instant::now();
        let whole = self.whole_processor_time(after);
        let mut queued = true;
        while queued && late.elapsed() < QUEUE_GRACE {
            std::thread::sleep(QUEUE_STEP);
            queued = meter.waits_in_queue(after);
        }
        let overtime = late.elapsed();
        let now = meter.read();
        let whole_now = self.whole_processor_time(&now);
        // Without a control group, all that its other processes have ever worked counts as done in this turn.
        let earlier = before.whole.or(before.work()).unwrap_or_default();
        let mut spent = now.since(before, exchange.started.elapsed());
        spent.whole = Some(whole_now.saturating_sub(earlier));
        // Only now, for what the bot works meanwhile is not its turn's.
        if let Some(steal) = &self.steal {
            std::thread::sleep(STEAL_GRACE.saturating_sub(late.elapsed()));
            spent.stolen = steal.since_turn_began();
            exchange.spent.stolen = spent.stolen;
        }
        if queued {
            // It has not run since: would it have, had others not held its core, or its own processes instead?
            let others = overtime.saturating_sub(whole_now.saturating_sub(whole));
            return others.mul_f64(spent.main_share()) > overtime / 2;
        }
        spent.waited = spent.waited.map(|waited| waited.saturating_sub(overtime));
        spent.starved(limit)
    }

    /// The processor time of all the bot's processes, as far as it can be found out.
    fn whole_processor_time(&self, reading: &Reading) -> Duration {
        let whole = self.backend.estimate_processor_time();
        whole.max(reading.work()).unwrap_or_default()
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
