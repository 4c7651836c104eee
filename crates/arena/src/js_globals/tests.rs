//! What an interpreter's environment becomes, and what the functions do in Node. Without Node that is skipped, and said.

#[path = "../../../../tests/support/skip.rs"]
mod skip;

use super::JsGlobals;
use skip::is_there;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

fn value(program: &Command, name: &str) -> String {
    let (_, value) = program.get_envs().find(|(set, _)| *set == name).unwrap();
    value.unwrap().to_str().unwrap().into()
}

#[test]
fn options_that_a_bot_has_of_its_own_stay() {
    let globals = JsGlobals::write().unwrap();
    let mut program = Command::new("node");
    program.env("NODE_OPTIONS", "--stack-size=4000");
    globals.add_to(&mut program);
    let path = globals.path().display();
    assert_eq!(
        value(&program, "NODE_OPTIONS"),
        format!("--stack-size=4000 --require \"{path}\"")
    );
    assert!(value(&program, "BUN_OPTIONS").ends_with(&format!("--preload {path}")));
}

#[test]
fn the_file_is_there_as_long_as_a_copy() {
    let globals = JsGlobals::write().unwrap();
    let (copy, path) = (globals.clone(), globals.path().to_path_buf());
    drop(globals);
    assert!(path.exists());
    drop(copy);
    assert!(!path.exists());
}

/// A script that Node runs.
struct Script {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    _globals: JsGlobals,
}

impl Script {
    fn start(text: &str) -> Option<Script> {
        if !is_there("node") {
            return None;
        }
        let globals = JsGlobals::write().unwrap();
        let mut program = Command::new("node");
        program.args(["-e", text]);
        program.stdin(Stdio::piped()).stdout(Stdio::piped());
        globals.add_to(&mut program);
        let mut child = program.spawn().unwrap();
        Some(Script {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            _globals: globals,
        })
    }

    fn write(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(text.as_bytes()).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().into()
    }

    /// What it writes after its input has ended.
    fn rest(mut self) -> String {
        self.input = None;
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        assert!(self.child.wait().unwrap().success());
        rest
    }
}

#[test]
fn lines_are_read_one_by_one_whatever_their_ends_and_lengths() {
    let text = "let line; while ((line = readline()) !== null)
        print(line.length > 20 ? line.length : JSON.stringify(line));
        print(readline())";
    let Some(mut script) = Script::start(text) else {
        return;
    };
    script.write("one\r\ntwo\n\n");
    assert_eq!(
        [script.line(), script.line(), script.line()],
        ["\"one\"", "\"two\"", "\"\""]
    );
    // More than a pipe holds, and in its middle a letter of two bytes.
    let long = format!("{}é{}\n", "x".repeat(65_535), "y".repeat(200_000));
    script.write(&long);
    assert_eq!(script.line(), "265536");
    script.write("begun, ");
    script.write("not ended");
    assert_eq!(script.rest(), "\"begun, not ended\"\nnull\n");
}

#[test]
fn an_input_that_does_not_wait_is_waited_for() {
    // Node makes a pipe one that does not wait as soon as a script looks at `process.stdin`.
    let text = "const fs = require('fs'), { readSync } = fs;
        let tried = false;
        fs.readSync = (...how) => {
            try {
                return readSync(...how);
            } catch (error) {
                if (!tried) print(error.code);
                tried = true;
                throw error;
            }
        };
        process.stdin.pause();
        print(readline())";
    let Some(mut script) = Script::start(text) else {
        return;
    };
    assert_eq!(script.line(), "EAGAIN");
    script.write("here\n");
    assert_eq!(script.line(), "here");
}

#[test]
fn a_script_that_calls_none_of_them_reads_its_input_as_ever() {
    let text = "const readline = require('readline'); let print = 0, printErr = 0;
        readline.createInterface({ input: process.stdin }).on('line', (line) => console.log('read', line))";
    let Some(mut script) = Script::start(text) else {
        return;
    };
    script.write("one\ntwo\n");
    assert_eq!(script.rest(), "read one\nread two\n");
}
