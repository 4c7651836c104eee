//! A library beside the binary, of the same name.
pub mod engine;
pub use engine::Engine;
pub fn unneeded() {}
