//! One turn of a recorded game, or one position: on a page, as JSON, as FEN.

use super::super::options::show_time;
use super::super::words::{numbers, write_stderr};
use crate::draw::{self, Drawing};
use crate::failure::Failure;
use crownhead_board::Board;
use crownhead_record::{RecordedGame, fen};
use serde_json::{Value, json};
use std::io::Write;

/// A turn to be shown.
pub(crate) struct TurnSheet<'a> {
    pub(crate) recorded: &'a RecordedGame<'a>,
    /// From 1, the opening's included.
    pub(crate) number: usize,
}

impl TurnSheet<'_> {
    /// Writes the position, what the bot answered and what it said.
    pub(crate) fn write(&self, drawing: Drawing, out: &mut impl Write) -> Result<(), Failure> {
        let record = self.recorded.record();
        let board = self.recorded.before(self.number);
        let name = board.mover_name();
        writeln!(
            out,
            "Game {}, turn {}: {} ({name}) to move",
            record.number,
            self.number,
            record.players[board.mover()].name
        )?;
        write_position(board.as_ref(), drawing, out)?;
        let Some(place) = self.recorded.place(self.number) else {
            return Ok(writeln!(out, "The opening has its move.")?);
        };
        let turn = &record.turns[place];
        match &turn.reply {
            Some(reply) => write!(out, "It answered `{reply}` in {}", show_time(turn.time))?,
            None => write!(out, "It did not answer; {} went by", show_time(turn.time))?,
        }
        if let Some(work) = turn.work {
            write!(out, ", worked {}", show_time(work))?;
        }
        writeln!(out)?;
        if !turn.said.is_empty() {
            writeln!(out, "It said {}", numbers(&turn.said))?;
        }
        write_stderr(&turn.stderr, out)?;
        if record.fault_turn() == Some(place) {
            writeln!(out, "{}", record.reason)?;
        }
        Ok(())
    }

    /// The same as JSON, with the rows and the list that the bot was sent.
    pub(crate) fn json(&self) -> Value {
        let record = self.recorded.record();
        let board = self.recorded.before(self.number);
        let mut value = position_json(board.as_ref());
        value["game"] = json!(record.number);
        value["turn"] = json!(self.number);
        let place = self.recorded.place(self.number);
        if let Some(turn) = place.map(|place| &record.turns[place]) {
            let turn = serde_json::to_value(turn).expect("a turn is plain data");
            if let (Value::Object(all), Value::Object(turn)) = (&mut value, turn) {
                all.extend(turn);
            }
            if record.fault_turn() == place {
                value["termination"] = json!(record.termination);
                value["reason"] = json!(record.reason);
            }
        }
        value["player"] = json!(record.players[board.mover()].name);
        value
    }
}

/// Writes a board and its legal moves.
pub(crate) fn write_position(
    board: &dyn Board,
    drawing: Drawing,
    out: &mut impl Write,
) -> Result<(), Failure> {
    write!(out, "{}", draw::board(board, &[], drawing))?;
    let moves = board.legal_moves().join(" ");
    Ok(writeln!(out, "{} to move: {moves}", board.mover_name())?)
}

/// A position as JSON: its rows, who is to move, the legal moves, and where there is one its FEN.
pub(crate) fn position_json(board: &dyn Board) -> Value {
    let mut value = json!({
        "rows": board.rows(),
        "side": (["black", "white"][board.mover()]),
        "colour": board.mover_letter(),
        "moves": board.legal_moves(),
    });
    if let Some(fen) = fen(board) {
        value["fen"] = json!(fen);
    }
    value
}
