//! `crownhead referee`: creates and checks referees, for people who write a game.

use crate::failure::{Failure, usage};
use crate::interrupts::{self, interrupts};
use crate::output_file::write_folder;
use crate::progress::Progress;
use crate::words::paragraph;
use clap::{Args, Subcommand, ValueEnum};
use crownhead_external::{CheckReport, ExternalReferee, RefereeOptions, check};
use crownhead_record::numbers::counted;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Create and check a referee for your own game
#[derive(Debug, Subcommand)]
#[command(
    before_help = "\
Examples:
  crownhead referee new my_game --lang python
  cd my_game
  crownhead referee check 'python3 referee.py'
  crownhead match 'python3 starter_bot.py' 'python3 random_bot.py' \\
    --referee 'python3 referee.py'",
    after_long_help = "\
A referee is a program that knows the game: it says what each player is sent, judges the answers and says who won. To write \
one, read docs/guide/your-own-game.md."
)]
pub(super) enum RefereeCommand {
    /// Write a small complete game into a new folder: referee, two bots, tests
    New(New),
    /// Test a referee with many games of random answers, and report its faults
    Check(Check),
}

impl RefereeCommand {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match self {
            RefereeCommand::New(command) => command.run(),
            RefereeCommand::Check(command) => command.run(),
        }
    }
}

#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead referee new my_game --lang python
  crownhead referee new my_game --lang cpp",
    after_long_help = "\
The game is Connect Four: a referee, a bot that plays at random, a bot that takes wins and prevents losses, tests, and a \
README with the commands."
)]
pub(super) struct New {
    /// Folder to create
    folder: PathBuf,
    /// Programming language
    #[arg(long, value_name = "LANGUAGE")]
    lang: Language,
}

/// A language that there is a game in.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Language {
    Python,
    Javascript,
    Rust,
    Cpp,
}

/// A file's name and its text.
type Template = (&'static str, &'static str);

/// The files of one folder of templates.
macro_rules! templates {
    ($folder:literal: $($file:literal),+) => {
        &[$(($file, include_str!(concat!("../templates/", $folder, "/", $file)))),+]
    };
}

impl Language {
    /// The files of its game, of which one is its README.
    fn templates(self) -> &'static [Template] {
        match self {
            Language::Python => templates!("python":
                "README.md", "referee.py", "random_bot.py", "starter_bot.py", "test_referee.py"),
            Language::Javascript => templates!("javascript":
                "README.md", "referee.js", "random_bot.js", "starter_bot.js", "referee.test.js"),
            Language::Rust => templates!("rust":
                "README.md", "referee.rs", "random_bot.rs", "starter_bot.rs", "tests.rs"),
            Language::Cpp => templates!("cpp":
                "README.md", "referee.cpp", "random_bot.cpp", "starter_bot.cpp", "tests.cpp"),
        }
    }
}

impl New {
    fn run(&self) -> Result<(), Failure> {
        write_folder(&self.folder, self.lang.templates())
    }
}

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
    fn run(&self) -> Result<(), Failure> {
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
