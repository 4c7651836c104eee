//! External referees: programs that know their own game, and tell what each player is sent.
//!
//! [`ExternalReferee`] is one that was found, [`RefereeProcess`] one that runs and plays one game:
//! [`next`](RefereeProcess::next) gives who is asked what, [`answer`](RefereeProcess::answer) takes the lines of that
//! player's bot. Starts no bot, knows no clock of a bot, and leaves out what a fault costs: the arena has these.

mod archive;
mod check;
mod engine;
mod find;
mod hash;
mod java;
mod launch;
mod lines;
mod process;
mod received;
mod viewer;

pub use check::{CheckOptions, CheckReport, Finding, Sample, check};
pub use viewer::{DRAWER, PLAYER, Viewer, ViewerError};

use crownhead_record::{Frame, RefereeProtocol};
use launch::Launch;
use process::{Process, SILENCE, Wait};
use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The parameter that is the engine's system property `league.level`.
const LEAGUE: &str = "league";

/// What a person says of an external referee.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RefereeOptions {
    /// A jar or folder of CodinGame's contest engine, or a command line.
    pub command: String,
    /// How it speaks; found out by asking where nothing is said.
    pub protocol: Option<RefereeProtocol>,
    /// How many players a game has.
    pub players: usize,
    /// What it is told besides: `league` is the engine's system property, others are sent.
    pub parameters: BTreeMap<String, String>,
}

/// An external referee, ready to be started for each game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalReferee {
    options: RefereeOptions,
    protocol: RefereeProtocol,
    name: String,
    hash: String,
    launch: Launch,
}

/// What an external referee wants next.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// A player's answer.
    Asked(Request),
    /// Nothing more: the game is over.
    Over(Ended),
}

/// What a player is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// What happened in the game until then.
    pub frame: Frame,
    /// The player, from 0.
    pub player: usize,
    /// What its bot is sent, whole lines.
    pub input: String,
    /// How many lines it is to answer; where it is none, its bot is sent the input and the game goes on.
    pub lines: usize,
    /// How long it may take, where the referee says so.
    pub limit: Option<Duration>,
    /// The answers that are legal, where the referee says so; those of several lines are joined by `\n`.
    pub legal: Vec<String>,
    /// The players that have failed, as the referee says, and why.
    pub errors: Vec<(usize, String)>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Ended {
    /// What happened last.
    pub frame: Frame,
    /// The scores by players: more is better.
    pub scores: Vec<f64>,
    /// Why, where the referee says so.
    pub reason: Option<String>,
    /// What the referee said of the game itself: the engine's `METADATA`.
    pub metadata: Vec<String>,
    /// What the game was made of: the engine's `UINPUT`.
    pub input: Vec<String>,
    /// The players that have failed since the last request, as the referee says, and why.
    pub errors: Vec<(usize, String)>,
}

/// Why an external referee cannot be used, or its game does not go on: never a bot's fault.
#[derive(Debug, thiserror::Error)]
pub enum RefereeError {
    /// The command names no program, or the options do not fit it.
    #[error("{0}")]
    NotFound(String),
    /// It could not be started, or spoken with.
    #[error("the referee {name}: {error}")]
    Io {
        /// What it is called.
        name: String,
        /// What failed.
        error: std::io::Error,
    },
    /// It said what its protocol does not have, or that it failed.
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

/// What tables call the game of the referee that is named so, without looking whether it is there: by the jar, or its
/// folder where that says no more than `referee.jar`; by the program of a command line.
pub fn game_name(command: &str) -> String {
    find::game_name(command)
}

impl ExternalReferee {
    /// The referee that is meant, with paths relative to `folder`. Where no protocol is said, it is started and asked;
    /// a jar or folder that holds CodinGame's engine is not.
    ///
    /// A jar is to hold all that it depends on. A folder is one of classes, with the engine's among them, or what Maven
    /// builds: `target`, or the folder around it, with `classes` and, of `mvn dependency:copy-dependencies`, the jars in
    /// `dependency`. The first time that a jar is found, Crownhead plays a game of it without bots, which takes some
    /// seconds, and keeps what lets it start faster in the user's cache folder.
    ///
    /// # Errors
    /// When there is no such program, it cannot be told what the options say, or it speaks no protocol that is known.
    pub fn find(options: &RefereeOptions, folder: &Path) -> Result<ExternalReferee, RefereeError> {
        find::find(options, folder)
    }

    /// What tables call its game: the jar's name, or that of its folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it speaks.
    pub fn protocol(&self) -> RefereeProtocol {
        self.protocol
    }

    /// A hash of its files and of what it is told, so that games of two referees are told apart.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// What a person said of it.
    pub fn options(&self) -> &RefereeOptions {
        &self.options
    }

