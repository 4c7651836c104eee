//! How much time and output a bot is allowed: limits, clocks, and the profiles that set them.
//!
//! Pure data and functions. Leaves out how a reply is obtained (`seat`) and how it is judged (`table`).

mod clock;
mod colour_line;
mod limits;
pub mod profile;
mod whole;

pub use clock::{Clock, HARD_CAP, Lag, Overrun, Spent, most_waiting};
pub use colour_line::ColourLine;
pub use colour_line::KNOWS_THE_LIVE_LINE;
pub use limits::{START_UP, TimeLimits};
pub use profile::{Grace, Profile};
pub use whole::{microseconds, optional_microseconds, whole_microseconds};
