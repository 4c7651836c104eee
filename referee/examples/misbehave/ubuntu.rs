//! A command as on a system that lets everybody create user namespaces, and then permits nothing in them: Ubuntu since
//! 23.10, by AppArmor. Under Landlock the kernel refuses the same: every mount, and here to write into `/proc`, with
//! it the map of users.
//!
//! And commands as on systems where a part of the sandbox is there and fails.
#![allow(unsafe_code)] // A filter of its own, which the kernel reads.

use landlock::{
    AccessFs, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, path_beneath_rules,
};
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

/// Runs the command in place of this process.
pub(crate) fn run(words: impl Iterator<Item = OsString>) {
    run_after(refuse_mounts().map_err(io::Error::other), words);
}

/// The same where the system has filters of calls, and no memory for another.
pub(crate) fn run_without_filters(words: impl Iterator<Item = OsString>) {
    run_after(refuse_filters(), words);
}

fn run_after(done: io::Result<()>, mut words: impl Iterator<Item = OsString>) {
    let error = match done {
        Ok(()) => {
            let program = words.next().unwrap_or_default();
            Command::new(program).args(words).exec()
        }
        Err(error) => error,
    };
    eprintln!("{error}");
    std::process::exit(127);
}

fn refuse_filters() -> io::Result<()> {
    let instruction = |code: u32, k: u32, jf: u8| libc::sock_filter {
        code: u16::try_from(code).expect("a code"),
        jt: 0,
        jf,
        k,
    };
    let call = u32::try_from(libc::SYS_seccomp).expect("a number");
    let error = libc::SECCOMP_RET_ERRNO | libc::ENOMEM.cast_unsigned();
    let mut filter = [
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0),
        instruction(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, call, 1),
        instruction(libc::BPF_RET | libc::BPF_K, error, 0),
        instruction(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW, 0),
    ];
    let program = libc::sock_fprog {
        len: 4,
        filter: filter.as_mut_ptr(),
    };
    // SAFETY: the kernel reads the four instructions.
    let done = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        let mode = libc::SECCOMP_SET_MODE_FILTER;
        libc::syscall(libc::SYS_seccomp, mode, 0, &raw const program)
    };
    match done {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
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
