//! What this machine has and lacks for the conditions of games, and how that is printed.

use crate::failure::{Failure, usage};
use crate::progress::note;
use anyhow::Context;
use crownhead_arena::seat::{Conditions, SuspendIdle};
use crownhead_arena::settings::SettingsError;
use crownhead_record::numbers::counted;
use crownhead_sandbox::{MissingFeature, Sandbox, SandboxMode, WHY_NO_SANDBOX};

/// The cores of this machine that this program may use.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// One game for every two cores: a bot may use a second thread, and the referee needs a moment too.
pub(crate) fn games_at_once() -> usize {
    (cores() / 2).max(1)
}

/// Prints a note if this many games at once may make bots late.
pub(crate) fn warn_of_too_many(at_once: usize) {
    let (cores, usual) = (counted(cores(), "core"), games_at_once());
    if at_once > usual {
        note(format_args!(
            "{at_once} games at once may make bots late. For {cores}, `--concurrency {usual}` is calm"
        ));
    }
}

/// The features that the system lacks for the sandbox.
pub(crate) fn missing_features(sandbox: &Sandbox) -> anyhow::Result<Vec<MissingFeature>> {
    let missing = sandbox.missing_features();
    missing.context("the sandbox cannot be set up; `--sandbox off` does without")
}

/// Says in one line that the system lacks parts of the sandbox.
///
/// # Errors
/// When all of the sandbox is required: why not, an item a line.
pub(crate) fn check_sandbox(sandbox: &Sandbox) -> Result<(), Failure> {
    if let Some(why) = WHY_NO_SANDBOX {
        if sandbox.mode == SandboxMode::Require {
            return Err(Failure::Failed(anyhow::anyhow!(
                "`--sandbox require`: {why}. Run Crownhead in WSL 2 or in Docker"
            )));
        }
        // What is said once need not be said with every turn.
        note(format_args!(
            "{why}; how long a bot waits for a core is not known here, and counts as its time"
        ));
        return Ok(());
    }
    let missing = missing_features(sandbox)?;
    if missing.is_empty() {
        return Ok(());
    }
    let parts = format!("{} of the sandbox", counted(missing.len(), "part"));
    if sandbox.mode == SandboxMode::Require {
        let line = |missing: &MissingFeature| format!("\n  - {missing}");
        let lines: String = missing.iter().map(line).collect();
        return Err(Failure::Failed(anyhow::anyhow!(
            "`--sandbox require`: this system lacks {parts}:{lines}\n`crownhead doctor` says how to get what is missing; \
             `--sandbox auto` does with what there is"
        )));
    }
    note(format_args!(
        "this system lacks {parts}; `crownhead doctor` says which, and how to get what is missing"
    ));
    Ok(())
}

/// Says what the system lacks for these conditions; fails if all of the sandbox is required.
pub(crate) fn warn_missing(conditions: &Conditions) -> Result<(), Failure> {
    let sandbox = &conditions.sandbox;
    check_sandbox(sandbox)?;
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
        SettingsError::Option { key, reason, .. } => {
            usage(format_args!("`--{}`: {reason}", key.replace('_', "-")))
        }
        SettingsError::System(_) => error.into(),
    }
}
