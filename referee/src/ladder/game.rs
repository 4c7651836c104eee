//! Playing one game between two fresh processes.

use crate::judge::TimeLimits;
use crate::openings::Opening;
use crate::record::{GameRecord, PlayerRecord, Recorder, VERSION};
use crate::seat::{BotSpec, Conditions, Defaults, Process};
use crate::table::{self, Policy, Seated, Termination, escaped};
use crownhead::board::Side;
use crownhead::notation::Notation;
use crownhead::rules::RuleBook;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What all games of a run have in common.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The rule book, with the limit on turns that is in force.
    pub rules: RuleBook,
    /// How long a bot may think.
    pub limits: TimeLimits,
    /// What else holds for every bot.
    pub conditions: Conditions,
    /// Whether a game that was lost on time while the bot wanted a core is played again.
    pub replay_suspect: bool,
    /// All chance follows from it.
    pub seed: u64,
    /// The program `crownhead`, which runs the built-in bots.
    pub crownhead: PathBuf,
}

/// A bot as it is started for a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Participant {
    /// What it is and what it is called.
    pub spec: BotSpec,
    /// The folder it runs in, if not the referee's.
    pub folder: Option<PathBuf>,
    /// What its environment has besides the referee's.
    pub environment: Vec<(String, String)>,
}

impl From<BotSpec> for Participant {
    fn from(spec: BotSpec) -> Participant {
        Participant {
            spec,
            folder: None,
            environment: Vec::new(),
        }
    }
}

/// One game, to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSpec {
    /// The number of the game, from 1.
    pub number: u64,
    /// Which of the two bots plays black; the other plays white.
    pub black: usize,
    /// How the game comes to where the bots are asked first.
    pub opening: Opening,
    /// A seed for each of the two bots.
    pub bot_seeds: [u64; 2],
}

/// Both games of a pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedPair {
    /// The games that count, if they count at all.
    pub games: [GameRecord; 2],
    /// The suspect games that were played again, and are kept for whoever wants to know why.
    pub replaced: Vec<GameRecord>,
}

impl PlayedPair {
    /// A game for which the pair says nothing of who is better, if there is one: the referee was at fault, or
    /// a bot did not start.
    pub fn spoiled(&self) -> Option<&GameRecord> {
        self.games
            .iter()
            .find(|game| game.result.is_none() || game.termination == Termination::CannotStart)
    }
}

/// Plays one game, and once more if it is suspect and that is wanted: the last one counts.
pub(super) fn play_out<G: Notation>(
    setting: &Setting,
    bots: [&Participant; 2],
    fixture: &GameSpec,
    interrupted: &Arc<AtomicBool>,
) -> Vec<GameRecord> {
    let mut first = play::<G>(setting, bots, fixture, interrupted);
    let again = first.suspect && setting.replay_suspect && !interrupted.load(Ordering::Relaxed);
    if !again {
        return vec![first];
    }
    let second = play::<G>(setting, bots, fixture, interrupted);
    first.replayed = second.result.is_some();
    vec![first, second]
}

/// Plays both games of a pair.
pub(super) fn play_pair<G: Notation>(
    setting: &Setting,
    bots: [&Participant; 2],
    fixtures: &[GameSpec; 2],
    interrupted: &Arc<AtomicBool>,
) -> PlayedPair {
    let mut replaced = Vec::new();
    let games = fixtures.each_ref().map(|fixture| {
        let games = play_out::<G>(setting, bots, fixture, interrupted);
        let (again, counted): (Vec<_>, Vec<_>) = games.into_iter().partition(|game| game.replayed);
        replaced.extend(again);
        counted.into_iter().next().expect("one of them counts")
    });
    PlayedPair { games, replaced }
}

/// Plays one game between two fresh processes. Once `interrupted` is set, it ends as a referee fault.
fn play<G: Notation>(
    setting: &Setting,
    bots: [&Participant; 2],
    fixture: &GameSpec,
    interrupted: &Arc<AtomicBool>,
) -> GameRecord {
    let opening = &fixture.opening;
    let mut game = opening
        .rebuild::<G>(&setting.rules)
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
        let colour = G::side_letter(side);
        Process::start(command, colour, &setting.conditions, interrupted.clone())
    });
    let [black, white] = &mut seats;
    black.face(white);
    let mut recorder = Recorder::default();
    let mut verdict = {
        let [black, white] = &mut seats;
        let seats: [&mut dyn Seated<G>; 2] = [black, white];
        let mut policy = Policy::strict(setting.limits);
        table::play(&mut game, seats, &mut policy, &mut recorder)
    };
    // Both can end by themselves at once.
    seats.iter_mut().for_each(Process::dismiss);
    let finished = seats.map(Process::finish);
    let asked_last = recorder.turns.last().map(|turn| Side::from(turn.side));
    let last = asked_last.map(|side| &finished[side.index()]);
    let by_reply = [Termination::IllegalReply, Termination::UnreadableReply];
    if by_reply.contains(&verdict.termination) && last.is_some_and(|last| last.answered_early) {
        verdict.reason += " (it had written that before it was asked)";
    }
    let suspect = last.is_some_and(|last| last.starved);
    if suspect {
        verdict.reason += " (the machine was busy: it stood waiting for a core)";
    }
    let mut turns = recorder.turns;
    for side in Side::BOTH {
        let own = turns
            .iter_mut()
            .filter(|turn| Side::from(turn.side) == side);
        for (turn, spent) in own.zip(&finished[side.index()].spent) {
            (turn.work, turn.waited) = (spent.work, spent.waited);
        }
    }
    let player = |side: Side| PlayerRecord {
        name: bots[bot_of(side)].spec.name.clone(),
        command: command_line(&commands[side.index()]),
        log: escaped(&finished[side.index()].log),
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
        profile: setting.conditions.profile.name.into(),
        clock: setting.conditions.clock,
        suspect,
        replayed: false,
        max_turns: setting.rules.length.max_turns,
        start: opening.start.clone(),
        opening: opening.moves.clone(),
        turns,
        result: verdict.result.map(Into::into),
        termination: verdict.termination,
        reason: verdict.reason,
    }
}

fn command<G: Notation>(setting: &Setting, bot: &Participant, seed: u64) -> Command {
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
