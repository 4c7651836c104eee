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
mod running;
mod tail;

use crate::judge::{Clock, Profile, Spent};
use crate::table::{Fault, Seat, Termination, TimedReply, TurnRequest};
use crownhead::notation::Notation;
use crownhead::protocol;
use pipes::Pipes;
use running::{Asking, Exchange, RunningBot};
use std::cell::RefCell;
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use conditions::Conditions;

/// A bot's process at the table.
#[derive(Debug)]
pub struct Process {
    running: Result<RunningBot, Fault>,
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

/// A bot's standard error, for those who watch a game.
#[derive(Clone, Debug)]
pub struct Ear(Rc<RefCell<Pipes>>);

impl Ear {
    /// The last part of what the bot has written, as far as it is kept. Not to be called while it is asked.
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
        interrupted: Arc<AtomicBool>,
    ) -> Process {
        let mut colour_line = String::new();
        protocol::write_colour(conditions.colour_line.letter(colour), &mut colour_line);
        Process {
            running: RunningBot::start(program, conditions),
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

    /// Where what the bot writes can be heard while its game is played; `None` if it did not start.
    pub fn ear(&self) -> Option<Ear> {
        let running = self.running.as_ref().ok()?;
        Some(Ear(running.pipes.clone()))
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

    fn ask(&mut self, turn: &TurnRequest<'_, G>) -> TimedReply {
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

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}
