//! One turn put to one bot, without a game around it.

use super::evidence::Evidence;
use super::spec::{Participant, command};
use crate::seat::{Placement, Process};
use crate::settings::GameSettings;
use crate::table;
use crownhead_board::Board;
use crownhead_record::TurnRecord;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A turn to be put to a bot.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The game as it stands in that turn.
    pub board: &'a dyn Board,
    /// What the bot is sent, turn by turn, the turn itself last. The first begins with the colour line.
    pub requests: &'a [String],
    /// The turns of both bots that were asked before, in order, as far as they count; among them the bot's own
    /// that it is sent.
    pub before: &'a [TurnRecord],
    /// The letter of its colour line.
    pub colour_line: char,
}

/// What became of a turn that was put to a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AskedTurn {
    /// The bot's turns, in order: those before that it was sent, and the turn itself last. Fewer if it failed in one
    /// before.
    pub turns: Vec<TurnRecord>,
    /// The name of the legal move that it answered last, or the sentence that tells why it lost.
    pub answer: Result<String, String>,
}

/// Puts a turn to a fresh process of a bot, as it would have had it in the game.
pub fn ask(
    settings: &GameSettings,
    bot: &Participant,
    question: &Question<'_>,
    interrupted: &Arc<AtomicBool>,
) -> AskedTurn {
    let board = question.board;
    let player = board.mover();
    let start = || {
        let mut command = command(settings, bot, settings.seed);
        let own = settings.contest.colour_letter(player);
        let (conditions, anywhere) = (&settings.conditions, Placement::default());
        let interrupted = interrupted.clone();
        Process::start(&mut command, own, conditions, &anywhere, interrupted)
    };
    let mut seat = start();
    let mut turns = Vec::with_capacity(question.requests.len());
    let mut last = None;
    for (place, request) in question.requests.iter().enumerate() {
        let answer = seat.put(request, 1, settings.limits.of(place + 1));
        turns.push(answer.record(player));
        let failed = answer.reply.is_err();
        last = Some(answer.reply);
        if failed {
            break;
        }
    }
    let verdict = last.map(|reply| table::judge(&reply, board));
    seat.probe(&board.turn_text());
    seat.close_stdin();
    let finished = seat.finish();
    finished.note(turns.iter_mut(), settings.limits);
    let answer = match verdict {
        None => Err("nothing was asked".into()),
        Some(Ok(name)) => Ok(name),
        Some(Err(mut lost)) => {
            let mut asked: Vec<TurnRecord> = question.before.to_vec();
            asked.extend(turns.last().cloned());
            let evidence = Evidence {
                settings,
                board: Some(board),
                turns: &asked,
                colour_line: Some(question.colour_line),
                finished: &finished,
                termination: lost.termination,
            };
            // What it failed in before is another turn than the one that the game shows.
            if turns.len() == question.requests.len() {
                lost.reason += &evidence.explain(start);
            }
            Err(lost.reason)
        }
    };
    AskedTurn { turns, answer }
}
