//! The command line: one file per command, and the only part that prints.
//!
//! Exit status: 0 when the command did what it says, 1 when it failed, 2 for unusable arguments, 130, 143 or 129 when
//! a signal interrupted it. `sprt` says its verdict by its status and fails with another.

mod ask;
mod bench;
mod bench_table;
mod bot;
mod bundle;
mod calibrate;
mod chess;
mod export;
mod ladder;
mod manual;
mod match_;
mod options;
mod output;
mod perft;
mod play;
mod playing;
mod progress;
mod recorded;
mod replay;
mod report;
mod serve;
mod show;
mod sprt;
mod table;
mod train;
mod watch;
mod words;
mod worker;

use clap::{Parser, Subcommand};
use crownhead::games::checkers::{Checkers, Learned};
use crownhead_board::Rules;
use crownhead_record::text::printable;
use std::fmt::Display;
use std::process::ExitCode;

/// The game of FEN, PDN and the classroom.
pub(crate) static CHECKERS: Rules<Checkers, Learned> = Rules::new("English draughts");

#[derive(Debug, Parser)]
#[command(
    name = "crownhead",
    version,
    about = "The referee that judges game bots, and the bots to beat",
    after_help = "Example:\n  crownhead match alphabeta greedy --games 10\n\n\
                  How a bot speaks to the referee is told in protocol.md."
)]
struct Arguments {
    /// Print no progress and no notes
    #[arg(long, short, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Match(Box<match_::Match>),
    Sprt(Box<sprt::RunSprt>),
    Ladder(ladder::LadderCommand),
    Worker(Box<worker::RunWorker>),
    Play(play::Play),
    Chess(chess::ChessFile),
    Replay(replay::Replay),
    Ask(Box<ask::Ask>),
    Serve(serve::Serve),
    Export(export::Export),
    Show(show::Show),
    Perft(perft::Perft),
    Bench(bench::Bench),
    Calibrate(calibrate::Calibrate),
    Bot(bot::RunBot),
    Bundle(bundle::MakeBundle),
    Train(train::Train),
    Completions(manual::Completions),
    Man(manual::Man),
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
enum Failure {
    /// The arguments cannot be used: status 2.
    Usage(String),
    /// Something failed on the way: status 1.
    Failed(anyhow::Error),
    /// A check failed, and its result is already printed: status 1.
    Silent,
    /// A signal stopped it: the status that shells have for that.
    Interrupted,
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::Failed(error.into())
    }
}

/// The failure of arguments that cannot be used for this reason.
fn usage(error: impl Display) -> Failure {
    Failure::Usage(format!("{error:#}"))
}

/// The same, where the reason does not say which option or file it is about.
fn about<E: Display>(subject: impl Display) -> impl Fn(E) -> Failure {
    move |error| usage(format_args!("{subject}: {error:#}"))
}

/// Runs the program on the arguments of this process.
pub fn main() -> ExitCode {
    if let Some(status) = crownhead_sandbox::run_if_supervisor() {
        return status;
    }
    let arguments = Arguments::parse();
    if arguments.quiet {
        progress::be_quiet();
    }
    let done = match arguments.command {
        Command::Match(command) => command.run(),
        Command::Sprt(command) => match command.run() {
            Ok(status) => return status,
            // Only a verdict of "better" is status 0, also when stdout is closed.
            Err(failure) => return tell(failure, ExitCode::from(sprt::FAILED)),
        },
        Command::Ladder(command) => command.run(),
        Command::Worker(command) => command.run(),
        Command::Play(command) => command.run(),
        Command::Chess(command) => command.run(),
        Command::Replay(command) => command.run(),
        Command::Ask(command) => command.run(),
        Command::Serve(command) => command.run(),
        Command::Export(command) => command.run(),
        Command::Show(command) => command.run(),
        Command::Perft(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Calibrate(command) => command.run(),
        Command::Bot(command) => return command.run(),
        Command::Bundle(command) => command.run(),
        Command::Train(command) => command.run(),
        Command::Completions(command) => command.run(),
        Command::Man(command) => command.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Failed(error)) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(failure) => tell(failure, ExitCode::FAILURE),
    }
}

/// Says why a command did not do what it was asked, and gives its status: `failed` if it failed on the way.
fn tell(failure: Failure, failed: ExitCode) -> ExitCode {
    match failure {
        Failure::Usage(problem) => {
            print_error(&problem);
            ExitCode::from(2)
        }
        Failure::Failed(error) => {
            print_error(&format!("{error:#}"));
            failed
        }
        Failure::Silent => failed,
        Failure::Interrupted => ExitCode::from(playing::interrupted_status()),
    }
}

/// Prints an error, in which the names of any files may stand.
fn print_error(error: &str) {
    let lines: Vec<String> = error.lines().map(printable).collect();
    anstream::eprintln!("error: {}", lines.join("\n"));
}

/// Whether stdout was closed by its reader (`| head`).
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let plain = error
        .downcast_ref()
        .map(|error: &std::io::Error| error.kind());
    let of_json = error.downcast_ref::<serde_json::Error>();
    let kind = plain.or_else(|| of_json?.io_error_kind());
    kind == Some(std::io::ErrorKind::BrokenPipe)
}
