//! Systems other than Linux: programs run as plain children, with nothing between them and the machine.

use crate::config::Sandbox;
use crate::missing::{Feature, MissingFeature};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

pub(crate) fn missing_features(_: &Sandbox) -> io::Result<Vec<MissingFeature>> {
    let why = "this system is not Linux: bots can read, write and connect as you can";
    let missing = |feature| MissingFeature::new(feature, why);
    Ok(Feature::ALL.map(missing).into())
}

/// Nothing: no program is confined.
pub fn granted(_: &Command, _: &Sandbox) -> Vec<PathBuf> {
    Vec::new()
}

/// Whether a folder is shared by all.
pub fn is_shared_folder(folder: &Path) -> bool {
    folder.parent().is_none()
}

pub(crate) fn supervise() -> ExitCode {
    ExitCode::FAILURE
}
