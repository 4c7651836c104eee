//! The game by its rules, and the program that plays it.

mod program;
mod rules;
