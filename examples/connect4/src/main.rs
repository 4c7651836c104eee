//! The program with Connect Four: `cargo run --release -p connect4 -- match alphabeta random`.

use connect4::{ConnectFour, Threes};
use std::process::ExitCode;

fn main() -> ExitCode {
    crownhead_cli::main_with(crownhead_cli::games![ConnectFour: Threes])
}
