//! A ladder's folder: its configuration and its games.

use super::config::{CONFIG_FILE, Config, ConfigError};
use crate::input::read_text;
use crate::judge::TimeLimits;
use crate::openings::Openings;
use crate::runner::Participant;
use crate::seat::{BotSpec, Conditions};
use crate::settings::GameSettings;
use crate::store::Store;
use anyhow::{Context, bail};
use crownhead::notation::Notation;
use crownhead_bots::games::GameName;
use crownhead_sandbox::{ResourceLimits, Sandbox};
use std::path::{Path, PathBuf};

/// The games' file within a ladder's folder.
const GAMES_FILE: &str = "games.db";

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
        let source = &config.openings;
        Openings::load::<G>(&source.value, &self.0, &config.rules, config.seed)
            .map_err(|error| self.refused(source.line, error))
    }

    /// What all games have in common.
    ///
    /// # Errors
    /// When bots may read something that is not there, or the program's own path is unknown.
    pub fn settings(&self, config: &Config) -> anyhow::Result<GameSettings> {
        let readable = config.allow_read.iter().map(|path| {
            let found = self.0.join(&path.value).canonicalize();
            found.map_err(|error| {
                let reason = format!("{}: {error}", path.value.display());
                self.refused(path.line, reason)
            })
        });
        let allow_read = readable.collect::<Result<_, _>>()?;
        let crownhead =
            std::env::current_exe().context("cannot find the program crownhead itself")?;
        Ok(GameSettings {
            rules: config.rules,
            limits: TimeLimits {
                first_turn: config.first_turn,
                turn: config.time,
            },
            conditions: Conditions {
                profile: config.profile,
                clock: config.clock,
                colour_line: config.colour_line,
                suspend_idle: config.suspend_idle,
                sandbox: Sandbox {
                    supervisor: Some(crownhead.clone()),
                    mode: config.sandbox,
                    allow_read,
                    limits: ResourceLimits::default(),
                },
            },
            replay_suspect: config.replay_suspect,
            seed: config.seed,
            crownhead,
        })
    }

    /// Bot `number` as it is started for a game.
    ///
    /// # Errors
    /// When its command means no bot, with the line that says so.
    pub fn participant(&self, config: &Config, number: usize) -> anyhow::Result<Participant> {
        let bot = &config.bots[number];
        let folder = self.folder_of(config, number)?;
        let mut spec = BotSpec::parse_in(&bot.command, &folder)
            .map_err(|error| self.refused(bot.line, error))?;
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
    fn refused(&self, line: usize, reason: impl ToString) -> anyhow::Error {
        let reason = reason.to_string();
        let path = self.config_file();
        anyhow::Error::new(ConfigError { line, reason }).context(path.display().to_string())
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
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said
                .trim()
                .lines()
                .last()
                .unwrap_or("it wrote no error")
                .to_string();
            bail!(
                "its build command `{build}` failed ({}): {last}",
                output.status
            );
        }
        Ok(())
    }
}
