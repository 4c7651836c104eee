//! What the contest accepts.

/// The largest number of characters of a submission, counted as UTF-16 units (the contest's editor).
pub const LIMIT: usize = 100_000;

/// The edition that the contest compiles.
pub(super) const EDITION: &str = "2021";

/// The crates that CodinGame says it offers, from its list of languages and versions
/// (<https://www.codingame.com/playgrounds/40701/help-center/languages-versions>). Another bundler noted them in
/// January 2025 for Rust 1.70: chrono 0.4.26, itertools 0.11.0, libc 0.2.147, rand 0.8.5, regex 1.8.4, time 0.3.22.
pub(super) const OFFERED: [&str; 6] = ["chrono", "itertools", "libc", "rand", "regex", "time"];

/// The characters of a text, as [`LIMIT`] counts them.
pub(super) fn units(text: &str) -> usize {
    text.encode_utf16().count()
}
