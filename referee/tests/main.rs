//! The program as its users meet it: every command with real processes, files, databases and browsers. What counts
//! all that its process holds is in `endurance`.

mod browser;
mod commands;
mod common;
mod external;
mod hostile_input;
mod judging;
mod ladder;
#[cfg(target_os = "linux")]
mod machine;
#[cfg(target_os = "linux")]
mod sandbox;

#[cfg(feature = "shared")]
use common::skip;
