//! The games. Each folder holds one, under the same file names, and knows no other.

pub mod checkers;
pub mod chess;
pub mod everchess;
