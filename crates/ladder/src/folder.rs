//! A ladder's folder: its configuration and its games.

use super::config::{Bot, CONFIG_FILE, Config, ConfigError};
use super::error::{LadderError, about, fail, refuse};
use super::files::{BotFiles, files_of};
use crate::store::{Access, Address, SqliteStore, Store, StoreError};
use crownhead_arena::runner::{Participant, external_problem};
use crownhead_arena::seat::BotSpec;
use crownhead_arena::settings::{GameSettings, SettingsError};
use crownhead_record::StderrKept;
use crownhead_record::input::read_text;
use crownhead_record::openings::Openings;
use crownhead_record::system_error::OfFile;
use crownhead_record::text::printable;
use crownhead_sandbox::{SandboxMode, shell};
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The games' file within a ladder's folder.
const GAMES_FILE: &str = "games.db";

/// The most bytes of standard error in a game's record, so that a bot that never stops writing does not fill the disk.
const MOST_STDERR: usize = 64 << 10;

/// How much of it is kept by default. With this, 100,000 games of `alphabeta`, which prints a lot, need less than 1 GB
/// for its numbers; with all its output they would need 3 GB.
const USUAL_STDERR: StderrKept = StderrKept::Faults;

/// A folder with a ladder.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The ladder in this folder.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(path: &Path) -> Result<Folder, LadderError> {
        if !path.join(CONFIG_FILE).is_file() {
            return Err(refuse(format!(
                "`{0}` is no ladder's folder: there is no {CONFIG_FILE} in it. Make one with `crownhead ladder new {0}`",
                path.display()
            )));
        }
        Ok(Folder(path.into()))
    }

    /// Creates an empty ladder in a folder with a configuration.
    ///
    /// # Errors
    /// When there are games already.
    pub fn begin(&self) -> Result<(), LadderError> {
        let begun = match self.database()? {
            Some(address) => address.open(Access::New).map(drop),
            None if self.has_games()? => {
                return Err(refuse(format!(
                    "`{0}` already has a ladder. Name a new folder, or play this one with `crownhead ladder run {0}`",
                    self.0.display()
                )));
            }
            None => SqliteStore::create(&self.games_file()),
        };
        begun.map_err(|error| self.about_store(error))
    }

    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The path of the configuration.
    pub fn config_file(&self) -> PathBuf {
        self.0.join(CONFIG_FILE)
    }

    /// The path of the games, unless they are in a database.
    pub fn games_file(&self) -> PathBuf {
        self.0.join(GAMES_FILE)
    }

    /// The database that the games are in, unless they are in a file here.
    ///
    /// # Errors
    /// As for [`Folder::config`].
    pub fn database(&self) -> Result<Option<Address>, LadderError> {
        Ok(self.config()?.store)
    }

    /// The place of the games, for people.
    pub(crate) fn store_name(&self) -> String {
        match self.database() {
            Ok(Some(address)) => address.url().into(),
            _ => self.games_file().display().to_string(),
        }
    }

    /// The store's error, with the file's name.
    pub(super) fn about_store(&self, error: StoreError) -> LadderError {
        match error {
            StoreError::Server { .. } | StoreError::Denied { .. } => error.into(),
            error => about(self.store_name())(error),
        }
    }

    /// The configuration.
    ///
    /// # Errors
    /// When it cannot be read, with the line and what was expected.
    pub fn config(&self) -> Result<Config, LadderError> {
        let path = self.config_file();
        let text = read_text(&path).of_file(&path)?;
        Config::parse(&text).map_err(|error| self.refused(error))
    }

    /// The games, for writing. Creates a new ladder in a folder without games.
    ///
    /// # Errors
    /// When the file is not there or cannot be used.
    pub fn store(&self) -> Result<Store, LadderError> {
        if !self.has_games()? {
            self.begin()?;
        }
        self.open_store(Access::Write)
    }

    /// The games, only for reading; none if the ladder has not begun.
    ///
    /// # Errors
    /// When the file is not there or cannot be used.
    pub fn read_store(&self) -> Result<Store, LadderError> {
        if !self.has_games()? {
            return Ok(SqliteStore::empty()?.into());
        }
        self.open_store(Access::Read)
    }

    fn open_store(&self, access: Access) -> Result<Store, LadderError> {
        let file = self.games_file();
        let store = match (self.database()?, access) {
            (Some(address), _) => address.open(access),
            (None, Access::Read) => SqliteStore::read(&file).map(Store::from),
            (None, _) => SqliteStore::open(&file).map(Store::from),
        };
        store.map_err(|error| self.about_store(error))
    }

    /// Whether there are games, or a database.
    ///
    /// # Errors
    /// When the games are gone and SQLite's log of them is not. SQLite would apply it to the next file. A run that has
    /// ended leaves an empty log, which changes nothing.
    fn has_games(&self) -> Result<bool, LadderError> {
        let path = self.games_file();
        if path.exists() || self.database()?.is_some() {
            return Ok(true);
        }
        let log = self.0.join("games.db-wal");
        if log.metadata().is_ok_and(|log| log.len() > 0) {
            return Err(refuse(format!(
                "{}: it is not there, but its log is, so there were games. Put a copy back, or remove {} and begin anew",
                path.display(),
                log.display()
            )));
        }
        Ok(false)
    }

    /// The openings that the configuration names.
    ///
    /// # Errors
    /// When there are none, with the line that names them and the reason.
    pub fn openings(&self, config: &Config) -> Result<Openings, LadderError> {
        let openings = self.settings(config)?.openings(&config.openings, &self.0);
        openings.map_err(|error| {
            // If the configuration names no openings, the game is what they do not fit.
            self.refused(config.refused(&["openings", "game"], 0, error.to_string()))
        })
    }

    /// The settings of all games.
    ///
    /// # Errors
    /// When bots may read something that does not exist, or the program's own path is unknown.
    pub fn settings(&self, config: &Config) -> Result<GameSettings, LadderError> {
        let settings = config.options.settings(config.seed, &self.0);
        let bounded = settings.map(|settings| GameSettings {
            stderr: config.options.stderr.unwrap_or(USUAL_STDERR),
            most_stderr: MOST_STDERR,
            repeats: true,
            ..settings
        });
        bounded.map_err(|error| {
            let SettingsError::Option { key, place, .. } = error else {
                return fail(error);
            };
            self.refused(config.refused(&[key], place, error.to_string()))
        })
    }

    /// How a bot is started, and its files.
    ///
    /// # Errors
    /// When its command means no bot (with the line), or names a missing script or a network file, or its folder has
    /// too much.
    pub(super) fn entry(
        &self,
        config: &Config,
        number: usize,
    ) -> Result<(BotSpec, BotFiles), LadderError> {
        let bot = &config.bots[number];
        let place = self.place_of(bot)?;
        let at_line = |reason| self.refused(config.refused(&["bot.command"], number, reason));
        let spec = BotSpec::parse_in(&bot.command, &place);
        let mut spec = spec.map_err(|error| at_line(error.to_string()))?;
        if let Some(missing) = spec.missing_script(&place) {
            return Err(at_line(format!(
                "`{}`: there is no file `{missing}` in {}",
                bot.command,
                place.display()
            )));
        }
        spec.name.clone_from(&bot.name);
        if spec.network_file().is_some() {
            // The version of a built-in bot does not include the file.
            return Err(at_line(format!(
                "`{0}`: a ladder's built-in bots play by the network that is compiled in; expected a program with the \
                 network as one of its files, such as `/path/to/crownhead bot {0}`",
                bot.command
            )));
        }
        let referee = &config.options.referee;
        if let Some(problem) = referee
            .referee
            .as_ref()
            .and_then(|_| external_problem(&spec, referee.referee_protocol))
        {
            return Err(at_line(problem));
        }
        let shared = config.options.bots.allow_read.iter();
        let shared: Vec<PathBuf> = shared.map(|path| self.0.join(path)).collect();
        let files = files_of(bot, &spec, &place, &self.0, &shared);
        let mut files = files.map_err(|error| match error {
            LadderError::Unusable(why) => at_line(why),
            error => error,
        })?;
        files.environment = bot.environment_here()?;
        if config.options.bots.sandbox.in_force() == SandboxMode::Off && files.folder.is_none() {
            // Without a sandbox, nothing is hidden from it, and it has no private folder.
            files.folder = Some(place.clone());
        }
        Ok((spec.with_absolute_files(&place), files))
    }

    /// Bot `number`, ready to be started for a game.
    ///
    /// # Errors
    /// When its command means no bot (with the line), or names a missing script, or its folder has too much.
    pub fn bot(&self, config: &Config, number: usize) -> Result<Participant, LadderError> {
        let (spec, files) = self.entry(config, number)?;
        Ok(config.bots[number].participant(spec, &files))
    }

    /// The error that a line of the configuration cannot be used.
    fn refused(&self, error: ConfigError) -> LadderError {
        about(self.config_file().display())(error)
    }

    /// The folder in which a bot's command is written.
    fn place_of(&self, bot: &Bot) -> std::io::Result<PathBuf> {
        std::path::absolute(self.0.join(bot.folder.as_deref().unwrap_or(Path::new(""))))
    }

    /// Runs a bot's build command, if it has one. The error is the reason to disable the bot.
    ///
    /// # Errors
    /// When the command fails, with the last line it wrote.
    pub fn build(&self, bot: &Bot) -> Result<(), LadderError> {
        let Some(build) = &bot.build else {
            return Ok(());
        };
        let command = format!("its build command `{build}`");
        let mut told = tempfile::tempfile()?;
        let status = shell(build)
            .current_dir(self.place_of(bot)?)
            .env_remove("PGPASSWORD")
            .envs(bot.environment_here()?)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            // No pipe, because what the command leaves behind may hold it.
            .stderr(told.try_clone()?)
            .status()
            .map_err(about(format!("{command} could not start")))?;
        if !status.success() {
            let mut stderr = Vec::new();
            told.rewind()?;
            told.read_to_end(&mut stderr)?;
            let stderr = String::from_utf8_lossy(&stderr);
            let last = stderr.trim().lines().last();
            let last = last.map_or_else(|| "it wrote no error".into(), printable);
            return Err(fail(format!("{command} failed ({status}): {last}")));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
