//! `crownhead ladder games`: what was played, or what was lost by faults.

use super::super::Failure;
use super::super::words::fault_with_words;
use super::WithLadder;
use crate::ladder::Folder;
use crate::record::{GameRecord, RecordedResult};
use clap::Args;
use crownhead::explain::Explain;
use crownhead::notation::rule_book;
use crownhead_bots::games::Played;
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(super) struct Games {
    /// The ladder's folder
    pub(super) folder: PathBuf,
    /// Only those that a bot lost by a fault of its own, each with the bot's last words
    #[arg(long)]
    faults: bool,
}

impl WithLadder for Games {
    fn run<G: Played>(&self, folder: &Folder) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        folder
            .read_store()?
            .each_game(|game| -> anyhow::Result<()> {
                match self.faults {
                    true if game.fault_turn().is_none() => {}
                    true => writeln!(out, "{}", fault_with_words(&game))?,
                    false => writeln!(out, "{}", line::<G>(&game))?,
                }
                Ok(())
            })?;
        Ok(())
    }
}

fn line<G: Explain>(game: &GameRecord) -> String {
    let rules = rule_book::<G>(&game.rules).unwrap_or(&G::RULE_BOOKS[0]);
    let [black, white] = rules.side_names;
    let result = match game.result {
        Some(RecordedResult::Black) => black,
        Some(RecordedResult::White) => white,
        Some(RecordedResult::Draw) => "draw",
        None => "none",
    };
    format!(
        "{:>6}  {} ({black}) against {} ({white}): {result}, {}",
        game.number, game.black.name, game.white.name, game.reason
    )
}
