//! Choosing a built-in bot and setting it up from a command line.

use crate::board::{BoardGame, PlayerSpec};
use crate::command_line::parse_time;
use crate::games;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use crownhead_contest::alphabeta::SearchLimits;
use rand::rand_core::UnwrapErr;
use rand::rngs::SysRng;
use rand::Rng;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
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

/// Options of a bot that plays at random.
#[derive(Clone, Debug, Args)]
pub struct RandomOptions {
    /// Game to play
    #[arg(long, value_name = "NAME", default_value = games::usual().name(), value_parser = game_parser())]
    pub game: &'static dyn BoardGame,
    /// Seed of the random choices, to repeat a game [default: random]
    #[arg(long, short, value_name = "N")]
    pub seed: Option<u64>,
}

/// Options of a bot that searches.
#[derive(Clone, Debug, Args)]
pub struct SearchOptions {
    /// Game to play
    #[arg(long, value_name = "NAME", default_value = games::usual().name(), value_parser = game_parser())]
    pub game: &'static dyn BoardGame,
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
    /// Network to evaluate with: a file of `crownhead train fit` [default: built in]
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
}

/// Reads the name of a game of the list.
pub fn game_parser() -> impl TypedValueParser<Value = &'static dyn BoardGame> {
    let games = games::all().iter();
    let names = games.map(|game| PossibleValue::new(game.name()).help(game.about()));
    PossibleValuesParser::new(names)
        .map(|name| games::find(&name).expect("one of the possible values"))
}

/// The time limit of a turn where none is given (statement of the contest: 100 ms).
const CONTEST_TIME: Duration = Duration::from_millis(100);

impl SearchOptions {
    /// The network that `--net` names, of this game.
    ///
    /// # Errors
    /// When the file cannot be read or has no network of this game.
    pub fn network(&self, game: &'static dyn BoardGame) -> Result<Option<Arc<str>>, String> {
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
    /// The names by which the built-in bots are called.
    pub const NAMES: [&'static str; 3] = ["random", "greedy", "alphabeta"];

    /// The game that these options pick.
    pub fn game(&self) -> &'static dyn BoardGame {
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
            Err(problem) => {
                // A closed standard error leaves no place to report to.
                let _ = writeln!(io::stderr(), "error: {problem}");
                ExitCode::from(2)
            }
        }
    }
}

impl RandomOptions {
    fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| UnwrapErr(SysRng).next_u64())
    }
}
