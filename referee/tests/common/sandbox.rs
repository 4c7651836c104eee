//! Bots that try to get out of their sandbox, and the users for whom they are run.

use super::{
    TestWorkspace, copy_program, misbehave, process_tag, program_for_all, remaining_processes,
};
use serde_json::Value;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Who runs the referee.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum User {
    /// The user who runs the tests.
    Own,
    /// A user without privileges.
    Ordinary,
    /// The same, where the system allows no new namespaces.
    WithoutNamespaces,
    /// The same, where it allows them and nothing in them.
    LikeUbuntu,
}

/// A user of no name.
const ORDINARY: u32 = 54_321;

impl User {
    /// Those that the tests can run as: one without namespaces, and both in `.ci/long`.
    pub(crate) fn all() -> Vec<User> {
        let ways = if is_long() { 2 } else { 1 };
        let mut all = vec![User::Own];
        if is_root() {
            all.push(User::Ordinary);
        }
        all.extend(User::without_namespaces().into_iter().take(ways));
        all
    }

    /// Those of them for whom programs get no namespaces.
    pub(crate) fn without_namespaces() -> Vec<User> {
        let works = |user: &User| {
            let run = user.command(Path::new("true")).status();
            run.is_ok_and(|status| status.success())
        };
        let both = [User::WithoutNamespaces, User::LikeUbuntu];
        both.into_iter().filter(works).collect()
    }

    pub(crate) fn has_namespaces(self) -> bool {
        matches!(self, User::Own | User::Ordinary)
    }

    /// The number of the user as whom the referee runs.
    pub(crate) fn number(self) -> u32 {
        match self {
            User::Own => rustix::process::getuid().as_raw(),
            _ if is_root() => ORDINARY,
            _ => rustix::process::getuid().as_raw(),
        }
    }

    /// A command of this user, whose home is nowhere unless it is given one.
    pub(crate) fn command(self, program: &Path) -> Command {
        let mut command = match self {
            User::Own | User::Ordinary => Command::new(program),
            User::WithoutNamespaces => {
                // In a user namespace that may create no others, and as nobody in particular in it.
                let script = "echo 0 >/proc/sys/user/max_user_namespaces && \
                              exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs \"$@\"";
                let mut command = Command::new("unshare");
                command.args(["--user", "--map-root-user", "sh", "-c", script, "sh"]);
                command.arg(program);
                command
            }
            User::LikeUbuntu => {
                let mut command = Command::new(program_for_all(&misbehave()));
                command.arg("like-ubuntu").arg(program);
                command
            }
        };
        command.env("TMPDIR", super::everyones_folder());
        if self != User::Own && is_root() {
            command.uid(ORDINARY).gid(ORDINARY);
        }
        command
    }
}

/// Whether each combination of an attack and a user is tried: in `.ci/long`.
pub(crate) fn is_long() -> bool {
    std::env::var_os("CROWNHEAD_ATTACKS").is_some()
}

fn is_root() -> bool {
    rustix::process::getuid().is_root()
}

fn open_to_all(path: &Path, mode: u32) {
    std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("our own");
}

/// A folder that every user may enter, with copies of the programs, for users who may not enter ours.
pub(crate) struct EscapeSetup {
    pub(crate) workspace: TestWorkspace,
    pub(crate) crownhead: PathBuf,
    pub(crate) bot: PathBuf,
}

impl EscapeSetup {
    pub(crate) fn new() -> EscapeSetup {
        let workspace = TestWorkspace::new();
        let folder = workspace.path("bots").join("one");
        let home = workspace.path("home");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::create_dir_all(&home).unwrap();
        let temporary = workspace.path("temporary");
        std::fs::create_dir(&temporary).unwrap();
        for path in [
            &workspace.path(""),
            &workspace.path("bots"),
            &folder,
            &temporary,
        ] {
            open_to_all(path, 0o777);
        }
        if is_root() {
            chown(&home, Some(ORDINARY), Some(ORDINARY)).unwrap();
        }
        let (program, bot) = (workspace.path("crownhead"), folder.join("bot"));
        copy_program(assert_cmd::cargo::cargo_bin!("crownhead"), &program);
        copy_program(&misbehave(), &bot);
        std::fs::write(folder.join("own"), "weights").unwrap();
        EscapeSetup {
            workspace,
            crownhead: program,
            bot,
        }
    }

    /// An empty file of this name, which everybody may read and write; gives its path.
    pub(crate) fn file(&self, name: &str) -> String {
        self.put(name, 0o666, |path| std::fs::write(path, "").unwrap())
    }

    /// The same of a folder.
    pub(crate) fn folder(&self, name: &str) -> String {
        self.put(name, 0o777, |path| std::fs::create_dir(path).unwrap())
    }

    fn put(&self, name: &str, mode: u32, create: impl FnOnce(&Path)) -> String {
        let path = self.workspace.path(name);
        create(&path);
        open_to_all(&path, mode);
        path.display().to_string()
    }

    /// The command line of the bot that does this.
    pub(crate) fn bot(&self, case: &str, tag: &str) -> String {
        format!("'{}' {case} {tag}", self.bot.display())
    }

    /// The referee's folder for temporary files.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.workspace.path("temporary")
    }

    /// Runs the referee for this user.
    pub(crate) fn run(&self, user: User, arguments: &[&str]) -> Output {
        user.command(&self.crownhead)
            .args(arguments)
            .env("HOME", self.workspace.path("home"))
            .env("TMPDIR", self.temporary())
            .current_dir(self.workspace.path(""))
            .output()
            .unwrap()
    }

    /// Black does this against an honest bot for a few turns; gives the record.
    pub(crate) fn play(&self, user: User, case: &str, options: &[&str]) -> Value {
        self.play_against(user, case, "honest -", options)
    }

    /// The same against this bot.
    pub(crate) fn play_against(
        &self,
        user: User,
        case: &str,
        opponent: &str,
        options: &[&str],
    ) -> Value {
        let tag = process_tag();
        let record = self.workspace.path(&format!("games-of-{tag}"));
        let (black, white) = (self.bot(case, &tag), self.bot(opponent, &tag));
        let mut arguments = vec!["match", &black, &white, "--games", "1"];
        if !options.contains(&"--max-turns") {
            arguments.extend(["--max-turns", "4"]);
        }
        arguments.extend([
            "--openings",
            "none",
            "--time",
            "30s",
            "--record",
            record.to_str().unwrap(),
        ]);
        if !options.contains(&"--first-turn") {
            arguments.extend(["--first-turn", "30s"]);
        }
        arguments.extend(options);
        let done = self.run(user, &arguments);
        assert!(
            done.status.success(),
            "{user:?}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        assert_eq!(remaining_processes(&tag), Vec::<String>::new(), "{user:?}");
        let text = std::fs::read_to_string(record).unwrap();
        serde_json::from_str(&text).unwrap()
    }
}

/// What black has written to its standard error.
pub(crate) fn log(game: &Value) -> String {
    super::written_by(0, game)
}

/// Whether this user can create control groups of version 2.
pub(crate) fn can_freeze() -> bool {
    let name = format!("crownhead-test-{}", std::process::id());
    ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"]
        .iter()
        .any(|root| {
            let folder = Path::new(root).join(&name);
            let created = std::fs::create_dir(&folder).is_ok();
            let freezes = folder.join("cgroup.freeze").exists();
            let _ = std::fs::remove_dir(&folder);
            created && freezes
        })
}
