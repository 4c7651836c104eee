//! The bench of the search: fixed positions of checkers, searched within a limit.
//!
//! To a fixed depth it counts nodes. Their sum is a signature, which changes only if the search does. Within a time
//! limit the bench measures depth, speed, and which tactics are found. [`positions`] holds what is searched,
//! [`run`](mod@run) searches it, [`report`] keeps the results and reads those of earlier runs, and
//! [`compare`](mod@compare) sets two runs side by side. Nothing here prints or draws.

pub mod compare;
pub mod positions;
pub mod report;
pub mod run;

pub use compare::{Comparison, compare};
pub use report::{BenchReport, Limit};
pub(crate) use run::nodes_from_start;
pub use run::{run, signature, speed};
