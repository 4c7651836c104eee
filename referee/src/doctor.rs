//! `crownhead doctor`: what this machine gives to bots and to the referee, and how to get what is missing.

use crate::conditions::{cores, games_at_once, missing_features};
use crate::failure::Failure;
use crate::options::{check_mark, drawing_on};
use crate::output::write_json;
use crate::words::paragraph;
use clap::Args;
use crownhead_arena::settings::crownhead_itself;
use crownhead_record::numbers::counted;
use crownhead_sandbox::{Feature, Sandbox, SandboxMode};
use serde::Serialize;
use serde_json::json;
use std::io::{self, Write};
use std::path::Path;

/// Check this machine: sandbox, cores, disk space
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
    for (group, heading) in [(Group::Sandbox, "Sandbox"), (Group::Machine, "Machine")] {
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
    use super::show_space;

    #[test]
    fn space_is_shown_in_the_unit_that_people_think_in() {
        assert_eq!(show_space(99 << 20), "99 MB");
        assert_eq!(show_space(5 << 30), "5 GB");
    }
}
