//! A bot that runs: one exchange of a turn and a line, its deadline, and its end.

use super::backend::ProcessBackend;
use super::conditions::{Conditions, Placement};
use super::meter::{Meter, OtherWork, Reading};
use super::pipes::{Pipes, Waited};
use super::stderr::StderrReader;
use super::steal::StealMeter;
use super::watch::{TICK, Watch};
use crate::diagnosis::TurnFacts;
use crate::table::Fault;
use crownhead_record::judge::{Clock, HARD_CAP, Overrun, Spent, most_waiting};
use crownhead_sandbox::Sandbox;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a bot may take to end by itself once its input is closed, before it is killed.
const SHUTDOWN_GRACE: Duration = Duration::from_millis(100);

/// How long a process whose output has ended may take to end too, before it counts as running on: long enough
/// that its exit status arrives on a busy machine.
const EXIT_GRACE: Duration = Duration::from_secs(1);

/// How long a bot that waits in the run queue is given before its clocks are read again.
const QUEUE_STEP: Duration = Duration::from_millis(2);

/// How long a bot that is late is looked at before it is asked what was stolen of its core: longer than a tick, for
/// what is stolen is counted by the tick after it.
const STEAL_GRACE: Duration = Duration::from_millis(12);

/// The most processes of a bot that may have waited for others: a start script, an interpreter, helpers. One that has
/// more of them holds up itself, and the referee with it, which takes long to look at them all.
const MOST_PROCESSES: usize = 8;

/// A bot that was started.
#[derive(Debug)]
pub(super) struct RunningBot {
    pub(super) backend: ProcessBackend,
    pub(super) pipes: Pipes,
    pub(super) stderr: StderrReader,
    /// `None` until the bot runs.
    meter: Option<Meter>,
    /// The pid of its first process, once it runs and if the system tells it.
    pid: Option<u32>,
    /// `None` unless the bot is kept on one core.
    steal: Option<StealMeter>,
    has_one_core: bool,
    /// Whether it had more than [`MOST_PROCESSES`] when it was looked at last.
    is_crowd: bool,
    /// What its ended processes had worked when the turn under way was first looked at.
    reaped: Duration,
    /// When its turn under way, or its last one, was sent.
    pub(super) asked: Instant,
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
}

