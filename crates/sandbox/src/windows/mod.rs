//! Windows: how commands are written, pipes that threads read and write, a job for all processes of a program, files. Threads and cores are not
//! looked at.

mod commands;
mod files;
mod group;
mod interrupts;
mod pipes;
mod sys;

pub use crate::windows_words::{join_words, split_words};
pub use commands::*;
pub use files::*;
pub(crate) use group::start_group;
pub use interrupts::{INTERRUPTS, interrupt};
pub use pipes::{Exit, Pipes};
pub(crate) use pipes::{file_of, is_readable, never_block, read_now};

/// The program that opens a page as the desktop does.
pub const OPENER: &str = "explorer";
