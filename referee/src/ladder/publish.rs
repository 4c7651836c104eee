//! `crownhead ladder publish`: lets workers play the ladder as it is now.

use super::folder_command::FolderCommand;
use crate::failure::Failure;
use clap::Args;
use crownhead_ladder::Folder;
use std::io::Write;

#[derive(Debug, Args)]
#[command(
    before_help = "Examples:\n  crownhead ladder publish night",
    after_long_help = "\
The configuration, the openings and the bots' files (at most 64 MB a bot) are put into the ladder's database. Workers on \
other machines get them within a second or two, even while they play. `ladder run` publishes before it plays. Publish again \
after every change of ladder.toml or of a bot.

Exit status: 0 all bots are published; 1 some cannot play; 2 the ladder cannot be published."
)]
pub(super) struct Publish;

impl FolderCommand for Publish {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let published = crownhead_ladder::publish(folder)?;
        let mut out = anstream::stdout().lock();
        let bots = match published.bots.as_slice() {
            [] => "no bots".into(),
            bots => bots.join(", "),
        };
        let news = if published.is_new {
            "Published"
        } else {
            "Nothing has changed"
        };
        writeln!(out, "{news}: workers play {bots}.")?;
        if let Some(database) = folder.database()?
            && published.is_new
        {
            let url = shlex::try_quote(database.url())?;
            writeln!(out, "Next, on each machine: crownhead worker {url}")?;
        }
        for (bot, reason) in &published.failed {
            anstream::eprintln!("error: {bot} is not published: {reason}");
        }
        let all = published.failed.is_empty();
        all.then_some(()).ok_or(Failure::Silent)
    }
}
