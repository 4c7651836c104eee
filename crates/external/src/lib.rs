//! External referees: programs that know their own game, and decide what each player is sent.
//!
//! An [`ExternalReferee`] is ready to start, a [`RefereeProcess`] plays one game: [`next`](RefereeProcess::next) gives
//! the next question to a player, and [`answer`](RefereeProcess::answer) takes the lines of that player's bot. The
//! arena starts the bots, keeps their clocks, and decides what a fault costs.

mod check;
mod course;
mod engine;
mod find;
mod java;
mod lines;
mod process;
mod viewer;

pub use check::{CheckReport, Fault, check};
pub use course::Course;
pub use find::game_name;
pub use viewer::{DRAWER, PLAYER, Viewer, ViewerError};

use crownhead_record::openings::Opening;
use crownhead_record::{Frame, RefereeProtocol};
use crownhead_sandbox::Sandbox;
use java::Launch;
use process::{Process, Wait};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The parameter that is the engine's system property `league.level`.
const LEAGUE: &str = "league";

/// A user's options for an external referee.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RefereeOptions {
    /// A jar or folder of CodinGame's contest engine, or a command line.
    pub command: String,
    /// Its protocol. By default the engine's, if the engine is in the jar or folder or on the command line, or else lines.
    pub protocol: Option<RefereeProtocol>,
    /// How many players a game has.
    pub players: usize,
    /// Its parameters: `league` is the engine's system property, others are sent.
    pub parameters: BTreeMap<String, String>,
}

/// An external referee, ready to be started for each game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalReferee {
    /// The user's options for it.
    pub options: RefereeOptions,
    /// How it speaks.
    pub protocol: RefereeProtocol,
    /// The name of its game in tables: the jar's name, or that of its folder.
    pub name: String,
    /// A hash of its files and parameters, which distinguishes the games of two referees.
    pub hash: String,
    /// The files and folders that count for the hash.
    pub files: Vec<PathBuf>,
    /// The sandbox that it runs in; without one, it runs with all rights of this program.
    pub sandbox: Option<Sandbox>,
    launch: Launch,
}

/// The next step of an external referee.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// It wants a player's answer.
    Asked(Request),
    /// The game is over.
    Over(Ended),
}

/// A question to a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// What happened in the game before it.
    pub frame: Frame,
    /// The player, from 0.
    pub player: usize,
    /// The input for its bot, as complete lines.
    pub input: String,
    /// How many lines it must answer. With 0, its bot is sent the input and the game continues.
    pub lines: usize,
    /// Its time limit, if the referee sets one.
    pub limit: Option<Duration>,
    /// The legal answers, if the referee lists them; answers of several lines are joined by `\n`.
    pub legal: Vec<String>,
    /// The players that have failed, according to the referee, and why.
    pub errors: Vec<(usize, String)>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Ended {
    /// What happened last.
    pub frame: Frame,
    /// The scores by players: more is better.
    pub scores: Vec<f64>,
    /// Why it ended, if the referee says so.
    pub reason: Option<String>,
    /// Data about the whole game: the engine's `METADATA`.
    pub metadata: Vec<String>,
    /// The parameters of the game: the engine's `UINPUT`.
    pub input: Vec<String>,
    /// The players that have failed since the last request, according to the referee, and why.
    pub errors: Vec<(usize, String)>,
}

/// Why an external referee cannot be used, or its game cannot continue. Never a bot's fault.
#[derive(Debug, thiserror::Error)]
pub enum RefereeError {
    /// The command names no program, or the options do not fit it.
    #[error("{0}")]
    NotFound(String),
    /// It could not be started, or communication failed.
    #[error("the referee {name}: {error}")]
    Io {
        /// What it is called.
        name: String,
        /// What failed.
        error: std::io::Error,
    },
    /// It broke its protocol, or reported that it failed.
    #[error("the referee {name} {problem}")]
    Protocol {
        /// What it is called.
        name: String,
        /// What it did, with what was expected.
        problem: String,
    },
    /// The run was interrupted.
    #[error("the referee was interrupted")]
    Interrupted,
}

impl ExternalReferee {
    /// Starts it for one game, on these cores, or on any if there are none. It loads in the background and waits for
    /// [`begin`](RefereeProcess::begin).
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(&self, cores: &[usize]) -> Result<RefereeProcess, RefereeError> {
        Ok(RefereeProcess {
            process: Process::start(&self.launch, &self.name, self.sandbox.as_ref(), cores)?,
            conversation: match self.protocol {
                RefereeProtocol::Lines => {
                    Conversation::Lines(lines::Lines::new(self.options.players))
                }
                // No referee that starts the bots itself is ever found.
                RefereeProtocol::Engine | RefereeProtocol::Command => {
                    Conversation::Engine(engine::Engine::of(&self.options))
                }
            },
            course: Course::default(),
        })
    }
}

/// A running external referee, the judge of one game. Dropping it ends its processes.
#[derive(Debug)]
pub struct RefereeProcess {
    process: Process,
    conversation: Conversation,
    course: Course,
}

/// The state of the conversation with a referee, in its protocol.
#[derive(Debug)]
enum Conversation {
    Engine(engine::Engine),
    Lines(lines::Lines),
}

impl RefereeProcess {
    /// Begins the game of this opening; its seed is a `long` of Java. If communication fails,
    /// [`next`](RefereeProcess::next) reports it, with the reason.
    pub fn begin(&mut self, opening: &Opening) {
        self.course.opening.clone_from(opening);
        let seed = opening.seed.unwrap_or_default();
        match &mut self.conversation {
            Conversation::Engine(engine) => {
                engine.begin(&mut self.process, seed, &opening.parameters)
            }
            Conversation::Lines(lines) => lines.begin(&mut self.process, seed),
        }
    }

    /// Whether its process has ended.
    pub fn has_ended(&mut self) -> bool {
        self.process.has_ended()
    }

    /// The next step. Call it after [`begin`](RefereeProcess::begin), and after each [`answer`](RefereeProcess::answer)
    /// or [`give_up`](RefereeProcess::give_up), until the game is over.
    ///
    /// # Errors
    /// When it fails, breaks its protocol, plays another seed than requested, or is silent for too long; and soon after
    /// `interrupted` is set.
    pub fn next(&mut self, interrupted: &AtomicBool) -> Result<Step, RefereeError> {
        let wait = |size| Wait::new(interrupted, size);
        let step = match &mut self.conversation {
            Conversation::Engine(engine) => {
                engine.next(&mut self.process, &mut wait(engine::STEP_SIZE))
            }
            Conversation::Lines(lines) => {
                lines.next(&mut self.process, &mut wait(lines::STEP_SIZE))
            }
        }?;
        self.course.hear(&step);
        Ok(step)
    }

    /// Gives it the lines that the asked player answered, and the time that this took. Line separators inside a line
    /// become spaces.
    pub fn answer(&mut self, lines: &[Vec<u8>], took: Duration) {
        self.course.answer(lines, took);
        match &mut self.conversation {
            Conversation::Engine(engine) => engine.answer(&mut self.process, lines, took),
            Conversation::Lines(conversation) => conversation.answer(&mut self.process, lines),
        }
    }

    /// Reports that the asked player has failed and no longer answers. Returns whether the game continues without that
    /// player. If it does not, the caller decides how the game ends.
    pub fn give_up(&mut self) -> bool {
        match &mut self.conversation {
            Conversation::Engine(engine) => {
                engine.give_up(&mut self.process);
                true
            }
            Conversation::Lines(_) => false,
        }
    }

    /// The course of its game so far.
    pub fn into_course(self) -> Course {
        self.course
    }
}
