//! Training an evaluation: games of a search with itself, a network fitted to them, and its weights as source.
//!
//! [`self_play`] plays one game, [`generate`] many of them on several threads, and [`data`] keeps them in a file:
//! as moves, so that positions of any [`Position`](crownhead::position::Position) take three bytes each. There are
//! no bot processes here. [`evaluations`] tells by which evaluations a game can be played and which inputs its
//! network has.

pub mod data;
pub mod evaluations;
pub mod generate;
pub mod self_play;
