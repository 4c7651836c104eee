//! `crownhead ladder update`, `disable`, `enable` and `restore`: change a bot between its games.

use super::FolderCommand;
use crate::failure::{Failure, usage};
use clap::Args;
use crownhead_ladder::store::BotVersion;
use crownhead_ladder::{Folder, update};
use crownhead_record::format_error::any_of;
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  crownhead ladder update night mine")]
pub(super) struct Update {
    /// Name of the bot
    name: String,
}

impl FolderCommand for Update {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let update = update(folder, &self.name)?;
        let (name, now) = (&self.name, &update.now);
        let mut out = anstream::stdout();
        match &update.before {
            Some(before) if before == now => {
                writeln!(out, "{name} has not changed: version {now} plays on")?;
            }
            Some(before) => writeln!(
                out,
                "{name} plays as version {now} from now on; the games of version {before} are kept and rated apart"
            )?,
            None => writeln!(out, "{name} plays as version {now}")?,
        }
        Ok(())
    }
}

#[derive(Debug, Args)]
#[command(
    before_help = "Examples:\n  crownhead ladder disable night mine\n  crownhead ladder disable night mine --reason 'it is slow'"
)]
pub(super) struct Disable {
    /// Name of the bot
    name: String,
    /// Reason to show under the table
    #[arg(long, default_value = "by hand")]
    reason: String,
}

impl FolderCommand for Disable {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let config = folder.config()?;
        config.expect_bot(&self.name).map_err(usage)?;
        let reason: String = self.reason.chars().filter(|c| !c.is_control()).collect();
        Ok(folder.store()?.set_disabled(&self.name, Some(&reason))?)
    }
}

#[derive(Debug, Args)]
#[command(
    before_help = "Examples:\n  crownhead ladder enable night mine\n  crownhead ladder enable night mine other"
)]
pub(super) struct Enable {
    /// Names of the bots
    #[arg(required = true)]
    names: Vec<String>,
}

impl FolderCommand for Enable {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let mut store = folder.store()?;
        let states = store.bot_states()?;
        // All or nothing.
        for name in &self.names {
            if !states.is_disabled(name) {
                let disabled = states.disabled.iter();
                let names: Vec<&str> = disabled.map(|(name, _)| name.as_str()).collect();
                let disabled = match names.as_slice() {
                    [] => "No bot is".into(),
                    names => format!("Expected {}", any_of(names)),
                };
                return Err(usage(format!(
                    "the bot `{name}` is not disabled. {disabled}"
                )));
            }
        }
        for name in &self.names {
            store.set_disabled(name, None)?;
        }
        Ok(())
    }
}

#[derive(Debug, Args)]
#[command(
    before_help = "Examples:\n  crownhead ladder restore night mine 0123456789ab ../mine_of_may"
)]
pub(super) struct Restore {
    /// Name of the bot
    name: String,
    /// Version, or its first characters, as `ladder standings` shows them
    version: String,
    /// Folder to create
    to: PathBuf,
}

impl FolderCommand for Restore {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let versions = folder.read_store()?.versions()?;
        let own: Vec<&BotVersion> = versions.iter().filter(|it| it.bot == self.name).collect();
        let mut named = own
            .iter()
            .filter(|it| it.version.starts_with(&self.version));
        let (Some(version), None) = (named.next(), named.next()) else {
            let known: Vec<&str> = own.iter().map(|it| it.version.as_str()).collect();
            let (bot, version) = (&self.name, &self.version);
            return Err(usage(match known.as_slice() {
                [] => format!("`{bot}` has no version yet. No game was played"),
                known => format!(
                    "`{bot}` has no version `{version}`. Expected {}",
                    any_of(known)
                ),
            }));
        };
        folder.restore(version, &self.to)?;
        let BotVersion { bot, version, .. } = version;
        let to = self.to.display();
        Ok(writeln!(
            anstream::stdout(),
            "version {version} of {bot} is in {to}"
        )?)
    }
}
