//! What this machine lacks for the conditions of games, and how that is printed.

use crate::failure::Failure;
use crate::progress::note;
use anyhow::Context;
use crownhead_arena::settings::SettingsError;
use crownhead_sandbox::{Sandbox, SandboxMode};

/// What the system lacks for the sandbox.
pub(crate) fn missing_features(sandbox: &Sandbox) -> anyhow::Result<Vec<String>> {
    let missing = sandbox.missing_features();
    missing.context("the sandbox cannot be set up; `--sandbox off` does without")
}

/// Prints what the system lacks for the sandbox, a note each; fails if all of it is required.
pub(crate) fn warn_missing(sandbox: &Sandbox) -> Result<(), Failure> {
    let missing = missing_features(sandbox)?;
    if sandbox.mode == SandboxMode::Require && !missing.is_empty() {
        return Err(Failure::Failed(anyhow::anyhow!(
            "--sandbox require: this system does not allow all of it: {}",
            missing.join("; ")
        )));
    }
    missing.iter().for_each(note);
    Ok(())
}

/// The failure of options that cannot be put in force.
pub(crate) fn unusable(error: SettingsError) -> Failure {
    match error {
        SettingsError::Allow { option, .. } => {
            Failure::Usage(format!("--{} {error}", option.replace('_', "-")))
        }
        SettingsError::Rules(reason) => Failure::Usage(format!("--rules: {reason}")),
        SettingsError::Referee(error) => Failure::Usage(format!("--referee: {error}")),
        SettingsError::NoProgram(_) | SettingsError::JsGlobals(_) => error.into(),
    }
}
