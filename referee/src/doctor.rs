//! `crownhead doctor`: what this machine gives to bots and to the referee, and how to get what is missing.

use crate::conditions::{cores, games_at_once, missing_features};
use crate::failure::Failure;
use crate::options::check_mark;
use crate::words::paragraph;
use clap::Args;
use crownhead_arena::settings::crownhead_itself;
use crownhead_record::numbers::counted;
use crownhead_record::text::printable;
use crownhead_sandbox::{Feature, PYTHON, Sandbox, SandboxMode, WHY_NO_SANDBOX, free_space};
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

/// Check this machine: sandbox, languages, cores, disk space
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead doctor",
    after_long_help = "\
A missing part of the sandbox does not stop a match: Crownhead works without it as far as that is safe. Only two things are \
needed: a sandbox that keeps bots from your files, and 100 MB of free space.

Exit status: 0 nothing that is needed is missing; 1 something is; 2 unusable arguments."
)]
pub(super) struct Doctor {}

impl Doctor {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut report = Report {
            out: anstream::stdout().lock(),
            healthy: true,
        };
        writeln!(report.out, "Crownhead {}", env!("CARGO_PKG_VERSION"))?;
        report.sandbox()?;
        report.languages()?;
        report.machine()?;
        report.healthy.then_some(()).ok_or(Failure::Silent)
    }
}

struct Report<W> {
    out: W,
    /// Whether nothing is missing that is needed.
    healthy: bool,
}

impl<W: Write> Report<W> {
    /// Writes what was found of one thing, or what it means that nothing was, and how to get it. What is `needed` fails the
    /// command if it is missing. A missing thing without a name says what it is itself.
    fn item(
        &mut self,
        name: &str,
        needed: bool,
        found: Result<&str, &str>,
        fix: &str,
    ) -> io::Result<()> {
        let mark = check_mark(found.is_ok());
        let is_bad = needed && found.is_err();
        self.healthy &= !is_bad;
        let needed = if is_bad { " (needed)" } else { "" };
        let (Ok(text) | Err(text)) = found;
        let line = match name {
            "" => format!("{mark} {text}{needed}"),
            name => format!("{mark} {name}{needed}: {text}"),
        };
        writeln!(self.out, "{}", paragraph("  ", &line))?;
        if found.is_err() && !fix.is_empty() {
            writeln!(self.out, "{}", paragraph("      ", fix))?;
        }
        Ok(())
    }

    /// What of the sandbox the system gives.
    fn sandbox(&mut self) -> Result<(), Failure> {
        writeln!(self.out, "\nSandbox")?;
        if let Some(why) = WHY_NO_SANDBOX {
            let fix = "To get it: run Crownhead in WSL 2 or in Docker";
            return Ok(self.item("", false, Err(why), fix)?);
        }
        let sandbox = Sandbox {
            supervisor: Some(crownhead_itself()?),
            mode: SandboxMode::Auto,
            ..Sandbox::none()
        };
        let missing = match missing_features(&sandbox) {
            Ok(missing) => missing,
            Err(error) => return Ok(self.item("", true, Err(&format!("{error:#}")), "")?),
        };
        let is_missing = |feature| missing.iter().any(|missing| missing.feature == feature);
        // Either of them keeps bots from files; without both nothing does.
        let open = is_missing(Feature::Namespaces) && is_missing(Feature::Landlock);
        for feature in Feature::ALL {
            let lacking = missing.iter().filter(|missing| missing.feature == feature);
            let lacking: Vec<&str> = lacking.map(|it| it.consequence.as_str()).collect();
            if lacking.is_empty() {
                self.item(feature.name(), false, Ok(feature.purpose()), "")?;
            } else {
                let needed = open && feature == Feature::Landlock;
                let fix = format!("To get it: {}", feature.grant());
                self.item("", needed, Err(&lacking.join("; ")), &fix)?;
            }
        }
        Ok(())
    }

    fn languages(&mut self) -> io::Result<()> {
        writeln!(self.out, "\nLanguages")?;
        // All are asked at once, because some take long to start.
        let asked = LANGUAGES.map(|(name, program, option)| {
            let ask = move || version_of(program, option);
            (name, program, std::thread::spawn(ask))
        });
        for (name, program, version) in asked {
            match version.join().expect("no panic") {
                Some(version) => self.item(name, false, Ok(&format!("{program} {version}")), ""),
                None => self.item(name, false, Err(&format!("there is no `{program}`")), ""),
            }?;
        }
        Ok(())
    }

