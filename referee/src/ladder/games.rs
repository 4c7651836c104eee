//! `crownhead ladder games`: what was played, or what was lost by faults.

use super::super::recorded::{as_value, players_of, winner_of};
use super::super::words::fault_with_words;
use super::folder_command::FolderCommand;
use crate::failure::Failure;
use crate::filter::{Filter, FilterOptions};
use clap::Args;
use crownhead_ladder::Folder;
use crownhead_record::GameRecord;
use serde::ser::{SerializeSeq, Serializer};
use serde_json::Value;
use std::io::Write;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  crownhead ladder games night --faults\n  crownhead ladder games night --bot mine --opponent greedy --result lost\n  crownhead ladder games night --where 'map_size > 20'"
)]
pub(super) struct Games {
    /// Only those that a bot lost by a fault of its own, each with the bot's last words
    #[arg(long)]
    faults: bool,
    #[command(flatten)]
    filter: FilterOptions,
    /// Print one JSON array, an object for each game; with --faults each has the bot's words
    #[arg(long)]
    json: bool,
}

impl FolderCommand for Games {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        if self.json {
            // One game after the other: there may be more than there is memory for.
            let mut json = serde_json::Serializer::pretty(&mut out);
            let mut list = json.serialize_seq(None)?;
            self.each(
                folder,
                |game| Ok(list.serialize_element(&self.value(game))?),
            )?;
            list.end()?;
            return Ok(writeln!(out)?);
        }
        self.each(folder, |game| {
            let told = if self.faults {
                fault_with_words(game)
            } else {
                let won = |player: usize| game.players[player].side.as_str();
                let result = winner_of(game).map_or("none", |winner| winner.map_or("draw", won));
                format!("{}: {result}, {}", players_of(game), game.reason)
            };
            Ok(writeln!(out, "{told}")?)
        })
    }
}

impl Games {
    /// Hands the games that are asked for to `visit`.
    fn each(
        &self,
        folder: &Folder,
        mut visit: impl FnMut(&GameRecord) -> anyhow::Result<()>,
    ) -> Result<(), Failure> {
        let store = folder.read_store()?;
        let wanted = self.filter.wanted()?;
        let mut filter = Filter::new(&wanted);
        store.each_game(|game| {
            let is_wanted = filter.admits(&game) && (!self.faults || game.fault_turn().is_some());
            if is_wanted { visit(&game) } else { Ok(()) }
        })?;
        filter.warn_unknown();
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
