//! Measures a search and trains its evaluation.
//!
//! [`bench`](mod@bench) searches fixed positions. Training plays games of a search against itself, fits a network to
//! them, and writes its weights as source: `self_play` plays one game, [`generate`](mod@generate) many of them on
//! several threads, and [`data`] keeps them in a file: as moves, so that a position of any
//! [`Position`](crownhead::position::Position) takes three bytes. `samples` are the quiet positions of such files,
//! [`fit`](mod@fit) finds the weights of a `model` by `adam`, starting from random ones or a [`starting_network`].
//! [`weights_file`] fits a network to files and keeps it, and [`export`] writes it as source.
//!
//! Starts no bot and learns nothing from other programs. Draws and prints nothing.

mod adam;
pub mod bench;
pub mod data;
pub mod export;
pub mod fit;
pub mod generate;
mod model;
mod samples;
mod self_play;
pub mod starting_network;
pub mod weights_file;
