//! The referee.
