//! What results mean: scores with their uncertainty, ratings, and the sequential test.
//!
//! [`score_interval`] gives the interval of a score, [`rating`] puts many bots on one scale, and [`sprt`] decides as
//! early as possible whether one bot is better than another. Pure functions of points and counts: they know no game and
//! no record.

mod interval;
pub mod rating;
pub mod sprt;

pub use interval::{Cluster, Elo, Interval, normalised_elo, score_interval};
