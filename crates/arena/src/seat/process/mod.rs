//! A bot in processes of its own, which speaks the line protocol on its standard input and output.
//!
//! No output moves the deadline of a turn; what moves it is only time that was not the bot's, as the
//! [clock](crownhead_record::judge::Clock) tells. What a bot has written is read before its silence is judged; a bot that does not
//! read its input does not block the referee. The thread that times a turn waits for the bot that is on move and for its
//! own tick, and touches nothing that another bot can hold: standard error, which is never judged, is read by threads of
//! its own. When the seat is dropped, its processes are gone.

mod exchange;
mod finished;
mod lag;
mod probe;
mod running;
mod seat;

pub(crate) use finished::Finished;
pub use running::{Conditions, Placement, SuspendIdle};
pub use seat::Process;
