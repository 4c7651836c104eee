//! A search measured, and its evaluation trained.
//!
//! [`bench`](mod@bench) searches fixed positions. Training is games of a search with itself, a network fitted to them, and its
//! weights as source: `self_play` plays one game, [`generate`](mod@generate) many of them on several threads, and
//! [`data`] keeps them in a file: as moves, so that a position of any
//! [`Position`](crownhead::position::Position) takes three bytes. `samples` are the quiet positions of such files,
//! [`fit`](mod@fit) finds the weights of a `model` of them by `adam`, from random ones or a [`starting_network`] on, [`weights_file`] fits one to files and keeps what
//! was found, and [`export`] writes it as source.
//!
//! There are no bot processes here, and nothing of other programs is learnt from. Draws and prints nothing.

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
