//! What many games come to: the totals of a match, quantiles of answer times, and what bots said of themselves.
//!
//! Pure functions of the records; nothing here counts along while games are played.

mod pair;
mod said;
mod summary;
mod times;

pub use pair::sprt_pair;
pub use said::SaidSummary;
pub use summary::{BotSummary, GivenBack, MatchSummary, Tally, clusters, summarise, unconnected};
pub use times::{Step, Times, histogram, times};
