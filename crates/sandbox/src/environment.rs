//! The variables of the caller's environment that programs get: only those that languages need to be found and to run.
//!
//! So the caller's tokens stay with the caller, and no setting of its shell (`PYTHONUNBUFFERED`, `NODE_OPTIONS`,
//! `LD_PRELOAD`) changes how a program runs. The caller adds other variables with [`Command`](std::process::Command).

use crate::host;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::sync::LazyLock;

/// The names, in addition to all that begin with `LC_`. Each says where something is, who runs it, or in which
/// language. None changes how an interpreter buffers or which code it runs first.
const INHERITED: &str = "\
    PATH HOME USER LOGNAME SHELL TERM TZ LANG LANGUAGE TMPDIR LD_LIBRARY_PATH DYLD_LIBRARY_PATH NIX_LD NIX_LD_LIBRARY_PATH \
    JAVA_HOME VIRTUAL_ENV CONDA_PREFIX PYTHONHOME PYENV_ROOT PYENV_VERSION RBENV_ROOT RBENV_VERSION GEM_HOME GEM_PATH \
    NVM_DIR DENO_DIR DOTNET_ROOT GOROOT CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN SDKMAN_DIR ASDF_DIR ASDF_DATA_DIR \
    MISE_DATA_DIR JULIA_DEPOT_PATH";

/// Whether programs get this variable of the caller.
pub fn is_inherited(name: &OsStr) -> bool {
    // Each start of a program asks this for each variable.
    static LISTED: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let lists = [INHERITED, host::INHERITED].into_iter();
        lists.flat_map(str::split_whitespace).collect()
    });
    name.to_str()
        .map(host::variable)
        .is_some_and(|name| name.starts_with("LC_") || LISTED.contains(&*name))
}

/// The variables of this process that programs get.
pub fn inherited_environment() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| is_inherited(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_has_what_finds_it_and_no_setting_or_secret_of_the_caller() {
        for name in ["PATH", "HOME", "LC_ALL", "LD_LIBRARY_PATH", "VIRTUAL_ENV"] {
            assert!(is_inherited(OsStr::new(name)), "{name}");
        }
        for name in [
            "PYTHONUNBUFFERED",
            "PYTHONPATH",
            "NODE_OPTIONS",
            "JAVA_TOOL_OPTIONS",
            "LD_PRELOAD",
            "_STDBUF_O",
            "PGPASSWORD",
            "GITHUB_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "LC",
            "path",
            "",
        ] {
            assert!(!is_inherited(OsStr::new(name)), "{name}");
        }
        let names: Vec<OsString> = inherited_environment().map(|(name, _)| name).collect();
        assert!(names.iter().any(|name| name == "PATH"), "{names:?}");
        // Under cargo, tests have cargo's variables.
        let own = names.iter().any(|name| name == "CARGO_MANIFEST_DIR");
        assert!(!own, "{names:?}");
    }
}
