//! The starter bots as real processes: whole games over pipes, every reply legal, a clean exit at the end.
//!
//! A starter whose language is not on this machine is skipped, and that is said on standard error past the
//! test runner's capture.

use crate::common::Table;
use crate::skip::is_there;
use crownhead::board::{BoardSize, Side};
use crownhead::games::checkers::Checkers;
use crownhead::notation::{Notation, Rows};
use crownhead::position::Position;
use crownhead::protocol::write_turn;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

#[test]
fn the_python_starter_plays_whole_games_and_exits() {
    if let Some(starter) = Starter::interpreted("python3", "starter.py") {
        starter.check();
    }
}

#[test]
fn the_javascript_starter_plays_whole_games_and_exits() {
    if let Some(starter) = Starter::interpreted("node", "starter.js") {
        starter.check();
    }
}

#[test]
fn the_cpp_starter_compiles_without_a_warning_plays_whole_games_and_exits() {
    let options = [
        "-std=c++17",
        "-O1",
        "-Wall",
        "-Wextra",
        "-pedantic",
        "-Werror",
    ];
    if is_there("c++") {
        Starter::compiled("c++", &options, "starter.cpp").check();
    }
}

#[test]
fn the_rust_starter_compiles_without_a_warning_plays_whole_games_and_exits() {
    let options = ["--edition", "2021", "-D", "warnings", "-C", "debuginfo=0"];
    Starter::compiled("rustc", &options, "starter.rs").check();
}

#[test]
fn the_java_starter_compiles_plays_a_whole_game_and_exits() {
    if !is_there("java") {
        return;
    }
    // Compiles the file and runs it. One process does it all, because a virtual machine takes longer than a game.
    let words = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
    let mut command: Vec<PathBuf> = words.map(PathBuf::from).into();
    command.push(source("Player.java"));
    let mut bot = Process::start(&command);
    bot.plays('b', "\r\n", 0);
    bot.takes_the_most_and_keeps_out_of_danger();
    bot.exits_cleanly();
}

/// How long a starter may take for one answer, or to exit: this is no test of speed.
const REPLY_TIMEOUT: Duration = Duration::from_secs(20);

/// How to start one of the starters.
struct Starter {
    command: Vec<PathBuf>,
    /// Where a compiled starter is kept.
    _folder: Option<TempDir>,
}

impl Starter {
    fn interpreted(interpreter: &str, file: &str) -> Option<Starter> {
        is_there(interpreter).then(|| Starter {
            command: vec![interpreter.into(), source(file)],
            _folder: None,
        })
    }

    fn compiled(compiler: &str, options: &[&str], file: &str) -> Starter {
        let folder = TempDir::new().unwrap();
        let program = folder.path().join("starter");
        let status = Command::new(compiler)
            .args(options)
            .args([
                OsStr::new("-o"),
                program.as_os_str(),
                source(file).as_os_str(),
            ])
            .status();
        assert!(status.unwrap().success(), "{file} does not compile");
        Starter {
            command: vec![program],
            _folder: Some(folder),
        }
    }

    fn check(&self) {
        self.plays_whole_games();
        let mut bot = Process::start(&self.command);
        bot.send("b\n");
        bot.takes_the_most_and_keeps_out_of_danger();
        bot.exits_cleanly();
        self.exits_when_the_input_ends_early();
    }

    /// Six games against the random player: with each letter and either end of line.
    fn plays_whole_games(&self) {
        let mut score = 0;
        let mut seed = 0;
        for letter in ['b', 'r', 'w'] {
            for end in ["\n", "\r\n"] {
                let mut bot = Process::start(&self.command);
                score += bot.plays(letter, end, seed);
                bot.exits_cleanly();
                seed += 1;
            }
        }
        // It wins all but a few games of a hundred, and now and then one is drawn: of 12 points it has 8 at least but
        // once in some thousand runs.
        assert!(
            score >= 8,
            "{score} of 12 points in six games against random"
        );
    }

    fn exits_when_the_input_ends_early(&self) {
        Process::start(&self.command).exits_cleanly();
        let mut bot = Process::start(&self.command);
        bot.send("b\n");
        bot.exits_cleanly();
    }
}

/// The lines of black's turn on this board.
fn turn(board: &str) -> String {
    let rows = Rows::from_lines(BoardSize::default(), board.trim().lines().map(str::trim)).unwrap();
    let position = Checkers::from_rows(&rows, Side::Black).unwrap();
    let mut text = String::new();
    write_turn(&position, &position.legal_moves(), &mut text);
    text
}

fn source(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("starters")
        .join(file)
}

/// A bot process. Killed when dropped.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    fn start(command: &[PathBuf]) -> Process {
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            // Ends with the bot's output, or when the receiver is dropped.
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Process {
            input: child.stdin.take(),
            child,
            lines,
        }
    }

    /// Plays a game against the random player, with this letter and this end of lines. Gives its points, two for a win.
    fn plays(&mut self, letter: char, end: &str, seed: u64) -> u32 {
        let mut table = Table::new(letter, seed);
        while let Some(text) = table.ask() {
            self.send(&text.replace('\n', end));
            table.answer(&self.line());
        }
        table.score()
    }

    /// Told that it plays black, in any position.
    fn takes_the_most_and_keeps_out_of_danger(&mut self) {
        let two_are_more_than_one = "
            .r.r.r.r
            r.r...r.
            .r.r.r.r
            b.......
            ...r....
            b.b.b.b.
            ...b.b.b
            b.b.b.b.";
        let a_man_takes_what_is_ahead_of_it = "
            ........
            ........
            ........
            ....r...
            ........
            ..b.....
            ........
            ........";
        let a_king_takes_backwards_too = "
            ........
            ........
            ........
            ........
            ........
            R.b.....
            ........
            ........";
        for (board, best) in [
            (two_are_more_than_one, "E3C5E7"),
            (a_man_takes_what_is_ahead_of_it, "C3B4"),
            (a_king_takes_backwards_too, "C3D4"),
        ] {
            let turn = turn(board);
            // A random choice would find the better of two moves every time once in a thousand runs.
            for _ in 0..10 {
                self.send(&turn);
                assert_eq!(self.line(), best, "{board}");
            }
        }
    }

    fn send(&mut self, text: &str) {
        self.input
            .as_mut()
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(REPLY_TIMEOUT).expect("an answer")
    }

    /// Closes the bot's input: it must exit with status 0 and have nothing more to say.
    fn exits_cleanly(mut self) {
        drop(self.input.take());
        assert_eq!(
            self.lines.recv_timeout(REPLY_TIMEOUT),
            Err(RecvTimeoutError::Disconnected)
        );
        assert!(self.status().success());
    }

    fn status(&mut self) -> ExitStatus {
        let deadline = Instant::now() + REPLY_TIMEOUT;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(
                Instant::now() < deadline,
                "the bot lives on after its output has ended"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Fails for one that has exited, as it should have.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
