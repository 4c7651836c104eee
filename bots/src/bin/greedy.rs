//! The bot `greedy` as a program of its own.

use crownhead_bots::options::{run_alone, Bot};

fn main() -> std::process::ExitCode {
    run_alone("greedy", Bot::Greedy)
}
