//! Telling what the system lacks to confine bots.

use super::Failure;
use anyhow::Context;
use crownhead_sandbox::{Sandbox, SandboxMode};

/// Prints what the system lacks for the sandbox, a note each; fails if all of it is required.
pub(super) fn warn_missing(sandbox: &Sandbox) -> Result<(), Failure> {
    let missing = sandbox
        .missing_features()
        .context("the sandbox cannot be set up; `--sandbox off` does without")?;
    if sandbox.mode == SandboxMode::Require && !missing.is_empty() {
        return Err(Failure::Failed(anyhow::anyhow!(
            "--sandbox require: this system does not allow all of it: {}",
            missing.join("; ")
        )));
    }
    for feature in missing {
        anstream::eprintln!("note: {feature}");
    }
    Ok(())
}
