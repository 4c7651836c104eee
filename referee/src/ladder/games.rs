//! `crownhead ladder games` and `export`: the games that were played.

use super::super::output::GameFile;
use super::super::recorded::{GameTable, as_value};
use super::super::words::fault_with_words;
use super::FolderCommand;
use crate::failure::Failure;
use crate::filter::{Filter, FilterOptions, expect_bots};
use clap::Args;
use crownhead_ladder::Folder;
use crownhead_ladder::store::Store;
use crownhead_record::{GameFilter, GameRecord};
use serde::ser::{SerializeSeq, Serializer};
use serde_json::Value;
use std::collections::VecDeque;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead ladder games night --last 20
  crownhead ladder games night --faults",
    after_long_help = "\
More examples:
  crownhead ladder games night --bot mine --opponent greedy --result lost"
)]
pub(super) struct Games {
    /// Only games that a bot lost by its own fault, with what it wrote last
    #[arg(long)]
    faults: bool,
    #[command(flatten)]
    filter: FilterOptions,
    /// List only the last N games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    last: Option<u64>,
    /// Print one JSON array, an object for each game
    #[arg(long)]
    json: bool,
}

impl FolderCommand for Games {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let (store, wanted) = (folder.read_store()?, self.filter.wanted()?);
        let config = folder.config()?.bots.into_iter().map(|bot| bot.name);
        let played = store.versions()?.into_iter().map(|version| version.bot);
        expect_bots(&wanted, &config.chain(played).collect())?;
        // With many lines, one system call per line is slow.
        let mut out = BufWriter::with_capacity(1 << 16, anstream::stdout().lock());
        if self.json {
            // Game by game, because all of them may not fit into memory.
            let mut json = serde_json::Serializer::pretty(&mut out);
            let mut list = json.serialize_seq(None)?;
            self.each(store.as_ref(), &wanted, |game| {
                Ok(list.serialize_element(&self.value(game))?)
            })?;
            list.end()?;
            writeln!(out)?;
            return Ok(out.flush()?);
        }
        if self.faults {
            self.each(store.as_ref(), &wanted, |game| {
                Ok(writeln!(out, "{}", fault_with_words(game))?)
            })?;
            return Ok(out.flush()?);
        }
        let mut table = GameTable::default();
        self.each(store.as_ref(), &wanted, |game| {
            table.add(game);
            Ok(())
        })?;
        table.write(&mut out)?;
        Ok(out.flush()?)
    }
}

impl Games {
    /// Calls `visit` with each game that the options ask for.
    fn each(
        &self,
        store: &(dyn Store + 'static),
        wanted: &GameFilter,
        mut visit: impl FnMut(&GameRecord) -> anyhow::Result<()>,
    ) -> Result<(), Failure> {
        let mut filter = Filter::new(wanted);
        let (mut last, mut is_empty) = (VecDeque::new(), true);
        store.each_game(|game| {
            if !filter.admits(&game) || self.faults && game.fault_turn().is_none() {
                return Ok(());
            }
            is_empty = false;
            let Some(kept) = self.last else {
                return visit(&game);
            };
            last.push_back(game);
            let kept = usize::try_from(kept).unwrap_or(usize::MAX);
            last.drain(..last.len().saturating_sub(kept));
            Ok(())
        })?;
        last.iter().try_for_each(visit)?;
        filter.check_known()?;
        filter.note_if_empty(is_empty);
        Ok(())
    }

    fn value(&self, game: &GameRecord) -> Value {
        let mut value = as_value(game);
        value["reason"] = game.reason.as_str().into();
        if self.faults {
            value["words"] = String::from_utf8_lossy(&game.stderr_of_fault()).into();
        }
        value
    }
}

#[derive(Debug, Args)]
#[command(
    before_help = "Examples:\n  crownhead ladder export night games.jsonl\n  crownhead ladder export night games.pdn"
)]
pub(super) struct Export {
    /// File to create: PDN if it ends in .pdn, else JSON lines (`-`: standard output)
    file: PathBuf,
    /// Replace the file if it exists
    #[arg(long, short)]
    force: bool,
}

impl FolderCommand for Export {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let mut file = GameFile::open(&self.file, self.force, &folder.config()?.contest.game)?;
        folder.read_store()?.each_game(|game| file.add(&game))?;
        Ok(file.add_all([])?)
    }
}
