//! Finds mistakes in reading the input by trying: the bot is started again, and its last two turns are put to it in
//! other ways. An answer that is legal only one way tells what it reads.

use crate::judge::TimeLimits;
use crate::seat::Process;
use std::time::Duration;

/// A bot's failure in a turn that was not its first.
pub(super) struct Trial<'a, S> {
    /// Starts the bot.
    pub(super) start: S,
    pub(super) colour_line: char,
    /// The turn before, and the turn in which it failed, without a colour line.
    pub(super) before: &'a str,
    pub(super) turn: &'a str,
    pub(super) own_turn: usize,
    pub(super) limits: TimeLimits,
}

/// What trying tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Finding {
    /// What the bot reads that it should not, or the other way round.
    Mistake(String),
    /// It answers the turn where nothing comes before it.
    AnswersAlone,
    /// Nothing.
    Nothing,
}

/// The most shortened lists that are tried.
const MOST_SHORTENED: usize = 4;

/// Rows of the board and the number of moves: what comes before the list.
const HEAD: usize = 9;

impl<S: FnMut() -> Process> Trial<'_, S> {
    /// Tries the other ways.
    pub(super) fn find(&mut self) -> Finding {
        let (before, turn) = (self.before, self.turn);
        if self.answers(&[before, turn]) {
            // It does not fail again.
            return Finding::Nothing;
        }
        let coloured = format!("{}\n{turn}", self.colour_line);
        if self.own_turn == 2 && self.answers(&[before, &coloured]) {
            return Finding::Mistake(
                "with the colour line before this turn too it answers: it reads that line at every turn, and it \
                 comes once, before the first turn"
                    .into(),
            );
        }
        if !self.answers(&[turn]) {
            return Finding::Nothing;
        }
        let lines: Vec<&str> = before.split_inclusive('\n').collect();
        let moves = lines.len().saturating_sub(HEAD);
        // The usual slips first: the last move forgotten, only the first one read, none.
        let mut shorter: Vec<usize> = (0..moves).rev().collect();
        shorter.sort_by_key(|&read| (read + 1 != moves, read > 1, read == 0));
        for read in shorter.into_iter().take(MOST_SHORTENED) {
            let part = lines[..HEAD + read].concat();
            if self.answers(&[&part, turn]) {
                return Finding::Mistake(format!(
                    "it reads {read} of the {moves} moves of a list: the next line, `{}`, is still there when it \
                     reads its next turn; read the whole list",
                    lines[HEAD + read].trim_end()
                ));
            }
        }
        Finding::AnswersAlone
    }

    /// Whether a bot that is put these turns, the first with the colour line, answers the last with a move of its
    /// list, within the game's limits.
    fn answers(&mut self, turns: &[&str]) -> bool {
        let mut seat = (self.start)();
        let mut reply = None;
        for (place, turn) in turns.iter().enumerate() {
            let (request, limit): (String, Duration) = match place {
                0 => (
                    format!("{}\n{turn}", self.colour_line),
                    self.limits.first_turn,
                ),
                _ => (turn.to_string(), self.limits.turn),
            };
            reply = seat.put(&request, limit).reply.ok();
            if reply.is_none() {
                return false;
            }
        }
        let reply = reply.unwrap_or_default();
        let last = turns.last().map_or("", |turn| turn);
        let mut moves = last
            .lines()
            .rev()
            .take_while(|line| !line.starts_with(|c: char| c.is_ascii_digit()));
        moves.any(|listed| listed.as_bytes() == reply.trim_ascii_end())
    }
}
