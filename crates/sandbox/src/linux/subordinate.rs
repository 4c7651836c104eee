//! Subordinate ids (subuid(5)): with one of them, an ordinary user's bot is a user of its own, too.
//!
//! The programs `newuidmap` and `newgidmap` map them into a user namespace, for a process outside it. They are
//! optional: without them the bot is its user.

use rustix::process::{getgid, getuid};
use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A process that waits outside the user namespace which its parent is about to enter.
pub(super) struct Mapper {
    process: Child,
    id: u32,
}

/// Waits for a line, and maps into the namespace of process `$0` its user, its group and the subordinate id `$3`.
const SCRIPT: &str = "read go && newgidmap $0 $2 $2 1 $3 $3 1 && exec newuidmap $0 $1 $1 1 $3 $3 1";

/// Where the two programs are.
const FOLDERS: [&str; 3] = ["/usr/bin", "/bin", "/run/wrappers/bin"];

impl Mapper {
    /// Starts it, where this user has subordinate ids.
    pub(super) fn start() -> Option<Mapper> {
        FOLDERS
            .into_iter()
            .find(|folder| Path::new(folder).join("newuidmap").exists())?;
        let (users, groups) = (ranges("/etc/subuid")?, ranges("/etc/subgid")?);
        let pid = std::process::id();
        let ids = common(&users, &groups)?;
        let id = ids.start + pid % (ids.end - ids.start);
        let numbers = [pid, getuid().as_raw(), getgid().as_raw(), id];
        let process = Command::new("/bin/sh")
            .args(["-c", SCRIPT])
            .args(numbers.map(|number| number.to_string()))
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        Some(Mapper { process, id })
    }

    /// Maps the ids into the namespace that this process has entered; gives the subordinate one if that succeeds.
    pub(super) fn map(mut self) -> Option<u32> {
        let mut input = self.process.stdin.take()?;
        let asked = input.write_all(b"go\n");
        drop(input);
        let done = self.process.wait().ok()?;
        (asked.is_ok() && done.success()).then_some(self.id)
    }
}

/// The ids that a file grants this user.
fn ranges(file: &str) -> Option<Vec<Range<u32>>> {
    let user = getuid().as_raw().to_string();
    let accounts = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = accounts.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == user).then_some(name)
    });
    let text = fs::read_to_string(file).ok()?;
    Some(parse(&text, &user, name.unwrap_or(&user)))
}

fn parse(text: &str, user: &str, name: &str) -> Vec<Range<u32>> {
    let range = |line: &str| {
        let mut fields = line.split(':');
        let owner = fields.next()?;
        let (first, count): (u32, u32) =
            (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        (owner == user || owner == name).then_some(first..first.saturating_add(count))
    };
    text.lines().filter_map(range).collect()
}

/// The ids that a range of users and one of groups have in common.
fn common(users: &[Range<u32>], groups: &[Range<u32>]) -> Option<Range<u32>> {
    let pairs = users
        .iter()
        .flat_map(|user| groups.iter().map(move |group| (user, group)));
    let mut common =
        pairs.map(|(user, group)| user.start.max(group.start)..user.end.min(group.end));
    common.find(|ids| !ids.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_has_the_ids_that_are_granted_to_its_name_or_number() {
        let text = "ann:100000:65536\nbob:165536:65536\n1002:300000:10\n";
        assert_eq!(
            parse(text, "1002", "ann"),
            [100_000..165_536, 300_000..300_010]
        );
        assert_eq!(parse(text, "7", "eve"), []);
    }

    #[test]
    fn an_id_is_both_a_users_and_a_groups() {
        assert_eq!(common(&[100..150], &[120..220]), Some(120..150));
        assert_eq!(common(&[100..110], &[120..220]), None);
        assert_eq!(common(&[0..5, 100..110], &[100..110]), Some(100..110));
    }
}
