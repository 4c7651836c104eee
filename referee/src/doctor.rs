//! `crownhead doctor`: what this machine gives to bots and to the referee, and how to get what is missing.

use crate::conditions::{cores, games_at_once, missing_features};
use crate::failure::Failure;
use crate::options::{check_mark, drawing_on};
use crate::output::write_json;
use crate::words::paragraph;
use clap::Args;
use crownhead_arena::settings::crownhead_itself;
use crownhead_record::numbers::counted;
use crownhead_record::text::printable;
use crownhead_sandbox::{Feature, Sandbox, SandboxMode};
use serde::Serialize;
use serde_json::json;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

/// Check this machine: sandbox, languages, cores, disk space
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead doctor
  crownhead doctor --json",
    after_long_help = "\
A missing part of the sandbox does not stop a match: Crownhead works without it as far as that is safe. Only two things are \
needed: a sandbox that keeps bots from your files, and 100 MB of free space.

Exit status: 0 nothing that is needed is missing; 1 something is; 2 unusable arguments."
)]
pub(super) struct Doctor {
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Item {
    group: Group,
    name: String,
    ok: bool,
    /// Whether the command fails without it.
    needed: bool,
    /// What was found, or what it means that nothing was.
    found: String,
    /// How to get it, if it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Group {
    Sandbox,
    Languages,
    Machine,
}

impl Item {
    /// Something that the command fails without.
    fn needed(group: Group, name: &str, ok: bool, found: String) -> Item {
        Item {
            group,
            name: name.into(),
            ok,
            needed: true,
            found,
            fix: None,
        }
    }
}

impl Doctor {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut items = sandbox()?;
        items.extend(languages());
        items.extend(machine());
        let healthy = items.iter().all(|item| item.ok || !item.needed);
        let mut out = anstream::stdout().lock();
        if self.json {
            let result = json!({
                "version": 1,
                "program": env!("CARGO_PKG_VERSION"),
                "healthy": healthy,
                "items": items,
            });
            write_json(&mut out, &result)?;
        } else {
            write_items(&items, &mut out)?;
        }
        healthy.then_some(()).ok_or(Failure::Silent)
    }
}

fn write_items(items: &[Item], out: &mut impl Write) -> io::Result<()> {
    let ascii = drawing_on(&io::stdout()).ascii;
    writeln!(out, "Crownhead {}", env!("CARGO_PKG_VERSION"))?;
    for (group, heading) in [
        (Group::Sandbox, "Sandbox"),
        (Group::Languages, "Languages"),
        (Group::Machine, "Machine"),
    ] {
        writeln!(out, "\n{heading}")?;
        for item in items.iter().filter(|item| item.group == group) {
            let mark = check_mark(item.ok, ascii);
            let needed = if item.needed && !item.ok {
                " (needed)"
            } else {
                ""
            };
            let (name, found) = (&item.name, &item.found);
            // What is missing of the sandbox names itself.
            let line = match item.group {
                Group::Sandbox if !item.ok => format!("{mark} {found}{needed}"),
                _ => format!("{mark} {name}{needed}: {found}"),
            };
            writeln!(out, "{}", paragraph("  ", &line))?;
            if let Some(fix) = &item.fix {
                writeln!(out, "{}", paragraph("      ", fix))?;
            }
        }
    }
    Ok(())
}

/// What of the sandbox the system gives.
fn sandbox() -> Result<Vec<Item>, Failure> {
    let sandbox = Sandbox {
        supervisor: Some(crownhead_itself()?),
        mode: SandboxMode::Auto,
        ..Sandbox::none()
    };
    let missing = match missing_features(&sandbox) {
        Ok(missing) => missing,
        Err(error) => {
            let found = format!("{error:#}");
            return Ok(vec![Item::needed(Group::Sandbox, "sandbox", false, found)]);
        }
    };
    let is_missing = |feature| missing.iter().any(|missing| missing.feature == feature);
    // Either of them keeps bots from files; without both nothing does.
    let open = is_missing(Feature::Namespaces) && is_missing(Feature::Landlock);
    let items = Feature::ALL.map(|feature| {
        let consequences = missing.iter().filter(|missing| missing.feature == feature);
        let consequences: Vec<&str> = consequences
            .map(|missing| missing.consequence.as_str())
            .collect();
        let ok = consequences.is_empty();
        let found = match ok {
            true => feature.purpose().into(),
            false => consequences.join("; "),
        };
        Item {
            needed: open && feature == Feature::Landlock,
            fix: (!ok).then(|| format!("To get it: {}", feature.grant())),
            ..Item::needed(Group::Sandbox, feature.name(), ok, found)
        }
    });
    Ok(items.into())
}

/// The languages that contestants use here, and the command that says a version.
const LANGUAGES: [(&str, &str, &str); 7] = [
    ("Python", "python3", "--version"),
    ("C++", "g++", "--version"),
    ("JavaScript", "node", "--version"),
    ("Java", "java", "-version"),
    ("Rust", "rustc", "--version"),
    ("Go", "go", "version"),
    ("C#", "dotnet", "--version"),
];

fn languages() -> Vec<Item> {
    // All are asked at once, because some take long to start.
    let ask = |(name, program, option): (&str, &str, &str)| {
        let (name, program, option) = (name.to_string(), program.to_string(), option.to_string());
        std::thread::spawn(move || {
            let said = Command::new(&program).arg(option).output().ok();
            let said = said.filter(|said| said.status.success());
            // Java says its version on standard error.
            let version = said.and_then(|said| version_in(&[said.stdout, said.stderr].concat()));
            let (ok, found) = match version {
                Some(version) => (true, format!("{program} {version}")),
                None => (false, format!("there is no `{program}`")),
            };
            Item {
                needed: false,
                ..Item::needed(Group::Languages, &name, ok, found)
            }
        })
    };
    let asked = LANGUAGES.map(ask).into_iter();
    asked.map(|one| one.join().expect("no panic")).collect()
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

fn machine() -> Vec<Item> {
    let item = |name: &str, ok, found| Item {
        needed: false,
        ..Item::needed(Group::Machine, name, ok, found)
    };
    let at_once = counted(games_at_once(), "game");
    let cores = format!("{}; a match plays {at_once} at once", cores());
    let is_set = std::env::var_os("PYTHONUNBUFFERED").is_some_and(|value| !value.is_empty());
    let unbuffered = match is_set {
        true => "set in your shell; bots do not get it",
        false => "not set",
    };
    let mut items = vec![
        item("cores", true, cores),
        Item {
            fix: is_set.then(|| UNBUFFERED.into()),
            ..item("PYTHONUNBUFFERED", !is_set, unbuffered.into())
        },
    ];
    let temporary = std::env::temp_dir();
    for (what, place) in [
        ("this folder", Path::new(".")),
        ("temporary files", &temporary),
    ] {
        let (ok, found) = match free_space(place) {
            Ok(bytes) => (bytes >= NEEDED_SPACE, show_space(bytes)),
            Err(error) => (false, format!("{}: {error}", place.display())),
        };
        let name = format!("free space for {what}");
        items.push(Item::needed(Group::Machine, &name, ok, found));
    }
    items
}

const UNBUFFERED: &str = "A Python bot that never flushes works when you start it by hand, and times out here and on the \
     contest's site. To see that by hand: unset PYTHONUNBUFFERED";

/// The bytes that this user may still write in the file system of a folder.
fn free_space(folder: &Path) -> io::Result<u64> {
    let system = rustix::fs::statvfs(folder)?;
    Ok(system.f_bavail.saturating_mul(system.f_frsize))
}

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
