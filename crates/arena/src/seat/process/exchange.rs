//! One exchange of a turn and its answer: its deadline, and where its time goes.

use super::lag::{LagMeter, TICK};
use super::running::RunningBot;
use crate::diagnosis::{Doing, TurnFacts};
use crate::table::Fault;
use crownhead_record::judge::{Clock, HARD_CAP, Overrun, Spent, most_waiting};
use crownhead_sandbox::{Meter, OtherWork, Waited};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long a bot that waits in the run queue is given before its clocks are read again.
const QUEUE_STEP: Duration = Duration::from_millis(2);

/// How long a bot that is late is looked at before it is asked what was stolen of its core: longer than a tick, for
/// what is stolen is counted by the tick after it.
const STEAL_GRACE: Duration = Duration::from_millis(12);

/// What became of a turn.
pub(super) struct Exchange {
    pub(super) reply: Result<Vec<u8>, Fault>,
    pub(super) spent: Spent,
    pub(super) facts: TurnFacts,
    /// Whether it was lost on time, and perhaps would not have been on an idle machine.
    pub(super) doubtful: bool,
}

/// A turn under way.
struct Turn {
    /// How many lines the bot is to answer.
    wanted: usize,
    /// Those that it has.
    answer: Vec<Vec<u8>>,
    limit: Duration,
    /// The limit with the grace that lateness has.
    allowed: Duration,
    started: Instant,
    /// The processor time of all its processes, where a control group or job counts it.
    grouped: Option<Duration>,
    watch: LagMeter,
    /// Whether it was looked at which processes and threads the bot has.
    looked: bool,
    /// What it had worked when its time was up and it was looked at last, and since when it has not run.
    still: Option<(Duration, Instant)>,
    awaited_steal: bool,
}

impl RunningBot {
    /// Sends a request, waits for this number of lines, and joins them.
    pub(super) fn exchange(&mut self, request: &[u8], lines: usize, limit: Duration) -> Exchange {
        self.program.pipes.read_output();
        let early = !self.program.pipes.lines.bytes().is_empty();
        let mut turn = self.begin_turn(lines, limit);
        self.program.pipes.send(request);
        let reply = self.await_lines(&mut turn);
        let now = if reply.is_ok() {
            self.time_of_answer(&mut turn)
        } else {
            Instant::now()
        };
        let spent = self.spent(&mut turn, now, reply.is_ok());
        let facts = TurnFacts {
            early,
            by_signal: matches!(reply, Err(Fault::Ended(kind)) if kind.is_crash()),
            left_over: 0,
            unread: self.program.pipes.unread(),
            unfinished: self.program.pipes.lines.bytes().to_vec(),
            lines: [turn.answer.len(), turn.wanted],
            doing: match reply {
                Err(Fault::Timeout { input_closed, .. }) if !input_closed => Some(self.doing()),
                _ => None,
            },
        };
        let reply = reply.and_then(|line| self.judge(line, limit, &spent));
        let kept_from = match reply {
            Err(Fault::Timeout { .. } | Fault::Late { strike: None, .. }) => Some(turn.allowed),
            Err(Fault::Late { .. }) => Some(limit),
            _ => None,
        };
        let is_doubtful = kept_from.is_some_and(|limit| spent.is_doubtful(limit));
        Exchange {
            reply,
            spent,
            facts,
            doubtful: is_doubtful && !self.has_many_processes,
        }
    }

    /// The clock of a turn starts.
    fn begin_turn(&mut self, wanted: usize, limit: Duration) -> Turn {
        if let Some(steal) = &mut self.steal {
            steal.begin_turn();
        }
        if let Some(meter) = &mut self.meter {
            meter.begin_turn();
        }
        let grouped = self.program.group.processor_time();
        let started = Instant::now();
        self.asked = started;
        Turn {
            wanted,
            answer: Vec::new(),
            limit,
            allowed: limit + self.profile.grace.over,
            started,
            grouped,
            watch: LagMeter::start(started),
            looked: false,
            still: None,
            awaited_steal: false,
        }
    }

    /// The consequence of an answer that took this long.
    fn judge(&mut self, line: Vec<u8>, limit: Duration, spent: &Spent) -> Result<Vec<u8>, Fault> {
        let after = self.clock.counted(spent, limit);
        if after <= limit {
            return Ok(line);
        }
        let grace = self.profile.grace;
        let mut strike = None;
        if after <= limit + grace.over {
            self.strikes += 1;
            if self.strikes < grace.strikes {
                return Ok(line);
            }
            strike = Some(self.strikes);
        }
        Err(Fault::Late {
            limit,
            after,
            strike,
        })
    }

    /// What came of the turn, if that is known without waiting any longer.
    fn answered(&mut self, turn: &mut Turn) -> Option<Result<Vec<u8>, Fault>> {
        let longest = self.profile.longest_reply;
        loop {
            let taken: usize = turn.answer.iter().map(Vec::len).sum();
            match self.next_line(longest.saturating_sub(taken))? {
                Ok(line) => turn.answer.push(line),
                Err(Fault::EndlessLine { .. }) => {
                    return Some(Err(Fault::EndlessLine { limit: longest }));
                }
                Err(fault) => return Some(Err(fault)),
            }
            if turn.answer.len() >= turn.wanted {
                return Some(Ok(turn.answer.join(&b'\n')));
            }
        }
    }

