//! Type-checks a text with the contest's edition and reads the compiler's messages.

use super::BundleError;
use serde_json::Value;
use std::ops::Range;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

/// The edition that the contest compiles.
pub(super) const EDITION: &str = "2021";

/// The lints that report dead code.
const LINTS: [&str; 3] = ["dead_code", "unused_imports", "unused_macros"];

/// The compiler, with a folder to work in.
pub(super) struct Compiler {
    folder: TempDir,
    /// The compiled crates that the text may use, by their names in it.
    pub(super) externs: Vec<(String, PathBuf)>,
}

/// A message of the compiler.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) is_error: bool,
    /// The lint or the number of the error: `dead_code`, `E0407`.
    pub(super) code: String,
    pub(super) text: String,
    /// What it is about, in bytes of the text.
    pub(super) ranges: Vec<Range<usize>>,
    /// What the compiler adds to it: `expected `u8`, found `bool``.
    pub(super) notes: Vec<String>,
}

impl Message {
    /// Whether it reports dead code.
    pub(super) fn is_unused(&self) -> bool {
        LINTS.contains(&self.code.as_str())
    }
}

impl Compiler {
    pub(super) fn new() -> Result<Compiler, BundleError> {
        Ok(Compiler {
            folder: tempfile::tempdir().map_err(BundleError::Scratch)?,
            externs: Vec::new(),
        })
    }

    /// What the compiler says its version is: `rustc 1.90.0 (…)`.
    pub(super) fn version() -> Result<String, BundleError> {
        let output = command().arg("--version").output();
        let output = output.map_err(BundleError::Compiler)?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
    }

    /// The messages about a text as the source of a binary; with `build` it is compiled to the end.
    pub(super) fn check(&self, text: &str, build: bool) -> Result<Vec<Message>, BundleError> {
        let file = self.folder.path().join("bundle.rs");
        std::fs::write(&file, text).map_err(BundleError::Scratch)?;
        let mut command = command();
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
        let words = String::from_utf8_lossy(&output.stderr);
        let messages = words.lines();
        let messages: Vec<Message> = messages
            .filter_map(|line| serde_json::from_str(line).ok())
            .filter_map(|message: Value| read(&message))
            .collect();
        if output.status.success() || messages.iter().any(|message| message.is_error) {
            Ok(messages)
        } else {
            let first = words.lines().next().unwrap_or_default();
            Err(BundleError::DoesNotCompile(format!(
                "the compiler itself crashed, as it does when an expression nests or chains too deeply: {first}"
            )))
        }
    }
}

fn command() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// One message, unless it is a mere summary.
fn read(message: &Value) -> Option<Message> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let words = text(&message["message"]);
    if words.starts_with("aborting due to") {
        return None;
    }
    let spans = message["spans"].as_array()?.iter();
    let primary: Vec<&Value> = spans.filter(|span| span["is_primary"] == true).collect();
    let offset = |span: &Value, name: &str| usize::try_from(span[name].as_u64()?).ok();
    let range = |span: &&Value| Some(offset(span, "byte_start")?..offset(span, "byte_end")?);
    let labels = primary.iter().map(|span| text(&span["label"]));
    let children = message["children"].as_array()?.iter();
    let notes = children.map(|child| text(&child["message"]));
    Some(Message {
        is_error: message["level"].as_str()?.starts_with("error"),
        code: text(&message["code"]["code"]),
        text: words,
        ranges: primary.iter().filter_map(range).collect(),
        notes: labels
            .chain(notes)
            .filter(|note| !note.is_empty())
            .collect(),
    })
}
