//! Playing one game between two fresh processes.

use super::pair::GameSpec;
use crate::judge::KNOWS_THE_LIVE_LINE;
use crate::record::{GameRecord, PlayerRecord, Recorder, TurnRecord, VERSION};
use crate::seat::{BotSpec, Defaults, Process};
use crate::settings::GameSettings;
use crate::table::{self, Policy, Seated, Termination, escaped};
use crownhead::board::Side;
use crownhead::explain::Explain;
use crownhead::game::Game;
use crownhead::notation::Notation;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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

/// Plays one game between two fresh processes. Once `interrupted` is set, it ends as a referee fault.
pub(super) fn play<G: Explain>(
    settings: &GameSettings,
    bots: [&Participant; 2],
    spec: &GameSpec,
    interrupted: &Arc<AtomicBool>,
) -> GameRecord {
    let opening = &spec.opening;
    let mut game = opening
        .rebuild::<G>(&settings.rules)
        .expect("openings are checked before they are played");
    let bot_of = |side: Side| match side {
        Side::Black => spec.black,
        Side::White => 1 - spec.black,
    };
    let mut commands = Side::BOTH.map(|side| {
        let bot = bot_of(side);
        command::<G>(settings, bots[bot], spec.bot_seeds[bot])
    });
    let mut seats = Side::BOTH.map(|side| {
        let command = &mut commands[side.index()];
        let colour = G::side_letter(side);
        Process::start(command, colour, &settings.conditions, interrupted.clone())
    });
    let [black, white] = &mut seats;
    black.face(white);
    let mut recorder = Recorder::default();
    let mut verdict = {
        let [black, white] = &mut seats;
        let seats: [&mut dyn Seated<G>; 2] = [black, white];
        let mut policy = Policy::strict(settings.limits);
        table::play(&mut game, seats, &mut policy, &mut recorder)
    };
    // Both can end by themselves at once.
    seats.iter_mut().for_each(Process::close_stdin);
    let finished = seats.map(Process::finish);
    let asked_last = recorder.turns.last().map(|turn| turn.side);
    let last = asked_last.map(|side| &finished[side.index()]);
    let by_reply = [Termination::IllegalReply, Termination::UnreadableReply];
    if by_reply.contains(&verdict.termination) && last.is_some_and(|last| last.answered_early) {
        verdict.reason += " (it had written that before it was asked)";
    }
    let illegal = verdict.termination == Termination::IllegalReply;
    if illegal && misread_its_colour(settings, &game, &recorder.turns) {
        verdict.reason += ". ";
        verdict.reason += KNOWS_THE_LIVE_LINE;
    }
    let suspect = last.is_some_and(|last| last.starved);
    if suspect {
        verdict.reason += " (the machine was busy: it stood waiting for a core)";
    }
    let mut turns = recorder.turns;
    for side in Side::BOTH {
        let own = turns.iter_mut().filter(|turn| turn.side == side);
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
        rules: settings.rules.name.into(),
        sides: Some((&settings.rules).into()),
        number: spec.number,
        seed: settings.seed,
        black: player(Side::Black),
        white: player(Side::White),
        limits: settings.limits,
        profile: settings.conditions.profile.name.into(),
        clock: settings.conditions.clock,
        suspect,
        replayed: false,
        max_turns: settings.rules.length.max_turns,
        start: opening.start.clone(),
        opening: opening.moves.clone(),
        turns,
        result: verdict.result.map(Into::into),
        termination: verdict.termination,
        reason: verdict.reason,
    }
}

/// Whether the last reply, an illegal one, was a bot's first, and moved a piece of the other side where another
/// colour line would have told it its own.
fn misread_its_colour<G: Notation>(
    settings: &GameSettings,
    game: &Game<G>,
    turns: &[TurnRecord],
) -> bool {
    let Some(last) = turns.last() else {
        return false;
    };
    let own = turns.iter().filter(|turn| turn.side == last.side);
    let colour_line = settings.conditions.colour_line;
    let misread = |reply: &String| colour_line.looks_misread(game.position(), reply);
    own.count() == 1 && last.reply.as_ref().is_some_and(misread)
}

/// The command that starts this bot for a game.
pub(crate) fn command<G: Notation>(
    settings: &GameSettings,
    bot: &Participant,
    seed: u64,
) -> Command {
    let mut command = bot.spec.command(&Defaults {
        crownhead: settings.crownhead.clone(),
        seed,
        time: settings.limits.turn,
        game: G::NAME,
        rules: settings.rules.name,
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
