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
mod probe;
mod running;
mod steal;
mod tail;

use crate::diagnosis::{Probe, TurnFacts};
use crate::judge::{Clock, Profile, Spent};
use crate::record::Stderr;
use crate::table::{Fault, Seat, Termination, TimedReply, TurnRequest};
use crownhead::notation::Notation;
use crownhead::protocol;
use pipes::Pipes;
use running::{Asking, RunningBot};
use std::cell::RefCell;
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use conditions::{Conditions, Placement};

/// A bot's process at the table.
#[derive(Debug)]
pub struct Process {
    running: Result<RunningBot, Fault>,
    /// The colour line, until it has been sent with the first turn.
    colour_line: String,
    profile: Profile,
    clock: Clock,
    /// Whether the bot stands still while its opponent thinks; where it does only if that is cheap, that is known
    /// once it runs.
    pauses: Pauses,
    strikes: u32,
    /// Whether it had answered nothing when its last turn was over.
    silent: bool,
    game_is_over: bool,
    finished: Finished,
    interrupted: Arc<AtomicBool>,
}

/// Whether a bot is paused while its opponent thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pauses {
    Never,
    /// Where a control group can freeze it.
    IfCheap,
    Always,
}

/// What is left of a bot when its game is over.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Finished {
    /// Its standard error before its first turn.
    pub stderr_before: Stderr,
    /// Of each turn, in order, its standard error until the next one.
    pub stderr: Vec<Stderr>,
    /// Its standard error after its input was closed.
    pub stderr_after: Stderr,
    /// Where the time of each turn went, in order.
    pub spent: Vec<Spent>,
    /// What is known of its last turn.
    pub last_turn: TurnFacts,
    /// Whether its last reply was there before it was asked.
    pub answered_early: bool,
    /// Whether it lost on wall time while it may have waited for a core.
    pub starved: bool,
}

impl Finished {
    /// What is kept of its standard error, from first to last.
    pub fn said(&self) -> String {
        let after = std::iter::once(&self.stderr_after);
        let all = std::iter::once(&self.stderr_before)
            .chain(&self.stderr)
            .chain(after);
        all.map(|part| String::from_utf8_lossy(&part.kept).into_owned())
            .collect()
    }
}

/// A bot's standard error, for those who watch a game.
#[derive(Clone, Debug)]
pub struct Ear(Rc<RefCell<Pipes>>);

