//! What a program has of the caller's environment: what languages need to be found and to run, and nothing else.
//!
//! So a token of the caller's stays with the caller, and no setting of its shell (`PYTHONUNBUFFERED`, `NODE_OPTIONS`,
//! `LD_PRELOAD`) changes how a program runs. Leaves out what else the caller gives a program, which its
//! [`Command`](std::process::Command) says.

use std::ffi::{OsStr, OsString};

/// The names, beside `LC_` and whatever follows it. Each says where something is, who runs it, or in which language;
/// none says how an interpreter buffers or which code it runs first.
const INHERITED: [&str; 36] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "TZ",
    "LANG",
    "LANGUAGE",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "NIX_LD",
    "NIX_LD_LIBRARY_PATH",
    "JAVA_HOME",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "PYTHONHOME",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "RBENV_ROOT",
    "RBENV_VERSION",
    "GEM_HOME",
    "GEM_PATH",
    "NVM_DIR",
    "DENO_DIR",
    "DOTNET_ROOT",
    "GOROOT",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "SDKMAN_DIR",
    "ASDF_DIR",
    "ASDF_DATA_DIR",
    "MISE_DATA_DIR",
    "JULIA_DEPOT_PATH",
];

/// Whether a program has this variable of the caller's.
pub fn is_inherited(name: &OsStr) -> bool {
    name.to_str()
        .is_some_and(|name| INHERITED.contains(&name) || name.starts_with("LC_"))
}

/// The variables of this process that programs have.
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
        // Cargo's tests have variables of cargo's.
        let own = names.iter().any(|name| name == "CARGO_MANIFEST_DIR");
        assert!(!own, "{names:?}");
    }
}
