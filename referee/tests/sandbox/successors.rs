//! Programs that run one after the other under one supervisor: none finds anything of the one before.

use crownhead_sandbox::{Sandbox, SandboxedChild};
use rustix::fs::{Advice, fadvise};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a script prints, in a sandbox with these further grants.
fn output(script: &str, allow_read: &[&Path]) -> String {
    let sandbox = Sandbox {
        supervisor: Some(env!("CARGO_BIN_EXE_crownhead").into()),
        allow_read: allow_read.iter().map(PathBuf::from).collect(),
        ..Sandbox::default()
    };
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]).current_dir("/usr");
    let (mut child, (_, mut out, _)) = SandboxedChild::spawn(&command, &sandbox).unwrap();
    assert!(child.await_start().is_ok());
    let mut text = String::new();
    out.read_to_string(&mut text).unwrap();
    text
}

/// The supervisors of this process, of which each is reused: one test at a time has one alone.
static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());

#[test]
fn a_file_of_the_system_that_one_program_was_granted_is_not_there_for_the_next() {
    let _alone = ONE_AT_A_TIME.lock();
    let granted = Path::new("/etc/hosts");
    let list = "ls -d /etc/hosts 2>/dev/null; cat /etc/hosts 2>/dev/null; ls -d /usr/lib";
    assert_eq!(output(list, &[]), "/usr/lib\n");
    let hosts = std::fs::read_to_string(granted).unwrap();
    let expected = format!("/etc/hosts\n{hosts}/usr/lib\n");
    assert_eq!(output(list, &[granted]), expected);
    assert_eq!(output(list, &[]), "/usr/lib\n");
}

#[test]
fn what_one_program_wrote_is_gone_for_the_next() {
    let _alone = ONE_AT_A_TIME.lock();
    let write = "echo kept > /tmp/kept; echo kept > /dev/shm/shared; ls /tmp /dev/shm";
    assert!(output(write, &[]).contains("kept"));
    assert_eq!(output("ls -A /tmp /dev/shm | grep -v :", &[]).trim(), "");
}

#[test]
fn pages_that_one_program_has_read_do_not_count_for_the_next() {
    const SIZE: usize = 64 << 20;
    let _alone = ONE_AT_A_TIME.lock();
    let folder = std::env::temp_dir().join(format!("crownhead-pages-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("book");
    let mut file = File::create(&path).unwrap();
    file.write_all(&vec![1; SIZE]).unwrap();
    file.sync_all().unwrap();
    // Out of memory, so that whoever reads it is charged.
    fadvise(&file, 0, None, Advice::DontNeed).unwrap();
    let group = "/sys/fs/cgroup";
    let usage =
        format!("cat {group}/memory/memory.usage_in_bytes {group}/memory.current 2>/dev/null");
    let read = format!("cat {} > /dev/null; {usage}", path.display());
    let used = |text: String| text.trim().parse().unwrap_or(0);
    let first: usize = used(output(&read, &[&path]));
    let second: usize = used(output(&usage, &[]));
    std::fs::remove_dir_all(&folder).unwrap();
    // Where there is no control group for memory, nothing is counted.
    assert!(first == 0 || first > SIZE / 2, "{first}");
    assert!(second < SIZE / 2, "{second}");
}
