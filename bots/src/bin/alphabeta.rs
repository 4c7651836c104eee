//! The bot `alphabeta` as a program of its own.

use crownhead_bots::options::{run_alone, BuiltInBot};

fn main() -> std::process::ExitCode {
    run_alone("alphabeta", BuiltInBot::Alphabeta)
}
