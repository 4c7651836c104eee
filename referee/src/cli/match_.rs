//! `crownhead match`: games between two bots.

use super::Failure;
use super::playing::{PlayingOptions, interrupts};
use super::report;
use crate::openings::Source;
use crate::record::GameRecord;
use crate::runner::{MatchPlan, run_match};
use crate::settings::BotOptions;
use crate::stats::{score_interval, summarise};
use anyhow::Context;
use clap::Args;
use crownhead::explain::Explain;
use crownhead::notation::Notation;
use crownhead_bots::games::{GameVisitor, Played};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Play games between two bots and say who is better, why games ended, and how fast each answered
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  crownhead match ./my_bot alphabeta --games 10
  crownhead match 'python3 bot.py' 'alphabeta --nodes 20000' --games 100 --openings ballots
  crownhead match ./new ./old --name new --name old --record games.jsonl

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
        let progress = Progress::new(&plan, self.json);
        let mut games = Vec::new();
        run_match::<G, anyhow::Error>(&plan, &interrupted, |game| {
            if let Some(file) = &mut record {
                serde_json::to_writer(&mut *file, &game)?;
                file.write_all(b"\n")?;
                // A game already played is never lost.
                file.flush()?;
            }
            games.push(game);
            progress.show(&games);
            Ok(())
        })
        .context("the match ended early")?;
        progress.finish();
        games.sort_by_key(|game| game.number);

        let names = plan.bots.each_ref().map(|bot| bot.name.as_str());
        let summary = summarise(&games, names);
        let mut out = anstream::stdout().lock();
        if self.json {
            let result = report::json(G::NAME, &plan, &summary, &games);
            serde_json::to_writer_pretty(&mut out, &result)?;
            writeln!(out)?;
        } else {
            write!(out, "{}", report::table(G::NAME, &plan, &summary, &games))?;
        }
        if interrupted.load(Ordering::Relaxed) {
            Err(Failure::Interrupted)
        } else {
            Ok(())
        }
    }
}

pub(super) fn create(path: &PathBuf) -> Result<BufWriter<File>, Failure> {
    match File::create_new(path) {
        Ok(file) => Ok(BufWriter::new(file)),
        Err(error) => Err(Failure::Usage(format!(
            "--record {}: {error}; games are written to a new file, so that no earlier ones are lost",
            path.display()
        ))),
    }
}

/// The live line: games, score, time left. Only on a terminal.
struct Progress {
    bar: ProgressBar,
    name: String,
}

impl Progress {
    fn new(plan: &MatchPlan, quiet: bool) -> Progress {
        let bar = if quiet {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(plan.games)
        };
        let style = "{bar:30} {pos} of {len} games   {msg}   {eta} left";
        bar.set_style(ProgressStyle::with_template(style).expect("the template is well formed"));
        bar.enable_steady_tick(Duration::from_millis(500));
        Progress {
            bar,
            name: plan.bots[0].name.clone(),
        }
    }

    fn show(&self, games: &[GameRecord]) {
        if self.bar.is_hidden() {
            return;
        }
        let clusters = crate::stats::clusters(games, &self.name);
        if let Some(score) = score_interval(&clusters) {
            self.bar
                .set_message(format!("{} {}", self.name, report::percent(&score)));
        }
        self.bar.set_position(games.len() as u64);
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
