//! What a sandbox costs: the start of a program that waits for its input, and the end of it and of all that was set up
//! for it.
//!
//! The program runs itself again as the supervisor.

use criterion::{Criterion, criterion_group};
use crownhead_sandbox::{Sandbox, SandboxMode, SandboxedChild, run_if_supervisor};
use std::process::{Command, ExitCode};

fn start_and_end(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("start and end of a program");
    for mode in [SandboxMode::Off, SandboxMode::Auto] {
        let sandbox = Sandbox {
            supervisor: std::env::current_exe().ok(),
            mode,
            ..Sandbox::default()
        };
        group.bench_function(format!("sandbox {}", mode.name()), |bencher| {
            bencher.iter(|| {
                let started = SandboxedChild::spawn(&Command::new("/bin/cat"), &sandbox);
                let (mut child, _pipes) = started.expect("a supervisor");
                assert!(child.await_start().is_ok());
            });
        });
    }
    group.finish();
}

criterion_group!(benches, start_and_end);

fn main() -> ExitCode {
    run_if_supervisor().unwrap_or_else(|| {
        benches();
        Criterion::default().configure_from_args().final_summary();
        ExitCode::SUCCESS
    })
}
