//! One turn put to one bot, without a game around it.

use super::evidence::Evidence;
use super::participant::{Participant, command};
use crate::seat::{Placement, Process};
use crate::settings::GameSettings;
use crate::table::{self, TimedReply};
use crownhead_board::Board;
use crownhead_record::TurnRecord;
use crownhead_record::text::escaped;
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
    /// For a bot that plays by chance.
    pub seed: u64,
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
        let mut command = command(settings, bot, question.seed);
        let own = settings.game.colour_letter(player);
        let (conditions, anywhere) = (&settings.conditions, Placement::default());
        Process::start(
            &mut command,
            own,
            conditions,
            &anywhere,
            interrupted.clone(),
        )
    };
    let mut seat = start();
    let mut turns = Vec::with_capacity(question.requests.len());
    let mut last = None;
    for (place, request) in question.requests.iter().enumerate() {
        let limit = settings.limits.of(place + 1);
        let TimedReply { reply, time } = seat.put(request, limit);
        let text = reply.as_deref().ok().map(escaped);
        turns.push(TurnRecord::new(player, text, time));
        let failed = reply.is_err();
        last = Some(reply);
        if failed {
            break;
        }
    }
    let verdict = last.as_ref().map(|reply| table::judge(reply, board));
    let too_late = matches!(&verdict, Some(Err(lost)) if lost.termination == crownhead_record::Termination::Timeout);
    let limit = settings.limits.of(turns.len());
    let probe = too_late.then(|| seat.probe(&board.turn_text(), limit));
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
                board,
                turns: &asked,
                colour_line: question.colour_line,
                finished: &finished,
                probe: probe.unwrap_or_default(),
                limits: settings.limits,
                termination: lost.termination,
                fault: last.as_ref().and_then(|reply| reply.as_ref().err()),
            };
            // What it failed in before is another turn than the one that the game shows.
            if turns.len() == question.requests.len() {
                lost.reason += &evidence.explain(settings, start);
            }
            Err(lost.reason)
        }
    };
    AskedTurn { turns, answer }
}
