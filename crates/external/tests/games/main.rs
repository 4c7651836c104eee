//! Real games of the referees in `tests/referees`, one module for each protocol.

mod check;
mod common;
mod course;
mod engine;
mod find;
mod lines;
