//! Telling what the system lacks to keep bots locked in.

use super::Failure;
use crate::room::{Room, Sandbox};
use anyhow::Context;

/// Says once what the system cannot keep bots from, or refuses to run.
pub(super) fn warn_missing(room: &Room) -> Result<(), Failure> {
    let gaps = room
        .gaps()
        .context("the locked room cannot be set up; `--sandbox off` does without")?;
    if room.sandbox == Sandbox::Require && !gaps.is_empty() {
        return Err(Failure::Failed(anyhow::anyhow!(
            "--sandbox require: this system does not allow all of it: {}",
            gaps.join("; ")
        )));
    }
    for gap in gaps {
        anstream::eprintln!("note: {gap}");
    }
    Ok(())
}
