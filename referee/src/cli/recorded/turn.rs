//! One turn of a recorded game, or one position: on a page, as JSON, as FEN.

use super::super::options::show_time;
use super::super::words::{numbers, write_stderr};
use super::super::{Failure, usage};
use crate::draw::{self, Drawing};
use crownhead::explain::Explain;
use crownhead::games::checkers::Checkers;
use crownhead::notation::Notation;
use crownhead_record::RecordedGame;
use serde_json::{Value, json};
use std::io::Write;

/// A turn to be shown.
pub(in crate::cli) struct TurnSheet<'a, G: Notation> {
    pub(in crate::cli) recorded: &'a RecordedGame<'a, G>,
    /// From 1, the opening's included.
    pub(in crate::cli) number: usize,
}

impl<G: Explain> TurnSheet<'_, G> {
    /// Writes the position, what the bot answered and what it said.
    pub(in crate::cli) fn write(
        &self,
        drawing: Drawing,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let record = self.recorded.record();
        let game = self.recorded.before(self.number);
        let side = game.position().side_to_move();
        let name = game.rules().side_name(side);
        writeln!(
            out,
            "Game {}, turn {}: {} ({name}) to move",
            record.number,
            self.number,
            record.player(side).name
        )?;
        write_position(game.position(), game.rules(), drawing, out)?;
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
    pub(in crate::cli) fn json(&self) -> Value {
        let record = self.recorded.record();
        let game = self.recorded.before(self.number);
        let side = game.position().side_to_move();
        let mut value = position_json(game.position());
        value["game"] = json!(record.number);
        value["turn"] = json!(self.number);
        value["player"] = json!(record.player(side).name);
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
        value
    }
}

/// Writes a board and its legal moves.
pub(in crate::cli) fn write_position<G: Explain>(
    position: &G,
    rules: &crownhead::rules::RuleBook,
    drawing: Drawing,
    out: &mut impl Write,
) -> Result<(), Failure> {
    write!(out, "{}", draw::board(position, rules, &[], drawing))?;
    let mover = rules.side_name(position.side_to_move());
    let names: Vec<String> = names_of_moves(position);
    Ok(writeln!(out, "{mover} to move: {}", names.join(" "))?)
}

fn names_of_moves<G: Notation>(position: &G) -> Vec<String> {
    let moves = position.legal_moves();
    moves.iter().map(|&mv| position.move_name(mv)).collect()
}

/// A position as JSON: its rows, who is to move, the legal moves, and where there is one its FEN.
pub(in crate::cli) fn position_json<G: Notation>(position: &G) -> Value {
    let side = position.side_to_move();
    let rows = position.rows();
    let mut value = json!({
        "rows": rows.lines().collect::<Vec<_>>(),
        "side": format!("{side:?}").to_lowercase(),
        "colour": G::side_letter(side),
        "moves": names_of_moves(position),
    });
    if let Ok(fen) = fen(position) {
        value["fen"] = json!(fen);
    }
    value
}

/// The FEN of a position.
pub(in crate::cli) fn fen<G: Notation>(position: &G) -> Result<String, Failure> {
    if G::NAME != Checkers::NAME {
        let problem = format!("FEN is for checkers; this is {}", G::NAME);
        return Err(Failure::Usage(problem));
    }
    let checkers = Checkers::from_rows(&position.rows(), position.side_to_move());
    Ok(checkers.map_err(usage)?.to_fen())
}
