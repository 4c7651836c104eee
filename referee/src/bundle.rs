//! `crownhead bundle`: one source file to submit.

use super::output_file::OutputPath;
use super::table::{left, right, stderr_screen, table};
use crate::failure::Failure;
use anyhow::anyhow;
use clap::Args;
use crownhead_bundle::{Bundle, BundleError, BundleRequest, LIMIT, Part, bundle};
use crownhead_record::numbers::{show_count, show_percent};
use std::path::{Path, PathBuf};

/// Combine a Rust bot into one source file for the contest's editor
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead bundle --output submission.rs
  crownhead bundle --check",
    after_long_help = "\
More examples:
  crownhead bundle --manifest-path ../my_bot/Cargo.toml -o submission.rs

The file holds the binary's `main` and every module that it reaches, in its own package and in those that it depends on \
by path. Tests, documentation and comments are left out. A summary of the sizes goes to standard error.

Exit status: 0 the file was written; 1 it could not be, or would be longer than 100,000 characters; 2 unusable arguments."
)]
pub(super) struct MakeBundle {
    /// Cargo.toml of the bot [default: the one of this folder]
    #[arg(long, value_name = "FILE")]
    manifest_path: Option<PathBuf>,
    /// Binary to bundle [default: the only one, or the one named `contest`]
    #[arg(long, value_name = "NAME")]
    bin: Option<String>,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file of --output if it exists
    #[arg(long, short, requires = "output")]
    force: bool,
    /// Write as compactly as possible, even if readable text would fit
    #[arg(long)]
    compact: bool,
    /// Compile the file as the contest does, and say whether it would be accepted
    ///
    /// The file is written only with --output.
    #[arg(long)]
    check: bool,
}

impl MakeBundle {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let output = match &self.output {
            None if self.check => None,
            path => {
                let path = path.as_deref().unwrap_or(Path::new("-"));
                Some(OutputPath::new(path, self.force)?)
            }
        };
        let request = BundleRequest {
            manifest: self.manifest_path.as_deref(),
            binary: self.bin.as_deref(),
            compact: self.compact,
            check: self.check,
        };
        let bundle = bundle(&request).map_err(|error| match error {
            BundleError::Binary { .. } | BundleError::Cargo(_) => Failure::Usage(error.to_string()),
            other => Failure::Failed(other.into()),
        })?;
        anstream::eprint!("{}", summary(&bundle));
        if bundle.units > LIMIT {
            let [all, more] = [bundle.units, bundle.units - LIMIT].map(show_count);
            let problem = anyhow!(
                "{all} characters are {more} more than a submission may have; nothing was written"
            );
            return Err(problem.into());
        }
        if let Some(compiler) = &bundle.checked {
            anstream::eprintln!(
                "accepted: short enough, and compiles as edition 2021 with {compiler}; the contest has Rust 1.90"
            );
        }
        match output {
            Some(file) => file.write(&bundle.text),
            None => Ok(()),
        }
    }
}

/// The size of each module, the largest first, and of the whole.
fn summary(bundle: &Bundle) -> String {
    let mut parts: Vec<&Part> = bundle.parts.iter().collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.units));
    let rows = parts.into_iter().map(|part| {
        let is_root = part.module.is_empty();
        let name = if is_root { "(root)" } else { &part.module };
        let share = part.units as f64 / bundle.units.max(1) as f64;
        [
            name.to_string(),
            show_count(part.units),
            show_percent(share),
        ]
    });
    let columns = [left("module"), right("characters"), right("share")];
    let table = table(&columns, rows, stderr_screen());
    let [all, limit] = [bundle.units, LIMIT].map(show_count);
    let compactly = if bundle.compact {
        ", written compactly"
    } else {
        ""
    };
    format!("{table}{all} characters of {limit}{compactly}\n")
}
