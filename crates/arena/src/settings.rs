//! How games are played, in force: what all games of a run have in common.
//!
//! Made of the options that a person wrote, or by a program. Leaves out who plays, how often, and where games are kept.

use crate::contest::Contest;
use crate::environment;
use crate::js_globals::JsGlobals;
use crate::options::{BotOptions, GameOptions};
use crate::seat::Conditions;
use crownhead_record::judge::{Clock, TimeLimits};
use crownhead_record::openings::{Opening, Openings, Source, SourceError};
use crownhead_record::{GameRecord, RefereeProtocol, RefereeRecord, StderrKept, system_error};
use crownhead_sandbox::Sandbox;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

/// How games are played, in force: what all games of a run have in common.
#[derive(Clone, Debug)]
pub struct GameSettings {
    /// The game, and who knows its rules.
    pub contest: Contest,
    /// How long a bot may think, where an external referee does not say it.
    pub limits: TimeLimits,
    /// A game is called a draw after this many turns in a row without a capture or another irreversible move.
    pub adjudicate: Option<u32>,
    /// How every bot is judged and where it runs.
    pub conditions: Conditions,
    /// Which standard error is kept.
    pub stderr: StderrKept,
    /// The most bytes of it that a game's record has.
    pub most_stderr: usize,
    /// How many failures of the run were looked into by starting the bot again.
    pub trials: Arc<AtomicU32>,
    /// Whether an external referee is given the seed and answers of some games again. A game with two results is void.
    pub repeats: bool,
    /// All chance follows from it.
    pub seed: u64,
    /// What records have of options that no other field of theirs has.
    pub options: BTreeMap<String, String>,
    /// The extra variables of all bots.
    pub environment: BTreeMap<String, String>,
    /// What bots in JavaScript and TypeScript have as on the contest's site, unless they are to do without.
    pub js_globals: Option<JsGlobals>,
    /// The program `crownhead`, which runs the built-in bots.
    pub crownhead: PathBuf,
}

/// Options cannot be put in force.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// An option cannot be used.
    #[error("{reason}")]
    Option {
        /// Its key in a file, such as `allow_read`.
        key: &'static str,
        /// The place in its list, from 0.
        place: usize,
        /// Why not.
        reason: String,
    },
    /// The system refuses something.
    #[error("{0}")]
    System(String),
}

impl SettingsError {
    fn of(key: &'static str, reason: impl ToString) -> SettingsError {
        SettingsError::Option {
            key,
            place: 0,
            reason: reason.to_string(),
        }
    }
}

impl GameOptions {
    /// What is in force, with paths relative to `folder`.
    ///
    /// # Errors
    /// When the rule book or the referee is not known, bots may read something that is not there or are to have a variable
    /// that is not set, the program's own path is unknown, or a file cannot be written.
    pub fn settings(&self, seed: u64, folder: &Path) -> Result<GameSettings, SettingsError> {
        let of_referee = |error| SettingsError::of("referee", error);
        let contest = match self.referee.find(folder).map_err(of_referee)? {
            Some(external) => external,
            None => Contest::Board {
                game: self.game,
                rules: (self.rules()).map_err(|reason| SettingsError::of("rules", reason))?,
            },
        };
        Ok(GameSettings {
            limits: self.limits(),
            stderr: self.stderr.unwrap_or_default(),
            seed,
            ..self.bots.settings(contest, folder)?
        })
    }
}

impl BotOptions {
    /// What is in force at the usual limits and seed 1, with paths relative to `folder`.
    ///
    /// # Errors
    /// As for [`GameOptions::settings`].
    pub fn settings(&self, contest: Contest, folder: &Path) -> Result<GameSettings, SettingsError> {
        let allow_read = find_all("allow_read", folder, &self.allow_read, |_| true)?;
        let allow_write = find_all("allow_write", folder, &self.allow_write, Path::is_dir)?;
        let mut settings = GameSettings::new(contest, crownhead_itself()?);
        let environment = environment::values(&self.env);
        settings.environment = environment.map_err(|reason| SettingsError::of("env", reason))?;
        let js_globals = (!self.no_js_globals).then(JsGlobals::write).transpose();
        let js_globals = js_globals.map_err(|error| {
            SettingsError::System(format!(
                "cannot write the global functions for bots in JavaScript to the folder for temporary files: {error}; \
                 --no-js-globals (`no_js_globals = true` in a ladder.toml) does without them"
            ))
        })?;
        let globals = js_globals.as_ref();
        let globals = globals.and_then(|globals| globals.path().canonicalize().ok());
        let is_around = |folder: &&PathBuf| globals.iter().any(|file| file.starts_with(folder));
        if let Some(folder) = allow_write.iter().find(is_around) {
            let reason = format!(
                "bots could change files in `{}` that later games load. Name a smaller folder, or add `--no-js-globals` \
                 (`no_js_globals = true` in a ladder.toml) if no bot is in JavaScript",
                folder.display()
            );
            return Err(SettingsError::of("allow_write", reason));
        }
        settings.conditions = Conditions {
            profile: self.profile_in_force(),
            clock: self.clock.unwrap_or(Clock::Wall),
            colour_line: self.colour_line_in_force(),
            suspend_idle: self.suspend_idle,
            sandbox: Sandbox {
                supervisor: Some(settings.crownhead.clone()),
                mode: self.sandbox.in_force(),
                allow_read,
                allow_write,
                ..Sandbox::none()
            },
        };
        if let Some(globals) = &js_globals {
            let readable = &mut settings.conditions.sandbox.allow_read;
            readable.push(globals.path().to_path_buf());
        }
        settings.js_globals = js_globals;
        Ok(settings)
    }
}

