//! External referees: programs that know their own game, and tell what each player is sent.
//!
//! [`ExternalReferee`] is one that was found, [`RefereeProcess`] one that runs and plays one game:
//! [`next`](RefereeProcess::next) gives who is asked what, [`answer`](RefereeProcess::answer) takes the lines of that
//! player's bot. Starts no bot, knows no clock of a bot, and leaves out what a fault costs: the arena has these.

use crownhead_record::{Frame, RefereeProtocol};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

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
}

/// How a game ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Ended {
    /// What happened last.
    pub frame: Frame,
    /// The scores by players: more is better.
    pub scores: Vec<f64>,
    /// What the referee said of the game itself: the engine's `METADATA`.
    pub metadata: Vec<String>,
    /// What the game was made of: the engine's `UINPUT`.
    pub input: Vec<String>,
    /// Players that the referee says have failed, and why.
    pub errors: Vec<(usize, String)>,
}

/// Why an external referee cannot be used, or its game does not go on: never a bot's fault.
#[derive(Debug, thiserror::Error)]
pub enum RefereeError {
    /// The command names no program.
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

/// What tables call the game of the referee that is named so: by the jar, or its folder where that says no more than
/// `referee.jar`; by the program of a command line.
pub fn game_name(command: &str) -> String {
    let _ = command;
    todo!()
}

impl ExternalReferee {
    /// The referee that is meant, with paths relative to `folder`. Where no protocol is said, it is started and asked.
    ///
    /// # Errors
    /// When there is no such program, or it speaks no protocol that is known.
    pub fn find(options: &RefereeOptions, folder: &Path) -> Result<ExternalReferee, RefereeError> {
        let _ = (options, folder);
        todo!()
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

    /// Starts it for one game, on these cores, on any where none are named. It then waits for its first message.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(&self, cores: &[usize]) -> Result<RefereeProcess, RefereeError> {
        let _ = cores;
        todo!()
    }
}

/// An external referee that runs: the judge of one game. When this is dropped, its processes are gone.
#[derive(Debug)]
pub struct RefereeProcess {}

impl RefereeProcess {
    /// Begins the game of this seed.
    ///
    /// # Errors
    /// When it cannot be spoken with.
    pub fn begin(&mut self, seed: u64) -> Result<(), RefereeError> {
        let _ = seed;
        todo!()
    }

    /// What it wants next. To be called after each [`answer`](RefereeProcess::answer).
    ///
    /// # Errors
    /// When it fails, says what its protocol does not have, plays another seed than it was given, or is silent for too
    /// long; and soon after `interrupted` is set.
    pub fn next(&mut self, interrupted: &AtomicBool) -> Result<Step, RefereeError> {
        let _ = interrupted;
        todo!()
    }

    /// Gives it the lines that the asked player answered, which took so long of its limit.
    pub fn answer(&mut self, lines: &[Vec<u8>], took: Duration) {
        let _ = (lines, took);
        todo!()
    }

    /// Tells it that the asked player has failed and answers no more. Whether its game goes on without that player:
    /// where it does not, it is for the caller to say how the game ends.
    pub fn give_up(&mut self) -> bool {
        todo!()
    }
}
