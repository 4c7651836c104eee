//! What the referee makes of a machine: clocks, full cores and memory. A program of its own, because its tests load
//! every core.
#![cfg(target_os = "linux")]

mod clocks;
#[path = "../common/mod.rs"]
mod common;
mod memory;
mod starvation;
mod verdicts;
