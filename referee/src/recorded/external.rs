//! A recorded game that an external referee judged: what each bot was sent and answered, and what the referee said.
//!
//! Has no board: positions, their worth and PDN are for games that Crownhead knows.

use super::super::words::{stats_in_words, write_stderr};
use super::list::player;
use super::view::Shown;
use crate::failure::{Failure, usage};
use crownhead_record::numbers::{show_limit, show_time};
use crownhead_record::text::printable;
use crownhead_record::{GameRecord, RefereeRecord, TurnRecord};
use serde_json::{Value, json};
use std::fmt::Display;
use std::io::Write;

/// Refuses an option that needs a board.
pub(crate) fn has_no_board(option: impl Display) -> Failure {
    usage(format_args!(
        "{option} needs a board, and this game is known to its referee alone"
    ))
}

/// A game of an external referee.
pub(crate) struct ExternalView<'a> {
    record: &'a GameRecord,
    referee: &'a RefereeRecord,
}

impl<'a> ExternalView<'a> {
    /// The game of this record; `None` for a board game.
    pub(crate) fn of(record: &'a GameRecord) -> Option<ExternalView<'a>> {
        let referee = record.referee.as_ref()?;
        Some(ExternalView { record, referee })
    }

    /// The turn of this number, from 1.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn find(&self, number: usize) -> Result<&'a TurnRecord, Failure> {
        let turn = number
            .checked_sub(1)
            .and_then(|place| self.record.turns.get(place));
        turn.ok_or_else(|| {
            let (game, last) = (self.record.number, self.record.turns.len());
            usage(format_args!(
                "--turn {number}: game {game} has turns 1 to {last}"
            ))
        })
    }

    /// All turns of the bot that was asked in this turn, up to it.
    pub(crate) fn own_turns(&self, number: usize) -> Result<Vec<&'a TurnRecord>, Failure> {
        let player = self.find(number)?.player;
        let turns = self.record.turns[..number].iter();
        Ok(turns.filter(|turn| turn.player == player).collect())
    }

    /// What that bot was sent, from the beginning of the game to this turn.
    ///
    /// # Errors
    /// When there is no such turn.
    pub(crate) fn protocol(&self, number: usize) -> Result<String, Failure> {
        let turns = self.own_turns(number)?.into_iter();
        Ok(turns.filter_map(|turn| turn.sent.as_deref()).collect())
    }

    /// One turn with what the bot was sent.
    ///
    /// # Errors
    /// When there is no such turn.
    pub(crate) fn write_turn(&self, number: usize, out: &mut dyn Write) -> Result<(), Failure> {
        let turn = self.find(number)?;
        let (game, player) = (self.record.number, player(self.record, turn.player));
        writeln!(out, "Game {game}, turn {number}: {player} was sent\n")?;
        for line in turn.sent.iter().flat_map(|sent| sent.lines()) {
            writeln!(out, "  {}", printable(line))?;
        }
        writeln!(out)?;
        self.show(number - 1, out)?;
        self.answer(number, out)?;
        self.said_after(number, out)?;
        if self.record.fault_turn() == Some(number - 1) {
            writeln!(out, "{}", self.record.reason)?;
        }
        Ok(())
    }

    /// One turn as programs read it.
    ///
    /// # Errors
    /// When there is no such turn.
    pub(crate) fn turn_json(&self, number: usize) -> Result<Value, Failure> {
        let mut value = json!(self.find(number)?);
        value["game"] = json!(self.record.number);
        value["turn"] = json!(number);
        if self.record.fault_turn() == Some(number - 1) {
            value["termination"] = json!(self.record.termination);
            value["reason"] = json!(self.record.reason);
        }
        Ok(value)
    }

    /// What the bot replied, how fast, and its stats and standard error.
    fn answer(&self, number: usize, out: &mut dyn Write) -> Result<(), Failure> {
        let turn = self.find(number)?;
        let (player, time) = (player(self.record, turn.player), show_time(turn.time));
        let limit = turn
            .limit
            .map_or_else(String::new, |limit| format!(" of {}", show_limit(limit)));
        match turn.reply.as_deref() {
            None => writeln!(
                out,
                "Turn {number}: {player} did not answer; {time} went by{limit}"
            )?,
            Some(reply) if reply.contains('\n') => {
                writeln!(out, "Turn {number}: {player} answered in {time}{limit}")?;
                for line in reply.lines() {
                    writeln!(out, "  {line}")?;
                }
            }
            Some(reply) => {
                writeln!(
                    out,
                    "Turn {number}: {player} answered `{reply}` in {time}{limit}"
                )?;
            }
        }
        if let Some(opening) = &turn.opening {
            writeln!(out, "The referee was given the opening's answer instead:")?;
            for line in opening.lines() {
                writeln!(out, "  {}", printable(line))?;
            }
        }
        if !turn.said.is_empty() {
            writeln!(out, "stats: {}", stats_in_words(&turn.said))?;
        }
        write_stderr(&turn.stderr, out)?;
        Ok(())
    }

    /// The referee's view of the game after this turn, if it has one: text, or where to see the picture.
    fn show(&self, number: usize, out: &mut dyn Write) -> Result<(), Failure> {
        let mut until = self.referee.frames.iter();
        let shown = until.rfind(|frame| frame.turn <= number && !frame.show.is_empty());
        let Some(frame) = shown else { return Ok(()) };
        if frame.is_svg() {
            writeln!(
                out,
                "(the referee shows a picture, which the page of `crownhead serve` has)"
            )?;
        } else {
            for line in frame.show.lines() {
                writeln!(out, "{}", printable(line))?;
            }
        }
        Ok(writeln!(out)?)
    }

    /// The referee's view after this turn, and its messages until the next one.
    fn said_after(&self, number: usize, out: &mut dyn Write) -> Result<(), Failure> {
        self.show(number, out)?;
        let frames = self
            .referee
            .frames
            .iter()
            .filter(|frame| frame.turn == number);
        for line in frames.flat_map(|frame| &frame.summary) {
            let line = self.summary(line);
            if !line.is_empty() {
                writeln!(out, "referee: {line}")?;
            }
        }
        Ok(())
    }

    /// A line of a summary without its colours (`¤RED¤` to `§RED§`), and with names for `$0` and so on (the engine's
    /// `GameManager` and its viewer, 4.5).
    fn summary(&self, line: &str) -> String {
        let is_colour =
            |part: &&str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_uppercase());
        let parts = line.split(['¤', '§']).filter(|part| !is_colour(part));
        let mut text: String = parts.collect();
        for (place, player) in self.record.players.iter().enumerate().rev() {
            text = text.replace(&format!("${place}"), &player.name);
        }
        printable(text.trim())
    }
}

