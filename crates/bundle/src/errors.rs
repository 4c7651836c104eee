//! Why there is no bundle, in terms of the contestant's own files and lines.

use super::places::{Place, Places};
use super::rustc::{EDITION, Message};
use std::fmt::Write as _;
use std::path::PathBuf;

/// So many of the compiler's errors are shown.
const SHOWN: usize = 10;

/// Why there is no bundle.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// `cargo metadata` or `cargo check` failed.
    #[error("cargo cannot read the package: {0}")]
    Cargo(String),
    /// No binary, or more than one, matches the request.
    #[error("{}", which_binary(wanted.as_deref(), there_are))]
    Binary {
        /// The one asked for.
        wanted: Option<String>,
        /// The binaries of the workspace.
        there_are: Vec<String>,
    },
    /// A source file cannot be read, or cannot be bundled because of something in it.
    #[error("{}:{line}: {problem}", file.display())]
    Source {
        /// The file.
        file: PathBuf,
        /// The line; 1 where it is the file as a whole.
        line: usize,
        /// Why not.
        problem: String,
    },
    /// What remains uses a crate that cannot be bundled.
    #[error(
        "{place} uses the crate `{name}`, which is {origin}; the contest offers the standard library and: \
         {}. Move what needs `{name}` out of what the binary uses",
        if offered.is_empty() { "none".to_string() } else { offered.join(", ") }
    )]
    ExternalCrate {
        /// The crate that cannot be bundled.
        name: String,
        /// Where it comes from.
        origin: &'static str,
        /// The file and line that use it.
        place: String,
        /// The crates that may be used.
        offered: Vec<String>,
    },
    /// The compiler refuses the bundle.
    #[error("the bundle does not compile with `rustc --edition {EDITION}`:\n{0}")]
    DoesNotCompile(String),
    /// The compiler cannot be run.
    #[error("cannot run rustc, which finds what is never used: {0}")]
    Compiler(std::io::Error),
    /// A temporary file cannot be written.
    #[error("cannot write a file for rustc: {0}")]
    Scratch(std::io::Error),
}

fn which_binary(wanted: Option<&str>, there_are: &[String]) -> String {
    let there_are = match there_are {
        [] => "there is none; a bot is a package with a `src/main.rs`".to_string(),
        names => format!("there are: {}", names.join(", ")),
    };
    match wanted {
        Some(name) => format!("no binary named `{name}`; {there_are}"),
        None => format!("which binary is to be bundled? Name it with --bin; {there_are}"),
    }
}

/// A file and line for people: relative to the current folder where the file lies in it.
pub(super) fn show(place: Option<&Place>) -> String {
    let Some(Place { file, line }) = place else {
        return "what a macro writes".to_string();
    };
    let here = std::env::current_dir().unwrap_or_default();
    let file = file.strip_prefix(&here).unwrap_or(file);
    format!("{}:{line}", file.display())
}

/// The compiler's errors, each with the contestant's file and line.
pub(super) fn does_not_compile(errors: &[&Message], places: &Places) -> BundleError {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for error in errors.iter().take(SHOWN) {
        let place = error.ranges.first().and_then(|range| places.at(range));
        let _ = write!(text, "{}: {}", show(place.as_ref()), error.text);
        if let Some(Place { file, line }) = place {
            let source = std::fs::read_to_string(file).unwrap_or_default();
            let line = source.lines().nth(line - 1).unwrap_or_default();
            let _ = write!(text, "\n    | {}", line.trim());
        }
        for note in &error.notes {
            let _ = write!(text, "\n    {}", note.replace('\n', "\n    "));
        }
        text.push('\n');
    }
    if let Some(more) = errors.len().checked_sub(SHOWN + 1) {
        let _ = writeln!(text, "and {} more", more + 1);
    }
    if errors.iter().any(|error| error.text.contains("Rust 2024")) {
        let _ = writeln!(
            text,
            "The contest compiles edition {EDITION}, which lacks that."
        );
    }
    BundleError::DoesNotCompile(text)
}
