//! The bench of the search: fixed positions of checkers, searched within a limit.
//!
//! To a fixed depth it counts nodes. Their sum is a signature, which changes only if the search does. Within a time
//! limit the bench measures depth, speed, and which tactics are found. [`positions`] holds what is searched,
//! [`run`](mod@run) searches it, and [`report`] keeps the results. Nothing here prints.

pub mod positions;
pub mod report;
pub mod run;

pub use report::{BenchReport, Limit};
pub(crate) use run::nodes_from_start;
pub use run::{run, signature, speed};
