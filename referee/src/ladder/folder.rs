//! A ladder's folder: its configuration and its games.

use super::config::{CONFIG_FILE, Config, ConfigError};
use crate::input::read_text;
use crate::openings::Openings;
use crate::record::StderrKept;
use crate::runner::Participant;
use crate::seat::BotSpec;
use crate::settings::{GameSettings, SettingsError};
use crate::store::Store;
use crate::table::printable;
use anyhow::{Context, bail};
use crownhead::notation::Notation;
use crownhead_bots::games::GameName;
use std::path::{Path, PathBuf};

/// The games' file within a ladder's folder.
const GAMES_FILE: &str = "games.db";

/// The most bytes of standard error that a game's record has: a bot that writes on and on does not fill the disk.
const MOST_STDERR: usize = 64 << 10;

/// What is kept of it unless the configuration says otherwise. With that, 100,000 games of `alphabeta`, which says
/// much, need less than 1 GB for its numbers; with all its words they would need 3 GB.
const USUAL_STDERR: StderrKept = StderrKept::Faults;

/// A folder that holds a ladder.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The ladder in this folder.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(path: &Path) -> anyhow::Result<Folder> {
        if !path.join(CONFIG_FILE).is_file() {
            bail!(
                "{}: there is no {CONFIG_FILE} here; expected a ladder's folder, which `crownhead ladder new` makes",
                path.display()
            );
        }
        Ok(Folder(path.into()))
    }

    /// The path of the configuration.
    pub fn config_file(&self) -> PathBuf {
        self.0.join(CONFIG_FILE)
    }

    /// The configuration.
    ///
    /// # Errors
    /// When it cannot be read, with the line and what was expected.
    pub fn config<G: Notation>(&self) -> anyhow::Result<Config> {
        let path = self.config_file();
        let text = read_text(&path).with_context(|| path.display().to_string())?;
        Config::parse::<G>(&text).with_context(|| path.display().to_string())
    }

    /// The game that is played.
    ///
    /// # Errors
    /// As for [`Folder::config`].
    pub fn game(&self) -> anyhow::Result<GameName> {
        let path = self.config_file();
        let text = read_text(&path).with_context(|| path.display().to_string())?;
        Config::game(&text).with_context(|| path.display().to_string())
    }

    /// The games.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn store(&self) -> anyhow::Result<Store> {
        let path = self.0.join(GAMES_FILE);
        Store::open(&path).with_context(|| path.display().to_string())
    }

    /// The openings that the configuration names.
    ///
    /// # Errors
    /// When there are none, with the line that names them and the reason.
    pub fn openings<G: Notation>(&self, config: &Config) -> anyhow::Result<Openings> {
        Openings::load::<G>(&config.openings, &self.0, &config.rules, config.seed).map_err(
            |error| {
                // Where openings are not said, it is the game that they do not fit.
                self.refused(config.refused(&["openings", "game"], 0, error.to_string()))
            },
        )
    }

    /// What all games have in common.
    ///
    /// # Errors
    /// When bots may read something that is not there, or the program's own path is unknown.
    pub fn settings(&self, config: &Config) -> anyhow::Result<GameSettings> {
        let settings = config.options.settings(config.rules, config.seed, &self.0);
        let bounded = settings.map(|settings| GameSettings {
            stderr: config.options.stderr.unwrap_or(USUAL_STDERR),
            most_stderr: MOST_STDERR,
            ..settings
        });
        bounded.map_err(|error| match error {
            SettingsError::Allow { option, place, .. } => {
                self.refused(config.refused(&[option], place, error.to_string()))
            }
            SettingsError::NoProgram(_) => error.into(),
        })
    }

    /// Bot `number` as it is started for a game.
    ///
    /// # Errors
    /// When its command means no bot, with the line that says so.
    pub fn participant(&self, config: &Config, number: usize) -> anyhow::Result<Participant> {
        let bot = &config.bots[number];
        let folder = self.folder_of(config, number)?;
        let mut spec = BotSpec::parse_in(&bot.command, &folder).map_err(|error| {
            let (line, reason) = (bot.line, error.to_string());
            self.refused(ConfigError { line, reason })
        })?;
        spec.name.clone_from(&bot.name);
        let environment = bot.environment.iter();
        Ok(Participant {
            spec,
            folder: Some(folder),
            environment: environment
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        })
    }

    /// What a line of the configuration says cannot be used.
    fn refused(&self, error: ConfigError) -> anyhow::Error {
        let path = self.config_file();
        anyhow::Error::new(error).context(path.display().to_string())
    }

    /// The folder that a bot runs in.
    fn folder_of(&self, config: &Config, number: usize) -> anyhow::Result<PathBuf> {
        Ok(std::path::absolute(
            self.0.join(&config.bots[number].folder),
        )?)
    }

    /// Runs a bot's build command, if it has one; the error is the reason to disable it.
    ///
    /// # Errors
    /// When the command fails, with the last line it wrote.
    pub fn build(&self, config: &Config, number: usize) -> anyhow::Result<()> {
        let Some(build) = &config.bots[number].build else {
            return Ok(());
        };
        let output = std::process::Command::new("sh")
            .args(["-c", build])
            .current_dir(self.folder_of(config, number)?)
            .envs(&config.bots[number].environment)
            .stdin(std::process::Stdio::null())
            .output()
            .with_context(|| format!("its build command `{build}` could not start"))?;
        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&output.stderr);
            let last = stderr
                .trim()
                .lines()
                .last()
                .map_or_else(|| "it wrote no error".into(), printable);
            bail!(
                "its build command `{build}` failed ({}): {last}",
                output.status
            );
        }
        Ok(())
    }
}
