//! `crownhead ladder pairs` and `rename`: change settings that can also be changed in the ladder's file.

use super::FolderCommand;
use super::edit::edit;
use super::remove::{bots, has_played, place_of};
use crate::failure::{Failure, usage};
use anyhow::Context;
use clap::Args;
use crownhead_arena::seat::BotSpec;
use crownhead_ladder::Folder;
use std::io::Write;
use toml_edit::value;

#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  crownhead ladder pairs night 40")]
pub(super) struct SetPairs {
    /// Pairs (2 games each) that any two bots play, as `pairs` in ladder.toml
    #[arg(value_parser = clap::value_parser!(i64).range(1..))]
    pairs: i64,
}

impl FolderCommand for SetPairs {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        edit(folder.path(), |document| {
            document["pairs"] = value(self.pairs);
            Ok(())
        })?;
        let (file, pairs) = (folder.config_file(), self.pairs);
        Ok(writeln!(
            anstream::stdout(),
            "{}: pairs = {pairs}",
            file.display()
        )?)
    }
}

#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  crownhead ladder rename night mine mine_of_may")]
pub(super) struct Rename {
    /// Name of the bot
    name: String,
    /// New name
    #[arg(value_parser = BotSpec::parse_name)]
    to: String,
}

impl FolderCommand for Rename {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let (name, to) = (&self.name, &self.to);
        let store = folder.read_store()?;
        if has_played(store.as_ref(), name)? {
            return Err(usage(format_args!(
                "{name} has played, and its games are kept under this name: add it under the other name with \
                 `crownhead ladder add`, and retire this one with `crownhead ladder remove`"
            )));
        }
        let disabled = store.bot_states()?.disabled;
        let disabled = disabled.into_iter().find(|(bot, _)| bot == name);
        drop(store);
        edit(folder.path(), |document| {
            let place = place_of(document, name)?;
            let bot = bots(document).and_then(|bots| bots.get_mut(place));
            bot.context("it is there")?["name"] = value(to);
            Ok(())
        })?;
        if let Some((_, reason)) = disabled {
            let mut store = folder.store()?;
            store.set_disabled(to, Some(&reason))?;
            store.set_disabled(name, None)?;
        }
        Ok(writeln!(
            anstream::stdout(),
            "{name} is called {to} from now on"
        )?)
    }
}