impl Shown for ExternalView<'_> {
    fn last(&self) -> usize {
        self.record.turns.len()
    }

    fn of_interest(&self) -> usize {
        self.record.decisive_turn().map_or(0, |place| place + 1)
    }

    fn worst(&self, out: &mut dyn Write) -> Result<Option<usize>, Failure> {
        writeln!(
            out,
            "Only its referee knows what a position of this game is worth."
        )?;
        Ok(None)
    }

    fn title(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let players = 0..self.record.players.len();
        let players: Vec<String> = players.map(|place| player(self.record, place)).collect();
        let GameRecord {
            number,
            game,
            rules,
            ..
        } = self.record;
        let rules = if rules.is_empty() {
            String::new()
        } else {
            format!(", {rules}")
        };
        Ok(writeln!(
            out,
            "Game {number}: {}, {game}{rules}, seed {}\n",
            players.join(" against "),
            self.referee.seed
        )?)
    }

    fn turn(&self, number: usize, out: &mut dyn Write) -> Result<(), Failure> {
        if number > 0 {
            self.answer(number, out)?;
        }
        self.said_after(number, out)
    }

    fn verdict(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let scores = self.record.players.iter().zip(&self.referee.scores);
        let scores: Vec<String> = scores
            .map(|(player, score)| format!("{} {score}", player.name))
            .collect();
        if !scores.is_empty() {
            writeln!(out, "\nScores: {}", scores.join(", "))?;
        }
        if let Some(reason) = &self.referee.reason {
            writeln!(out, "The referee says: {}", printable(reason))?;
        }
        if self.record.scores.is_none() {
            write!(out, "No result: ")?;
        }
        if self.record.fault_turn().is_some() || scores.is_empty() {
            writeln!(out, "{}", self.record.reason)?;
        }
        Ok(())
    }
}
