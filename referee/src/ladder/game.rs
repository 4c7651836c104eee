//! Playing one game between two fresh processes.

use crate::judge::{TimeLimits, escaped};
use crate::openings::Opening;
use crate::record::{GameRecord, PlayerRecord, Recorder, VERSION};
use crate::seat::{BotSpec, Defaults, Process, Seat};
use crate::table::{self, Policy};
use crownhead::board::Side;
use crownhead::notation::Notation;
use crownhead::rules::RuleBook;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What all games of a run have in common.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The rule book, with the limit on turns that is in force.
    pub rules: RuleBook,
    /// How long a bot may think.
    pub limits: TimeLimits,
    /// All chance follows from it.
    pub seed: u64,
    /// The program `crownhead`, which runs the built-in bots.
    pub crownhead: PathBuf,
}

/// A bot as it is started for a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// What it is and what it is called.
    pub spec: BotSpec,
    /// The folder it runs in, if not the referee's.
    pub folder: Option<PathBuf>,
    /// What its environment has besides the referee's.
    pub environment: Vec<(String, String)>,
}

impl From<BotSpec> for Entrant {
    fn from(spec: BotSpec) -> Entrant {
        Entrant {
            spec,
            folder: None,
            environment: Vec::new(),
        }
    }
}

/// One game, to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The number of the game, from 1.
    pub number: u64,
    /// Which of the two bots plays black; the other plays white.
    pub black: usize,
    /// How the game comes to where the bots are asked first.
    pub opening: Opening,
    /// A seed for each of the two bots.
    pub bot_seeds: [u64; 2],
}

/// Plays one game between two fresh processes. Once `interrupted` is set, it ends as a referee fault.
pub(super) fn play<G: Notation>(
    setting: &Setting,
    bots: [&Entrant; 2],
    fixture: &Fixture,
    interrupted: &Arc<AtomicBool>,
) -> GameRecord {
    let opening = &fixture.opening;
    let mut history = opening
        .history::<G>(&setting.rules)
        .expect("openings are checked before they are played");
    let bot_of = |side: Side| match side {
        Side::Black => fixture.black,
        Side::White => 1 - fixture.black,
    };
    let mut commands = Side::BOTH.map(|side| {
        let bot = bot_of(side);
        command::<G>(setting, bots[bot], fixture.bot_seeds[bot])
    });
    let mut seats = Side::BOTH.map(|side| {
        let command = &mut commands[side.index()];
        Process::start(command, G::side_letter(side), interrupted.clone())
    });
    let mut recorder = Recorder::default();
    let verdict = {
        let [black, white] = &mut seats;
        let seats: [&mut dyn Seat<G>; 2] = [black, white];
        let mut policy = Policy::strict(setting.limits);
        table::play(&mut history, seats, &mut policy, &mut recorder)
    };
    let logs = seats.map(Process::finish);
    let player = |side: Side| PlayerRecord {
        name: bots[bot_of(side)].spec.name.clone(),
        command: command_line(&commands[side.index()]),
        log: escaped(&logs[side.index()]),
    };
    GameRecord {
        version: VERSION,
        game: G::NAME.into(),
        rules: setting.rules.name.into(),
        number: fixture.number,
        seed: setting.seed,
        black: player(Side::Black),
        white: player(Side::White),
        limits: setting.limits,
        max_turns: setting.rules.length.max_turns,
        start: opening.start.clone(),
        opening: opening.moves.clone(),
        turns: recorder.turns,
        result: verdict.result.map(Into::into),
        termination: verdict.termination,
        reason: verdict.reason,
    }
}

fn command<G: Notation>(setting: &Setting, bot: &Entrant, seed: u64) -> Command {
    let mut command = bot.spec.command(&Defaults {
        crownhead: setting.crownhead.clone(),
        seed,
        time: setting.limits.turn,
        game: G::NAME,
        rules: setting.rules.name,
    });
    if let Some(folder) = &bot.folder {
        command.current_dir(folder);
    }
    command.envs(bot.environment.iter().map(|(name, value)| (name, value)));
    command
}

/// The command as a person could type it.
fn command_line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<String> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    // Quoting fails on NUL bytes alone, which no command line can hold.
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}
