//! Lists of games: a table for people, an array for programs.

use super::super::output::write_json;
use super::super::table::{Column, left, right, stdout_screen, table};
use super::file::each_game;
use crate::failure::Failure;
use crate::filter::GameFilter;
use crate::progress::note;
use crownhead_bots::winner;
use crownhead_record::numbers::show_count;
use crownhead_record::{GameRecord, PlayerRecord};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

/// Lists the games of a file that pass the filter, for people or as one JSON array.
pub(crate) fn write_list(
    path: &Path,
    filter: &GameFilter,
    as_json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let (mut all, mut rows) = (Vec::new(), Vec::new());
    // Those of all games, listed or not.
    let (mut bots, mut sides) = (BTreeSet::new(), Vec::new());
    each_game(path, |game| {
        for PlayerRecord { name, side, .. } in &game.players {
            bots.insert(name.clone());
            if !sides.contains(side) {
                sides.push(side.clone());
            }
        }
        if filter.admits(&game) {
            match as_json {
                true => all.push(as_value(&game)),
                false => {
                    let sides = game.players.iter().map(|player| player.side.clone());
                    rows.push((sides.collect(), cells(&game)));
                }
            }
        }
        Ok(())
    })?;
    let is_empty = all.is_empty() && rows.is_empty();
    write_tables(rows, out)?;
    filter.expect_known(&bots, &sides)?;
    if as_json {
        write_json(out, &all)?;
    }
    if is_empty {
        note(match bots.is_empty() {
            true => "there are no games yet",
            false => "no game matches",
        });
    }
    Ok(())
}

/// A listed game: the names of its sides, and its cells.
type Row = (Vec<String>, Vec<String>);

/// Writes games as tables: number, bots, result, turns, how each ended. Games whose sides have other names have a table of
/// their own.
fn write_tables(rows: Vec<Row>, out: &mut impl Write) -> io::Result<()> {
    for (place, rows) in rows.chunk_by(|one, next| one.0 == next.0).enumerate() {
        if place > 0 {
            writeln!(out)?;
        }
        let ends = [left("result"), right("turns"), left("ended by")];
        let columns: Vec<Column> = [right("game")]
            .into_iter()
            .chain(rows[0].0.iter().map(left))
            .chain(ends)
            .collect();
        let cells = rows.iter().map(|(_, cells)| cells);
        write!(out, "{}", table(&columns, cells, stdout_screen()))?;
    }
    Ok(())
}

fn cells(game: &GameRecord) -> Vec<String> {
    let result = match winner_of(game) {
        Some(_) if game.referee.is_some() => scores_in_words(game),
        Some(Some(player)) => format!("{} won", game.players[player].side),
        Some(None) => "draw".into(),
        None => "no result".into(),
    };
    let players = game.players.iter().map(|player| player.name.clone());
    let ends = [
        result,
        show_count(turns(game)),
        game.termination.to_string(),
    ];
    let number = game.number.to_string();
    [number].into_iter().chain(players).chain(ends).collect()
}

/// The scores that an external referee gave, or the points if it gave none.
fn scores_in_words(game: &GameRecord) -> String {
    let given = game.referee.as_ref().map(|referee| &referee.scores);
    let scores = given
        .filter(|scores| !scores.is_empty())
        .or(game.scores.as_ref());
    let scores = scores.into_iter().flatten().map(f64::to_string);
    scores.collect::<Vec<_>>().join(" : ")
}

/// A player's name and side.
pub(crate) fn player(record: &GameRecord, player: usize) -> String {
    let PlayerRecord { name, side, .. } = &record.players[player];
    format!("{name} ({side})")
}

/// The winner, of which a draw has none; `None` if the game is void.
pub(crate) fn winner_of(game: &GameRecord) -> Option<Option<usize>> {
    game.scores.as_deref().map(winner)
}

/// A game of a list, as programs read it.
fn as_value(game: &GameRecord) -> Value {
    let mut value = json!({});
    match &game.referee {
        None => {
            for player in &game.players {
                value[&player.side] = json!(player.name);
            }
        }
        Some(referee) => {
            let names = game.players.iter().map(|player| &player.name);
            value["players"] = json!(names.collect::<Vec<_>>());
            value["points"] = json!(game.scores);
            value["scores"] = json!(referee.scores);
            value["seed"] = json!(referee.seed);
        }
    }
    value["game"] = json!(game.number);
    value["termination"] = json!(game.termination);
    value["turns"] = json!(turns(game));
    if game.players.len() == 2 {
        value["result"] = json!(game.result_word());
    }
    value
}

/// How many moves were played or asked for, those of the opening included.
fn turns(game: &GameRecord) -> usize {
    game.opening.len() + game.turns.len()
}
