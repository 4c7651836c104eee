//! Real games of the referees in `tests/referees`, one module for each protocol.

mod command;
mod common;
mod engine;
mod find;
mod lines;
