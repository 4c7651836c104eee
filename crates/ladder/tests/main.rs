//! Whole runs of ladders in this process, in a file and in a database.
//!
//! A run starts this program again as a supervisor, so it has its own `main` instead of that of Rust's tests.

#[cfg(feature = "shared")]
mod database;
mod ladder;
mod runs;
#[cfg(feature = "shared")]
#[path = "../../../tests/support/skip.rs"]
mod skip;

use crownhead_sandbox::run_if_supervisor;
use libtest_mimic::{Arguments, Trial, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    run_if_supervisor().unwrap_or_else(|| {
        let mut trials: Vec<Trial> = Vec::new();
        // Those that wait longest come first.
        #[cfg(feature = "shared")]
        trials.extend(database::trials());
        trials.extend(runs::trials());
        let mut arguments = Arguments::from_args();
        // Many wait, for a server or for time to pass.
        arguments.test_threads.get_or_insert(8);
        run(&arguments, trials).exit_code()
    })
}
