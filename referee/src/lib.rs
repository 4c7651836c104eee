//! The program `crownhead`: its command line, one file for each command, and the only part that prints.
//!
//! What a command does is in the crates below; here are its options, tables, progress and boards. A program with games
//! of one's own calls [`main_with`]; `examples/othello` is one.
//!
//! Exit status: 0 when the command did what it says, 1 when it failed, 2 for unusable arguments, 130, 143 or 129 when
//! a signal interrupted it. `sprt` says its verdict by its status and fails with another.

mod ask;
mod bench;
mod bot;
mod bundle;
mod check;
mod chess;
mod conditions;
mod doctor;
mod draw;
mod explain;
mod failure;
mod faults;
mod filter;
mod foreign_options;
mod help;
mod import;
mod init;
mod interrupts;
mod ladder;
mod manual;
mod match_;
mod options;
mod output;
mod output_file;
// Some pages show commands of this feature.
#[cfg(test)]
#[path = "tests/pages.rs"]
mod pages;
mod perft;
mod play;
mod playing;
mod progress;
mod recorded;
mod referee;
mod replay;
mod report;
mod resume;
mod run;
mod serve;
mod show;
mod sprt;
mod table;
mod train;
mod words;
mod worker;

pub use crownhead_bots::{BoardGame, GameOf, NoEvaluation};
use crownhead_bots::{CHESS, games};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use crownhead_bots::command_line::describe;
use failure::{Failure, is_broken_pipe, print_error, tell, usage};
use std::ffi::OsString;
use std::process::ExitCode;

#[derive(Debug, Parser)]
#[command(
    name = "crownhead",
    version,
    about = "Plays game bots against each other, and explains why one lost",
    before_help = "\
Examples:
  crownhead match alphabeta greedy
  crownhead match ./my_bot greedy --profile contest",
    after_help = "\
`crownhead help COMMAND` explains a command. `crownhead show --protocol` prints what a bot is sent."
)]
struct Arguments {
    /// Suppress progress and notes
    #[arg(long, short, global = true, display_order = 100)]
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
    #[command(hide = games::find(CHESS.name()).is_none())]
    Chess(chess::ChessFile),
    Init(init::Init),
    Check(Box<check::Check>),
    Doctor(doctor::Doctor),
    Explain(explain::Explain),
    Import(Box<import::Import>),
    Replay(replay::Replay),
    Ask(Box<ask::Ask>),
    Serve(serve::Serve),
    #[command(subcommand)]
    Export(serve::Export),
    Show(show::Show),
    Perft(perft::Perft),
    Bench(bench::Bench),
    Bot(bot::RunBot),
    Bundle(bundle::MakeBundle),
    #[command(subcommand)]
    Train(train::Train),
    #[command(subcommand)]
    Referee(referee::RefereeCommand),
    Completions(manual::Completions),
    Man(manual::Man),
}

/// Compiles the program that `docs/dev/rust-game.md` shows.
#[cfg(doctest)]
#[doc = include_str!("../../docs/dev/rust-game.md")]
mod rust_game {}

