//! Playing one game between two fresh processes.

use super::evidence::Evidence;
use super::pair::GameSpec;
use super::watch::{LivePlayer, Watch, Watching};
use crate::seat::{BotSpec, Conditions, Defaults, Finished, Placement, Process, denial};
use crate::settings::GameSettings;
use crate::table::Recorder;
use crate::table::{self, Policy, Seated};
use crownhead::board::Side;
use crownhead::explain::Explain;
use crownhead::notation::Notation;
use crownhead_record::Termination;
use crownhead_record::{GameRecord, PlayerRecord, VERSION, turn_text};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A bot as it is started for a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Participant {
    /// What it is and what it is called.
    pub spec: BotSpec,
    /// Its version, where versions are told apart.
    pub version: Option<String>,
    /// The folder it runs in, if not the referee's.
    pub folder: Option<PathBuf>,
    /// Whether it may read of its own only the files that its command names, and those of `files`. Without a folder it
    /// then runs in its private one.
    pub files_alone: bool,
    /// Files and folders that it may read besides.
    pub files: Vec<PathBuf>,
    /// What its environment has besides the referee's.
    pub environment: Vec<(String, String)>,
}

impl From<BotSpec> for Participant {
    fn from(spec: BotSpec) -> Participant {
        Participant {
            spec,
            version: None,
            folder: None,
            files_alone: false,
            files: Vec::new(),
            environment: Vec::new(),
        }
    }
}

impl Participant {
    /// The conditions of all bots, with what this one may read.
    pub fn conditions(&self, settings: &GameSettings) -> Conditions {
        let mut conditions = settings.conditions.clone();
        conditions.sandbox.files_alone = self.files_alone;
        conditions
            .sandbox
            .allow_read
            .extend(self.files.iter().cloned());
        conditions
    }
}

/// Plays one game between two fresh processes, black's and white's on these cores. Once `interrupted` is set, it ends
/// as a referee fault.
pub(super) fn play<G: Explain>(
    settings: &GameSettings,
    bots: [&Participant; 2],
    spec: &GameSpec,
    cores: &[Placement; 2],
    interrupted: &Arc<AtomicBool>,
    watch: Option<&dyn Watch<G>>,
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
        let (colour, cores) = (G::side_letter(side), &cores[side.index()]);
        let conditions = bots[bot_of(side)].conditions(settings);
        Process::start(command, colour, &conditions, cores, interrupted.clone())
    });
    let [black, white] = &mut seats;
    black.set_opponent(white);
    Process::await_start_up(&mut seats);
    let mut observer = Watching {
        recorder: Recorder::default(),
        watch,
        number: spec.number,
        players: Side::BOTH.map(|side| LivePlayer {
            name: bots[bot_of(side)].spec.name.clone(),
            ..LivePlayer::default()
        }),
        stderr: seats.each_ref().map(Process::stderr_listener),
        fault: None,
    };
    let mut verdict = {
        let [black, white] = &mut seats;
        let seats: [&mut dyn Seated<G>; 2] = [black, white];
        let mut policy = Policy {
            adjudicate: settings.adjudicate,
            ..Policy::strict(settings.limits)
        };
        table::play(&mut game, seats, &mut policy, &mut observer)
    };
    let Watching {
        recorder, fault, ..
    } = observer;
    let asked_last = recorder.turns.last().map(|turn| turn.side);
    let timed_out = verdict.termination == Termination::Timeout;
    let probe = asked_last.filter(|_| timed_out).map(|side| {
        let turn = turn_text(game.position());
        let own = recorder.turns.iter().filter(|turn| turn.side == side);
        let limit = settings.limits.of(own.count());
        seats[side.index()].probe(&turn, limit)
    });
    // Both can end by themselves at once.
    seats.iter_mut().for_each(Process::close_stdin);
    seats.iter_mut().for_each(Process::begin_end);
    let finished = seats.map(Process::finish);
    let last = asked_last.map(|side| &finished[side.index()]);
    let mut turns = recorder.turns;
    for side in Side::BOTH {
        let own = turns.iter_mut().filter(|turn| turn.side == side);
        finished[side.index()].note(own, settings.limits);
    }
    let by_reply = [Termination::IllegalReply, Termination::UnreadableReply];
    if by_reply.contains(&verdict.termination) && last.is_some_and(|last| last.answered_early) {
        verdict.reason += " (it had written that before it was asked)";
    }
    if let (Some(side), Some(finished)) = (asked_last, last) {
        let colour_line = colour_line::<G>(settings, side);
        let evidence = Evidence {
            game: &game,
            turns: &turns,
            colour_line,
            finished,
            probe: probe.unwrap_or_default(),
            limits: settings.limits,
            termination: verdict.termination,
            fault: fault.as_ref(),
        };
        let start = || {
            let command = &mut commands[side.index()];
            let own = G::side_letter(side);
            let conditions = bots[bot_of(side)].conditions(settings);
            let cores = &cores[side.index()];
            Process::start(command, own, &conditions, cores, interrupted.clone())
        };
        let explanation = evidence.explain(settings, start);
        let sandbox = &settings.conditions.sandbox;
        let said = finished.said() + "\n" + &verdict.reason;
        let denied = may_be_denied(verdict.termination)
            .then(|| denial::describe(&said, &commands[side.index()], sandbox));
        verdict.reason += &explanation;
        if let Some(told) = denied.flatten() {
            verdict.reason += ". ";
            verdict.reason += &told;
        }
    }
    let suspect = last.is_some_and(|last| last.doubtful);
    if suspect {
        verdict.result = None;
        verdict.reason += " (void: the machine was too busy to tell)";
    }
    let [black, white] = finished;
    let player = |side: Side, finished: Finished| PlayerRecord {
        colour_line: Some(colour_line::<G>(settings, side)),
        start_up: finished.start_up,
        version: bots[bot_of(side)].version.clone(),
        stderr_before: finished.stderr_before,
        stderr_after: finished.stderr_after,
        ..PlayerRecord::new(
            &bots[bot_of(side)].spec.name,
            command_line(&commands[side.index()]),
        )
    };
    let mut record = GameRecord {
        version: VERSION,
        game: G::NAME.into(),
        rules: settings.rules.name.into(),
        sides: Some((&settings.rules).into()),
        number: spec.number,
        seed: settings.seed,
        black: player(Side::Black, black),
        white: player(Side::White, white),
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
    };
    record.keep_stderr(settings.stderr, settings.most_stderr);
    record
}

/// The letter that tells a bot its colour.
fn colour_line<G: Notation>(settings: &GameSettings, side: Side) -> char {
    let colour_line = settings.conditions.colour_line;
    colour_line.letter(G::side_letter(side))
}

/// Whether a bot that ended so may have been denied something that it needs.
fn may_be_denied(termination: Termination) -> bool {
    use Termination::{CannotStart, ClosedOutput, Crash, Exit};
    matches!(termination, CannotStart | ClosedOutput | Crash | Exit)
}

/// The command that starts this bot for a game.
pub fn command<G: Notation>(settings: &GameSettings, bot: &Participant, seed: u64) -> Command {
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
    for secret in crownhead_sandbox::SECRETS {
        command.env_remove(secret);
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
