//! What this machine lacks for the conditions of games, and how that is printed.

use crate::failure::Failure;
use crate::progress::note;
use anyhow::Context;
use crownhead_arena::seat::{Conditions, SuspendIdle};
use crownhead_arena::settings::SettingsError;
use crownhead_sandbox::{Sandbox, SandboxMode};

/// What the system lacks for the sandbox.
pub(crate) fn missing_features(sandbox: &Sandbox) -> anyhow::Result<Vec<String>> {
    let missing = sandbox.missing_features();
    missing.context("the sandbox cannot be set up; `--sandbox off` does without")
}

/// Prints what the system lacks for these conditions, a note each; fails if all of the sandbox is required.
pub(crate) fn warn_missing(conditions: &Conditions) -> Result<(), Failure> {
    let sandbox = &conditions.sandbox;
    let missing = missing_features(sandbox)?;
    if sandbox.mode == SandboxMode::Require && !missing.is_empty() {
        return Err(Failure::Failed(anyhow::anyhow!(
            "--sandbox require: this system does not allow all of it: {}",
            missing.join("; ")
        )));
    }
    missing.iter().for_each(note);
    if conditions.suspend_idle == SuspendIdle::Always && sandbox.mode == SandboxMode::Off {
        note(
            "--suspend-idle with --sandbox off: bots are stopped by signals, and nothing keeps them from going on",
        );
    }
    Ok(())
}

/// The failure of options that cannot be put in force.
pub(crate) fn unusable(error: SettingsError) -> Failure {
    match error {
        SettingsError::Allow { option, .. } => {
            Failure::Usage(format!("--{} {error}", option.replace('_', "-")))
        }
        SettingsError::Environment(error) => Failure::Usage(format!("--env: {error}")),
        SettingsError::Rules(reason) => Failure::Usage(format!("--rules: {reason}")),
        SettingsError::Referee(error) => Failure::Usage(format!("--referee: {error}")),
        SettingsError::NoProgram(_) | SettingsError::JsGlobals(_) => error.into(),
    }
}
