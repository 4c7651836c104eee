//! What the referee makes of a machine: clocks, full cores and memory.

mod clocks;
mod memory;
mod starvation;
mod verdicts;
