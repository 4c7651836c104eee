//! How much time and output a bot is allowed: limits, clocks, and the profiles that set them.
//!
//! Pure data and functions. Leaves out how a reply is obtained (`seat`) and how it is judged (`table`).

mod clock;
pub mod profile;
mod whole;

pub use clock::{Clock, HARD_CAP, Lag, Overrun, Spent, most_waiting};
pub use profile::{ColourLine, Grace, KNOWS_THE_LIVE_LINE, Profile, START_UP, TimeLimits};
pub use whole::{microseconds, optional_microseconds, whole_microseconds};
