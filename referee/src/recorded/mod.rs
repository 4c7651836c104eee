//! Recorded games as people look at them: which game of a file, and which turn of a game.
//!
//! `replay` shows them, `ask` puts their turns to a bot again.

mod external;
mod file;
mod list;
mod mistakes;
mod turn;
mod view;

pub(super) use external::{ExternalView, has_no_board};
pub(super) use file::{GameInFile, find_game, recorded_game};
pub(super) use list::write_list;
pub(super) use mistakes::{analyse, gravest, write_mistakes};
pub(super) use turn::{position_json, turn_json, write_position, write_turn};
pub(super) use view::{BoardView, show_all, step};