/// The games of a program of one's own, for [`main_with`]: their types, and after a colon the
/// [evaluation](crownhead::Evaluate) that a search of the game uses. Without one a search sees wins and losses alone.
///
/// ```
/// use crownhead::games::checkers::Checkers;
/// use crownhead::games::everchess::EverChess;
/// use crownhead::network::Network;
///
/// let games = crownhead_cli::games![EverChess, Checkers: Network<Checkers>];
/// assert_eq!(games.len(), 2);
/// ```
#[macro_export]
macro_rules! games {
    (@ $game:ty) => {
        $crate::games!(@ $game, $crate::NoEvaluation)
    };
    (@ $game:ty, $evaluation:ty) => {
        const { &$crate::GameOf::<$game, $evaluation>::NEW as &'static dyn $crate::BoardGame }
    };
    ($($game:ty $(: $evaluation:ty)?),+ $(,)?) => {
        ::std::vec![$($crate::games!(@ $game $(, $evaluation)?)),+]
    };
}

/// Runs the program with exactly these [`games!`](crate::games!), the first being the default, on the arguments of this
/// process: the `main` of a program of one's own.
///
/// # Panics
/// When there is no game.
pub fn main_with(games: Vec<&'static dyn BoardGame>) -> ExitCode {
    games::set(games);
    main()
}

/// All commands and options, with their help.
fn command_line() -> clap::Command {
    help::laid_out(Arguments::command())
}

/// Runs the program on the arguments of this process.
pub fn main() -> ExitCode {
    if let Some(status) = crownhead_sandbox::run_if_supervisor() {
        return status;
    }
    if let Some(status) = bot::run_if_alone() {
        return status;
    }
    let arguments = match read_arguments() {
        Ok(arguments) => arguments,
        Err(status) => return status,
    };
    // All temporary files of this run lie in one folder, which the next run removes if this one is killed.
    let folder = crownhead_sandbox::RunFolder::create();
    if let Ok(folder) = &folder {
        let _ = tempfile::env::override_temp_dir(folder.path());
    }
    if arguments.quiet {
        progress::be_quiet();
    }
    crownhead_ladder::store::tell_waits_by(|told| progress::note(told));
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
        Command::Init(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Doctor(command) => command.run(),
        Command::Explain(command) => command.run(),
        Command::Import(command) => command.run(),
        Command::Replay(command) => command.run(),
        Command::Ask(command) => command.run(),
        Command::Serve(command) => command.run(),
        Command::Export(command) => command.run(),
        Command::Show(command) => command.run(),
        Command::Perft(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Bot(command) => return command.run(),
        Command::Bundle(command) => command.run(),
        Command::Train(command) => command.run(),
        Command::Referee(command) => command.run(),
        Command::Completions(command) => command.run(command_line()),
        Command::Man(command) => command.run(command_line()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // An interrupt also ends the program that reads the output.
        Err(Failure::Failed(error)) if is_broken_pipe(&error) => {
            interrupts::status().map_or(ExitCode::SUCCESS, ExitCode::from)
        }
        Err(failure) => tell(failure, ExitCode::FAILURE),
    }
}

/// The arguments of this process. If they cannot be used, or ask for help, that is printed, and this is the status.
fn read_arguments() -> Result<Arguments, ExitCode> {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    if words.is_empty() {
        anstream::eprint!("{}", help::FIRST_STEPS);
        return Err(ExitCode::from(2));
    }
    if let Some(told) = foreign_options::single_dashed(&words) {
        return Err(tell(usage(told), ExitCode::FAILURE));
    }
    let mut program = command_line();
    let matches = program.try_get_matches_from_mut(std::env::args_os());
    let arguments = matches.and_then(|matches| Arguments::from_arg_matches(&matches));
    arguments.map_err(|error| {
        let word = match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(word)) => word.as_str(),
            _ => "",
        };
        match foreign_options::advice(&words, word) {
            Some(told) if error.kind() == ErrorKind::UnknownArgument => {
                tell(usage(told), ExitCode::FAILURE)
            }
            // Help is clap's, on the stream and with the status that are right for it.
            _ if !error.use_stderr()
                || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand =>
            {
                error.exit()
            }
            _ => {
                print_error(&describe(&error, command_line(), &words));
                ExitCode::from(2)
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::command_line;

    /// Lines whose option has another name today.
    const OLD: [&str; 13] = [
        "match a b --name x --name y",
        "match a b --opening-plies 4",
        "match a b --stderr all",
        "match a b --color-line live",
        "match a b --referee r --referee-protocol lines",
        "sprt a b --field c",
        "replay f --game 3",
        "replay f --colour never",
        "ask f b --game 3",
        "ask f b --fresh",
        "ladder init f",
        "ladder retire f b",
        "train fit f --out n.json",
    ];

    #[test]
    fn old_names_are_understood() {
        for line in OLD.into_iter().chain(["play human human on"]) {
            let words = std::iter::once("crownhead").chain(line.split(' '));
            let read = command_line().try_get_matches_from(words);
            assert!(read.is_ok(), "{line}: {}", read.unwrap_err());
        }
    }
}
