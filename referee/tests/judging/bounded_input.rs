//! Files and standard input that do not end: told with an error, in bounded memory.
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
fn a_file_of_moves_without_an_end_of_line_is_refused() {
    let workspace = TestWorkspace::new();
    let told = ": line 1 goes on after 65536 bytes; expected lines of text";
    refuses(&workspace, "crownhead chess /dev/zero", 2, told);
    refuses(&workspace, "crownhead chess - < /dev/zero", 2, told);
    let endless = "(echo e2e4; yes | tr -d '\\n') | crownhead chess -";
    refuses(
        &workspace,
        endless,
        2,
        "standard input: line 2 goes on after",
    );
}

#[test]
fn what_is_typed_without_an_end_of_line_is_refused() {
    let workspace = TestWorkspace::new();
    let told = "standard input: line 1 goes on after 65536 bytes";
    for players in ["human human", "human human on", "--game chess human human"] {
        for line in [
            format!("crownhead play {players} < /dev/zero"),
            format!("yes | tr -d '\\n' | crownhead play {players}"),
        ] {
            refuses(&workspace, &line, 2, told);
        }
    }
    refuses(&workspace, "crownhead bot random < /dev/zero", 1, "error: ");
}

#[test]
fn a_file_that_is_read_whole_without_an_end_is_refused() {
    let workspace = TestWorkspace::new();
    for name in ["games.pdn", "seed.txt"] {
        symlink("/dev/zero", workspace.path(name)).unwrap();
    }
    std::fs::create_dir(workspace.path("ladder")).unwrap();
    // A file with a hole.
    let config = File::create(workspace.path("ladder/ladder.toml")).unwrap();
    config.set_len(8 << 30).unwrap();
    let told = "line 1 goes on after 1048576 bytes";
    for line in [
        "crownhead replay games.pdn",
        "crownhead match random greedy --openings /dev/zero",
        "crownhead match random greedy --openings games.pdn",
        "crownhead sprt random greedy --elo0 0 --elo1 10 --openings games.pdn",
        "crownhead play random random",
        "crownhead ladder standings ladder",
        "crownhead ladder add ladder one random",
        "crownhead ladder run ladder",
    ] {
        refuses(&workspace, line, 2, told);
    }
}

#[test]
fn a_record_without_an_end_is_refused() {
    let workspace = TestWorkspace::new();
    refuses(
        &workspace,
        "crownhead replay /dev/zero",
        2,
        "`/dev/zero`: line 1 goes on after 67108864 bytes",
    );
}

#[test]
fn a_file_of_lines_without_an_end_is_refused() {
    let workspace = TestWorkspace::new();
    std::fs::write(
        workspace.path("openings.fen"),
        "B:W21-32:B1-12 # a line\n".repeat(3_000_000),
    )
    .unwrap();
    let line = "crownhead match random greedy --openings openings.fen";
    refuses(
        &workspace,
        line,
        2,
        "`openings.fen`: it goes on after 67108864 bytes",
    );
}

#[test]
fn training_files_without_an_end_are_refused() {
    let workspace = TestWorkspace::new();
    let told = "`/dev/zero`: line 1 goes on after ";
    let line = "crownhead train fit /dev/zero --output x.net";
    refuses(&workspace, line, 2, told);
}
