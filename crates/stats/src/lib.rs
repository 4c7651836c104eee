//! What results mean: scores with their uncertainty, ratings, and the sequential test.
//!
//! [`score_interval`] is how far a score can be trusted, [`rating`] puts many bots on one scale, and [`sprt`] tells as soon
//! as the games allow whether one is better than another. Pure functions of points and counts: knows no game and no record
//! of one; what a record comes to is counted by who keeps it.

mod interval;
pub mod rating;
pub mod sprt;

pub use interval::{Cluster, Elo, Interval, normalised_elo, score_interval};
