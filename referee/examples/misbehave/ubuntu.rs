//! A command as on a system that lets everybody create user namespaces, and then permits nothing in them: Ubuntu since
//! 23.10, by AppArmor. Under Landlock the kernel refuses the same: every mount, and here to write into `/proc`, with
//! it the map of users.

use landlock::{
    AccessFs, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, path_beneath_rules,
};
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

/// Runs the command in place of this process.
pub(crate) fn run(mut words: impl Iterator<Item = OsString>) {
    let error = match refuse_mounts() {
        Ok(()) => {
            let program = words.next().unwrap_or_default();
            Command::new(program).args(words).exec().to_string()
        }
        Err(error) => error.to_string(),
    };
    eprintln!("{error}");
    std::process::exit(127);
}

fn refuse_mounts() -> Result<(), RulesetError> {
    let root = std::fs::read_dir("/").into_iter().flatten().flatten();
    let mut writable: Vec<PathBuf> = root.map(|entry| entry.path()).collect();
    writable.retain(|path| !path.ends_with("proc"));
    Ruleset::default()
        .handle_access(AccessFs::WriteFile)?
        .create()?
        .add_rules(path_beneath_rules(writable, AccessFs::WriteFile))?
        .restrict_self()?;
    Ok(())
}
