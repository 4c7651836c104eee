//! The program with games on boards of other sizes, which the tests of its pages play.

mod discs;

use discs::Discs;

fn main() -> std::process::ExitCode {
    crownhead_cli::main_with(crownhead_cli::games![Discs<false>, Discs<true>])
}
