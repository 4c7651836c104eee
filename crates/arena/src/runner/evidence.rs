//! What is known of a game that a bot has lost by its own fault, put together for the sentence that finds its mistake.

use super::trial::{self, Failure, Finding, Trial};
use crate::diagnosis::{Diagnosis, FailedTurn};
use crate::seat::{Finished, Process};
use crate::settings::GameSettings;
use crownhead::board::Side;
use crownhead_board::Board;
use crownhead_record::Termination;
use crownhead_record::TurnRecord;
use crownhead_record::judge::ColourLine;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A game at its end, and what is left of the bot that was asked last.
pub(super) struct Evidence<'a> {
    pub(super) settings: &'a GameSettings,
    pub(super) board: &'a dyn Board,
    pub(super) turns: &'a [TurnRecord],
    pub(super) colour_line: char,
    pub(super) finished: &'a Finished,
    pub(super) termination: Termination,
}

impl Evidence<'_> {
    /// What is to be added to the reason of a fault; nothing for other ends. `start` starts the bot anew, for games
    /// that are not rated.
    pub(super) fn explain(&self, mut start: impl FnMut() -> Process) -> String {
        let by_bot = [
            Termination::Timeout,
            Termination::Crash,
            Termination::OutOfMemory,
            Termination::Exit,
            Termination::IllegalReply,
            Termination::UnreadableReply,
        ];
        let Some(last) = self
            .turns
            .last()
            .filter(|_| by_bot.contains(&self.termination))
        else {
            return String::new();
        };
        // The turns that the bot was asked, each by its place among all that were asked.
        let asked: Vec<usize> = (0..self.turns.len())
            .filter(|&at| self.turns[at].player == last.player)
            .collect();
        let own_turn = asked.len();
        let opening = self.board.turn() as usize - self.turns.len();
        let turn = |own: usize| {
            let number = opening + asked[own - 1] + 1;
            self.board.before(number as u32).turn_text()
        };
        let text = |own: usize| match own {
            1 => format!("{}\n{}", self.colour_line, turn(own)),
            _ => turn(own),
        };
        let sent = text(own_turn);
        let sent_before = (own_turn > 1).then(|| text(own_turn - 1));
        let first_words = match own_turn {
            1 => &self.finished.stderr_before.kept[..],
            _ => &[],
        };
        // The end of its input can make a bot complain that had lost before.
        let last_words = match self.termination {
            Termination::Crash | Termination::OutOfMemory | Termination::Exit => {
                &self.finished.stderr_after.kept[..]
            }
            _ => &[],
        };
        let limit = self.settings.limits.of(own_turn);
        let failed = FailedTurn {
            termination: self.termination,
            limit,
            spent: self.finished.spent.last().copied(),
            own_turn,
            sent: &sent,
            sent_before: sent_before.as_deref(),
            reply: last.reply.as_deref(),
            facts: &self.finished.last_turn,
            probe: &self.finished.probe,
            stderr: &[first_words, &last.stderr.kept, last_words].concat(),
            memory: &self.finished.memory,
            memory_limit: self.settings.conditions.sandbox.limits.memory,
        };
        let Diagnosis {
            headline,
            mut causes,
            hint,
            last_line,
        } = failed.diagnose();
        let mut found = Finding::Nothing;
        if causes.is_empty() && self.may_try(own_turn) && take_one(self.settings) {
            let this = turn(own_turn);
            let before = (own_turn > 1).then(|| turn(own_turn - 1));
            let elsewhere = elsewhere(self.board, last.player, &this);
            let limits = self.limits_of_trial(limit);
            let failure = Failure {
                termination: self.termination,
                colour: self.colour_line,
                opponents_colour: self.board.game().colour_letter(1 - last.player),
                live_colour: self.live_colour(last.player),
                own_turn,
                before: before.as_deref(),
                turn: &this,
                elsewhere: elsewhere.as_deref(),
                reply: last.reply.as_deref(),
                opponents_moves: &opponents_moves(self.board),
            };
            let ask = |script: &_, listen| trial::put(start(), script, listen, limits);
            found = Trial::new(failure, ask).find();
        }
        match found {
            Finding::Mistake(mistake) => causes.push(mistake),
            Finding::AnswersAlone if causes.is_empty() && hint.is_none() => causes.push(
                "asked this turn alone, it answers: what it kept of its turns before, or left unread, leads it astray"
                    .into(),
            ),
            _ if causes.is_empty() => causes.extend(hint),
            _ => {}
        }
        causes.extend(last_line);
        let headline = headline.map(|headline| format!(": {headline}"));
        let mut told = headline.unwrap_or_default();
        for cause in causes {
            told += ". ";
            told.extend(cause.chars().next().map(|first| first.to_ascii_uppercase()));
            told += cause.get(1..).unwrap_or_default();
        }
        told
    }

    /// Whether starting the bot again may tell something.
    fn may_try(&self, own_turn: usize) -> bool {
        match self.termination {
            // One that was at work, or asleep, needed nothing but time.
            Termination::Timeout => own_turn > 1 && self.finished.probe.awaited_input(),
            _ => true,
        }
    }

    /// How long the bot is waited for when its turns are put to it again, before the turn in which it failed, which
    /// had this limit, and in it: not much longer than it needed in the game, and time for its interpreter to start on
    /// a busy machine, for some of the ways in which they are put leave it waiting for more.
    fn limits_of_trial(&self, limit: Duration) -> [Duration; 2] {
        let timed_out = usize::from(self.termination == Termination::Timeout);
        let spent = self.finished.spent.iter().rev().skip(timed_out);
        let longest = spent.map(|spent| spent.wall).max().unwrap_or_default();
        let enough = 2 * longest + Duration::from_secs(1);
        [
            self.settings.limits.first_turn.min(enough),
            limit.min(enough),
        ]
    }

    /// The letter by which the live site tells this player, if the bot was told another.
    fn live_colour(&self, player: usize) -> Option<char> {
        let live = ColourLine::Live.letter(self.board.game().colour_letter(player));
        (live != self.colour_line).then_some(live)
    }
}

/// A turn of a player early in a game, in another position than `turn`.
fn elsewhere(board: &dyn Board, player: usize, turn: &str) -> Option<String> {
    // Both have moved: the least that every bot has seen.
    const PLIES: usize = 2;
    let mut board = board.game().start(*board.rules());
    for ply in 0..8 {
        let moves = board.legal_moves();
        let text = board.turn_text();
        let first = moves.first()?;
        if ply >= PLIES && board.mover() == player && text != turn {
            return Some(text);
        }
        board.play(first);
    }
    None
}

/// The moves that the other player would have here, were it on move.
fn opponents_moves(board: &dyn Board) -> Vec<String> {
    let turned = board
        .game()
        .set_up(&board.rows(), 1 - board.mover(), *board.rules());
    turned.map_or_else(|_| Vec::new(), |turned| turned.legal_moves())
}

/// Whether one more failure of the run may be looked into.
fn take_one(settings: &GameSettings) -> bool {
    let order = Ordering::Relaxed;
    let less = |left: u32| left.checked_sub(1);
    settings.trials.fetch_update(order, order, less).is_ok()
}
