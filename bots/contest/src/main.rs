//! The bot that is submitted to the contest; `crownhead bundle` makes one file of it.

use crownhead_contest::bot::{self, Settings};
use std::process::ExitCode;
use std::time::Duration;

/// The time limit of a turn in milliseconds (statement of the contest: 100).
const TURN_MS: u64 = 100;

/// The time limit of the first turn in milliseconds. The contest's engine allows 1000 (version 4.7.8), its
/// statement does not say so: raise this to use it.
const FIRST_TURN_MS: u64 = 100;

fn main() -> ExitCode {
    bot::main(Settings {
        turn: Duration::from_millis(TURN_MS),
        first_turn: Duration::from_millis(FIRST_TURN_MS),
        depth: None,
        nodes: None,
    })
}
