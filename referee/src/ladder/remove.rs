//! `crownhead ladder remove`: a bot that has played is retired; one that was added by mistake leaves nothing behind.

use super::FolderCommand;
use super::edit::edit;
use crate::failure::Failure;
use anyhow::Context;
use clap::Args;
use crownhead_ladder::Folder;
use crownhead_record::format_error::unknown_name;
use std::io::Write;
use toml_edit::{ArrayOfTables, DocumentMut, Item, value};

#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  crownhead ladder remove night mine")]
pub(super) struct Remove {
    /// Name of the bot
    name: String,
}

impl FolderCommand for Remove {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let name = &self.name;
        let store = folder.read_store()?;
        let has_played = store.has_played(name, None)?
            || store.under_way()?.iter().flatten().any(|bot| bot == name);
        let is_disabled = store.bot_states()?.is_disabled(name);
        drop(store);
        edit(folder.path(), |before| {
            let mut document = before.parse()?;
            match has_played {
                true => retire(&mut document, name)?,
                false => take_out(&mut document, name)?,
            }
            Ok(document.to_string())
        })?;
        if !has_played && is_disabled {
            // Whoever has the name next begins anew.
            folder.store()?.set_disabled(name, None)?;
        }
        let told = match has_played {
            true => "is retired: its games are kept, and so is its name",
            false => "is removed: it has played no game, and its name is free",
        };
        Ok(writeln!(anstream::stdout(), "{name} {told}")?)
    }
}

fn bots(document: &mut DocumentMut) -> Option<&mut ArrayOfTables> {
    document.get_mut("bot")?.as_array_of_tables_mut()
}

fn retire(document: &mut DocumentMut, name: &str) -> anyhow::Result<()> {
    let place = place_of(document, name)?;
    let bot = bots(document).and_then(|bots| bots.get_mut(place));
    bot.context("it is there")?["retired"] = value(true);
    Ok(())
}

/// Takes a bot out of the file. What stands above it stays: above the first one that are comments on all.
fn take_out(document: &mut DocumentMut, name: &str) -> anyhow::Result<()> {
    let place = place_of(document, name)?;
    let bots = bots(document).context("it is there")?;
    let above = |bot: &toml_edit::Table| {
        let prefix = bot.decor().prefix().and_then(|prefix| prefix.as_str());
        prefix.unwrap_or_default().to_string()
    };
    let kept = bots.get(place).map(above).unwrap_or_default();
    bots.remove(place);
    if let Some(next) = bots.get_mut(place) {
        let both = kept.trim_end_matches('\n').to_string() + &above(next);
        next.decor_mut().set_prefix(both);
        return Ok(());
    }
    if bots.is_empty() {
        document.remove("bot");
    }
    let trailing = document.trailing().as_str().unwrap_or_default();
    let trailing = kept.trim_end_matches('\n').to_string() + "\n" + trailing;
    document.set_trailing(match trailing.trim() {
        "" => "",
        _ => &trailing,
    });
    Ok(())
}

/// The place of this bot among those of the file.
///
/// # Errors
/// When there is no such bot.
fn place_of(document: &DocumentMut, name: &str) -> anyhow::Result<usize> {
    let bots = document.get("bot").and_then(Item::as_array_of_tables);
    let names = bots.into_iter().flat_map(ArrayOfTables::iter);
    let names = names.filter_map(|bot| bot.get("name")?.as_str());
    let names: Vec<&str> = names.collect();
    let place = names.iter().position(|known| *known == name);
    place.with_context(|| unknown_name("bot", name, &names))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "pairs = 1\n\n# About the bots.\n\n[[bot]]\nname = \"one\"\ncommand = \"random\"\n\n\
        # The second.\n[[bot]]\nname = \"two\"\ncommand = \"greedy\" # It takes.\n";

    fn without(names: &[&str]) -> String {
        let mut document: DocumentMut = FILE.parse().unwrap();
        for name in names {
            take_out(&mut document, name).unwrap();
        }
        document.to_string()
    }

    #[test]
    fn comments_outlast_the_bots_that_they_stand_above() {
        assert_eq!(
            without(&["one"]),
            "pairs = 1\n\n# About the bots.\n# The second.\n[[bot]]\nname = \"two\"\ncommand = \"greedy\" # It takes.\n"
        );
        assert_eq!(
            without(&["two"]),
            "pairs = 1\n\n# About the bots.\n\n[[bot]]\nname = \"one\"\ncommand = \"random\"\n\n# The second.\n"
        );
        let none = "pairs = 1\n\n# About the bots.\n# The second.\n";
        assert_eq!(without(&["one", "two"]), none);
    }
}
