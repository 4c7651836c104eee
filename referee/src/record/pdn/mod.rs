//! PDN, the notation in which the draughts world exchanges games (PDN standard 3.0; A. Millett's first
//! description at mdgsoft.home.xs4all.nl/draughts/pdn.html).
//!
//! Games of checkers alone. What PDN has no header for stands in headers of our own, and a turn's time in a
//! comment, `{[%emt 0.085]}` in seconds, so that a game that was written here reads back as the same record; only
//! the bots' logs and the processor time of their turns are left out. In `Result` White's points come first, as the standard has it. Some programs put
//! the first mover's first; `Winner`, which is written and read here, is unambiguous.

mod read;
mod tokens;
mod write;

pub use read::read_pdn;
pub use tokens::PdnError;
pub use write::{PdnWriteError, write_pdn};

#[cfg(test)]
mod tests;