impl GameSettings {
    /// The record of a game with this opening, before it has players and begins.
    pub fn header(&self, opening: &Opening) -> GameRecord {
        let (contest, conditions) = (&self.contest, &self.conditions);
        GameRecord {
            seed: self.seed,
            referee: match contest {
                Contest::External(external) => Some(external.record(opening)),
                Contest::Board { .. } => None,
            },
            limits: self.limits,
            profile: conditions.profile.name.into(),
            clock: conditions.clock,
            options: self.options.clone(),
            max_turns: contest.max_turns(),
            start: opening.start.clone(),
            opening: opening.moves.clone(),
            ..GameRecord::new(contest.name(), contest.rules_name(), Vec::new())
        }
    }

    /// The letter of a player's colour line, in games that have one.
    pub fn colour_line(&self, player: usize) -> Option<char> {
        let letter = self.contest.colour_letter(player)?;
        Some(self.conditions.colour_line.letter(letter))
    }

    /// Why such a game does not fit into the profile's time, if it does not.
    pub fn too_long(&self) -> Option<String> {
        let profile = &self.conditions.profile;
        profile.too_long(self.limits, self.contest.max_turns())
    }

    /// Where games begin, with paths relative to `folder`.
    ///
    /// # Errors
    /// When the source has no openings for what is played.
    pub fn openings(&self, source: &Source, folder: &Path) -> Result<Openings, SourceError> {
        match &self.contest {
            Contest::Board { game, rules } => {
                Openings::load(source, folder, *game, rules, self.seed)
            }
            Contest::External(external) => {
                Openings::seeds(source, folder, self.seed, external.referee.protocol)
            }
        }
    }

    /// The usual limits and conditions in this contest, with seed 1, in no sandbox.
    pub fn new(contest: Contest, crownhead: impl Into<PathBuf>) -> GameSettings {
        GameSettings {
            contest,
            limits: TimeLimits::default(),
            adjudicate: None,
            conditions: Conditions::default(),
            stderr: StderrKept::All,
            most_stderr: usize::MAX,
            trials: Arc::default(),
            repeats: false,
            seed: 1,
            options: BTreeMap::new(),
            environment: BTreeMap::new(),
            js_globals: None,
            crownhead: crownhead.into(),
        }
    }
}

/// How a game was played and how games are played now, by keys of a configuration.
pub fn compare(played: &GameRecord, now: &GameRecord) -> Vec<(&'static str, [String; 2])> {
    let both = [played, now];
    let time = |time| humantime::format_duration(time).to_string();
    let turns = |turns: Option<u32>| turns.map_or("none".into(), |turns| turns.to_string());
    let hash = |referee: &RefereeRecord| referee.hash.clone();
    let referee = |game: &GameRecord| game.referee.as_ref().map_or("none".into(), hash);
    let mut compared = vec![
        ("game", both.map(|game| game.game.clone())),
        ("rules", both.map(|game| game.rules.clone())),
        ("referee", both.map(referee)),
        ("time", both.map(|game| time(game.limits.turn))),
        ("first_turn", both.map(|game| time(game.limits.first_turn))),
        ("max_turns", both.map(|game| turns(game.max_turns))),
        ("profile", both.map(|game| game.profile.clone())),
        ("clock", both.map(|game| game.clock.name())),
    ];
    // The contest engine says itself how long a turn may last.
    let says_limits = |referee: &RefereeRecord| referee.protocol == RefereeProtocol::Engine;
    if played.referee.as_ref().is_some_and(says_limits) {
        compared.retain(|(key, _)| !["time", "first_turn"].contains(key));
    }
    compared
}

/// The paths of an option's list, as they are from everywhere.
fn find_all(
    key: &'static str,
    folder: &Path,
    paths: &[PathBuf],
    is_right: fn(&Path) -> bool,
) -> Result<Vec<PathBuf>, SettingsError> {
    let find = |(place, path): (usize, &PathBuf)| {
        let found = folder.join(path).canonicalize().and_then(|path| {
            let wrong = || std::io::Error::other("expected a folder");
            is_right(&path).then_some(path).ok_or_else(wrong)
        });
        found.map_err(|error| SettingsError::Option {
            key,
            place,
            reason: system_error::describe(path, &error),
        })
    };
    paths.iter().enumerate().map(find).collect()
}

/// The path of this program.
///
/// # Errors
/// If the system does not show it.
pub fn crownhead_itself() -> Result<PathBuf, SettingsError> {
    std::env::current_exe().map_err(|error| {
        SettingsError::System(format!("cannot find the program crownhead itself: {error}"))
    })
}