impl Ear {
    /// What the bot has written since its last turn began, as far as it is kept. Not to be called while it is asked.
    pub fn hear(&self) -> Vec<u8> {
        let mut pipes = self.0.borrow_mut();
        pipes.drain_log();
        pipes.log().to_vec()
    }
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
        placement: &Placement,
        interrupted: Arc<AtomicBool>,
    ) -> Process {
        let pauses = match (conditions.suspend_idle, placement.shared) {
            (true, _) => Pauses::Always,
            (false, true) => Pauses::IfCheap,
            (false, false) => Pauses::Never,
        };
        let mut colour_line = String::new();
        protocol::write_colour(conditions.colour_line.letter(colour), &mut colour_line);
        Process {
            running: RunningBot::start(program, conditions, placement),
            colour_line,
            profile: conditions.profile,
            clock: conditions.clock,
            pauses,
            strikes: 0,
            silent: false,
            game_is_over: false,
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

    /// Has a bot that is to stand still while its opponent thinks do so from the start.
    pub fn wait_for_turn(&mut self) {
        if self.pauses != Pauses::Never && self.get_ready().is_ok() {
            self.pause();
        }
    }

    /// Waits until the bot runs.
    fn get_ready(&mut self) -> Result<(), Fault> {
        let running = self.running.as_mut().map_err(|fault| fault.clone())?;
        running.get_ready()?;
        if self.pauses == Pauses::IfCheap {
            self.pauses = match running.backend.can_freeze() {
                true => Pauses::Always,
                false => Pauses::Never,
            };
        }
        Ok(())
    }

    fn pause(&mut self) {
        if let (Ok(running), Pauses::Always) = (&mut self.running, self.pauses) {
            running.backend.pause();
        }
    }

    fn resume(&mut self) {
        if let (Ok(running), Pauses::Always) = (&mut self.running, self.pauses) {
            running.backend.resume();
        }
    }

    /// Where what the bot writes can be heard while its game is played; `None` if it did not start.
    pub fn ear(&self) -> Option<Ear> {
        let running = self.running.as_ref().ok()?;
        Some(Ear(running.pipes.clone()))
    }

    /// Closes the bot's standard input, so that it can end by itself.
    pub fn close_stdin(&mut self) {
        self.end_game();
        if let Ok(running) = &mut self.running {
            running.pipes.borrow_mut().close_input();
        }
        self.resume();
    }

    /// What a bot does that had answered nothing when its time was up, when it is given more time, more input and in
    /// the end none: to be asked after the game. `turn` is a turn of the protocol.
    pub fn probe(&mut self, turn: &str) -> Probe {
        self.end_game();
        let wanted = self.silent && !self.interrupted.load(Ordering::Relaxed);
        self.resume();
        match &mut self.running {
            Ok(running) if wanted => probe::probe(running, turn),
            _ => Probe::default(),
        }
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
        let written = running.pipes.borrow_mut().take_log();
        match self.finished.spent.len() {
            0 => self.finished.stderr_before = written,
            _ => self.finished.stderr.push(written),
        }
    }

    /// Gives the bot a moment to end by itself and then has it ended, without waiting until all that it has started is
    /// gone: two bots' ends take no longer than one's.
    pub fn begin_end(&mut self) {
        if let Ok(running) = &mut self.running {
            running.shut_down();
            running.backend.begin_end();
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
            self.finished.stderr_after = running.pipes.borrow_mut().take_log();
        }
        self.running = Err(Fault::RefereeFault("its bot has been ended".into()));
    }

    /// Sends a request, the text of a turn with or without a colour line before it, and waits for one line.
    pub fn put(&mut self, request: &str, limit: Duration) -> TimedReply {
        let at_once = |fault| TimedReply {
            reply: Err(fault),
            time: Duration::ZERO,
        };
        self.collect_log();
        if self.interrupted.load(Ordering::Relaxed) {
            return at_once(Fault::Interrupted);
        }
        // A bot's clock starts when it runs (stated: the contest's engine 4.7.8).
        if let Err(fault) = self.get_ready() {
            return at_once(fault);
        }
        self.resume();
        let asking = Asking {
            limit,
            allowed: limit + self.profile.grace.over,
            clock: self.clock,
            longest_reply: self.profile.longest_reply,
            interrupted: &self.interrupted,
        };
        let mut exchange = match &mut self.running {
            Ok(running) => running.exchange(request.as_bytes(), &asking),
            Err(fault) => return at_once(fault.clone()),
        };
        let spent = exchange.spent;
        self.finished.last_turn = TurnFacts {
            left_over: self.finished.last_turn.unread.unwrap_or(0),
            ..std::mem::take(&mut exchange.facts)
        };
        self.finished.answered_early = exchange.early;
        let reply = std::mem::replace(&mut exchange.reply, Err(Fault::Interrupted));
        self.silent = matches!(reply, Err(Fault::Timeout { .. }));
        let reply = reply.and_then(|line| self.judge(line, limit, &spent));
        let fault = reply.as_ref().err();
        let too_late = fault.is_some_and(|fault| fault.termination() == Termination::Timeout);
        if too_late && self.clock == Clock::Wall {
            let starved = |running: &RunningBot| running.starved(&mut exchange, limit);
            self.finished.starved = self.running.as_ref().is_ok_and(starved);
        }
        self.finished.spent.push(exchange.spent);
        self.pause();
        TimedReply {
            reply,
            time: spent.wall,
        }
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

    fn ask(&mut self, turn: &TurnRequest<'_, G>) -> TimedReply {
        let mut request = std::mem::take(&mut self.colour_line);
        protocol::write_turn(turn.game.position(), turn.moves, &mut request);
        self.put(&request, turn.limit)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}
