//! Files and standard input that do not end: an error, in bounded memory.
#![cfg(target_os = "linux")]

use crate::common::TestWorkspace;
use std::fs::File;
use std::os::unix::fs::symlink;
use std::process::Output;

/// Far above what a reader may hold, and far below what it would take to read without bounds.
const KILOBYTES: u32 = 400_000;

/// Runs this line of the shell in a workspace's folder, `crownhead` in little memory.
fn shell(workspace: &TestWorkspace, line: &str) -> Output {
    let program = assert_cmd::cargo::cargo_bin("crownhead");
    let script = format!(
        "crownhead() {{ ulimit -v {KILOBYTES}; exec '{}' \"$@\"; }}\n{line}",
        program.display()
    );
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", &script])
        .current_dir(workspace.path(""));
    command.output().unwrap()
}

/// Such a line fails with this status and says so, and why, in one line.
fn refuses(workspace: &TestWorkspace, line: &str, status: i32, told: &str) {
    let output = shell(workspace, line);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{line}: {error}");
    assert!(error.contains(told), "{line}: {error}");
    assert_eq!(error.lines().count(), 1, "{line}: {error}");
}

#[test]
fn endless_input_is_refused_in_one_line_and_little_memory() {
    let workspace = TestWorkspace::new();
    symlink("/dev/zero", workspace.path("games.pdn")).unwrap();
    std::fs::create_dir(workspace.path("ladder")).unwrap();
    // A file with a hole.
    let config = File::create(workspace.path("ladder/ladder.toml")).unwrap();
    config.set_len(8 << 30).unwrap();
    let typed = "line 1 goes on after 65536 bytes";
    let whole = "line 1 goes on after 1048576 bytes";
    for (line, told) in [
        ("crownhead chess /dev/zero", typed),
        ("crownhead play human human < /dev/zero", typed),
        ("crownhead replay games.pdn", whole),
        ("crownhead match random greedy --openings games.pdn", whole),
        ("crownhead ladder standings ladder", whole),
        (
            "crownhead train fit /dev/zero --output x.net",
            "goes on after ",
        ),
        (
            "crownhead replay /dev/zero",
            "line 1 goes on after 67108864 bytes",
        ),
    ] {
        refuses(&workspace, line, 2, told);
    }
    refuses(&workspace, "crownhead bot random < /dev/zero", 1, "error: ");
}
