//! How the referee judges bots: what each fault is called, and what evidence is kept of it.

#[path = "../common/mod.rs"]
mod common;

mod asking;
mod bounded_input;
mod evidence;
mod faults;
mod mistakes;
