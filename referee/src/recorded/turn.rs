//! One turn of a recorded game, or one position: on a page, as JSON, as FEN.

use super::super::words::{stats_in_words, write_stderr};
use crate::draw::{self, Drawing};
use crate::failure::Failure;
use crownhead_bots::Board;
use crownhead_record::numbers::show_time;
use crownhead_record::{RecordedGame, position_text};
use serde_json::{Value, json};
use std::io::Write;

/// Writes the position of a turn, the bot's reply, its stats and its standard error. Turns are counted from 1, including
/// those of the opening.
pub(crate) fn write_turn(
    recorded: &RecordedGame<'_>,
    number: usize,
    drawing: Drawing,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let record = recorded.record();
    let board = recorded.before(number);
    let player = &record.players[board.mover()].name;
    let (game, mover) = (record.number, board.mover_name());
    writeln!(
        out,
        "Game {game}, turn {number}: {player} ({mover}) to move"
    )?;
    write_position(board.as_ref(), drawing, out)?;
    let Some(place) = recorded.place(number) else {
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
        writeln!(out, "Stats: {}", stats_in_words(&turn.said))?;
    }
    write_stderr(&turn.stderr, out)?;
    if record.fault_turn() == Some(place) {
        writeln!(out, "{}", record.reason)?;
    }
    Ok(())
}

/// The same as JSON, with the rows and the moves that the bot was sent.
pub(crate) fn turn_json(recorded: &RecordedGame<'_>, number: usize) -> Value {
    let record = recorded.record();
    let board = recorded.before(number);
    let mut value = position_json(board.as_ref());
    value["game"] = json!(record.number);
    value["turn"] = json!(number);
    if let Some(place) = recorded.place(number) {
        if let (Value::Object(all), Value::Object(turn)) = (&mut value, json!(record.turns[place]))
        {
            all.extend(turn);
        }
        if record.fault_turn() == Some(place) {
            value["termination"] = json!(record.termination);
            value["reason"] = json!(record.reason);
        }
    }
    value["player"] = json!(record.players[board.mover()].name);
    value
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

/// A position as JSON: its rows, who is to move, the legal moves, and the text that `--fen` reads.
pub(crate) fn position_json(board: &dyn Board) -> Value {
    json!({
        "rows": board.rows(),
        "side": board.mover_name(),
        "colour": board.mover_letter(),
        "moves": board.legal_moves(),
        "fen": position_text(board),
    })
}
