//! The program `crownhead`: its command line, tables, progress and boards.
//!
//! All that prints is here, and nothing else: what a command does is in the crates below.

pub mod cli;
pub mod draw;
