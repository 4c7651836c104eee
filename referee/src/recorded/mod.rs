//! Recorded games as people look at them: which game of a file, and which turn of a game.
//!
//! `replay` shows them, `ask` puts their turns to a bot again.

mod file;
mod list;
mod view;
mod whole;

pub(super) use file::{each_game, each_stored, find_game, warn_of_store};
pub(super) use list::{player, winner_of, write_list};
pub(super) use view::{View, has_no_board, position_json, write_answer, write_position};
