//! The seat of a bot's process: from its start over its turns to its end.

use super::exchange::Exchange;
use super::finished::Finished;
use super::probe;
use super::running::{Conditions, Placement, RunningBot, SuspendIdle};
use crate::diagnosis::TurnFacts;
use crate::table::{Answer, Fault, Seat, TimedReply, TurnRequest};
use crownhead::protocol;
use crownhead_record::Stderr;
use crownhead_record::judge::START_UP;
use crownhead_sandbox::{GameCores, ProcessGroup, Suspension, Tail};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A bot's process at the table.
#[derive(Debug)]
pub struct Process {
    running: Result<RunningBot, Fault>,
    /// The colour line, until it has been sent with the first turn.
    colour_line: String,
    /// When the bot stands still while its opponent thinks.
    suspend_idle: SuspendIdle,
    /// The cores of the bots of the game, and this bot's place there; once it has opponents.
    cores: Option<(Arc<GameCores>, usize)>,
    placement: Placement,
    /// While it is waited for that the bot is ready; `None` once its start is over.
    start_up: Option<StartUp>,
    /// The limit of its last turn, if it had answered nothing when that was over.
    silent: Option<Duration>,
    game_is_over: bool,
    finished: Finished,
    interrupted: Arc<AtomicBool>,
}

/// How long a bot is listened to that has read a part of its turn, or has answered.
const LISTENING: Duration = Duration::from_millis(50);

/// The most lines that are taken of a bot that is not asked.
const MOST_UNASKED: usize = 16;

impl Process {
    /// Starts a bot for one game.
    ///
    /// `colour` is the letter of its colour line, if it is sent one. When the program does not start, the seat answers with that
    /// fault. Once `interrupted` is set, the seat answers with no move.
    pub fn start(
        program: &mut Command,
        colour: Option<char>,
        conditions: &Conditions,
        placement: &Placement,
        interrupted: Arc<AtomicBool>,
    ) -> Process {
        let running = RunningBot::start(program, conditions, placement, interrupted.clone());
        let mut seat = Process::of(running, conditions.suspend_idle, placement, interrupted);
        if let Some(colour) = colour {
            protocol::write_colour(conditions.colour_line.letter(colour), &mut seat.colour_line);
        }
        seat
    }

    /// The seat of a player whose answers are no process's: nothing is started.
    pub(crate) fn vacant(placement: &Placement, interrupted: Arc<AtomicBool>) -> Process {
        let why = "nothing was started for this player, who answers by chance";
        let running = Err(Fault::RefereeFault(why.into()));
        Process::of(running, SuspendIdle::Never, placement, interrupted)
    }

    fn of(
        running: Result<RunningBot, Fault>,
        suspend_idle: SuspendIdle,
        placement: &Placement,
        interrupted: Arc<AtomicBool>,
    ) -> Process {
        Process {
            start_up: running.is_ok().then(StartUp::new),
            running,
            colour_line: String::new(),
            suspend_idle,
            cores: None,
            placement: placement.clone(),
            silent: None,
            game_is_over: false,
            finished: Finished::default(),
            interrupted,
        }
    }

    /// Seats bots at one table: what one writes on its standard error is read away from the one that thinks.
    /// Waits until all are ready to read, for [`START_UP`] at most. Then those stand
    /// still that are to while their opponents think.
    pub(crate) fn start_game(seats: &mut [Process]) {
        let cores = seats.iter().map(|seat| seat.placement.cores.clone());
        let cores = Arc::new(GameCores::new(cores.collect()));
        for (place, seat) in seats.iter_mut().enumerate() {
            seat.cores = Some((cores.clone(), place));
            if let Ok(running) = &seat.running {
                running.program.stderr.set_cores(cores.clone());
            }
        }
        for seat in seats.iter_mut() {
            if seat.get_ready().is_ok() {
                seat.start_up = Some(StartUp::new());
            }
        }
        while seats.iter_mut().filter_map(Process::step_start_up).count() > 0 {}
        seats.iter_mut().for_each(Process::pause);
    }

    /// Waits for a step while the bot is not ready; `None` when that is over.
    fn step_start_up(&mut self) -> Option<()> {
        let start_up = self.start_up.as_mut()?;
        if let Ok(running) = &mut self.running {
            if !self.interrupted.load(Ordering::Relaxed) && start_up.goes_on(running) {
                return Some(());
            }
            running.look_at_threads();
        }
        self.finished.start_up = start_up.took;
        self.start_up = None;
        None
    }

    /// Waits until the bot runs.
    fn get_ready(&mut self) -> Result<(), Fault> {
        let running = self.running.as_mut().map_err(|fault| fault.clone())?;
        running.get_ready()
    }

