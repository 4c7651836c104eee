//! The games of a file: a table for people, an array for programs.

use super::super::output::write_json;
use super::file::each_game;
use super::game_table::GameTable;
use crate::failure::Failure;
use crate::filter::Filter;
use crownhead_bots::winner;
use crownhead_record::{GameFilter, GameRecord};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// Lists the games of a file that are asked for, for people or as one JSON array.
pub(crate) fn write_list(
    path: &Path,
    wanted: &GameFilter,
    as_json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let mut filter = Filter::new(wanted);
    let (mut all, mut is_empty) = (Vec::new(), true);
    let mut table = GameTable::new(&mut *out);
    each_game(path, |game| {
        if !filter.admits(&game) {
            return Ok(());
        }
        is_empty = false;
        if as_json {
            all.push(as_value(&game));
            return Ok(());
        }
        Ok(table.add(&game)?)
    })?;
    table.finish()?;
    filter.expect_bots()?;
    filter.check_known()?;
    if as_json {
        write_json(out, &all)?;
    }
    filter.note_if_empty(is_empty);
    Ok(())
}

/// The winner, of which a draw has none; `None` if the game is void.
pub(crate) fn winner_of(game: &GameRecord) -> Option<Option<usize>> {
    game.scores.as_deref().map(winner)
}

/// A game of a list, as programs read it.
pub(crate) fn as_value(game: &GameRecord) -> Value {
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
    let of_players: Vec<_> = game.players.iter().map(|player| &player.figures).collect();
    if !game.figures.is_empty() || of_players.iter().any(|figures| !figures.is_empty()) {
        value["figures"] = json!({"game": game.figures, "players": of_players});
    }
    value
}

/// How many moves were played or asked for, those of the opening included.
pub(super) fn turns(game: &GameRecord) -> usize {
    game.opening.len() + game.turns.len()
}
