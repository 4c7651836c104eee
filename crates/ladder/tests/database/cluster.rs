//! A PostgreSQL server for the tests. It listens only on a Unix socket, and ends with the process that uses it.

#![allow(dead_code)] // Each test file uses its part.

use crate::skip::{is_there, path_of};
use rustix::process::{Pid, Signal, kill_process};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A server, with one database for each test.
pub(crate) struct Cluster {
    folder: PathBuf,
    port: u16,
    databases: AtomicU32,
    /// When this closes, the server ends and its folder is removed, however the process ends.
    _alive: ChildStdin,
    _guard: Child,
}

/// Runs the server until its own input closes. If the server dies before that, starts it again, as an administrator
/// would. Its arguments are the folder and the program.
const GUARD: &str = r#"
trap '' INT TERM HUP
folder=$1 program=$2
shift 2
while [ ! -e "$folder/over" ]; do
    "$program" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off -c max_connections=300 \
        -c shared_buffers=32MB -c log_min_messages=fatal "$@" </dev/null >>"$folder/log" 2>&1 &
    wait $!
    sleep 0.2
done &
server=$!
read -r _
touch "$folder/over"
pid=$(head -n 1 "$folder/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null
wait "$server"
rm -rf "$folder"
"#;

/// The server of this process; `None`, with a message, if PostgreSQL is not installed.
pub(crate) fn cluster() -> Option<&'static Cluster> {
    static CLUSTER: OnceLock<Option<Cluster>> = OnceLock::new();
    CLUSTER
        .get_or_init(|| Cluster::start(|_| Vec::new()))
        .as_ref()
}

impl Cluster {
    /// A server for one test, which may kill it, with settings in its folder.
    pub(crate) fn start(set_up: impl FnOnce(&Path) -> Vec<String>) -> Option<Cluster> {
        if !is_there("initdb") {
            return None;
        }
        // A socket's path is short.
        let folder = tempfile::Builder::new().prefix("chpg").tempdir_in("/tmp");
        let folder = folder.unwrap().keep();
        let user = server_user();
        let run = |program: &Path| {
            let mut command = Command::new(program);
            command.current_dir("/").stdin(Stdio::null());
            if let Some((user, group)) = user {
                command.uid(user).gid(group);
            }
            command
        };
        if let Some((user, group)) = user {
            std::os::unix::fs::chown(&folder, Some(user), Some(group)).unwrap();
        }
        std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o755)).unwrap();
        let made = run(&path_of("initdb")?)
            .arg("-D")
            .arg(folder.join("data"))
            .args([
                "-U",
                "ladder",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C",
                "-N",
            ])
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&made.stderr);
        assert!(made.status.success(), "{told}");
        let settings = set_up(&folder);
        if let Some((user, group)) = user {
            for file in std::fs::read_dir(&folder).unwrap() {
                std::os::unix::fs::chown(file.unwrap().path(), Some(user), Some(group)).unwrap();
            }
        }
        let mut guard = run(Path::new("sh"))
            .args(["-c", GUARD, "guard"])
            .args([&folder, &path_of("postgres")?])
            .args(settings.iter().flat_map(|setting| ["-c", setting]))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        let port = settings
            .iter()
            .find_map(|setting| setting.strip_prefix("port=")?.parse().ok());
        let cluster = Cluster {
            folder,
            port: port.unwrap_or(5432),
            databases: AtomicU32::new(0),
            _alive: guard.stdin.take().unwrap(),
            _guard: guard,
        };
        let deadline = Instant::now() + Duration::from_secs(30);
        while let Err(error) = cluster.connect("postgres") {
            let log = std::fs::read_to_string(cluster.folder.join("log")).unwrap_or_default();
            assert!(Instant::now() < deadline, "{error}: {log}");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(cluster)
    }

    /// The address of a new, empty database.
    pub(crate) fn database(&self) -> String {
        let name = format!("night{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut client = self.connect("postgres").unwrap();
        client
            .batch_execute(&format!("CREATE DATABASE {name}"))
            .unwrap();
        self.url(&name)
    }

    fn url(&self, database: &str) -> String {
        format!(
            "postgres://ladder@/{database}?port={}&host={}",
            self.port,
            self.folder.display()
        )
    }

    fn connect(&self, database: &str) -> Result<postgres::Client, postgres::Error> {
        postgres::Client::connect(&self.url(database), postgres::NoTls)
    }

    /// Whether the server accepts a connection to the database at this address.
    pub(crate) fn answers(&self, url: &str) -> bool {
        postgres::Client::connect(url, postgres::NoTls).is_ok()
    }

    /// Where the server's files are.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The socket of the server.
    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.join(format!(".s.PGSQL.{}", self.port))
    }

    /// Ends the server by this signal, KILL without warning, INT in order. Its guard starts it again.
    pub(crate) fn end(&self, signal: Signal) {
        let file = std::fs::read_to_string(self.folder.join("data/postmaster.pid"));
        let pid = file.ok().and_then(|file| {
            let line = file.lines().next()?;
            Pid::from_raw(line.parse().ok()?)
        });
        if let Some(pid) = pid {
            let _ = kill_process(pid, signal);
        }
    }
}

/// A client of a database of the tests' server.
pub(crate) fn client(url: &str) -> postgres::Client {
    postgres::Client::connect(url, postgres::NoTls).unwrap()
}

/// The user for the server if the tests run as root, which PostgreSQL refuses.
fn server_user() -> Option<(u32, u32)> {
    rustix::process::geteuid().is_root().then(|| {
        let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
        let of = |name: &str| {
            let fields = users.lines().find_map(|line| {
                let (user, rest) = line.split_once(':')?;
                (user == name).then(|| rest.split(':').collect::<Vec<_>>())
            })?;
            Some((fields.get(1)?.parse().ok()?, fields.get(2)?.parse().ok()?))
        };
        of("postgres")
            .or_else(|| of("nobody"))
            .unwrap_or((65534, 65534))
    })
}