    /// Waits until it is ready to read, says something, or has ended before it was asked, which is its fault then; for so long
    /// at most.
    pub(crate) fn try_start(&mut self, limit: Duration) -> Result<(), Fault> {
        self.get_ready()?;
        let running = self.running.as_mut().map_err(|fault| fault.clone())?;
        let (deadline, mut step) = (Instant::now() + limit, FIRST_STEP);
        while !self.interrupted.load(Ordering::Relaxed) && Instant::now() < deadline {
            if let Some(fault) = running.ended() {
                return Err(fault);
            }
            let is_ready = running.reads_input() == Some(true);
            if is_ready
                || !running.program.pipes.lines.bytes().is_empty()
                || running.wait(Instant::now() + step).is_err()
            {
                break;
            }
            step = (step * 2).min(LONG_STEP);
        }
        // Nothing was played that it could keep.
        running.program.group.begin_end();
        Ok(())
    }

    /// Has the bot stand still, where it is to while it is not asked.
    pub(crate) fn pause(&mut self) {
        if let Some(group) = self.paused() {
            group.pause();
        }
    }

    /// Lets the bot continue.
    pub(crate) fn resume(&mut self) {
        if let Some(group) = self.paused() {
            group.resume();
        }
    }

    /// The bot's processes, if they stand still while its opponent thinks, which is known once the bot runs.
    fn paused(&mut self) -> Option<&mut dyn ProcessGroup> {
        let group = self.running.as_mut().ok()?.program.group.as_mut();
        let is_paused = match (self.suspend_idle, group.suspension()) {
            (SuspendIdle::Always, _) => true,
            (SuspendIdle::Never, _) => false,
            (SuspendIdle::Auto, Suspension::Frozen) => true,
            (SuspendIdle::Auto, Suspension::Stopped) => self.placement.shared,
            (SuspendIdle::Auto, Suspension::Undone) => false,
        };
        is_paused.then_some(group)
    }

    /// Closes the bot's standard input, so that it can end by itself.
    pub(crate) fn close_stdin(&mut self) {
        self.end_game();
        if let Ok(running) = &mut self.running {
            running.program.pipes.close_input();
        }
        self.resume();
    }

    /// Looks what a bot does that had answered nothing when its time was up, when it is given more time, and, if it waits
    /// for that, more input and in the end none: to be asked after the game. `turn` is a turn of the protocol.
    pub(crate) fn probe(&mut self, turn: &str) {
        let Some(limit) = self.silent else { return };
        self.end_game();
        self.resume();
        if let Ok(running) = &mut self.running
            && !self.interrupted.load(Ordering::Relaxed)
        {
            self.finished.probe = probe::probe(running, turn, limit);
        }
    }

    /// Sends a part of a turn, and gives the lines that the bot writes to that alone; `None` if it has not read it within
    /// this time.
    pub(crate) fn feed(&mut self, part: &str, time: Duration) -> Option<Vec<Vec<u8>>> {
        self.get_ready().ok()?;
        self.resume();
        while self.step_start_up().is_some() {}
        let running = self.running.as_mut().ok()?;
        let read = probe::feed(running, part, time);
        let lines = read.then(|| self.unasked());
        self.pause();
        lines
    }

    /// The lines that the bot writes within a short time without being asked, up to a bound.
    pub(crate) fn unasked(&mut self) -> Vec<Vec<u8>> {
        self.resume();
        let lines = match &mut self.running {
            Ok(running) => probe::lines(running, MOST_UNASKED, LISTENING),
            Err(_) => Vec::new(),
        };
        self.pause();
        lines
    }

    /// From now on, what the bot writes comes after the game.
    fn end_game(&mut self) {
        if !std::mem::replace(&mut self.game_is_over, true) {
            self.collect_log();
        }
    }

    /// What the bot has written since it was asked last belongs to that turn.
    fn collect_log(&mut self) {
        let Ok(running) = &self.running else { return };
        let written = kept(running.program.stderr.take());
        match self.finished.spent.len() {
            0 => self.finished.stderr_before = written,
            _ => self.finished.stderr.push(written),
        }
    }

    /// Gives the bot a moment to end by itself and then has it ended, without waiting until all that it has started is
    /// gone: two bots' ends take no longer than one's.
    pub(crate) fn begin_end(&mut self) {
        if let Ok(running) = &mut self.running {
            running.shut_down();
            running.program.group.begin_end();
        }
    }

    /// Ends the bot, if it has not ended, and gives what is left of it.
    pub(crate) fn finish(mut self) -> Finished {
        self.end();
        std::mem::take(&mut self.finished)
    }

