//! `crownhead referee check`: finds what is wrong with a referee.

use crate::failure::{Failure, usage};
use crate::interrupts::{self, interrupts};
use crate::progress::Progress;
use crate::words::paragraph;
use clap::Args;
use crownhead_external::{CheckReport, ExternalReferee, RefereeOptions, check};
use crownhead_record::numbers::counted;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead referee check 'python3 referee.py'
  crownhead referee check ./referee --players 3 --games 1000",
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
    #[arg(long, short, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
}

impl Check {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let interrupted = interrupts()?;
        let options = RefereeOptions {
            command: self.command.clone(),
            players: self.players.into(),
            ..RefereeOptions::default()
        };
        let referee = ExternalReferee::find(&options, Path::new("")).map_err(usage)?;
        let mut progress = Progress::new("games", Some(self.games));
        let mut began = None;
        let checked = check(&referee, self.games, &interrupted, &mut |games| {
            // The games of wrong answers come before the first of these.
            let time = began.get_or_insert_with(Instant::now).elapsed();
            let speed = (games - 1) as f64 / time.as_secs_f64().max(1e-3);
            progress.show(games, || format!("{speed:.0} games a second"));
        });
        progress.finish();
        interrupts::check(&interrupted)?;
        let report = checked.map_err(usage)?;
        write_report(&report, &mut anstream::stdout().lock())?;
        let is_sound = report.faults.is_empty();
        is_sound.then_some(()).ok_or(Failure::Silent)
    }
}

fn write_report(report: &CheckReport, out: &mut impl Write) -> io::Result<()> {
    for fault in &report.faults {
        writeln!(out, "fault: {}", fault.problem)?;
        for (what, text) in [("seen", &fault.seen), ("fix", &fault.fix)] {
            writeln!(out, "{}", paragraph("  ", &format!("{what}: {text}")))?;
        }
    }
    match report.faults.len() {
        0 if report.lists_legal => writeln!(out, "No fault was found."),
        0 => writeln!(
            out,
            "No fault was found, but it lists no legal answers (`###Legal`), and so no games of random answers were played."
        ),
        faults => writeln!(out, "Found {}.", counted(faults, "fault")),
    }
}
