//! What is known of a game that a bot has lost by its own fault, put together for the sentence that finds its mistake.

use super::trial::{self, Failure, Trial};
use crate::diagnosis::{Doing, FailedTurn};
use crate::seat::{Finished, Process};
use crate::settings::GameSettings;
use crownhead_bots::Board;
use crownhead_record::judge::ColourLine;
use crownhead_record::{Termination, TurnRecord};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How many failures of a run are looked into by starting the bot again: its author repairs one at a time.
const MOST_TRIALS: u32 = 5;

/// A game at its end, and what is left of the bot that was asked last.
pub(super) struct Evidence<'a> {
    pub(super) settings: &'a GameSettings,
    /// In a game that Crownhead knows.
    pub(super) board: Option<&'a dyn Board>,
    pub(super) turns: &'a [TurnRecord],
    /// Where one is sent.
    pub(super) colour_line: Option<char>,
    pub(super) finished: &'a Finished,
    pub(super) termination: Termination,
}

impl Evidence<'_> {
    /// What is to be added to the reason of a fault; nothing for other ends. `start` starts the bot anew, for games
    /// that are not rated.
    pub(super) fn explain(&self, start: impl FnMut() -> Process) -> String {
        use Termination::{Crash, Exit, IllegalReply, OutOfMemory, Timeout, UnreadableReply};
        let by_bot = matches!(
            self.termination,
            Timeout | Crash | OutOfMemory | Exit | IllegalReply | UnreadableReply
        );
        let Some(last) = self.turns.last().filter(|_| by_bot) else {
            return String::new();
        };
        // The turns that the bot was asked, from the last, each by its place among all that were asked.
        let places = (0..self.turns.len()).rev();
        let own: Vec<usize> = places
            .filter(|&at| self.turns[at].player == last.player)
            .collect();
        let turn = |at: usize| self.sent(at);
        let (this, before) = (turn(own[0]), own.get(1).map(|&at| turn(at)));
        let coloured = |turn: &str, number| match self.colour_line {
            Some(colour) if number == 1 => format!("{colour}\n{turn}"),
            _ => turn.into(),
        };
        let sent = coloured(&this, own.len());
        let sent_before = before
            .as_ref()
            .map(|before| coloured(before, own.len() - 1));
        let mut words = Vec::new();
        if own.len() == 1 {
            words.extend_from_slice(&self.finished.stderr_before.kept);
        }
        words.extend_from_slice(&last.stderr.kept);
        // The end of its input can make a bot complain that had lost before.
        if [Crash, OutOfMemory, Exit].contains(&self.termination) {
            words.extend_from_slice(&self.finished.stderr_after.kept);
        }
        let failed = FailedTurn {
            termination: self.termination,
            limit: (last.limit).unwrap_or_else(|| self.settings.limits.of(own.len())),
            spent: self.finished.spent.last().copied(),
            own_turn: own.len(),
            sent: &sent,
            has_board: self.board.is_some(),
            sent_before: sent_before.as_deref(),
            reply: last.reply.as_deref(),
            facts: &self.finished.last_turn,
            probe: &self.finished.probe,
            stderr: &words,
            memory: &self.finished.memory,
        };
        let mut found = failed.diagnose();
        if found.causes.is_empty() {
            let has_hint = found.hint.is_some();
            let tried = self.try_again(&failed, this, before, has_hint, start);
            found.causes.extend(tried.or(found.hint));
        }
        let headline = found.headline.map(|headline| format!(": {headline}"));
        let mut told = headline.unwrap_or_default();
        for cause in found.causes.into_iter().chain(found.last_line) {
            add_sentence(&mut told, &cause);
        }
        told
    }

    /// What the player was sent that was asked in the turn at this place, without a colour line.
    fn sent(&self, place: usize) -> String {
        match self.board {
            Some(board) => {
                let opening = board.turn() as usize - self.turns.len();
                board.before((opening + place + 1) as u32).turn_text()
            }
            None => self.turns[place].sent.clone().unwrap_or_default(),
        }
    }

    /// What starting the bot again shows, if it can show something and the limit of such trials is not reached.
    fn try_again(
        &self,
        failed: &FailedTurn<'_>,
        turn: String,
        before: Option<String>,
        has_hint: bool,
        mut start: impl FnMut() -> Process,
    ) -> Option<String> {
        let board = self.board?;
        let timed_out = self.termination == Termination::Timeout;
        let awaited_input = matches!(failed.probe.doing, Some(Doing::AwaitsInput { .. }));
        // A bot that worked or slept only needed time.
        let needed_time = timed_out && (failed.own_turn == 1 || !awaited_input);
        let trials = &self.settings.trials;
        if needed_time || trials.fetch_add(1, Ordering::Relaxed) >= MOST_TRIALS {
            return None;
        }
        // Not much longer than the bot needed in the game, and time for its interpreter to start on a busy machine, for
        // some of the ways in which its turns are put to it leave it waiting for more.
        let spent = self.finished.spent.iter().rev().skip(timed_out.into());
        let longest = spent.map(|spent| spent.wall).max().unwrap_or_default();
        let enough = 2 * longest + Duration::from_secs(1);
        let limits = [self.settings.limits.first_turn, failed.limit].map(|limit| limit.min(enough));
        let (game, player) = (board.game(), board.mover());
        let colour = self
            .colour_line
            .unwrap_or_else(|| game.colour_letter(player));
        let live_colour = ColourLine::Live.letter(game.colour_letter(player));
        let failure = Failure {
            termination: self.termination,
            size: game.size(),
            colour,
            opponents_colour: game.colour_letter(1 - player),
            live_colour: (live_colour != colour).then_some(live_colour),
            own_turn: failed.own_turn,
            before,
            elsewhere: elsewhere(board, player, &turn),
            turn,
            reply: failed.reply,
            opponents_moves: opponents_moves(board),
            has_hint,
        };
        let ask = |script: &_, listen| trial::put(start(), script, listen, limits);
        Trial::new(failure, ask).find()
    }
}

/// Adds a sentence, which begins with a small letter of ASCII, to others.
pub(super) fn add_sentence(to: &mut String, sentence: &str) {
    let (first, rest) = sentence.split_at(1);
    *to += &format!(". {}{rest}", first.to_ascii_uppercase());
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