/// A turn under way.
struct Turn<'a> {
    asking: &'a Asking<'a>,
    started: Instant,
    /// The bot's clocks then.
    before: Reading,
    /// The processor time of all its processes, where a control group counts it.
    grouped: Option<Duration>,
    watch: Watch,
    /// Whether it was looked at which processes and threads the bot has.
    looked: bool,
    /// What it had worked when its time was up and it was looked at last, and since when it has not run.
    still: Option<(Duration, Instant)>,
    awaited_steal: bool,
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
        let referee_fault = |error: std::io::Error| Fault::RefereeFault(error.to_string());
        let (backend, (input, output, error)) = ProcessBackend::start(program, &sandbox)?;
        let profile = &conditions.profile;
        let pipes = Pipes::new(input, output, profile).map_err(referee_fault)?;
        super::pipes::never_block(&error).map_err(referee_fault)?;
        let stderr = StderrReader::start(error.into(), profile.log_bytes).map_err(referee_fault)?;
        Ok(RunningBot {
            backend,
            pipes,
            stderr,
            meter: None,
            pid: None,
            steal: StealMeter::of(&placement.cores),
            has_one_core: placement.cores.len() == 1,
            is_crowd: false,
            reaped: Duration::ZERO,
            asked: Instant::now(),
        })
    }

    pub(super) fn get_ready(&mut self) -> Result<(), Fault> {
        if self.meter.is_none() {
            self.pid = self.backend.await_start()?;
            self.meter = Some(Meter::of(self.pid));
        }
        Ok(())
    }

    fn read_meter(&self) -> Reading {
        self.meter.as_ref().map(Meter::read).unwrap_or_default()
    }

    /// Whether it has so many processes that its waiting is its own doing.
    pub(super) fn is_crowd(&self) -> bool {
        self.is_crowd
    }

    /// How much memory its first process has in use, in bytes, where the system tells it.
    pub(super) fn resident_memory(&self) -> Option<u64> {
        #[cfg(target_os = "linux")]
        return crownhead_sandbox::resident_memory(self.pid?);
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// Takes in which processes and threads the bot has now.
    pub(super) fn look_at_threads(&mut self) {
        let processes = self.backend.processes();
        self.is_crowd = processes.len() > MOST_PROCESSES;
        if let Some(meter) = &mut self.meter {
            meter.look(&processes);
        }
    }

    /// Sends a request and waits for one line.
    pub(super) fn exchange(&mut self, request: &[u8], asking: &Asking<'_>) -> Exchange {
        if let Some(steal) = &mut self.steal {
            steal.begin_turn();
        }
        let before = self.meter.as_mut().map(Meter::begin_turn);
        let grouped = self.backend.processor_time();
        self.pipes.read_output();
        let early = self.pipes.pending() > 0;
        let started = Instant::now();
        self.asked = started;
        self.pipes.send(request);
        let mut turn = Turn {
            asking,
            started,
            before: before.unwrap_or_default(),
            grouped,
            watch: Watch::start(started),
            looked: false,
            still: None,
            awaited_steal: false,
        };
        let reply = self.await_line(&mut turn);
        let now = if reply.is_ok() {
            self.time_of_answer(&mut turn)
        } else {
            Instant::now()
        };
        let spent = self.spent(&mut turn, now, reply.is_ok());
        let facts = TurnFacts {
            left_over: 0,
            unread: self.pipes.unread(),
            unfinished: self.pipes.unfinished().to_vec(),
            doing: matches!(reply, Err(Fault::Timeout { .. })).then(|| self.doing()),
        };
        Exchange {
            reply,
            spent,
            early,
            facts,
        }
    }

    fn await_line(&mut self, turn: &mut Turn<'_>) -> Result<Vec<u8>, Fault> {
        let asking = turn.asking;
        let mut deadline = turn.started + asking.allowed;
        // It may have been stopped before the turn was sent.
        turn.watch.work(Instant::now());
        loop {
            if let Some(outcome) = self.outcome(asking.longest_reply) {
                return outcome;
            }
            let due = deadline.min(Instant::now() + TICK);
            turn.watch.expect(due);
            let waited = match self.wait(due) {
                Ok(waited) => waited,
                Err(error) => return Err(Fault::RefereeFault(error.to_string())),
            };
            let now = self.pipes.woke();
            turn.watch.look(now);
            if waited == Waited::Something {
                continue;
            }
            if asking.interrupted.load(Ordering::Relaxed) {
                return Err(Fault::Interrupted);
            }
            if now < deadline {
                self.look_once(turn);
                continue;
            }
            // What came at the last moment counts, and a bot that has ended was not merely silent.
            if let Some(outcome) = self.outcome(asking.longest_reply) {
                return outcome;
            }
            match self.more_time(turn) {
                Some(more) => deadline = Instant::now() + more,
                None => return Err(self.silence(asking.limit)),
            }
        }
    }

    /// When the bot had answered: when the last wait ended, unless the bot has held its pipe since.
    fn time_of_answer(&self, turn: &mut Turn<'_>) -> Instant {
        let woke = self.pipes.woke().max(turn.started);
        let now = Instant::now();
        let took = now.duration_since(woke);
        if took <= TICK || turn.watch.work(now) + TICK >= took {
            woke
        } else {
            now
        }
    }

    /// Looks, once in a turn that lasts, at which threads the bot has.
    fn look_once(&mut self, turn: &mut Turn<'_>) {
        if std::mem::replace(&mut turn.looked, true) {
            return;
        }
        self.look_at_threads();
        if turn.grouped.is_none() {
            self.reaped = self.backend.reaped_time();
        }
    }

    /// What came of the turn, if that is known without waiting any longer.
    fn outcome(&mut self, longest: usize) -> Option<Result<Vec<u8>, Fault>> {
        let too_long = Some(Err(Fault::EndlessLine { limit: longest }));
        match self.pipes.take_line() {
            Some(line) if line.len() > longest => return too_long,
            Some(line) => return Some(Ok(line)),
            None if self.pipes.pending() > longest => return too_long,
            None => {}
        }
        if self.pipes.output_ended() {
            return Some(Err(self.why_output_ended()));
        }
        // Its children may hold the pipes open.
        let fault = self.backend.ended()?;
        self.pipes.read_output();
        let rest = self.pipes.take_line().or_else(|| self.pipes.take_rest());
        Some(rest.ok_or(fault))
    }

    fn why_output_ended(&mut self) -> Fault {
        let deadline = Instant::now() + EXIT_GRACE;
        loop {
            if let Some(fault) = self.backend.ended() {
                return fault;
            }
            if Instant::now() >= deadline {
                return Fault::ClosedOutput;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub(super) fn wait(&mut self, deadline: Instant) -> std::io::Result<Waited> {
        self.pipes.wait(self.backend.exit_fd(), deadline)
    }

    /// Where the time of a turn went that is over now.
    fn spent(&mut self, turn: &mut Turn<'_>, now: Instant, answered: bool) -> Spent {
        let Asking { limit, clock, .. } = *turn.asking;
        let mut spent = self.spent_so_far(turn, now, answered);
        let is_late = |spent: &Spent| clock.counted(spent, limit) > limit;
        if is_late(&spent) && self.steal.is_some() && !turn.awaited_steal {
            std::thread::sleep(STEAL_GRACE);
            if let Some(overrun) = &mut spent.overrun {
                overrun.stolen = self.stolen();
            }
        }
        spent
    }

    /// Where the time of a turn went so far; all of it is looked at only once the limit has passed.
    fn spent_so_far(&mut self, turn: &mut Turn<'_>, now: Instant, answered: bool) -> Spent {
        let wall = now.duration_since(turn.started);
        let mut spent = self.read_meter().since(&turn.before, wall);
        spent.lag = turn.watch.lag();
        if wall > turn.asking.limit {
            spent.overrun = self.overrun(turn, now, answered);
        }
        spent
    }

    fn overrun(&mut self, turn: &mut Turn<'_>, now: Instant, answered: bool) -> Option<Overrun> {
        self.look_once(turn);
        let grouped = self.backend.processor_time().zip(turn.grouped);
        let others = match grouped {
            Some((now, before)) => OtherWork::Grouped(now.saturating_sub(before)),
            None => OtherWork::Reaped(self.backend.reaped_time().saturating_sub(self.reaped)),
        };
        let all = self.meter.as_ref()?.all(others)?;
        if self.is_crowd {
            return Some(Overrun {
                work: all.work,
                serial_work: all.work,
                ..Overrun::default()
            });
        }
        // Waiting that has not ended is not counted yet.
        let since = match turn.still {
            Some((work, since)) if work == all.alive => since,
            _ => now,
        };
        turn.still = Some((all.alive, since));
        let stands = now.duration_since(since);
        let is_at_work = !answered && self.doing().is_computing();
        let queued = if is_at_work {
            all.queued + stands
        } else {
            all.queued
        };
        let lag = turn.watch.lag();
        Some(Overrun {
            work: all.work,
            serial_work: if self.has_one_core {
                all.work
            } else {
                all.longest
            },
            queued,
            lag: match (answered, is_at_work) {
                (true, _) => lag.longest,
                (false, true) => lag.sum,
                (false, false) => Duration::ZERO,
            },
            stolen: self.stolen(),
        })
    }

    /// What has been stolen of the turn, as far as it is counted yet.
    fn stolen(&self) -> Duration {
        let stolen = self.steal.as_ref().and_then(StealMeter::since_turn_began);
        stolen.unwrap_or_default()
    }

    /// How much longer a bot is waited for whose wall time is up, if what was not its own time leaves it some.
    fn more_time(&mut self, turn: &mut Turn<'_>) -> Option<Duration> {
        let Asking {
            limit,
            allowed,
            clock,
            ..
        } = *turn.asking;
        let stood_before = turn.still;
        if stood_before.is_none() {
            self.look_at_threads();
        }
        let now = Instant::now();
        turn.watch.work(now);
        let spent = self.spent_so_far(turn, now, false);
        let left = allowed.saturating_sub(clock.counted(&spent, limit));
        let own_wall = spent.wall - spent.given_back(limit);
        if !left.is_zero() && (clock == Clock::Wall || own_wall < limit * HARD_CAP) {
            return Some(left.max(QUEUE_STEP));
        }
        // One that is ready and has not run since the last look stands in the queue, for how long is not known yet.
        let has_run =
            matches!((stood_before, turn.still), (Some((then, _)), Some((now, _))) if then != now);
        let is_queued =
            spent.overrun.is_some() && !self.is_crowd && !has_run && self.doing().is_computing();
        let cap = allowed + spent.lag.sum + most_waiting(limit);
        if is_queued && spent.wall < cap {
            return Some(QUEUE_STEP);
        }
        // By now a tick may have counted what was stolen.
        let awaits_steal =
            self.steal.is_some() && !std::mem::replace(&mut turn.awaited_steal, true);
        awaits_steal.then_some(STEAL_GRACE)
    }

    fn silence(&self, limit: Duration) -> Fault {
        if self.pipes.input_closed() {
            Fault::ClosedInput { limit }
        } else {
            Fault::Timeout { limit }
        }
    }

    /// Waits a moment for a bot whose input is closed to end by itself.
    pub(super) fn shut_down(&mut self) {
        let deadline = Instant::now() + SHUTDOWN_GRACE;
        let has_ended = |bot: &mut RunningBot| {
            let closed = bot.pipes.output_ended() && bot.stderr.has_ended();
            closed || bot.backend.ended().is_some()
        };
        while !has_ended(self) && Instant::now() < deadline {
            // The end of its standard error alone wakes nobody.
            let step = if self.pipes.output_ended() {
                Instant::now() + Duration::from_millis(1)
            } else {
                deadline
            };
            match self.wait(step.min(deadline)) {
                Ok(Waited::Something) => self.pipes.discard_output(),
                Ok(Waited::TimeUp) => {}
                Err(_) => break,
            }
        }
        self.pipes.close_all();
    }
}
