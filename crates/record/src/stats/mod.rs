//! What results mean: scores with their uncertainty, ratings, the sequential test, and quantiles of answer
//! times.
//!
//! Pure functions of the results; nothing here counts along while games are played.

mod histogram;
mod interval;
mod quantile;
pub mod rating;
mod said;
pub mod sprt;
mod summary;
mod tally;

pub use histogram::{Step, histogram};
pub use interval::{Cluster, Elo, Interval, normalised_elo, score_interval};
pub use quantile::{Times, times};
pub use said::{FigureRange, FigureSummary, SaidSummary};
pub use summary::{BotSummary, GivenBack, MatchSummary, clusters, summarise};
pub use tally::{PlaceCount, Tally};
