//! Playing one game between two fresh processes.

use super::evidence::Evidence;
use super::spec::{GameSpec, Participant, command};
use super::watch::{GameObserver, LivePlayer, Watch};
use crate::seat::{Finished, Placement, Process, denial};
use crate::settings::GameSettings;
use crate::table::{self, Policy, Verdict};
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
    Process::start_game(&mut seats);
    let mut over = setup.play(board.as_mut(), seats, watch);
    setup.diagnose(board.as_ref(), &mut over, &mut commands);
    setup.record(over, &commands)
}

/// A game that is over, and what is left of its bots.
struct Over {
    verdict: Verdict,
    turns: Vec<TurnRecord>,
    finished: [Finished; 2],
}

impl Over {
    /// The player that was asked last.
    fn asked_last(&self) -> Option<usize> {
        Some(self.turns.last()?.player)
    }
}

impl<'a> GameSetup<'a> {
    /// Which of the two bots a player is.
    fn place(&self, player: usize) -> usize {
        self.spec.black ^ player
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
        let (placement, interrupted) = (&self.cores[player], self.interrupted.clone());
        Process::start(command, letter, &conditions, placement, interrupted)
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
        let mut observer = GameObserver {
            turns: Vec::new(),
            watch,
            number: self.spec.number,
            players: [0, 1].map(|player| LivePlayer {
                name: self.bot(player).spec.name.clone(),
                ..LivePlayer::default()
            }),
            stderr: seats.each_ref().map(Process::stderr_listener),
        };
        let mut policy = Policy {
            adjudicate: self.settings.adjudicate,
            ..Policy::strict(limits)
        };
        let [black, white] = &mut seats;
        let verdict = table::play(board, &mut [black, white], &mut policy, &mut observer);
        let mut turns = observer.turns;
        if let Some(last) = turns.last() {
            seats[last.player].probe(&board.turn_text());
        }
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
            finished,
        }
    }

    /// Adds to the reason what is known of a fault, and voids a game that is lost on time if the cause is not
    /// known.
    fn diagnose(&self, board: &dyn Board, over: &mut Over, commands: &mut [Command; 2]) {
        use Termination::{CannotStart, ClosedOutput, Crash, Exit};
        let Some(player) = over.asked_last() else {
            return;
        };
        let (finished, command) = (&over.finished[player], &mut commands[player]);
        let Verdict {
            termination,
            reason,
            scores,
        } = &mut over.verdict;
        let termination = *termination;
        let by_reply = [Termination::IllegalReply, Termination::UnreadableReply];
        if by_reply.contains(&termination) && finished.last_turn.early {
            *reason += " (it had written that before it was asked)";
        }
        let may_be_denied = matches!(termination, CannotStart | ClosedOutput | Crash | Exit);
        let denied = may_be_denied.then(|| {
            let said = finished.said() + "\n" + reason;
            denial::describe(&said, command, &self.settings.conditions.sandbox)
        });
        let evidence = Evidence {
            settings: self.settings,
            board,
            turns: &over.turns,
            colour_line: self.colour_line(player),
            finished,
            termination,
        };
        *reason += &evidence.explain(|| self.start(player, command));
        if let Some(told) = denied.flatten() {
            *reason += &format!(". {told}");
        }
        if finished.doubtful {
            *scores = None;
            *reason += " (void: the machine was too busy to tell)";
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

/// The command as a person could type it.
fn command_line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<String> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    // Quoting fails on NUL bytes alone, which no command line can hold.
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}