    fn await_lines(&mut self, turn: &mut Turn) -> Result<Vec<u8>, Fault> {
        let mut deadline = turn.started + turn.allowed;
        // It may have been stopped before the turn was sent.
        turn.watch.work(Instant::now());
        loop {
            if let Some(outcome) = self.answered(turn) {
                return outcome;
            }
            let due = deadline.min(Instant::now() + TICK);
            turn.watch.due = due;
            let waited = self.wait(due)?;
            let now = self.program.pipes.woke();
            turn.watch.look(now);
            if waited == Waited::Something {
                continue;
            }
            if self.interrupted.load(Ordering::Relaxed) {
                return Err(Fault::Interrupted);
            }
            if now < deadline {
                self.look_once(turn);
                continue;
            }
            // What came at the last moment counts, and a bot that has ended was not merely silent.
            if let Some(outcome) = self.answered(turn) {
                return outcome;
            }
            match self.more_time(turn) {
                Some(more) => deadline = Instant::now() + more,
                None => {
                    return Err(Fault::Timeout {
                        limit: turn.limit,
                        input_closed: self.program.pipes.input_closed(),
                    });
                }
            }
        }
    }

    /// When the bot had answered: when the last wait ended, unless the bot has held its pipe since.
    fn time_of_answer(&self, turn: &mut Turn) -> Instant {
        let woke = self.program.pipes.woke().max(turn.started);
        let now = Instant::now();
        let took = now.duration_since(woke);
        if took <= TICK || turn.watch.work(now) + TICK >= took {
            woke
        } else {
            now
        }
    }

    /// Looks, once in a turn that lasts, at which threads the bot has.
    fn look_once(&mut self, turn: &mut Turn) {
        if std::mem::replace(&mut turn.looked, true) {
            return;
        }
        self.look_at_threads();
        if turn.grouped.is_none() {
            self.reaped = self.program.group.reaped_time();
        }
    }

    /// Where the time of a turn went that is over now.
    fn spent(&mut self, turn: &mut Turn, now: Instant, answered: bool) -> Spent {
        let mut spent = self.spent_so_far(turn, now, answered);
        let is_late = self.clock.counted(&spent, turn.limit) > turn.limit;
        if is_late && self.steal.is_some() && !turn.awaited_steal {
            std::thread::sleep(STEAL_GRACE);
            if let Some(overrun) = &mut spent.overrun {
                overrun.stolen = self.stolen();
            }
        }
        spent
    }

    /// Where the time of a turn went so far; all of it is looked at only once the limit has passed.
    fn spent_so_far(&mut self, turn: &mut Turn, now: Instant, answered: bool) -> Spent {
        let wall = now.duration_since(turn.started);
        let of_first = self.meter.as_ref().map(Meter::of_first);
        let (work, waited) = of_first.unwrap_or_else(|| (self.grouped_work(turn), None));
        let mut spent = Spent {
            wall,
            work,
            waited,
            lag: turn.watch.lag,
            overrun: None,
        };
        if wall > turn.limit {
            spent.overrun = self.overrun(turn, now, answered);
        }
        spent
    }

    /// What all its processes have worked in a turn, where a control group or job counts it.
    fn grouped_work(&self, turn: &Turn) -> Option<Duration> {
        let now = self.program.group.processor_time()?;
        Some(now.saturating_sub(turn.grouped?))
    }

    fn overrun(&mut self, turn: &mut Turn, now: Instant, answered: bool) -> Option<Overrun> {
        self.look_once(turn);
        let others = match self.grouped_work(turn) {
            Some(work) => OtherWork::Grouped(work),
            None => OtherWork::Reaped(self.program.group.reaped_time().saturating_sub(self.reaped)),
        };
        let work = self.meter.as_ref()?.all(others);
        let mut overrun = Overrun {
            work: work.all,
            serial_work: work.all,
            ..Overrun::default()
        };
        if self.has_many_processes {
            return Some(overrun);
        }
        overrun.queued = work.queued;
        if !self.has_one_core {
            overrun.serial_work = work.serial;
        }
        // Waiting that has not ended is not counted yet.
        let since = match turn.still {
            Some((before, since)) if before == work.alive => since,
            _ => now,
        };
        turn.still = Some((work.alive, since));
        let is_at_work = !answered && self.doing() == Doing::Computes;
        if is_at_work {
            overrun.queued += now.duration_since(since);
        }
        let lag = turn.watch.lag;
        overrun.lag = match (answered, is_at_work) {
            (true, _) => lag.longest,
            (false, true) => lag.sum,
            (false, false) => Duration::ZERO,
        };
        overrun.stolen = self.stolen();
        Some(overrun)
    }

    /// How much longer a bot is waited for whose wall time is up, if what was not its own time leaves it some.
    fn more_time(&mut self, turn: &mut Turn) -> Option<Duration> {
        let Turn { limit, allowed, .. } = *turn;
        let stood_before = turn.still;
        if stood_before.is_none() {
            self.look_at_threads();
        }
        let now = Instant::now();
        turn.watch.work(now);
        let spent = self.spent_so_far(turn, now, false);
        let left = allowed.saturating_sub(self.clock.counted(&spent, limit));
        let own_wall = spent.wall - spent.given_back(limit);
        if !left.is_zero() && (self.clock == Clock::Wall || own_wall < limit * HARD_CAP) {
            return Some(left.max(QUEUE_STEP));
        }
        // One that is ready and has not run since the last look stands in the queue, for how long is not known yet.
        let has_run =
            matches!((stood_before, turn.still), (Some((then, _)), Some((now, _))) if then != now);
        let is_queued = spent.overrun.is_some()
            && !self.has_many_processes
            && !has_run
            && self.doing() == Doing::Computes;
        let cap = allowed + spent.lag.sum + most_waiting(limit);
        if is_queued && spent.wall < cap {
            return Some(QUEUE_STEP);
        }
        // By now a tick may have counted what was stolen.
        let awaits_steal =
            self.steal.is_some() && !std::mem::replace(&mut turn.awaited_steal, true);
        awaits_steal.then_some(STEAL_GRACE)
    }
}
