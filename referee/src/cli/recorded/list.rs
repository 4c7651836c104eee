//! The games of a file, one a line.

use super::super::Failure;
use super::super::table::{header, left, right, row};
use super::file::GameInFile;
use crate::record::{GameRecord, RecordedResult};
use serde_json::json;
use std::io::Write;

/// Lists the games of a file, as a table or as one JSON array.
pub(in crate::cli) fn write_list(
    games: &GameInFile,
    as_json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if as_json {
        let mut all = Vec::new();
        games.each(|game| {
            all.push(json!({
                "game": game.number,
                "black": game.black.name,
                "white": game.white.name,
                "result": game.result,
                "termination": game.termination,
                "turns": turns(&game),
            }));
            Ok(())
        })?;
        serde_json::to_writer_pretty(&mut *out, &all)?;
        writeln!(out)?;
        return Ok(());
    }
    let columns = [
        right(0, 6, "game"),
        left(2, 16, "black"),
        left(2, 16, "white"),
        left(2, 6, "result"),
        right(2, 5, "turns"),
        left(2, 0, "ended by"),
    ];
    writeln!(out, "{}", header(&columns))?;
    games.each(|game| {
        let sides = game.sides.clone();
        let [black, white] = sides.map_or(["black".into(), "white".into()], |sides| {
            [sides.black, sides.white]
        });
        let result = match game.result {
            Some(RecordedResult::Black) => black,
            Some(RecordedResult::White) => white,
            Some(RecordedResult::Draw) => "draw".into(),
            None => "none".into(),
        };
        let cells = [
            game.number.to_string(),
            game.black.name.clone(),
            game.white.name.clone(),
            result,
            turns(&game).to_string(),
            game.termination.to_string(),
        ];
        Ok(writeln!(out, "{}", row(&columns, cells))?)
    })
}

/// How many moves were played or asked for.
fn turns(game: &GameRecord) -> usize {
    game.opening.len() + game.turns.len()
}
