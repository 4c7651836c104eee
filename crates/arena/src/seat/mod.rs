//! Who sits at a table: the implementations of [`Seat`](crate::table::Seat).
//!
//! A bot's [`Process`] sees text only; a [`BuiltIn`] bot plays in this process. A [`Person`] types moves in any
//! game, or follows the [`Classroom`]'s checkers dialogue.
//! Leaves out what a reply is worth ([`table`](crate::table)).

mod bot;
mod built_in;
mod classroom;
pub(crate) mod denial;
mod dialogue;
mod person;
mod process;
pub(crate) mod unstartable;

pub(crate) use bot::BotKind;
pub use bot::{BotError, BotSpec, Program, command_seen_from, folder_seen_from};
pub use built_in::BuiltIn;
pub use classroom::Classroom;
pub use dialogue::{Dialogue, SharedDialogue};
pub use person::{Person, turns_back, turns_forth};
pub(crate) use process::Finished;
pub use process::{Conditions, Placement, Process, SuspendIdle};
