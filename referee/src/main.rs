//! The program `crownhead`: all of it is in the library.

fn main() -> std::process::ExitCode {
    crownhead_cli::main()
}
