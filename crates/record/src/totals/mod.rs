//! What many games come to: the totals of a match, quantiles of answer times, and what bots said of themselves.
//!
//! Pure functions of the records; nothing here counts along while games are played.

mod histogram;
mod pair;
mod quantile;
mod said;
mod summary;
mod tally;

pub use histogram::{Step, histogram};
pub use pair::sprt_pair;
pub use quantile::{Times, times};
pub use said::SaidSummary;
pub use summary::{BotSummary, GivenBack, MatchSummary, clusters, summarise, unconnected};
pub use tally::Tally;
