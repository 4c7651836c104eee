//! Type-checks a text with the contest's edition, and reads the compiler's messages.

use super::errors::BundleError;
use super::places::{Location, Places, show};
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel, DiagnosticSpan};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The edition that the contest compiles.
const EDITION: &str = "2021";

/// How many of the compiler's errors are shown.
const SHOWN: usize = 10;

/// The lints that report dead code.
const LINTS: [&str; 3] = ["dead_code", "unused_imports", "unused_macros"];

/// The compiler, with a folder to work in.
pub(super) struct Compiler {
    folder: TempDir,
    /// The compiled crates that the text may use, by their names in it.
    pub(super) externs: Vec<(String, PathBuf)>,
}

/// The compiler's messages about a text.
pub(super) struct Messages {
    pub(super) errors: Vec<Diagnostic>,
    /// Reports of dead code.
    pub(super) unused: Vec<Diagnostic>,
}

impl Compiler {
    pub(super) fn new(
        externs: impl IntoIterator<Item = (String, PathBuf)>,
    ) -> Result<Compiler, BundleError> {
        let folder = tempfile::tempdir().map_err(BundleError::Scratch)?;
        let externs = externs.into_iter().collect();
        Ok(Compiler { folder, externs })
    }

    /// The compiler's version: `rustc 1.90.0 (…)`.
    pub(super) fn version() -> Result<String, BundleError> {
        let output = command().arg("--version").output();
        let output = output.map_err(BundleError::Compiler)?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
    }

    /// The messages about a text as the source of a binary; with `build` it is compiled to the end. If debug assertions
    /// make a difference, the text is compiled with and without them. All errors count, and code is dead only if it is
    /// dead in both, because the contest may compile either way.
    pub(super) fn check(&self, text: &str, build: bool) -> Result<Messages, BundleError> {
        let file = self.folder.path().join("bundle.rs");
        std::fs::write(&file, text).map_err(BundleError::Scratch)?;
        let mut messages = self.compile(&file, build, true)?;
        if text.contains("debug_assertions") {
            let others = self.compile(&file, build, false)?;
            let new = |error: &Diagnostic| !messages.errors.contains(error);
            let more: Vec<Diagnostic> = others.errors.into_iter().filter(new).collect();
            messages.errors.extend(more);
            for message in &mut messages.unused {
                let same = others.unused.iter().filter(|one| one.code == message.code);
                let dead: HashSet<Range<usize>> = same.flat_map(ranges).collect();
                message.spans.retain(|span| dead.contains(&range(span)));
            }
        }
        Ok(messages)
    }

    /// The compiler's messages about a file, with or without debug assertions.
    fn compile(&self, file: &Path, build: bool, assertions: bool) -> Result<Messages, BundleError> {
        let mut command = command();
        let assertions = if assertions { "yes" } else { "no" };
        command.args(["-C", &format!("debug-assertions={assertions}")]);
        command.args(["--edition", EDITION, "--crate-type", "bin"]);
        command.args(["--crate-name", "bundle", "--error-format", "json"]);
        command.args(["--emit", if build { "link" } else { "metadata" }]);
        command.args(LINTS.map(|lint| format!("-W{lint}")));
        for (name, path) in &self.externs {
            let folder = path.parent().unwrap_or(path).display();
            command
                .arg("--extern")
                .arg(format!("{name}={}", path.display()));
            command.arg("-L").arg(format!("dependency={folder}"));
        }
        command.arg("--out-dir").arg(self.folder.path()).arg(file);
        let output = command.output().map_err(BundleError::Compiler)?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        let messages = stderr.lines().filter_map(|line| {
            let message: Diagnostic = serde_json::from_str(line).ok()?;
            // The last one only summarises the others.
            (!message.message.starts_with("aborting due to")).then_some(message)
        });
        let (errors, mut unused): (Vec<_>, Vec<_>) = messages.partition(|message| {
            matches!(message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice)
        });
        unused.retain(|one| LINTS.contains(&code(one)));
        if output.status.success() || !errors.is_empty() {
            Ok(Messages { errors, unused })
        } else {
            let first = stderr.lines().next().unwrap_or_default();
            Err(BundleError::DoesNotCompile(format!(
                "the compiler itself crashed, as it does when an expression nests or chains too deeply: {first}"
            )))
        }
    }
}

fn command() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// The lint or the number of the error: `dead_code`, `E0407`.
pub(super) fn code(message: &Diagnostic) -> &str {
    message.code.as_ref().map_or("", |code| &code.code)
}

/// What a message is about, in bytes of the text.
pub(super) fn ranges(message: &Diagnostic) -> impl Iterator<Item = Range<usize>> {
    primary(message).map(range)
}

fn primary(message: &Diagnostic) -> impl Iterator<Item = &DiagnosticSpan> {
    message.spans.iter().filter(|span| span.is_primary)
}

fn range(span: &DiagnosticSpan) -> Range<usize> {
    span.byte_start as usize..span.byte_end as usize
}

/// The line of the contestant that a message is about.
pub(super) fn location(message: &Diagnostic, places: &Places) -> Option<Location> {
    places.at(ranges(message).next()?.start)
}

/// The compiler's errors, each with the contestant's file and line.
pub(super) fn does_not_compile(errors: &[Diagnostic], places: &Places) -> BundleError {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for error in errors.iter().take(SHOWN) {
        let place = location(error, places);
        let _ = write!(text, "{}: {}", show(place.as_ref()), error.message);
        if let Some(Location { file, line }) = place {
            let source = std::fs::read_to_string(file).unwrap_or_default();
            let line = source.lines().nth(line - 1).unwrap_or_default();
            let _ = write!(text, "\n    | {}", line.trim());
        }
        // Such as ``expected `u8`, found `bool` ``.
        let labels = primary(error).filter_map(|span| span.label.as_ref());
        let notes = labels.chain(error.children.iter().map(|child| &child.message));
        for note in notes.filter(|note| !note.is_empty()) {
            let _ = write!(text, "\n    {}", note.replace('\n', "\n    "));
        }
        text.push('\n');
    }
    if let Some(more) = errors.len().checked_sub(SHOWN + 1) {
        let _ = writeln!(text, "and {} more", more + 1);
    }
    if errors
        .iter()
        .any(|error| error.message.contains("Rust 2024"))
    {
        let _ = writeln!(
            text,
            "The contest compiles edition {EDITION}, which lacks that."
        );
    }
    BundleError::DoesNotCompile(text)
}
