//! How the referee judges bots: what each fault is called, by which clock, and what evidence is kept of it.

#[path = "../common/mod.rs"]
mod common;

mod asking;
mod bounded_input;
mod clocks;
mod evidence;
mod faults;
mod mistakes;