    fn machine(&mut self) -> io::Result<()> {
        writeln!(self.out, "\nMachine")?;
        let at_once = counted(games_at_once(), "game");
        let cores = format!("{}; a match plays {at_once} at once", cores());
        self.item("cores", false, Ok(&cores), "")?;
        let is_set = std::env::var_os("PYTHONUNBUFFERED").is_some_and(|value| !value.is_empty());
        let unbuffered = match is_set {
            true => Err("set in your shell; bots do not get it"),
            false => Ok("not set"),
        };
        self.item("PYTHONUNBUFFERED", false, unbuffered, UNBUFFERED)?;
        let temporary = std::env::temp_dir();
        for (name, place) in [
            ("free space for this folder", Path::new(".")),
            ("free space for temporary files", &temporary),
        ] {
            match free_space(place) {
                Ok(bytes) if bytes >= NEEDED_SPACE => {
                    self.item(name, true, Ok(&show_space(bytes)), "")
                }
                Ok(bytes) => self.item(name, true, Err(&show_space(bytes)), ""),
                Err(error) => {
                    let problem = format!("{}: {error}", place.display());
                    self.item(name, true, Err(&problem), "")
                }
            }?;
        }
        Ok(())
    }
}

/// The languages that contestants use here, and the command that says a version.
const LANGUAGES: [(&str, &str, &str); 7] = [
    ("Python", PYTHON, "--version"),
    ("C++", "g++", "--version"),
    ("JavaScript", "node", "--version"),
    ("Java", "java", "-version"),
    ("Rust", "rustc", "--version"),
    ("Go", "go", "version"),
    ("C#", "dotnet", "--version"),
];

/// The version that this program says it has, if it is there.
fn version_of(program: &str, option: &str) -> Option<String> {
    let said = Command::new(program).arg(option).output().ok()?;
    // Java says its version on standard error.
    let text = [said.stdout, said.stderr].concat();
    version_in(&text).filter(|_| said.status.success())
}

/// The first word of the first line that begins with a number and a dot, such as `3.12.1` of `Python 3.12.1`.
fn version_in(said: &[u8]) -> Option<String> {
    let said = printable(said.split(|&byte| byte == b'\n').next()?);
    let words = said.split([' ', '"', '\'', ',']);
    let mut words =
        words.map(|word| word.trim_matches(|letter: char| letter.is_alphabetic() || letter == ')'));
    let is_digit = |letter: char| letter.is_ascii_digit();
    let is_version = |word: &&str| word.starts_with(is_digit) && word.contains('.');
    words.find(is_version).map(String::from)
}

/// Free space that is needed where bots and records write.
const NEEDED_SPACE: u64 = 100 << 20;

const UNBUFFERED: &str = "A Python bot that never flushes works when you start it by hand, and times out here and on the \
     contest's site. To see that by hand: unset PYTHONUNBUFFERED";

fn show_space(bytes: u64) -> String {
    match bytes >> 30 {
        0 => format!("{} MB", bytes >> 20),
        gigabytes => format!("{gigabytes} GB"),
    }
}

#[cfg(test)]
mod tests {
    use super::{show_space, version_in};

    #[test]
    fn a_version_is_found_in_what_each_language_prints() {
        for (said, version) in [
            ("Python 3.11.2\n", "3.11.2"),
            ("g++ (Debian 12.2.0-14) 12.2.0\nCopyright", "12.2.0-14"),
            ("v18.19.0\n", "18.19.0"),
            ("openjdk version \"17.0.9\" 2023-10-17\n", "17.0.9"),
            ("rustc 1.95.0 (59807616e 2026-04-14)\n", "1.95.0"),
            ("go version go1.22.1 linux/amd64\n", "1.22.1"),
            ("8.0.100\n", "8.0.100"),
        ] {
            assert_eq!(version_in(said.as_bytes()).as_deref(), Some(version));
        }
        assert_eq!(version_in(b"command not found"), None);
    }

    #[test]
    fn space_is_shown_in_the_unit_that_people_think_in() {
        assert_eq!(show_space(99 << 20), "99 MB");
        assert_eq!(show_space(5 << 30), "5 GB");
    }
}
