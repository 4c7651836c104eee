//! The built-in bots and the starters, over the line protocol, and the networks that they search with.

mod common;
mod games;
mod networks;
#[path = "../../tests/support/skip.rs"]
mod skip;
mod starters;
