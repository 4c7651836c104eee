//! How the referee judges bots: what each fault is called, and what evidence is kept of it.

mod asking;
mod bounded_input;
mod evidence;
mod faults;
mod mistakes;
#[cfg(target_os = "linux")]
mod verdicts;