    fn end(&mut self) {
        self.close_stdin();
        if let Ok(running) = &mut self.running {
            running.shut_down();
            self.finished.stderr_after = kept(running.program.stderr.take_last());
        }
        self.running = Err(Fault::RefereeFault("its bot has been ended".into()));
    }

    /// Sends what is not to be answered.
    pub(crate) fn tell(&mut self, text: &str) {
        if let Ok(running) = &mut self.running {
            running.program.pipes.send(text.as_bytes());
        }
    }

    /// Sends a request, the text of a turn with or without a colour line before it, and waits for so many lines.
    pub(crate) fn put(&mut self, request: &str, lines: usize, limit: Duration) -> TimedReply {
        self.collect_log();
        let reply = self.timed(request, lines, limit);
        self.pause();
        reply
    }

    fn timed(&mut self, request: &str, lines: usize, limit: Duration) -> TimedReply {
        let exchange = match self.exchange(request, lines, limit) {
            Ok(exchange) => exchange,
            Err(fault) => {
                return TimedReply {
                    reply: Err(fault),
                    time: Duration::ZERO,
                };
            }
        };
        let Exchange { reply, spent, .. } = exchange;
        self.silent = exchange.facts.doing.map(|_| limit);
        self.finished.last_turn = TurnFacts {
            left_over: self.finished.last_turn.unread.unwrap_or(0),
            ..exchange.facts
        };
        self.finished.doubtful = exchange.doubtful;
        self.finished.spent.push(spent);
        self.note_memory();
        TimedReply {
            reply,
            time: spent.wall,
        }
    }

    fn exchange(
        &mut self,
        request: &str,
        lines: usize,
        limit: Duration,
    ) -> Result<Exchange, Fault> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(Fault::Interrupted);
        }
        // A bot's clock starts when it runs (stated: the contest's engine 4.7.8).
        self.get_ready()?;
        self.resume();
        while self.step_start_up().is_some() {}
        if let Some((cores, place)) = &self.cores {
            cores.set_mover(*place);
        }
        let running = self.running.as_mut().map_err(|fault| fault.clone())?;
        Ok(running.exchange(request.as_bytes(), lines, limit))
    }

    /// Notes the memory that the bot holds after its turns 1, 2, 4, 8 and so on.
    fn note_memory(&mut self) {
        let own_turn = self.finished.spent.len();
        if let Ok(running) = &self.running
            && own_turn.is_power_of_two()
            && let Some(bytes) = running.resident_memory()
        {
            self.finished.memory.push((own_turn, bytes));
        }
    }
}

/// The form of what a bot wrote in records.
fn kept(tail: Tail) -> Stderr {
    let Tail { kept, cut, .. } = tail;
    Stderr { kept, cut }
}

/// Intervals at which a bot that starts is looked at: the first one, and the longest of its first moments.
const FIRST_STEP: Duration = Duration::from_micros(200);
const LONG_STEP: Duration = Duration::from_millis(4);

/// The longest step later, as a part of what the start has taken: to look at many processes often takes their time.
const STEP_PART: u32 = 20;

/// A bot that starts: when it is ready for its first turn.
#[derive(Clone, Copy, Debug)]
struct StartUp {
    began: Instant,
    step: Duration,
    /// How long it took until the bot waited for its input; unknown of one that never did, or where the system does not
    /// show it.
    took: Option<Duration>,
}

impl StartUp {
    fn new() -> StartUp {
        StartUp {
            began: Instant::now(),
            step: FIRST_STEP,
            took: None,
        }
    }

    /// Whether the bot needs more waiting for, after a step if it does.
    fn goes_on(&mut self, bot: &mut RunningBot) -> bool {
        let is_ready = bot.reads_input();
        let took = self.began.elapsed();
        self.took = is_ready.unwrap_or_default().then_some(took);
        if is_ready != Some(false) {
            return false;
        }
        // It speaks before it is asked, or has ended: that is for its first turn to find.
        let has_spoken =
            !bot.program.pipes.lines.bytes().is_empty() || bot.program.pipes.output_ended();
        if has_spoken || bot.ended().is_some() || took >= START_UP {
            return false;
        }
        let waited = bot.wait(Instant::now() + self.step);
        self.step = (self.step * 2).min(LONG_STEP.max(took / STEP_PART));
        waited.is_ok()
    }
}

impl Seat for Process {
    fn ask(&mut self, turn: &TurnRequest<'_>) -> Answer {
        let mut request = std::mem::take(&mut self.colour_line);
        request += &turn.board.turn_text();
        self.put(&request, 1, turn.limit).into()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}
