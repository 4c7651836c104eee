//! Why a bundle fails, in terms of the contestant's own files and lines.

use std::path::PathBuf;

/// The crates that CodinGame says it offers, from its list of languages and versions
/// (<https://www.codingame.com/playgrounds/40701/help-center/languages-versions>). Another bundler noted them in
/// January 2025 for Rust 1.70: chrono 0.4.26, itertools 0.11.0, libc 0.2.147, rand 0.8.5, regex 1.8.4, time 0.3.22.
pub(super) const OFFERED: [&str; 6] = ["chrono", "itertools", "libc", "rand", "regex", "time"];

/// Why a bundle fails.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// `cargo metadata` failed.
    #[error("cargo cannot read the package: {0}")]
    Cargo(String),
    /// No binary, or more than one, matches the request.
    #[error("{}", which_binary(wanted.as_deref(), there_are))]
    Binary {
        /// The requested one.
        wanted: Option<String>,
        /// The binaries of the workspace.
        there_are: Vec<String>,
    },
    /// A source file cannot be read, or cannot be bundled because of something in it.
    #[error("{}:{line}: {problem}", file.display())]
    Source {
        /// The file.
        file: PathBuf,
        /// The line; 1 for the file as a whole.
        line: usize,
        /// Why not.
        problem: String,
    },
    /// The remaining code uses a crate that cannot be bundled.
    #[error(
        "{place} uses the crate `{name}`, which is {origin}; the contest offers the standard library and: {}. Move what \
         needs `{name}` out of what the binary uses",
        OFFERED.join(", ")
    )]
    ExternalCrate {
        /// The crate that cannot be bundled.
        name: String,
        /// Where it comes from.
        origin: &'static str,
        /// The file and line that use it.
        place: String,
    },
    /// The compiler refuses the bundle.
    #[error("it does not compile:\n{0}")]
    DoesNotCompile(String),
    /// The compiler cannot be run.
    #[error("cannot run rustc, which finds what is never used: {0}")]
    Compiler(std::io::Error),
    /// A temporary file cannot be written.
    #[error("cannot write a file for rustc: {0}")]
    Scratch(std::io::Error),
}

impl From<syn::Error> for BundleError {
    /// An error in merged text, which is not in a file of the contestant.
    fn from(error: syn::Error) -> BundleError {
        BundleError::DoesNotCompile(error.to_string())
    }
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
