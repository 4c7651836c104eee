//! Playing one game between fresh processes, and its record.

use super::cores::GamePlacement;
use super::evidence::{Evidence, add_sentence};
use super::live::{GameObserver, LiveRun, PlayerSnapshot};
use super::spec::{GameSpec, Participant, command, random_by_list};
use crate::contest::Contest;
use crate::seat::{Finished, Process, denial, unstartable};
use crate::settings::GameSettings;
use crate::table::{self, Policy, Verdict};
use crownhead::rules::RuleBook;
use crownhead_bots::{Board, BoardGame};
use crownhead_record::judge::TimeLimits;
use crownhead_record::system_error::plain_words;
use crownhead_record::{GameRecord, RefereeRecord, Termination, TurnRecord};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One game that is to be played: who plays it, how and where.
pub(super) struct GameSetup<'a> {
    pub(super) settings: &'a GameSettings,
    pub(super) bots: &'a [&'a Participant],
    pub(super) spec: &'a GameSpec,
    pub(super) cores: GamePlacement<'a>,
    pub(super) interrupted: &'a Arc<AtomicBool>,
}

/// Plays one game between fresh processes, and gives the most bytes of memory that each player was seen to hold; `None`
/// if it is interrupted before its end: it was not played.
pub(super) fn play(
    setup: &GameSetup<'_>,
    watch: Option<&LiveRun>,
) -> Option<(GameRecord, Vec<Option<u64>>)> {
    let is_interrupted = || setup.interrupted.load(Ordering::Relaxed);
    if is_interrupted() {
        return None;
    }
    let players = 0..setup.settings.contest.players();
    let mut commands: Vec<Command> = players.map(|player| setup.command(player)).collect();
    let over = match &setup.settings.contest {
        Contest::Board { game, rules } => setup.play_board(*game, rules, &mut commands, watch),
        Contest::External(external) => setup.play_external(external, &mut commands),
    };
    if let Some(watch) = watch {
        watch.over(setup.spec.number);
    }
    let most = |finished: &Finished| finished.memory.iter().map(|(_, bytes)| *bytes).max();
    let memory = over.finished.iter().map(most).collect();
    let game = setup.record(over);
    let is_played = game.termination != Termination::RefereeFault || !is_interrupted();
    is_played.then_some((game, memory))
}

/// A game that is over, and what is left of its bots.
pub(super) struct Over {
    pub(super) verdict: Verdict,
    /// Whether it was lost on time, and the machine may be to blame.
    pub(super) is_suspect: bool,
    pub(super) turns: Vec<TurnRecord>,
    pub(super) limits: TimeLimits,
    pub(super) referee: Option<RefereeRecord>,
    pub(super) finished: Vec<Finished>,
}

