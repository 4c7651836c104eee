//! `crownhead match`: games between two bots.

use super::Failure;
use super::playing::{PlayingOptions, interrupts};
use super::progress::{TICK, progress_bar};
use super::report;
use super::serve::ServerOptions;
use crate::openings::Source;
use crate::record::GameRecord;
use crate::runner::{MatchPlan, run_match};
use crate::serve::Site;
use crate::settings::BotOptions;
use crate::stats::{clusters, score_interval, summarise};
use anyhow::{Context, anyhow};
use clap::Args;
use crownhead::explain::Explain;
use crownhead::notation::Notation;
use crownhead_bots::games::{GameVisitor, Played};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use tempfile::NamedTempFile;

/// Play games between two bots and say who is better, why games ended, and how fast each answered
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  crownhead match ./my_bot alphabeta --games 10
  crownhead match 'python3 bot.py' 'alphabeta --nodes 20000' --games 100 --openings ballots
  crownhead match ./new ./old --name new --name old --record games.jsonl
  crownhead match ./my_bot alphabeta --games 100 --serve

Games are played in pairs: the same opening, colours swapped. The first bot has the first move in \
the first game of each pair.

Exit status: 0 when the match ran, 1 when it failed, 2 for unusable arguments, 130 when it was \
interrupted (the games played until then are shown and recorded).")]
pub(super) struct Match {
    /// A bot: a built-in's name (random, greedy, alphabeta) with its options, or a command line
    #[arg(
        value_name = "A",
        required = false,
        required_unless_present = "explain"
    )]
    #[arg(default_value_if("explain", clap::builder::ArgPredicate::IsPresent, ""))]
    a: String,
    /// Its opponent
    #[arg(
        value_name = "B",
        required = false,
        required_unless_present = "explain"
    )]
    #[arg(default_value_if("explain", clap::builder::ArgPredicate::IsPresent, ""))]
    b: String,
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    #[command(flatten)]
    playing: PlayingOptions,
    /// Say in words how bots are judged under these options, and play nothing
    #[arg(long)]
    explain: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
    /// Write every game to this new file as it ends, one JSON object a line
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Show the match in a browser while it is played, and then until it is interrupted
    #[arg(long)]
    serve: bool,
}

impl Match {
    pub(super) fn run(&self) -> Result<(), Failure> {
        struct PlayMatch<'a>(&'a Match);
        impl GameVisitor for PlayMatch<'_> {
            type Output = Result<(), Failure>;
            fn run<G: Played>(self) -> Result<(), Failure> {
                if self.0.explain {
                    self.0.explain::<G>()
                } else {
                    self.0.play::<G>()
                }
            }
        }
        self.playing.options.game.choose(PlayMatch(self))
    }

    fn explain<G: Notation>(&self) -> Result<(), Failure> {
        let options = &self.playing.options;
        let turns = self.playing.rules::<G>()?.length.max_turns;
        let BotOptions { profile, clock, .. } = &options.bots;
        let words = profile.explain(options.limits(), *clock, turns);
        anstream::stdout().write_all(words.as_bytes())?;
        Ok(())
    }

    fn play<G: Explain>(&self) -> Result<(), Failure> {
        let plan = self
            .playing
            .plan::<G>([&self.a, &self.b], self.games, Source::Random(0))?;
        let mut record = self.record.as_ref().map(create).transpose()?;
        let interrupted = interrupts()?;
        let kept = (self.serve && record.is_none())
            .then(NamedTempFile::new)
            .transpose()?;
        if let Some(file) = &kept {
            record = Some(BufWriter::new(file.reopen()?));
        }
        let server = match kept
            .as_ref()
            .map(NamedTempFile::path)
            .or(self.record.as_deref())
        {
            Some(path) if self.serve => Some(self.show(path, &plan, &interrupted)?),
            _ => None,
        };
        let template = "{bar:30} {pos} of {len} games   {msg}   {eta} left";
        let progress = progress_bar(self.json, Some(plan.games), template);
        progress.enable_steady_tick(TICK);
        let mut games = Vec::new();
        run_match::<G, anyhow::Error>(&plan, &interrupted, |game| {
            if let Some(file) = &mut record {
                write_games(file, [&game])?;
            }
            games.push(game);
            if !progress.is_hidden() {
                let first = &plan.bots[0].name;
                if let Some(score) = score_interval(&clusters(&games, first)) {
                    progress.set_message(format!("{first} {}", report::percent(&score)));
                }
                progress.set_position(games.len() as u64);
            }
            Ok(())
        })
        .context("the match ended early")?;
        progress.finish_and_clear();
        games.sort_by_key(|game| game.number);

        let names = plan.bots.each_ref().map(|bot| bot.name.as_str());
        let summary = summarise(&games, names);
        let mut out = anstream::stdout().lock();
        if self.json {
            let result = report::json(G::NAME, &plan, &summary, &games);
            serde_json::to_writer_pretty(&mut out, &result)?;
            writeln!(out)?;
        } else {
            report::write_table(G::NAME, &plan, &summary, &games, &mut out)?;
        }
        drop(out);
        if interrupted.load(Ordering::Relaxed) {
            return Err(Failure::Interrupted);
        }
        match server.map(JoinHandle::join) {
            None => Ok(()),
            Some(served) => served.unwrap_or_else(|_| Err(anyhow!("the server failed").into())),
        }
    }

    /// Serves what is written to the file at `path`, on a thread of its own.
    fn show(
        &self,
        path: &Path,
        plan: &MatchPlan,
        interrupted: &Arc<AtomicBool>,
    ) -> Result<JoinHandle<Result<(), Failure>>, Failure> {
        let site = Site::of_match(path, plan, self.playing.options.game)?;
        let interrupted = interrupted.clone();
        let serve = move || ServerOptions::default().serve(site, &interrupted);
        Ok(std::thread::spawn(serve))
    }
}

/// Writes games, each a line, so that none that was played is lost.
pub(super) fn write_games<'a>(
    file: &mut BufWriter<File>,
    games: impl IntoIterator<Item = &'a GameRecord>,
) -> anyhow::Result<()> {
    for game in games {
        serde_json::to_writer(&mut *file, game)?;
        file.write_all(b"\n")?;
    }
    Ok(file.flush()?)
}

/// The new file of `--record`.
pub(super) fn create(path: &PathBuf) -> Result<BufWriter<File>, Failure> {
    match File::create_new(path) {
        Ok(file) => Ok(BufWriter::new(file)),
        Err(error) => Err(Failure::Usage(format!(
            "--record {}: {error}; games are written to a new file, so that no earlier ones are lost",
            path.display()
        ))),
    }
}
