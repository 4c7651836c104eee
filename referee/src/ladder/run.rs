//! Playing the games of a match, several at once, one thread a game.

use super::plan::{Fixture, MatchPlan};
use crate::judge::{Termination, escaped};
use crate::record::{GameRecord, PlayerRecord, Recorder, VERSION};
use crate::seat::{Defaults, Process, Seat};
use crate::table::{self, Policy};
use crownhead::board::Side;
use crownhead::history::History;
use crownhead::notation::Notation;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Plays the whole match and hands each game to `finished` as soon as it is over, on the calling thread.
///
/// Games come in the order in which they end. Once `interrupted` is set, no game begins and those under way
/// end as referee faults. When `finished` fails, the match ends early with its error.
///
/// # Errors
/// When `finished` fails.
pub fn run<G: Notation, E>(
    plan: &MatchPlan,
    interrupted: &Arc<AtomicBool>,
    mut finished: impl FnMut(GameRecord) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicU64::new(1);
    thread::scope(|scope| {
        let (sender, games) = mpsc::channel();
        for _ in 0..plan.concurrency.max(1) {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                while !interrupted.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number > plan.games {
                        return;
                    }
                    let Some(fixture) = plan.fixture::<G>(number) else {
                        return;
                    };
                    for game in played(plan, &fixture, interrupted) {
                        if sender.send(game).is_err() {
                            return;
                        }
                    }
                }
            });
        }
        drop(sender);
        games.into_iter().try_for_each(|game| {
            finished(game).inspect_err(|_| interrupted.store(true, Ordering::Relaxed))
        })
    })
}

/// One game, and once more if it is suspect and that is wanted.
fn played<G: Notation>(
    plan: &MatchPlan,
    fixture: &Fixture<G>,
    interrupted: &Arc<AtomicBool>,
) -> Vec<GameRecord> {
    let mut first = play(plan, fixture, interrupted);
    if !(first.suspect && plan.replay_suspect) || interrupted.load(Ordering::Relaxed) {
        return vec![first];
    }
    let second = play(plan, fixture, interrupted);
    first.replayed = second.result.is_some();
    vec![first, second]
}

/// Plays one game between two fresh processes.
fn play<G: Notation>(
    plan: &MatchPlan,
    fixture: &Fixture<G>,
    interrupted: &Arc<AtomicBool>,
) -> GameRecord {
    let mut history = History::<G>::new(plan.rules);
    let mut opening = Vec::with_capacity(fixture.opening.len());
    for &mv in &fixture.opening {
        opening.push(history.position().move_name(mv));
        history.play(mv).expect("an opening is legal");
    }
    let mut commands = Side::BOTH.map(|side| command(plan, fixture, side));
    let mut seats = Side::BOTH.map(|side| {
        let command = &mut commands[side.index()];
        let colour = G::side_letter(side);
        Process::start(command, colour, &plan.conditions, interrupted.clone())
    });
    let [black, white] = &mut seats;
    black.face(white);
    let mut recorder = Recorder::default();
    let mut verdict = {
        let [black, white] = &mut seats;
        let seats: [&mut dyn Seat<G>; 2] = [black, white];
        table::play(
            &mut history,
            seats,
            &mut Policy::strict(plan.limits),
            &mut recorder,
        )
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
        name: plan.bots[bot_of(fixture, side)].name.clone(),
        command: command_line(&commands[side.index()]),
        log: escaped(&finished[side.index()].log),
    };
    GameRecord {
        version: VERSION,
        game: G::NAME.into(),
        rules: plan.rules.name.into(),
        number: fixture.number,
        seed: plan.seed,
        black: player(Side::Black),
        white: player(Side::White),
        limits: plan.limits,
        profile: plan.conditions.profile.name.into(),
        clock: plan.conditions.clock,
        suspect: last.is_some_and(|last| last.starved),
        replayed: false,
        max_turns: plan.rules.length.max_turns,
        opening,
        turns,
        result: verdict.result.map(Into::into),
        termination: verdict.termination,
        reason: verdict.reason,
    }
}

fn bot_of<G: Notation>(fixture: &Fixture<G>, side: Side) -> usize {
    match side {
        Side::Black => fixture.black,
        Side::White => 1 - fixture.black,
    }
}

fn command<G: Notation>(plan: &MatchPlan, fixture: &Fixture<G>, side: Side) -> Command {
    let bot = bot_of(fixture, side);
    plan.bots[bot].command(&Defaults {
        crownhead: plan.crownhead.clone(),
        seed: fixture.bot_seeds[bot],
        time: plan.limits.turn,
        game: G::NAME,
        rules: plan.rules.name,
    })
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
