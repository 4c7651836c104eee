//! Choosing a built-in bot and setting it up from a command line.

use crate::command_line::{describe, parse_time};
use crate::games::ListedGame;
use crate::networks::NetworkWeights;
use crate::players::PlayerSpec;
use clap::{Args, Command, Subcommand};
use crownhead_contest::alphabeta::SearchLimits;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// A built-in bot with its options.
#[derive(Clone, Debug, Subcommand)]
pub enum BuiltInBot {
    /// Play any legal move, each as likely as the others
    #[command(
        before_help = "Examples:\n  crownhead match random ./my_bot\n  crownhead match 'random --seed 7' ./my_bot"
    )]
    Random(RandomOptions),
    /// Capture as many pieces as one move can, and otherwise play any move
    #[command(
        before_help = "Examples:\n  crownhead match greedy ./my_bot\n  crownhead match 'greedy --seed 7' ./my_bot"
    )]
    Greedy(RandomOptions),
    /// Search ahead with alpha-beta
    #[command(
        before_help = "Examples:\n  crownhead match alphabeta ./my_bot\n  crownhead match 'alphabeta --nodes 20000' ./my_bot"
    )]
    Alphabeta(SearchOptions),
}

impl BuiltInBot {
    /// The names by which the built-in bots are called.
    pub const NAMES: [&'static str; 3] = ["random", "greedy", "alphabeta"];
}

/// Options of a bot that plays at random.
#[derive(Clone, Debug, Args)]
pub struct RandomOptions {
    /// Game to play
    #[arg(long, value_name = "NAME", value_enum, default_value_t)]
    pub game: ListedGame,
    /// Seed of the random choices, to repeat a game [default: random]
    #[arg(long, short, value_name = "N")]
    pub seed: Option<u64>,
}

/// Options of a bot that searches.
#[derive(Clone, Debug, Args)]
pub struct SearchOptions {
    /// Game to play
    #[arg(long, value_name = "NAME", value_enum, default_value_t)]
    pub game: ListedGame,
    /// Time limit of a turn [default: 100ms without --nodes and --depth]
    ///
    /// The bot answers a little sooner.
    #[arg(long, short, value_name = "TIME", value_parser = parse_time)]
    pub time: Option<Duration>,
    /// Depth to search at most
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Positions to search in a turn, up to 1,000 more; makes games repeatable
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Rule book; checkers has contest and classroom [default: the game's first]
    #[arg(long, value_name = "NAME")]
    pub rules: Option<String>,
    /// Network to evaluate with: a file of `crownhead train export` [default: built in]
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
}

/// The time limit of a turn where none is given (statement of the contest: 100 ms).
const CONTEST_TIME: Duration = Duration::from_millis(100);

impl SearchOptions {
    /// The network that `--net` names, of this game.
    ///
    /// # Errors
    /// When the file cannot be read or has no network of this game.
    pub fn network(&self, game: ListedGame) -> Result<Option<NetworkWeights>, String> {
        let file = self.net.as_deref();
        let network = file.map(|file| game.read_network(file)).transpose();
        network.map_err(|problem| format!("--net {problem}"))
    }

    /// The limits these options set.
    pub fn limits(&self) -> SearchLimits {
        let repeatable = self.depth.is_some() || self.nodes.is_some();
        let time = self.time.or((!repeatable).then_some(CONTEST_TIME));
        SearchLimits {
            time,
            depth: self.depth,
            nodes: self.nodes,
        }
    }
}

impl BuiltInBot {
    /// The game that these options pick.
    pub fn game(&self) -> ListedGame {
        match self {
            BuiltInBot::Random(options) | BuiltInBot::Greedy(options) => options.game,
            BuiltInBot::Alphabeta(options) => options.game,
        }
    }

    /// The player that these options describe.
    ///
    /// # Errors
    /// When the game has no rule book of the name they give, or their file no network of it.
    pub fn spec(&self) -> Result<PlayerSpec, String> {
        Ok(match self {
            BuiltInBot::Random(options) => PlayerSpec::Random {
                seed: options.seed(),
            },
            BuiltInBot::Greedy(options) => PlayerSpec::Greedy {
                seed: options.seed(),
            },
            BuiltInBot::Alphabeta(options) => PlayerSpec::AlphaBeta {
                rules: options.game.rules(options.rules.as_deref())?,
                limits: options.limits(),
                network: options.network(options.game)?,
            },
        })
    }

    /// Speaks the line protocol on standard input and output until the end of input.
    ///
    /// The exit status is 1, with a line on standard error, for input that breaks the protocol, and 2 for
    /// unusable options.
    pub fn run(&self) -> ExitCode {
        match self.spec() {
            Ok(spec) => self.game().converse(&spec),
            Err(problem) => refuse(&problem),
        }
    }
}

impl RandomOptions {
    fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(rand::random)
    }
}

/// Says why the options are unusable, and gives the status for that.
fn refuse(problem: &str) -> ExitCode {
    // A closed standard error leaves no place to report to.
    let _ = writeln!(io::stderr(), "error: {problem}");
    ExitCode::from(2)
}

/// The `main` of a thin binary: reads the options `T` of the bot called `name`, and runs the bot that `make`
/// builds of them.
pub fn run_alone<T: Args>(name: &'static str, make: fn(T) -> BuiltInBot) -> ExitCode {
    let bots = BuiltInBot::augment_subcommands(Command::new("bot"));
    let about = bots.find_subcommand(name).and_then(Command::get_about);
    let command = T::augment_args(Command::new(name))
        .version(env!("CARGO_PKG_VERSION"))
        .about(about.cloned().unwrap_or_default())
        .after_help(format!(
            "It speaks the line protocol (protocol.md): it reads its colour and then turn after turn on\n\
             standard input, answers each with a move on standard output, and exits at the end of input.\n\
             A referee starts it:\n\n  \
               crownhead match target/release/{name} greedy"
        ));
    let matches = command.clone().try_get_matches();
    let options = matches.and_then(|matches| T::from_arg_matches(&matches));
    match options {
        Ok(options) => make(options).run(),
        Err(error) if !error.use_stderr() => error.exit(),
        Err(error) => {
            let words: Vec<OsString> = std::env::args_os().skip(1).collect();
            refuse(&describe(&error, command, &words))
        }
    }
}
