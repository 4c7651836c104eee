//! A recorded game as people look at it, and one of its turns.

use super::file::recorded_game;
use super::list::player;
use super::turn::{
    position_json, write_answer, write_lines, write_position, write_referees_view,
    write_referees_words,
};
use crate::draw::Drawing;
use crate::failure::{Failure, usage};
use crownhead_record::{GameRecord, RecordedGame, TurnRecord};
use serde_json::{Value, json};
use std::fmt::Display;
use std::io::Write;
use std::path::Path;

/// Refuses an option that needs a board.
pub(crate) fn has_no_board(option: impl Display) -> Failure {
    usage(format_args!(
        "{option} needs a board, and this game is known to its referee alone"
    ))
}

/// A recorded game as people look at it.
pub(crate) struct View<'a> {
    pub(super) record: &'a GameRecord,
    /// `None` if an external referee alone knows the game.
    pub(crate) board: Option<RecordedGame<'a>>,
    pub(super) drawing: Drawing,
}

impl<'a> View<'a> {
    /// The game of this record, which stands in this file.
    ///
    /// # Errors
    /// If no game has this name, or its moves cannot be played.
    pub(crate) fn new(
        record: &'a GameRecord,
        file: &Path,
        drawing: Drawing,
    ) -> Result<View<'a>, Failure> {
        let is_external = record.referee.is_some();
        let board = (!is_external).then(|| recorded_game(record, file));
        Ok(View {
            record,
            board: board.transpose()?,
            drawing,
        })
    }

    /// The game on its board, which an option needs.
    ///
    /// # Errors
    /// If an external referee alone knows the game.
    pub(crate) fn on_board(&self, option: &str) -> Result<&RecordedGame<'a>, Failure> {
        self.board.as_ref().ok_or_else(|| has_no_board(option))
    }

    /// The place in the record of the turn with this number.
    ///
    /// # Errors
    /// If no bot was asked in such a turn.
    pub(crate) fn place(&self, number: usize) -> Result<usize, Failure> {
        let GameRecord {
            number: game,
            opening,
            turns,
            ..
        } = self.record;
        let place = number.checked_sub(opening.len() + 1);
        place.filter(|&place| place < turns.len()).ok_or_else(|| {
            let (first, last) = (opening.len() + 1, opening.len() + turns.len());
            usage(format_args!(
                "--turn {number}: the bots of game {game} were asked in turns {first} to {last}"
            ))
        })
    }

    /// The turn that people look for first: that of a fault, or the last one.
    pub(crate) fn of_interest(&self) -> usize {
        match &self.board {
            Some(recorded) => recorded.of_interest(),
            None => self.record.decisive_turn().map_or(1, |place| place + 1),
        }
    }

    /// What the bot that was asked in this turn was sent, each of its turns from the start of the game to it.
    ///
    /// # Errors
    /// If no bot was asked in it.
    pub(crate) fn requests(&self, number: usize) -> Result<Vec<String>, Failure> {
        let place = self.place(number)?;
        if let Some(recorded) = &self.board {
            return Ok(recorded.requests(number));
        }
        let turns = &self.record.turns[..=place];
        let own = turns
            .iter()
            .filter(|turn| turn.player == turns[place].player);
        Ok(own
            .map(|turn| turn.sent.clone().unwrap_or_default())
            .collect())
    }

    /// One turn with what the bot was sent: a position, or the referee's lines. Turns are counted from 1, including
    /// those of the opening.
    ///
    /// # Errors
    /// If a referee's game has no such turn.
    pub(crate) fn write_turn(&self, number: usize, out: &mut dyn Write) -> Result<(), Failure> {
        let record = self.record;
        let turn = match &self.board {
            Some(recorded) => {
                let board = recorded.before(number);
                let mover = player(record, board.mover());
                writeln!(
                    out,
                    "Game {}, turn {number}: {mover} to move",
                    record.number
                )?;
                write_position(board.as_ref(), self.drawing, out)?;
                let Some(place) = recorded.place(number) else {
                    return Ok(writeln!(out, "The opening has its move.")?);
                };
                &record.turns[place]
            }
            None => {
                let turn = &record.turns[self.place(number)?];
                let player = player(record, turn.player);
                writeln!(
                    out,
                    "Game {}, turn {number}: {player} was sent\n",
                    record.number
                )?;
                write_lines(turn.sent.as_deref().unwrap_or_default(), out)?;
                writeln!(out)?;
                write_referees_view(record, number - 1, out)?;
                turn
            }
        };
        write_answer("It", turn, "", out)?;
        write_referees_words(record, number, out)?;
        if self.lost_by(turn) {
            writeln!(out, "{}", record.reason)?;
        }
        Ok(())
    }

    /// The same as programs read it; of a board game with the rows and the moves.
    ///
    /// # Errors
    /// If a referee's game has no such turn.
    pub(crate) fn turn_json(&self, number: usize) -> Result<Value, Failure> {
        let record = self.record;
        let board = self.board.as_ref().map(|recorded| recorded.before(number));
        let mut value = board.as_deref().map_or(json!({}), position_json);
        let place = match &self.board {
            Some(recorded) => recorded.place(number),
            None => Some(self.place(number)?),
        };
        if let (Some(place), Some(all)) = (place, value.as_object_mut()) {
            let turn = &record.turns[place];
            if let Value::Object(turn) = json!(turn) {
                all.extend(turn);
            }
            if self.lost_by(turn) {
                all.insert("termination".into(), json!(record.termination));
                all.insert("reason".into(), json!(record.reason));
            }
        }
        if let Some(board) = board {
            value["player"] = json!(record.players[board.mover()].name);
        }
        value["game"] = json!(record.number);
        value["turn"] = json!(number);
        Ok(value)
    }

    /// Whether the game was lost by a fault in this turn.
    fn lost_by(&self, turn: &TurnRecord) -> bool {
        let lost = self
            .record
            .fault_turn()
            .map(|place| &self.record.turns[place]);
        lost.is_some_and(|lost| std::ptr::eq(lost, turn))
    }
}
