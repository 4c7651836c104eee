//! Recorded games as people look at them: which game of a file, which turn of a game, and what it was worth.
//!
//! `replay` shows them, `ask` puts their turns to a bot again.

mod file;
mod list;
mod turn;
mod view;
mod worth;

pub(super) use file::GameInFile;
pub(super) use list::{as_value, write_list};
pub(super) use turn::{TurnSheet, fen, position_json, write_position};
pub(super) use view::ReplayView;
pub(super) use worth::{Worth, show_worth, worst_turn};
