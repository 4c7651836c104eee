//! Every message that a wrong command is answered with, word for word: `messages.txt` holds what was typed, what the program
//! says, and its exit status.
//!
//! A block of that file is a command after `$ `, then its lines on standard error after `2> `, those on standard output after
//! `1> `, and its status after `= `. `<` gives it a text on standard input, and `nobody` in front of it takes all rights from
//! it. Lines that begin with `#` are for readers. If the program says something else, all that it says is written to
//! `target/tmp/messages.txt`, which can take the file's place once it was read.

use super::show_and_replay::RECORD;
use crate::common::skip::is_there;
use crate::common::{TestWorkspace, crownhead, ordinary_user};
use std::fmt::Write;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

#[test]
fn a_wrong_command_is_answered_word_for_word() {
    let expected = include_str!("messages.txt");
    let workspace = TestWorkspace::new();
    fill(&workspace);
    // A port that is taken while the rows run.
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let mut said = String::new();
    for block in expected.split_inclusive("\n\n") {
        match said_by(&workspace, &port, block) {
            Some(now) => said += &now,
            None => said += block,
        }
    }
    if said != expected {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("messages.txt");
        std::fs::write(&file, &said).unwrap();
        let lines = expected.lines().zip(said.lines());
        let (line, (expected, said)) = lines
            .enumerate()
            .find(|(_, (expected, said))| expected != said)
            .unwrap_or_default();
        let file = file.display();
        panic!(
            "line {}:\n  {expected}\n  {said}\nAll that was said is in {file}.",
            line + 1
        );
    }
}

/// What the program says to a block's command, as a block; `None` where there is none, and where this machine lacks what it
/// needs.
fn said_by(workspace: &TestWorkspace, port: &str, block: &str) -> Option<String> {
    let line = block.lines().find(|line| line.starts_with("$ "))?;
    let comments = block.lines().take_while(|line| line.starts_with('#'));
    let words = shlex::split(&line[2..].replace("PORT", port))?;
    let (words, input) = match words.iter().position(|word| word == "<") {
        Some(place) => (&words[..place], words[place + 1].replace("\\n", "\n")),
        None => (&words[..], String::new()),
    };
    let needs = ["python3", "java"]
        .into_iter()
        .find(|needed| line.contains(needed));
    if needs.is_some_and(|needed| !is_there(needed)) {
        return None;
    }
    let as_nobody = words[0] == "nobody";
    let mut command = if as_nobody {
        let user = ordinary_user()?;
        let program = workspace.path("crownhead");
        let mut command = assert_cmd::Command::from_std(user.command(&program));
        command.args(&words[2..]);
        command
    } else {
        let mut command = crownhead();
        command.args(&words[1..]);
        command
    };
    let done = command
        .current_dir(workspace.path(""))
        .env_remove("PYTHONUNBUFFERED")
        .write_stdin(input)
        .output()
        .unwrap();
    let next = (port.parse::<u16>().unwrap() + 1).to_string();
    let folder = workspace.path("");
    let folder = folder.to_str().unwrap().trim_end_matches('/').to_string();
    let mut said = String::new();
    for comment in comments {
        writeln!(said, "{comment}").unwrap();
    }
    writeln!(said, "{line}").unwrap();
    for (mark, stream) in [("2>", done.stderr), ("1>", done.stdout)] {
        let text = String::from_utf8(stream).unwrap();
        let text = text.replace(port, "PORT").replace(&next, "PORT+1");
        let text = text.replace(&folder, "FOLDER");
        for line in text.lines() {
            writeln!(said, "{}", format!("{mark} {line}").trim_end()).unwrap();
        }
    }
    writeln!(said, "= {}\n", done.status.code().unwrap()).unwrap();
    Some(said)
}

/// The files that the commands name.
fn fill(workspace: &TestWorkspace) {
    let write = |name: &str, text: &str, mode: u32| {
        let path = workspace.path(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
    };
    workspace.open_copy(assert_cmd::cargo::cargo_bin!("crownhead"));
    for folder in ["adir", "old", "toml", "keys", "numbers", "times", "crlf"] {
        std::fs::create_dir(workspace.path(folder)).unwrap();
    }
    let regular = RECORD.replace("illegal-reply", "turn-limit");
    write("g.jsonl", &regular, 0o644);
    write("noexec", "#!/bin/sh\n", 0o644);
    write("bot_ok.py", "print()\n", 0o644);
    write("noshebang", "echo A3B4\n", 0o755);
    write("badshebang", "#!/no/such/interpreter\n", 0o755);
    write("junk", "\0\0junk", 0o755);
    write("crlf_bot", "#!/usr/bin/env python3\r\nprint()\r\n", 0o755);
    write("bad.openings", "B:W21\n", 0o644);
    write("bad.pdn", "[Event \"x\"]\n1. 99-98 *\n", 0o644);
    write("bad.jsonl", "{\"a\":1}\n", 0o644);
    write("toml/ladder.toml", "schedule = \"round robin\n", 0o644);
    write("keys/ladder.toml", "seed = 1\npairz = 3\n", 0o644);
    write("numbers/ladder.toml", "seed = 1\npairs = \"two\"\n", 0o644);
    write("times/ladder.toml", "seed = 1\ntime = 100\n", 0o644);
    write("crlf/ladder.toml", "seed = 1\r\npairs = 2\r\n", 0o644);
}