    /// Starts it for one game, on these cores, on any where none are named. It loads while the caller does other things,
    /// and waits for [`begin`](RefereeProcess::begin).
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(&self, cores: &[usize]) -> Result<RefereeProcess, RefereeError> {
        let conversation = Conversation::of(self.protocol, &self.options)
            .map_err(|problem| protocol_error(&self.name, problem))?;
        let process = Process::start(self.launch.command(), &self.name, cores)?;
        Ok(RefereeProcess {
            process,
            conversation,
        })
    }
}

/// An external referee that runs: the judge of one game. When this is dropped, its processes are gone.
#[derive(Debug)]
pub struct RefereeProcess {
    process: Process,
    conversation: Conversation,
}

/// Why a referee that starts the bots itself is refused, after its name.
const NOT_PLAYED: &str =
    "starts the bots itself, which Crownhead does not support; expected one that asks for answers";

/// What is said with a referee, in its protocol.
#[derive(Debug)]
enum Conversation {
    Engine(engine::Engine),
    Lines(lines::Lines),
}

impl Conversation {
    /// # Errors
    /// When nothing is said in this protocol.
    fn of(
        protocol: RefereeProtocol,
        options: &RefereeOptions,
    ) -> Result<Conversation, &'static str> {
        match protocol {
            RefereeProtocol::Engine => Ok(Conversation::Engine(engine::Engine::of(options))),
            RefereeProtocol::Lines => Ok(Conversation::Lines(lines::Lines::new(options.players))),
            RefereeProtocol::Command => Err(NOT_PLAYED),
        }
    }
}

fn protocol_error(name: &str, problem: impl Into<String>) -> RefereeError {
    RefereeError::Protocol {
        name: name.into(),
        problem: problem.into(),
    }
}

impl RefereeProcess {
    /// A referee that was started elsewhere, such as one on another machine: it reads from `input`, and says what comes
    /// out of `output`.
    ///
    /// # Errors
    /// When these cannot be used.
    pub fn on_pipes(
        options: &RefereeOptions,
        protocol: RefereeProtocol,
        input: OwnedFd,
        output: OwnedFd,
    ) -> Result<RefereeProcess, RefereeError> {
        let name = game_name(&options.command);
        let conversation = Conversation::of(protocol, options)
            .map_err(|problem| protocol_error(&name, problem))?;
        match Process::on_pipes(&name, input, output) {
            Ok(process) => Ok(RefereeProcess {
                process,
                conversation,
            }),
            Err(error) => Err(RefereeError::Io { name, error }),
        }
    }

    /// Begins the game of this seed. That it cannot be spoken with is told by [`next`](RefereeProcess::next), with its
    /// reason.
    ///
    /// # Errors
    /// When the seed is above Java's `long`.
    pub fn begin(&mut self, seed: u64) -> Result<(), RefereeError> {
        check_seed(seed).map_err(|text| self.process.problem(text))?;
        match &mut self.conversation {
            Conversation::Engine(engine) => engine.begin(&mut self.process, seed),
            Conversation::Lines(lines) => lines.begin(&mut self.process, seed),
        }
        Ok(())
    }

    /// Whether it has ended, of itself or by what it was given.
    pub fn has_ended(&self) -> bool {
        self.process.has_ended().is_some()
    }

    /// What it wants next. To be called after [`begin`](RefereeProcess::begin), and after each
    /// [`answer`](RefereeProcess::answer) or [`give_up`](RefereeProcess::give_up), until the game is over.
    ///
    /// # Errors
    /// When it fails, says what its protocol does not have, plays another seed than it was given, or is silent for too
    /// long; and soon after `interrupted` is set.
    pub fn next(&mut self, interrupted: &AtomicBool) -> Result<Step, RefereeError> {
        self.next_within(interrupted, SILENCE)
    }

    /// The same, where it may be silent for so long.
    fn next_within(
        &mut self,
        interrupted: &AtomicBool,
        silence: Duration,
    ) -> Result<Step, RefereeError> {
        let mut wait = Wait::new(interrupted, silence);
        match &mut self.conversation {
            Conversation::Engine(engine) => engine.next(&mut self.process, &mut wait),
            Conversation::Lines(lines) => lines.next(&mut self.process, &mut wait),
        }
    }

    /// Gives it the lines that the asked player answered, which took so long of its limit. What the referee would take
    /// for the end of a line within one of them becomes a space.
    pub fn answer(&mut self, lines: &[Vec<u8>], took: Duration) {
        match &mut self.conversation {
            Conversation::Engine(engine) => engine.answer(&mut self.process, lines, took),
            Conversation::Lines(conversation) => conversation.answer(&mut self.process, lines),
        }
    }

    /// Tells it that the asked player has failed and answers no more. Whether its game goes on without that player:
    /// where it does not, it is for the caller to say how the game ends.
    pub fn give_up(&mut self) -> bool {
        match &mut self.conversation {
            Conversation::Engine(engine) => {
                engine.give_up(&mut self.process);
                true
            }
            Conversation::Lines(_) => false,
        }
    }
}

/// Whether referees can read a seed.
fn check_seed(seed: u64) -> Result<(), String> {
    let most = i64::MAX;
    if seed > most as u64 {
        return Err(format!(
            "cannot be given the seed {seed}; expected at most {most}"
        ));
    }
    Ok(())
}
