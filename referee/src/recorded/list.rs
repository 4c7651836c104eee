//! The games of a file, one a line.

use super::super::output::write_json;
use super::file::each_game;
use crate::failure::Failure;
use crownhead_record::{GameRecord, RecordedResult};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// Lists the games of a file, for people or as one JSON array.
pub(crate) fn write_list(path: &Path, as_json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if !as_json {
        return each_game(path, |game| Ok(writeln!(out, "{}", line(&game))?));
    }
    let mut all = Vec::new();
    each_game(path, |game| {
        all.push(as_value(&game));
        Ok(())
    })?;
    Ok(write_json(out, &all)?)
}

/// `     1  anna (black) against bert (red): red won, 54 turns, no legal move`.
fn line(game: &GameRecord) -> String {
    let [black, white] = [0, 1].map(|player| &game.players[player].side);
    let result = match game.result() {
        Some(RecordedResult::Black) => format!("{black} won"),
        Some(RecordedResult::White) => format!("{white} won"),
        Some(RecordedResult::Draw) => "draw".into(),
        None => "no result".into(),
    };
    format!(
        "{:>6}  {} ({black}) against {} ({white}): {result}, {} turns, {}",
        game.number,
        game.players[0].name,
        game.players[1].name,
        turns(game),
        game.termination
    )
}

/// A game of a list, as programs read it.
pub(crate) fn as_value(game: &GameRecord) -> Value {
    json!({
        "game": game.number,
        "black": game.players[0].name,
        "white": game.players[1].name,
        "result": game.result(),
        "termination": game.termination,
        "turns": turns(game),
    })
}

/// How many moves were played or asked for.
fn turns(game: &GameRecord) -> usize {
    game.opening.len() + game.turns.len()
}
