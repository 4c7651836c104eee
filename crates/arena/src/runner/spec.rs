//! What is played, and by whom: a game and the games of a round; and a bot as it is started for one, where it runs, what
//! it may read, and by which command.

use crate::contest::Contest;
use crate::seat::{BotKind, BotSpec, Conditions};
use crate::settings::GameSettings;
use crownhead_bots::options::{BuiltInBot, RandomOptions};
use crownhead_record::openings::Opening;
use crownhead_record::seed::{Purpose, shuffled};
use crownhead_record::{GameRecord, PlayerRecord, RefereeProtocol};
use crownhead_sandbox::{NamedFiles, inherited_environment, join_words};
use humantime::format_duration;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

/// A bot as it is started for a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Participant {
    /// What it is and what it is called.
    pub spec: BotSpec,
    /// Its version, in ladders and in matches that are recorded.
    pub version: Option<String>,
    /// The folder it runs in, if not the referee's.
    pub folder: Option<PathBuf>,
    /// What it may read because its command names it.
    pub named: NamedFiles,
    /// Extra files and folders that it may read.
    pub files: Vec<PathBuf>,
    /// The variables that it has in addition to those of all bots.
    pub environment: BTreeMap<String, String>,
}

impl From<BotSpec> for Participant {
    fn from(spec: BotSpec) -> Participant {
        Participant {
            spec,
            version: None,
            folder: None,
            named: NamedFiles::Folders,
            files: Vec::new(),
            environment: BTreeMap::new(),
        }
    }
}

impl Participant {
    /// The conditions of all bots, with what this one may read.
    pub fn conditions(&self, settings: &GameSettings) -> Conditions {
        let mut conditions = settings.conditions.clone();
        let sandbox = &mut conditions.sandbox;
        sandbox.named = self.named;
        sandbox.allow_read.extend_from_slice(&self.files);
        conditions
    }
}

/// The command that starts this bot for a game. A built-in plays by the settings unless its words say otherwise; a program
/// of somebody else's is started as it was written.
pub fn command(settings: &GameSettings, bot: &Participant, seed: u64) -> Command {
    let mut command = match &bot.spec.kind {
        BotKind::Program(program) => {
            let mut command = Command::new(&program.path);
            command.args(&program.arguments);
            command
        }
        BotKind::BuiltIn(words) => {
            let mut command = Command::new(&settings.crownhead);
            command.arg("bot").args(words);
            command.args(options_besides(words, settings, seed));
            command
        }
    };
    if let Some(folder) = &bot.folder {
        command.current_dir(folder);
    }
    command
        .env_clear()
        .envs(inherited_environment())
        .envs(&settings.environment)
        .envs(&bot.environment);
    if let (Some(globals), BotKind::Program(_)) = (&settings.js_globals, &bot.spec.kind) {
        globals.add_to(&mut command);
    }
    command
}

/// The command as a person could type it.
fn command_line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<String> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    join_words(&words)
}

/// Why a bot cannot play what an external referee alone knows, if it cannot; `protocol` is how that speaks, where it is
/// known.
pub fn external_problem(bot: &BotSpec, protocol: Option<RefereeProtocol>) -> Option<String> {
    let name = &bot.name;
    match (bot.built_in()?, protocol) {
        (BuiltInBot::Random(_), None | Some(RefereeProtocol::Lines)) => None,
        (BuiltInBot::Random(_), Some(_)) => Some(format!(
            "{name}: the built-in random plays an answer of those that a referee lists with `###Legal`, and this one does \
             not speak `lines`; expected a command line"
        )),
        (BuiltInBot::Greedy(_) | BuiltInBot::Alphabeta(_), _) => Some(format!(
            "{name}: of the built-in bots random alone plays a game that only its referee knows; expected `random` or a \
             command line"
        )),
    }
}

/// The options of the built-in `random`, if the bot is that and plays what an external referee lists.
pub(super) fn random_by_list(contest: &Contest, bot: &BotSpec) -> Option<RandomOptions> {
    match (contest, bot.built_in()) {
        (Contest::External(_), Some(BuiltInBot::Random(options))) => Some(options),
        _ => None,
    }
}

/// The options that are added to the words of a built-in.
fn options_besides(words: &[String], settings: &GameSettings, seed: u64) -> Vec<String> {
    let has = |option: &str| {
        let with_value = format!("{option}=");
        (words.iter()).any(|word| word == option || word.starts_with(&with_value))
    };
    let mut options = Vec::new();
    if settings.contest.rules().is_some() {
        options.push(("--game", settings.contest.name().into()));
    }
    if words[0] == "alphabeta" {
        options.push(("--rules", settings.contest.rules_name()));
        if !has("--nodes") && !has("--depth") {
            let time = format_duration(settings.limits.turn).to_string();
            options.push(("--time", time.replace(' ', "")));
        }
    } else {
        options.push(("--seed", seed.to_string()));
    }
    options.retain(|(option, _)| !has(option));
    let words = options
        .into_iter()
        .map(|(option, value)| [option.into(), value]);
    words.flatten().collect()
}

/// One game, to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSpec {
    /// The number of the game, from 1.
    pub number: u64,
    /// Which of the bots each player is.
    pub seats: Vec<usize>,
    /// The moves before the bots are asked first.
    pub opening: Opening,
    /// A seed for each of the bots.
    pub bot_seeds: Vec<u64>,
}

impl GameSpec {
    /// The game's record before it begins.
    pub(super) fn header(&self, settings: &GameSettings, bots: &[&Participant]) -> GameRecord {
        let (contest, opening) = (&settings.contest, &self.opening);
        let player = |(player, &seat): (usize, &usize)| PlayerRecord {
            colour_line: settings.colour_line(player),
            version: bots[seat].version.clone(),
            ..PlayerRecord::new(
                &contest.side_name(player),
                &bots[seat].spec.name,
                command_line(&command(settings, bots[seat], self.bot_seeds[seat])),
            )
        };
        GameRecord {
            number: self.number,
            players: self.seats.iter().enumerate().map(player).collect(),
            ..settings.header(opening)
        }
    }

    /// The games of a round, one opening with seats rotated: as many as there are players, of two both games of a pair.
    /// Bot 0 has the first move in the first of them, bot 1 in the second. Of three players and more, who sits next to
    /// whom is by chance, from the number of the `round`, and every second round has the order of the one before turned
    /// round: no bot has a neighbour that helps it more often than the others have.
    ///
    /// `first` is the number of the first game; `purpose` says for a game and a bot, both from 0, what the bot's
    /// seed is for.
    pub fn round<'a>(
        settings: &GameSettings,
        round: u64,
        first: u64,
        opening: &Opening,
        purpose: impl Fn(u64, u64) -> Purpose<'a>,
    ) -> Vec<GameSpec> {
        let players = settings.contest.players();
        let mut order: Vec<usize> = (0..players).collect();
        if players > 2 {
            order = shuffled(
                Purpose::Seats { round: round / 2 }.seed(settings.seed),
                players,
            );
            if !round.is_multiple_of(2) {
                order.reverse();
            }
        }
        let game = |game: usize| {
            let mut seats = vec![0; players];
            for place in 0..players {
                let player = (settings.contest.first_player() + place) % players;
                seats[player] = order[(game + place) % players];
            }
            let seed = |bot| purpose(game as u64, bot as u64).seed(settings.seed);
            GameSpec {
                number: first + game as u64,
                seats,
                opening: opening.clone(),
                bot_seeds: (0..players).map(seed).collect(),
            }
        };
        (0..players).map(game).collect()
    }
}
