//! Asks one bot one turn, without a game around it.

use super::evidence::Evidence;
use super::spec::{Participant, command};
use crate::seat::{Placement, Process};
use crate::settings::GameSettings;
use crate::table;
use crownhead_bots::Board;
use crownhead_record::TurnRecord;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A turn that a bot is asked.
#[derive(Debug)]
pub struct Question {
    /// The game as it stands in that turn, if Crownhead knows the game.
    pub board: Option<Box<dyn Board>>,
    /// The number of the bot's player.
    pub player: usize,
    /// What the bot is asked, turn by turn, the turn itself last. The first begins with the colour line, if there is one.
    pub requests: Vec<RecordedRequest>,
    /// The turns of both bots that were asked before, in order, as far as they count; among them the bot's own
    /// that it is sent.
    pub before: Vec<TurnRecord>,
    /// The letter of its colour line, if it is sent one.
    pub colour_line: Option<char>,
    /// How long it waits for the first of them.
    pub wait: Duration,
}

/// What a bot is asked in one turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedRequest {
    /// What it is sent.
    pub text: String,
    /// How many lines the reply has.
    pub lines: usize,
    /// How long it may take; `None` for the limit in force.
    pub limit: Option<Duration>,
}

impl From<String> for RecordedRequest {
    /// A turn of a board game.
    fn from(text: String) -> RecordedRequest {
        RecordedRequest {
            text,
            lines: 1,
            limit: None,
        }
    }
}

/// How a bot answered a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AskedTurn {
    /// The bot's turns, in order: those before that it was sent, and the turn itself last. Fewer if it failed in one
    /// before.
    pub turns: Vec<TurnRecord>,
    /// The legal move that the last reply names; in an external referee's game, the reply itself. If the bot lost, the
    /// sentence that says why.
    pub answer: Result<String, String>,
}

/// Asks a fresh process of a bot a turn, as in a game.
pub fn ask(
    settings: &GameSettings,
    bot: &Participant,
    question: &Question,
    interrupted: &Arc<AtomicBool>,
) -> AskedTurn {
    let (board, player) = (question.board.as_deref(), question.player);
    let start = || {
        let mut command = command(settings, bot, settings.seed);
        let own = board.map(|board| board.game().colour_letter(player));
        let (conditions, anywhere) = (&settings.conditions, Placement::default());
        let interrupted = interrupted.clone();
        Process::start(&mut command, own, conditions, &anywhere, interrupted)
    };
    let mut seat = start();
    std::thread::sleep(question.wait);
    let mut turns = Vec::with_capacity(question.requests.len());
    let mut last = None;
    for (place, request) in question.requests.iter().enumerate() {
        let RecordedRequest { text, lines, limit } = request;
        let limit_in_force = limit.unwrap_or_else(|| settings.limits.of(place + 1));
        let answer = seat.put(text, *lines, limit_in_force);
        turns.push(TurnRecord {
            sent: board.is_none().then(|| text.clone()),
            lines: *lines,
            limit: *limit,
            ..answer.record(player)
        });
        let failed = answer.reply.is_err();
        last = Some(answer.reply);
        if failed {
            break;
        }
    }
    let reply = turns.last().and_then(|turn| turn.reply.clone());
    let judged = last.map(|answer| {
        answer.and_then(|answer| match board {
            Some(board) => table::match_reply(&answer, &board.legal_moves(), board),
            // Only the game's referee can judge it.
            None => Ok(reply.unwrap_or_default()),
        })
    });
    let next_turn = board.map(|board| board.turn_text());
    let last_turn = question.requests.last().map(|last| last.text.clone());
    if let Some(turn) = next_turn.or(last_turn) {
        seat.probe(&turn);
    }
    seat.close_stdin();
    let finished = seat.finish();
    finished.note(turns.iter_mut(), settings.limits);
    let answer = match judged {
        None => Err("nothing was asked".into()),
        Some(Ok(name)) => Ok(name),
        Some(Err(fault)) => {
            let mut reason = fault.describe(board.map_or("the bot", |board| board.mover_name()));
            let mut asked = question.before.clone();
            asked.extend(turns.last().cloned());
            let evidence = Evidence {
                settings,
                board,
                turns: &asked,
                colour_line: question.colour_line,
                finished: &finished,
                termination: fault.termination(),
            };
            // What it failed in before is another turn than the one that the game shows.
            if turns.len() == question.requests.len() {
                reason += &evidence.explain(start);
            }
            Err(reason)
        }
    };
    AskedTurn { turns, answer }
}
