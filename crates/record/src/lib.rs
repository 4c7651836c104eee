//! Records of games, PDN, openings, and totals of many games.
//!
//! [`GameRecord`] is one game with everything that is needed to judge it again. [`judge`] defines how much time and
//! output a bot is allowed, [`openings`] how games begin, [`totals`] the results of many games, and
//! [`bench`](mod@bench) how the built-in search does. All chance follows from a [`seed`]. Starts no process, stores
//! nothing, prints nothing.

pub mod bench;
mod dialogue;
mod figures;
mod file;
pub mod format_error;
mod game;
pub mod input;
pub mod judge;
mod moves;
pub mod numbers;
pub mod openings;
mod pdn;
mod position_text;
mod referee;
pub mod seed;
pub mod site;
mod stderr;
mod summary;
pub mod system_error;
mod termination;
#[cfg(test)]
mod tests;
pub mod text;
pub mod totals;

pub use dialogue::RecordedGame;
pub use figures::{Figures, read_said};
pub use file::{ReadError, read_game, read_games};
pub use game::*;
pub use moves::{MoveLine, next_move};
pub use pdn::{PdnError, fen, is_pdn, read_pdn, write_pdn};
pub use position_text::{has_digits, low_side, position_text, read_position, side_letters};
pub use referee::{
    FailedTurn, Frame, RefereeProtocol, RefereeRecord, points_by_place, points_with_failures,
};
pub use stderr::{Stderr, StderrKept};
pub use summary::GameSummary;
pub use termination::Termination;
