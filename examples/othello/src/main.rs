//! The program with Othello: `cargo run --release -p othello -- match alphabeta random`.

use othello::{Othello, OthelloEvaluation};
use std::process::ExitCode;

fn main() -> ExitCode {
    crownhead_cli::main_with(crownhead_cli::games![Othello: OthelloEvaluation])
}
