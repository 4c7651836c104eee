//! Bundles that are compiled and run: the shapes of crates in `tests/corpus`, and crates with all that crates use.

mod corpus;
mod crates;
