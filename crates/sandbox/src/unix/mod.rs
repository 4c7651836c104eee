//! What Linux and macOS have in common: pipes that never block, process groups, files and their permissions.

mod commands;
mod files;
mod group;
mod interrupts;
#[cfg(target_os = "macos")]
mod macos;
mod pipes;

pub use commands::*;
pub use files::*;
pub(crate) use group::start_group;
pub use interrupts::{INTERRUPTS, interrupt};
#[cfg(target_os = "macos")]
pub use macos::resident_memory;
pub use pipes::{Exit, Pipes};
pub(crate) use pipes::{file_of, is_readable, never_block, read_now};

/// The program that opens a page as the desktop does.
pub const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};
