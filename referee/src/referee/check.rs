//! `crownhead referee check`: finds what is wrong with a referee.

use crate::conditions::cores;
use crate::failure::{Failure, usage};
use crate::interrupts::{self, interrupts};
use crate::progress::Progress;
use crate::words::paragraph;
use clap::Args;
use crownhead_external::{
    CheckOptions, CheckReport, ExternalReferee, Finding, RefereeError, RefereeOptions, check,
};
use crownhead_record::numbers::{counted, show_rate};
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead referee check 'python3 referee.py'
  crownhead referee check ./referee --players 3 --games 5000",
    after_long_help = "\
The check plays the same seeds twice, gives answers that no bot should give, and plays many games of random legal answers. \
It takes the answers from the list that the referee sends (`###Legal`). A referee that sends none is checked as far as \
possible. No bot is started: if a bot crashes or is late, Crownhead decides the game, and that bot loses.

Exit status: 0 no fault was found; 1 there are faults; 2 unusable arguments."
)]
pub(super) struct Check {
    /// The referee: a command line, or CodinGame's jar or build folder
    command: String,
    /// Players of a game
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u8).range(1..=8))]
    players: u8,
    /// Games of random legal answers to play
    #[arg(long, short, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
}

impl Check {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let interrupted = interrupts()?;
        let report = match self.find()? {
            Err(error) => CheckReport {
                findings: vec![Finding::unspeakable(&error)],
                sample: None,
            },
            Ok(referee) => {
                let options = CheckOptions {
                    games: self.games,
                    threads: cores(),
                };
                let mut progress = Progress::new("games", Some(self.games));
                let mut began = None;
                let checked = check(&referee, options, &interrupted, &mut |games| {
                    // The games of odd answers come before the first of these.
                    let time = began.get_or_insert_with(Instant::now).elapsed();
                    let speed = (games - 1) as f64 / time.as_secs_f64().max(1e-3);
                    progress.show(games, || format!("{speed:.0} games a second"));
                });
                progress.finish();
                interrupts::check(&interrupted)?;
                checked?
            }
        };
        write_report(&report, &mut anstream::stdout().lock())?;
        report.is_sound().then_some(()).ok_or(Failure::Silent)
    }

    /// The referee that is meant; an error inside is one of its own, which does not speak.
    fn find(&self) -> Result<Result<ExternalReferee, RefereeError>, Failure> {
        let options = RefereeOptions {
            command: self.command.clone(),
            players: self.players.into(),
            ..RefereeOptions::default()
        };
        match ExternalReferee::find(&options, Path::new("")) {
            // One that cannot be started does not speak at all: that is no finding.
            Err(error @ (RefereeError::NotFound(_) | RefereeError::Io { .. })) => Err(usage(error)),
            found => Ok(found),
        }
    }
}

fn write_report(report: &CheckReport, out: &mut impl Write) -> io::Result<()> {
    if let Some(sample) = &report.sample {
        let [fewest, mean, most] = sample.turns;
        writeln!(
            out,
            "{} of random answers, {} games/s: {mean:.1} answers each, {fewest} to {most}",
            counted(sample.games, "game"),
            show_rate(sample.games_a_second)
        )?;
    }
    for finding in &report.findings {
        let kind = if finding.is_fault { "fault" } else { "note" };
        writeln!(out, "{kind}: {}", finding.problem)?;
        for (what, text) in [
            ("seen", &finding.seen),
            ("expected", &finding.expected),
            ("way out", &finding.way_out),
        ] {
            writeln!(out, "{}", paragraph("  ", &format!("{what}: {text}")))?;
        }
    }
    let faults = report.findings.iter().filter(|finding| finding.is_fault);
    match faults.count() {
        0 => writeln!(out, "No fault was found."),
        faults => writeln!(out, "Found {}.", counted(faults, "fault")),
    }
}
