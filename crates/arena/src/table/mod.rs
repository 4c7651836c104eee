//! The table: the loop that plays one game, and its verdict.
//!
//! This is the lowest module. [`play()`] asks any [`Seat`]; the seats themselves, a bot's
//! process among them, are in [`crate::seat`] and lean on this module, never the other way round. The
//! [`Verdict`] on a game is who won, its [`Termination`](crownhead_record::Termination), and the same as a sentence. Leaves out how much time a turn
//! has used ([`judge`](crownhead_record::judge)).

mod fault;
mod play;
mod seat;
mod tests;
mod turn_log;
mod verdict;

pub use fault::{ExitKind, Fault};
pub use play::{Observer, Policy, play};
pub use seat::{Answer, Seat, TableCommand, TimedReply, TurnRequest};
pub use turn_log::TurnLog;
pub use verdict::Verdict;
pub(crate) use verdict::match_reply;
