//! A pseudo-terminal, with a line typed whenever the program asks for one.

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// What the program asks at the ends of lines before it waits for input.
pub(crate) const QUESTIONS: [&str; 5] = [
    "Select a piece to move",
    "Select a move by entering the corresponding index",
    "undo, redo, or next",
    "your move (or help):",
    "e end, q quit:",
];

/// What a program at a terminal came to.
#[derive(Debug)]
pub(crate) struct AtTerminal {
    /// All that the terminal was sent, the echo of what was typed included; lines end in `\r\n`.
    pub(crate) screen: String,
    pub(crate) error: String,
    pub(crate) status: Option<i32>,
}

/// The program `crownhead`, ready for arguments, in this locale and with a terminal's colours.
pub(crate) fn in_locale(locale: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("crownhead"));
    for variable in [
        "LC_ALL",
        "LC_CTYPE",
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
    ] {
        command.env_remove(variable);
    }
    command.env("LANG", locale).env("TERM", "xterm-256color");
    command
}

/// Runs a program with standard input and output at a terminal of 80 columns. Each line of `typed` is typed when
/// the program asks its next question; then the input ends.
pub(crate) fn at_terminal(command: Command, typed: &str) -> AtTerminal {
    at(command, typed, |_| Stdio::piped())
}

/// The same for a program that asks nothing, with its errors at the terminal too.
pub(crate) fn all_at_terminal(command: Command) -> AtTerminal {
    at(command, "", Stdio::from)
}

fn at(mut command: Command, typed: &str, errors: impl Fn(File) -> Stdio) -> AtTerminal {
    let (terminal, slave) = pseudo_terminal().expect("a pseudo-terminal");
    let another = || slave.try_clone().expect("a descriptor");
    let mut program = command
        .stdin(another())
        .stderr(errors(another()))
        .stdout(another())
        .spawn()
        .expect("the program starts");
    drop(slave);
    // It holds the terminal's other end too, and would keep it open.
    drop(command);

    let mut keyboard = terminal;
    let mut display = keyboard.try_clone().expect("a descriptor");
    let (sender, chunks) = mpsc::channel();
    std::thread::spawn(move || {
        let mut chunk = [0; 4096];
        let mut failures = 0;
        // Reading fails once the program has closed its end. The kernel looks for data first and for a closed end
        // then (n_tty_read in drivers/tty/n_tty.c): what was written between the two is only found by reading again.
        while failures < 2 {
            match display.read(&mut chunk) {
                Ok(count @ 1..) => {
                    failures = 0;
                    if sender.send(chunk[..count].to_vec()).is_err() {
                        return;
                    }
                }
                Ok(0) | Err(_) => failures += 1,
            }
        }
    });
    let mut lines = typed.lines();
    let mut screen = Vec::new();
    loop {
        match chunks.recv_timeout(Duration::from_secs(60)) {
            Ok(chunk) => screen.extend(chunk),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let _ = program.kill();
                panic!("it waits: {}", String::from_utf8_lossy(&screen));
            }
        }
        let asks = |question: &&str| {
            let ends = ["\r\n", " "].map(|end| format!("{question}{end}"));
            ends.iter().any(|end| screen.ends_with(end.as_bytes()))
        };
        if QUESTIONS.iter().any(asks) {
            // Ctrl-D, where a line would begin, ends the input.
            let line = lines
                .next()
                .map_or("\u{4}".into(), |line| format!("{line}\n"));
            keyboard.write_all(line.as_bytes()).expect("typing");
        }
    }
    let output = program.wait_with_output().expect("the program ends");
    AtTerminal {
        screen: String::from_utf8(screen).expect("the screen is text"),
        error: String::from_utf8(output.stderr).expect("errors are text"),
        status: output.status.code(),
    }
}

/// The columns of the terminal.
const COLUMNS: usize = 80;

/// The lines that stand on the terminal after all of this, also those that have left it at the top, without the spaces at
/// their ends.
pub(crate) fn lines_after(screen: &str) -> Vec<String> {
    let mut lines: Vec<Vec<char>> = vec![Vec::new()];
    let (mut row, mut column) = (0, 0);
    let mut characters = screen.chars();
    while let Some(character) = characters.next() {
        match character {
            '\r' => column = 0,
            '\n' => row += 1,
            '\u{1b}' => {
                assert_eq!(characters.next(), Some('['));
                let mut count = String::new();
                let order = loop {
                    match characters.next().expect("a whole sequence") {
                        more if more.is_ascii_digit() || more == ';' => count.push(more),
                        order => break order,
                    }
                };
                let by: usize = count.parse().unwrap_or(1);
                match order {
                    'A' => row -= by,
                    'B' => row += by,
                    'K' => lines[row].clear(),
                    'm' => {}
                    other => panic!("this terminal does not know `{count}{other}`"),
                }
            }
            character => {
                if column == COLUMNS {
                    (row, column) = (row + 1, 0);
                }
                lines.resize(lines.len().max(row + 1), Vec::new());
                let line = &mut lines[row];
                line.resize(line.len().max(column + 1), ' ');
                line[column] = character;
                column += 1;
            }
        }
        lines.resize(lines.len().max(row + 1), Vec::new());
    }
    let text = |line: Vec<char>| line.into_iter().collect::<String>().trim_end().to_string();
    lines.into_iter().map(text).collect()
}

/// The two ends of a new pseudo-terminal of 80 columns: the person's and the program's.
fn pseudo_terminal() -> std::io::Result<(File, File)> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    // A child that another test starts meanwhile would inherit it; macOS closes it a moment later.
    #[cfg(target_os = "linux")]
    let flags = flags | OpenptFlags::CLOEXEC;
    let terminal = openpt(flags)?;
    rustix::io::fcntl_setfd(&terminal, rustix::io::FdFlags::CLOEXEC)?;
    grantpt(&terminal)?;
    unlockpt(&terminal)?;
    let path = ptsname(&terminal, Vec::new())?;
    let path = Path::new(path.to_str().expect("a device's name is ASCII"));
    let slave = File::options().read(true).write(true).open(path)?;
    tcsetwinsize(
        &slave,
        Winsize {
            ws_row: 24,
            ws_col: COLUMNS as u16,
            ws_xpixel: 0,
            ws_ypixel: 0,
        },
    )?;
    Ok((File::from(terminal), slave))
}

/// How a terminal shows what is `printed` on a pipe: with the lines that were typed where they were asked for.
pub(crate) fn with_echo(printed: &str, typed: &str) -> String {
    let mut lines = typed.lines();
    let mut screen = String::new();
    for line in printed.lines() {
        screen.push_str(line);
        screen.push_str("\r\n");
        if QUESTIONS.iter().any(|question| line.ends_with(question))
            && let Some(line) = lines.next()
        {
            screen.push_str(line);
            screen.push_str("\r\n");
        }
    }
    screen
}
