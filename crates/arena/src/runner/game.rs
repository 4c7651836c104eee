//! Playing one game between two fresh processes.

use super::evidence::Evidence;
use super::participant::{Participant, command};
use super::spec::GameSpec;
use super::watch::{LivePlayer, Watch, Watching};
use crate::diagnosis::Probe;
use crate::seat::{Finished, Placement, Process, denial};
use crate::settings::GameSettings;
use crate::table::{self, Fault, Policy, Recorder, Verdict};
use crownhead_board::Board;
use crownhead_record::{GameRecord, PlayerRecord, Termination, TurnRecord, VERSION};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// One game that is to be played: who plays it, how and where.
pub(super) struct GameSetup<'a> {
    pub(super) settings: &'a GameSettings,
    pub(super) bots: [&'a Participant; 2],
    pub(super) spec: &'a GameSpec,
    pub(super) cores: &'a [Placement; 2],
    pub(super) interrupted: &'a Arc<AtomicBool>,
}

/// Plays one game between two fresh processes. Once it is interrupted, it ends as a referee fault.
pub(super) fn play(setup: &GameSetup<'_>, watch: Option<&dyn Watch>) -> GameRecord {
    let (settings, opening) = (setup.settings, &setup.spec.opening);
    let mut board = opening
        .rebuild(settings.game, &settings.rules)
        .expect("openings are checked before they are played");
    let mut commands = [0, 1].map(|player| setup.command(player));
    let mut seats = [0, 1].map(|player| setup.start(player, &mut commands[player]));
    let [black, white] = &mut seats;
    black.set_opponent(white);
    Process::await_start_up(&mut seats);
    let mut over = setup.play(board.as_mut(), seats, watch);
    over.note_early_reply();
    setup.diagnose(board.as_ref(), &mut over, &mut commands);
    setup.record(over, &commands)
}

/// A game that is over, and what is left of its bots.
struct Over {
    verdict: Verdict,
    turns: Vec<TurnRecord>,
    /// Why the bot that was asked last did not answer.
    fault: Option<Fault>,
    probe: Probe,
    finished: [Finished; 2],
}

impl Over {
    /// The player that was asked last.
    fn asked_last(&self) -> Option<usize> {
        Some(self.turns.last()?.player)
    }

    fn note_early_reply(&mut self) {
        let by_reply = [Termination::IllegalReply, Termination::UnreadableReply];
        let last = self.asked_last().map(|player| &self.finished[player]);
        if by_reply.contains(&self.verdict.termination)
            && last.is_some_and(|last| last.answered_early)
        {
            self.verdict.reason += " (it had written that before it was asked)";
        }
    }
}

impl<'a> GameSetup<'a> {
    /// Which of the two bots a player is.
    fn place(&self, player: usize) -> usize {
        if player == 0 {
            self.spec.black
        } else {
            1 - self.spec.black
        }
    }

