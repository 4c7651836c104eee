//! Bots that are locked up: what they cannot do, what they still can, and what happens where a sandbox cannot be had.

mod attacks;
mod denial;
mod environment;
mod escapes;
mod idle;
mod runtimes;
mod successors;
