//! `crownhead doctor`: what this machine gives to bots and to the referee, and how to get what is missing.

use crate::calibrate::{SafeGames, safe_games_known};
use crate::conditions::missing_features;
use crate::failure::Failure;
use crate::options::{check_mark, drawing_on};
use crate::output::write_json;
use crate::words::paragraph;
use clap::Args;
use crownhead_arena::calibrate::cores;
use crownhead_arena::settings::crownhead_itself;
use crownhead_record::numbers::counted;
use crownhead_record::text::printable;
use crownhead_sandbox::{Feature, Sandbox, SandboxMode};
use serde::Serialize;
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

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

impl Group {
    const ALL: [Group; 3] = [Group::Sandbox, Group::Languages, Group::Machine];

    fn heading(self) -> &'static str {
        match self {
            Group::Sandbox => "Sandbox",
            Group::Languages => "Languages",
            Group::Machine => "Machine",
        }
    }
}

impl Doctor {
    pub(super) fn run(&self) -> Result<(), Failure> {
        // Languages take the longest to answer, so that they are asked first.
        let asked = ask_languages();
        let mut items = sandbox()?;
        items.extend(languages(asked));
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
    for group in Group::ALL {
        writeln!(out, "\n{}", group.heading())?;
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
    let item = |name: &str, found: String, needed| Item {
        group: Group::Sandbox,
        name: name.into(),
        ok: true,
        needed,
        found,
        fix: None,
    };
    let missing = match missing_features(&sandbox) {
        Ok(missing) => missing,
        Err(error) => {
            return Ok(vec![Item {
                ok: false,
                ..item("sandbox", format!("{error:#}"), true)
            }]);
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
        let needed = open && feature == Feature::Landlock;
        if consequences.is_empty() {
            return item(feature.name(), feature.purpose().into(), needed);
        }
        Item {
            ok: false,
            fix: Some(format!("To get it: {}", feature.grant())),
            ..item(feature.name(), consequences.join("; "), needed)
        }
    });
    Ok(items.into())
}

/// The languages that contestants use here, and the command that says a version.
const LANGUAGES: [(&str, &[&str]); 7] = [
    ("Python", &["python3", "--version"]),
    ("C++", &["g++", "--version"]),
    ("JavaScript", &["node", "--version"]),
    ("Java", &["java", "-version"]),
    ("Rust", &["rustc", "--version"]),
    ("Go", &["go", "version"]),
    ("C#", &["dotnet", "--version"]),
];

/// Starts them all at once.
fn ask_languages() -> Vec<io::Result<Child>> {
    let start = |(_, words): &(&str, &[&str])| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).stdin(Stdio::null());
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
    };
    LANGUAGES.iter().map(start).collect()
}

fn languages(asked: Vec<io::Result<Child>>) -> impl Iterator<Item = Item> {
    LANGUAGES.iter().zip(asked).map(|((name, words), child)| {
        let output = child.and_then(Child::wait_with_output);
        let said = output.ok().filter(|output| output.status.success());
        // Java says its version on standard error.
        let version = said.and_then(|said| version_in(&[said.stdout, said.stderr].concat()));
        Item {
            group: Group::Languages,
            name: (*name).into(),
            ok: version.is_some(),
            needed: false,
            found: match &version {
                Some(version) => format!("{} {version}", words[0]),
                None => format!("there is no `{}`", words[0]),
            },
            fix: None,
        }
    })
}

/// The first word that begins with a number and a dot, such as `3.12.1` of `Python 3.12.1`.
fn version_in(said: &[u8]) -> Option<String> {
    let said = printable(said.split(|&byte| byte == b'\n').next()?);
    let words = said.split([' ', '"', '\'', ',']);
    let words = words.map(|word| word.trim_start_matches(|letter: char| letter.is_alphabetic()));
    let mut versions = words.filter(|word| {
        let (major, rest) = word.split_once('.').unwrap_or_default();
        let is_number = |text: &str| text.starts_with(|letter: char| letter.is_ascii_digit());
        is_number(major) && is_number(rest)
    });
    versions
        .next()
        .map(|word| word.trim_end_matches(')').into())
}

/// Free space that is needed where bots and records write.
const NEEDED_SPACE: u64 = 100 << 20;

fn machine() -> Vec<Item> {
    let item = |name: &str, found: String| Item {
        group: Group::Machine,
        name: name.into(),
        ok: true,
        needed: false,
        found,
        fix: None,
    };
    let SafeGames { at_once, measured } = safe_games_known();
    let cores = cores();
    let games = counted(at_once, "game");
    let mut items = vec![
        item("cores", cores.to_string()),
        Item {
            ok: at_once > 0,
            fix: (!measured).then(|| "To measure it: crownhead calibrate".into()),
            ..item(
                "games at the same time without delaying bots",
                match measured {
                    true => format!("{games} (measured)"),
                    false => format!("{games} (estimated)"),
                },
            )
        },
    ];
    let is_set = std::env::var_os("PYTHONUNBUFFERED").is_some_and(|value| !value.is_empty());
    items.push(Item {
        ok: !is_set,
        fix: is_set.then(|| {
            "A Python bot that never flushes works when you start it by hand, and times out here and on the contest's site. \
             To see that by hand: unset PYTHONUNBUFFERED"
                .into()
        }),
        ..item(
            "PYTHONUNBUFFERED",
            if is_set { "set in your shell; bots do not get it" } else { "not set" }.into(),
        )
    });
    let here = PathBuf::from(".");
    let places = [
        ("this folder", here),
        ("temporary files", std::env::temp_dir()),
    ];
    for (what, place) in places {
        let name = format!("free space for {what}");
        items.push(match free_space(&place) {
            Ok(bytes) => Item {
                ok: bytes >= NEEDED_SPACE,
                needed: true,
                ..item(&name, show_space(bytes))
            },
            Err(error) => Item {
                ok: false,
                needed: true,
                ..item(&name, format!("{}: {error}", place.display()))
            },
        });
    }
    items
}

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
    fn a_version_is_found_in_what_each_language_says() {
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
