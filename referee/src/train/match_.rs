//! `crownhead train match`: which of two networks plays better.

use crate::failure::{Failure, about};
use crate::match_::MatchOptions;
use clap::Args;
use std::path::Path;

/// Play two networks against each other, both with the search of this build
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead train match new.net src/games/checkers/weights.txt --games 400
  crownhead train match new.net old.net --nodes 5000 --openings 'random 6'",
    after_long_help = "\
This is a match of two built-in bots, `alphabeta --net NET`, with the options of `crownhead match`. Both have equal time, \
unless --nodes is given."
)]
pub(super) struct TrainMatch {
    /// Two files that `crownhead train fit` wrote
    #[arg(value_name = "NET", num_args = 2, required = true)]
    networks: Vec<String>,
    /// Positions that each searches in a turn [default: as many as its time allows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    #[command(flatten)]
    options: MatchOptions,
}

impl TrainMatch {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let bots = self.networks.iter().map(|file| self.bot(file));
        self.options.run(&bots.collect::<Result<Vec<_>, _>>()?)
    }

    /// The words that mean the bot with the network of this file, which is seen to be one of the game.
    fn bot(&self, file: &str) -> Result<String, Failure> {
        let network = self.options.game().read_network(Path::new(file));
        network.map_err(about("NET"))?;
        let quoted = shlex::try_quote(file).map_err(about("NET"))?;
        let nodes = self.nodes.map(|nodes| format!(" --nodes {nodes}"));
        Ok(format!(
            "alphabeta --net {quoted}{}",
            nodes.unwrap_or_default()
        ))
    }
}
