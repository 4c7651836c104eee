//! Programs that run one after the other under one supervisor: none finds anything of the one before.

use crownhead_sandbox::{Sandbox, SandboxedChild};
use rustix::fs::{Advice, fadvise};
use std::fs::{File, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command};

/// A script that runs in a sandbox with these further grants, its pid unless it has ended at once, and what it prints.
fn started(script: &str, allow_read: &[&Path]) -> (SandboxedChild, Option<u32>, ChildStdout) {
    let sandbox = Sandbox {
        allow_read: allow_read.iter().map(PathBuf::from).collect(),
        ..sandbox()
    };
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]).current_dir("/usr");
    let (mut child, (input, out, _)) = SandboxedChild::spawn(&command, &sandbox).unwrap();
    let start = child.await_start().clone();
    // It waits for its input, if it reads any.
    std::mem::forget(input);
    (child, start.unwrap().pid, out)
}

fn sandbox() -> Sandbox {
    Sandbox {
        supervisor: Some(env!("CARGO_BIN_EXE_crownhead").into()),
        ..Sandbox::default()
    }
}

/// All that a script prints.
fn output(script: &str, allow_read: &[&Path]) -> String {
    let (_child, _, mut out) = started(script, allow_read);
    let mut text = String::new();
    out.read_to_string(&mut text).unwrap();
    text
}

/// How many bytes are counted for a program that waits once this script is done; 0 where nothing is counted.
fn memory_after(script: &str, allow_read: &[&Path]) -> usize {
    let script = format!("{script}; echo done; read wait");
    let (_child, pid, mut out) = started(&script, allow_read);
    let pid = pid.expect("it waits to be read from");
    out.read_exact(&mut [0; 5]).unwrap();
    let groups = std::fs::read_to_string(format!("/proc/{pid}/cgroup")).unwrap();
    let usage = groups.lines().find_map(|line| {
        let (controller, path) = line.split_once(':')?.1.split_once(':')?;
        let file = match controller {
            "memory" => format!("/sys/fs/cgroup/memory{path}/memory.usage_in_bytes"),
            "" => format!("/sys/fs/cgroup{path}/memory.current"),
            _ => return None,
        };
        std::fs::read_to_string(file).ok()
    });
    usage.map_or(0, |bytes| bytes.trim().parse().unwrap())
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
fn a_program_reads_as_its_own_what_another_user_owns_than_those_of_earlier_programs() {
    let _alone = ONE_AT_A_TIME.lock();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights");
    std::fs::write(&path, "weights").unwrap();
    std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    // Only the administrator's programs read what others own.
    if chown(&path, Some(12_345), Some(12_345)).is_ok() {
        assert_eq!(output("true", &[]), "");
        let read = format!("[ -O {0} ] && cat {0}", path.display());
        assert_eq!(output(&read, &[&path]), "weights");
    }
}

#[test]
fn files_of_one_program_are_gone_for_the_next() {
    let _alone = ONE_AT_A_TIME.lock();
    let write = "echo kept > /tmp/kept; echo kept > /dev/shm/shared; ls /tmp /dev/shm";
    assert!(output(write, &[]).contains("kept"));
    assert_eq!(output("ls -A /tmp /dev/shm | grep -v :", &[]).trim(), "");
}

#[test]
fn nothing_is_mounted_below_the_root_of_a_program() {
    let _alone = ONE_AT_A_TIME.lock();
    // Without namespaces both are the root of the machine.
    let same = "[ / -ef /.. ] && echo same; ls -A / > /tmp/here; ls -A /.. | cmp - /tmp/here && echo listed";
    assert_eq!(output(same, &[]), "same\nlisted\n");
    let mounts = "grep -c ' /work\\| /home\\| /root\\|/tests/' /proc/self/mountinfo";
    assert_eq!(output(mounts, &[]).trim(), "0");
}

#[test]
fn counts_of_one_program_do_not_leak_to_the_next() {
    let _alone = ONE_AT_A_TIME.lock();
    let all = "for file in $(find /sys/fs/cgroup -type f | sort); do \
                 cat $file > /tmp/text 2>/dev/null && { echo $file; cat /tmp/text; }; done; true";
    let before = output(all, &[]);
    let forks = "import os, time\nfor _ in range(300):\n  try:\n    if not os.fork(): time.sleep(9); os._exit(0)\n  except OSError: pass\n";
    output(
        &format!("python3 -c '{forks}'; head -c 50000000 /dev/zero > /tmp/full"),
        &[],
    );
    assert_eq!(output(all, &[]), before);
    for counted in ["events", "peak", "stat", "usage", "procs", "tasks"] {
        assert!(!before.contains(counted), "{before}");
    }
}

#[test]
fn groups_of_a_supervisor_that_was_killed_are_removed_by_the_next_and_no_others() {
    let _alone = ONE_AT_A_TIME.lock();
    // Where a supervisor creates its groups: in this process's own of version 1, or beside that of version 2.
    let text = std::fs::read_to_string("/proc/self/cgroup").unwrap();
    let places: Vec<PathBuf> = text
        .lines()
        .filter_map(|line| {
            let (controller, path) = line.split_once(':')?.1.split_once(':')?;
            match controller {
                "pids" => Some(format!("/sys/fs/cgroup/pids{path}").into()),
                "" => Some(format!("/sys/fs/cgroup{path}/..").into()),
                _ => None,
            }
        })
        .filter(|place: &PathBuf| place.join("cgroup.procs").exists())
        .collect();
    let created = |name: &str| -> Vec<PathBuf> {
        let groups = places.iter().map(|place| place.join(name));
        groups
            .filter(|group| std::fs::create_dir(group).is_ok())
            .collect()
    };
    // No process has such a number (PID_MAX_LIMIT, proc_sys_kernel(5)).
    let abandoned = created("crownhead-4194305-1");
    let others = created("crownhead-of-someone-else");
    // A supervisor of another binary is another one, with groups of its own.
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("crownhead");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_crownhead"), &binary).unwrap();
    let sandbox = Sandbox {
        supervisor: Some(binary),
        ..sandbox()
    };
    let (mut child, _) = SandboxedChild::spawn(&Command::new("/bin/cat"), &sandbox).unwrap();
    assert!(child.await_start().is_ok());
    // Both are removed here in any case.
    let remains = |group: &PathBuf| std::fs::remove_dir(group).is_ok();
    let left: Vec<&PathBuf> = abandoned.iter().filter(|group| remains(group)).collect();
    let lost: Vec<&PathBuf> = others.iter().filter(|group| !remains(group)).collect();
    assert!(
        left.is_empty() && lost.is_empty(),
        "left {left:?}, lost {lost:?}"
    );
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
    // Out of memory, so that its reader is charged.
    fadvise(&file, 0, None, Advice::DontNeed).unwrap();
    let read = format!("cat {} > /dev/null", path.display());
    let first = memory_after(&read, &[&path]);
    let second = memory_after("true", &[]);
    std::fs::remove_dir_all(&folder).unwrap();
    // Where there is no control group for memory, nothing is counted.
    assert!(first == 0 || first > SIZE / 2, "{first}");
    assert!(second < SIZE / 2, "{second}");
}
