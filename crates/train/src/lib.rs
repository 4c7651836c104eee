//! Trains the evaluation of a search.
//!
//! Training plays games of a search against itself and fits a network to
//! them: `self_play` plays one game, [`generate`](mod@generate) many of them on several threads, and [`data`] keeps them in
//! a file: as moves, so that a position takes three bytes. `samples` are the quiet positions of such files,
//! [`fit`](mod@fit) finds the weights of a `model` by `adam`, and [`network_file`] does so from files of games to the file
//! of a network.
//!
//! Starts no bot and learns nothing from other programs. Draws and prints nothing.

mod adam;
pub mod data;
pub mod fit;
pub mod generate;
mod model;
pub mod network_file;
mod samples;
mod self_play;
