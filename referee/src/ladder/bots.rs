//! `crownhead ladder update`, `disable` and `enable`: change a bot between its games.

use super::FolderCommand;
use crate::failure::{Failure, usage};
use clap::Args;
use crownhead_ladder::{Folder, update};
use crownhead_record::format_error::any_of;
use std::io::Write;

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
    #[arg(long, value_name = "TEXT", default_value = "by hand")]
    reason: String,
}

impl FolderCommand for Disable {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        folder.config()?.expect_bot(&self.name).map_err(usage)?;
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