    fn bot(&self, player: usize) -> &'a Participant {
        self.bots[self.place(player)]
    }

    fn command(&self, player: usize) -> Command {
        let seed = self.spec.bot_seeds[self.place(player)];
        command(self.settings, self.bot(player), seed)
    }

    fn start(&self, player: usize, command: &mut Command) -> Process {
        let conditions = self.bot(player).conditions(self.settings);
        let letter = self.settings.game.colour_letter(player);
        let interrupted = self.interrupted.clone();
        Process::start(
            command,
            letter,
            &conditions,
            &self.cores[player],
            interrupted,
        )
    }

    /// The letter that tells a player its colour.
    fn colour_line(&self, player: usize) -> char {
        let letter = self.settings.game.colour_letter(player);
        self.settings.conditions.colour_line.letter(letter)
    }

    /// Plays the game to its end, and ends both bots.
    fn play(
        &self,
        board: &mut dyn Board,
        mut seats: [Process; 2],
        watch: Option<&dyn Watch>,
    ) -> Over {
        let limits = self.settings.limits;
        let mut observer = Watching {
            recorder: Recorder::default(),
            watch,
            number: self.spec.number,
            players: [0, 1].map(|player| LivePlayer {
                name: self.bot(player).spec.name.clone(),
                ..LivePlayer::default()
            }),
            stderr: seats.each_ref().map(Process::stderr_listener),
            fault: None,
        };
        let verdict = {
            let [black, white] = &mut seats;
            let mut policy = Policy {
                adjudicate: self.settings.adjudicate,
                ..Policy::strict(limits)
            };
            table::play(board, &mut [black, white], &mut policy, &mut observer)
        };
        let Watching {
            recorder, fault, ..
        } = observer;
        let mut turns = recorder.turns;
        let asked_last = turns.last().map(|turn| turn.player);
        let timed_out = verdict.termination == Termination::Timeout;
        let probe = asked_last.filter(|_| timed_out).map(|player| {
            let own = turns.iter().filter(|turn| turn.player == player);
            let limit = limits.of(own.count());
            seats[player].probe(&board.turn_text(), limit)
        });
        // Both can end by themselves at once.
        seats.iter_mut().for_each(Process::close_stdin);
        seats.iter_mut().for_each(Process::begin_end);
        let finished = seats.map(Process::finish);
        for (player, finished) in finished.iter().enumerate() {
            let own = turns.iter_mut().filter(|turn| turn.player == player);
            finished.note(own, limits);
        }
        Over {
            verdict,
            turns,
            fault,
            probe: probe.unwrap_or_default(),
            finished,
        }
    }

    /// Adds to the reason what is known of a fault, and voids a game that is lost on time if the machine may be
    /// to blame.
    fn diagnose(&self, board: &dyn Board, over: &mut Over, commands: &mut [Command; 2]) {
        let Some(player) = over.asked_last() else {
            return;
        };
        let (finished, command) = (&over.finished[player], &mut commands[player]);
        let sandbox = &self.settings.conditions.sandbox;
        let said = finished.said() + "\n" + &over.verdict.reason;
        let denied = may_be_denied(over.verdict.termination)
            .then(|| denial::describe(&said, command, sandbox));
        let evidence = Evidence {
            board,
            turns: &over.turns,
            colour_line: self.colour_line(player),
            finished,
            probe: over.probe.clone(),
            limits: self.settings.limits,
            termination: over.verdict.termination,
            fault: over.fault.as_ref(),
        };
        let explanation = evidence.explain(self.settings, || self.start(player, command));
        over.verdict.reason += &explanation;
        if let Some(told) = denied.flatten() {
            over.verdict.reason += &format!(". {told}");
        }
        if finished.doubtful {
            over.verdict.scores = None;
            over.verdict.reason += " (void: the machine was too busy to tell)";
        }
    }

    fn record(&self, over: Over, commands: &[Command; 2]) -> GameRecord {
        let settings = self.settings;
        let suspect = over
            .asked_last()
            .is_some_and(|player| over.finished[player].doubtful);
        let player = |player: usize, finished: Finished| PlayerRecord {
            colour_line: Some(self.colour_line(player)),
            start_up: finished.start_up,
            version: self.bot(player).version.clone(),
            stderr_before: finished.stderr_before,
            stderr_after: finished.stderr_after,
            ..PlayerRecord::new(
                settings.rules.side_names[player],
                &self.bot(player).spec.name,
                command_line(&commands[player]),
            )
        };
        let finished = (0..).zip(over.finished);
        let mut record = GameRecord {
            version: VERSION,
            game: settings.game.name().into(),
            rules: settings.rules.name.into(),
            number: self.spec.number,
            seed: settings.seed,
            players: finished
                .map(|(place, finished)| player(place, finished))
                .collect(),
            limits: settings.limits,
            profile: settings.conditions.profile.name.into(),
            clock: settings.conditions.clock,
            suspect,
            replayed: false,
            max_turns: settings.rules.length.max_turns,
            start: self.spec.opening.start.clone(),
            opening: self.spec.opening.moves.clone(),
            turns: over.turns,
            scores: over.verdict.scores,
            termination: over.verdict.termination,
            reason: over.verdict.reason,
        };
        record.keep_stderr(settings.stderr, settings.most_stderr);
        record
    }
}

/// Whether a bot that ended so may have been denied something that it needs.
fn may_be_denied(termination: Termination) -> bool {
    use Termination::{CannotStart, ClosedOutput, Crash, Exit};
    matches!(termination, CannotStart | ClosedOutput | Crash | Exit)
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