impl<'a> GameSetup<'a> {
    pub(super) fn bot(&self, player: usize) -> &'a Participant {
        self.bots[self.spec.seats[player]]
    }

    fn command(&self, player: usize) -> Command {
        let seed = self.spec.bot_seeds[self.spec.seats[player]];
        command(self.settings, self.bot(player), seed)
    }

    pub(super) fn start(&self, player: usize, command: &mut Command) -> Process {
        let conditions = self.bot(player).conditions(self.settings);
        let letter = self.settings.contest.colour_letter(player);
        let placement = self.cores.bots.get(player).cloned().unwrap_or_default();
        let interrupted = self.interrupted.clone();
        if random_by_list(&self.settings.contest, &self.bot(player).spec).is_some() {
            return Process::vacant(&placement, interrupted);
        }
        Process::start(command, letter, &conditions, &placement, interrupted)
    }

    /// Starts all bots, and waits until they are ready.
    pub(super) fn start_all(&self, commands: &mut [Command]) -> Vec<Process> {
        let start = |(player, command)| self.start(player, command);
        let mut seats: Vec<Process> = commands.iter_mut().enumerate().map(start).collect();
        Process::start_game(&mut seats);
        seats
    }

    /// Plays a game that Crownhead knows to its end, and ends the bots.
    fn play_board(
        &self,
        game: &'static dyn BoardGame,
        rules: &RuleBook,
        commands: &mut [Command],
        watch: Option<&LiveRun>,
    ) -> Over {
        let board = self.spec.opening.rebuild(game, rules);
        let mut board = board.expect("openings are checked before they are played");
        let mut seats = self.start_all(commands);
        let limits = self.settings.limits;
        let live = |player: usize| PlayerSnapshot {
            name: self.bot(player).spec.name.clone(),
            ..PlayerSnapshot::default()
        };
        let mut observer = GameObserver {
            turns: Vec::new(),
            watch,
            number: self.spec.number,
            players: (0..seats.len()).map(live).collect(),
        };
        let mut policy = Policy {
            adjudicate: self.settings.adjudicate,
            ..Policy::strict(limits)
        };
        let mut seated: Vec<_> = seats.iter_mut().map(|seat| seat as _).collect();
        let mut verdict = table::play(board.as_mut(), &mut seated, &mut policy, &mut observer);
        let mut turns = observer.turns;
        if let Some(last) = turns.last() {
            seats[last.player].probe(&board.turn_text());
        }
        let finished = end_all(seats, &mut turns, limits);
        let last = turns.last().map(|turn| &finished[turn.player]);
        let is_suspect = last.is_some_and(|last| last.doubtful);
        self.diagnose(
            Some(board.as_ref()),
            &turns,
            &finished,
            &mut verdict,
            commands,
        );
        Over {
            verdict,
            is_suspect,
            turns,
            limits,
            referee: None,
            finished,
        }
    }

    /// Adds to the reason what is known of a fault in the last of these turns. `board` is the position, in a game that
    /// Crownhead knows.
    pub(super) fn diagnose(
        &self,
        board: Option<&dyn Board>,
        turns: &[TurnRecord],
        finished: &[Finished],
        verdict: &mut Verdict,
        commands: &mut [Command],
    ) {
        use Termination::{CannotStart, ClosedOutput, Crash, Exit};
        let Some(player) = turns.last().map(|turn| turn.player) else {
            return;
        };
        let (finished, command) = (&finished[player], &mut commands[player]);
        let (termination, reason) = (verdict.termination, &mut verdict.reason);
        let by_reply = [Termination::IllegalReply, Termination::UnreadableReply];
        if by_reply.contains(&termination) && finished.last_turn.early {
            *reason += " (it had written that before it was asked)";
        }
        let may_be_denied = matches!(termination, CannotStart | ClosedOutput | Crash | Exit);
        let own_turns = turns.iter().filter(|turn| turn.player == player);
        let is_first = own_turns.count() == 1;
        let denied = may_be_denied.then(|| {
            let said = finished.said();
            let sandbox = &self.settings.conditions.sandbox;
            let all_said = format!("{said}\n{reason}");
            let denied = || denial::describe(&all_said, command, sandbox);
            let found = match termination {
                CannotStart => unstartable::why_not_run(command, reason).or_else(denied),
                _ => {
                    denied().or_else(|| unstartable::why_ended(command, &said).filter(|_| is_first))
                }
            };
            found.or_else(|| denial::missing_variable(&all_said, command))
        });
        let (mut denied, is_start) = (denied.flatten(), termination == CannotStart);
        if is_start {
            *reason = match (reason.split_once(": "), denied.take()) {
                (Some((cannot_start, _)), Some(why)) => format!("{cannot_start}: {why}"),
                _ => plain_words(reason),
            };
        }
        let evidence = Evidence {
            settings: self.settings,
            board,
            turns,
            colour_line: self.settings.colour_line(player),
            finished,
            termination,
        };
        *reason += &evidence.explain(|| self.start(player, command));
        if let Some(told) = denied {
            add_sentence(reason, &told);
        }
    }

    fn record(&self, over: Over) -> GameRecord {
        let mut record = self.spec.header(self.settings, self.bots);
        for (player, finished) in record.players.iter_mut().zip(over.finished) {
            player.start_up = finished.start_up;
            player.stderr_before = finished.stderr_before;
            player.stderr_after = finished.stderr_after;
        }
        record.referee = over.referee;
        record.limits = over.limits;
        record.suspect = over.is_suspect;
        record.turns = over.turns;
        record.scores = over.verdict.scores;
        record.termination = over.verdict.termination;
        record.reason = over.verdict.reason;
        if record.suspect {
            record.scores = None;
            record.reason += " (void: the machine was too busy to tell)";
        }
        record.keep_stderr(self.settings.stderr, self.settings.most_stderr);
        record
    }
}

/// Ends all bots, and adds to the turns where their time went.
pub(super) fn end_all(
    mut seats: Vec<Process>,
    turns: &mut [TurnRecord],
    limits: TimeLimits,
) -> Vec<Finished> {
    // All can end by themselves at once.
    seats.iter_mut().for_each(Process::close_stdin);
    seats.iter_mut().for_each(Process::begin_end);
    let finished: Vec<Finished> = seats.into_iter().map(Process::finish).collect();
    for (player, finished) in finished.iter().enumerate() {
        let own = turns.iter_mut().filter(|turn| turn.player == player);
        finished.note(own, limits);
    }
    finished
}
