//! What several tests use: records of games, and a contest with a viewer.

pub(crate) mod contest;
pub(crate) mod records;
