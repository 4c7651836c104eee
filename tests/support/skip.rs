//! Programs that tests start and not every machine has. Without one, its tests are skipped, and that is said; in CI,
//! where `.ci/run` installs all of them, they fail.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A program that tests need.
pub(crate) struct Needed {
    pub(crate) program: &'static str,
    /// What is not tested without it.
    tests: &'static str,
    /// How it is installed on Debian and Ubuntu.
    install: &'static str,
}

/// All programs that tests may be skipped for want of.
pub(crate) const NEEDED: [Needed; 9] = [
    Needed {
        program: "chromedriver",
        tests: "pages in a browser",
        install: "sudo apt-get install chromium chromium-driver",
    },
    Needed {
        program: "initdb",
        tests: "ladders in PostgreSQL",
        install: "sudo apt-get install postgresql",
    },
    Needed {
        program: "java",
        tests: "bots in Java",
        install: "sudo apt-get install default-jdk-headless",
    },
    Needed {
        program: "node",
        tests: "bots and referees in JavaScript",
        install: "sudo apt-get install nodejs",
    },
    Needed {
        program: "python3",
        tests: "bots and referees in Python",
        install: "sudo apt-get install python3",
    },
    Needed {
        program: "pip3",
        tests: "games in PDN, replayed by another program",
        install: "sudo apt-get install python3-pip",
    },
    Needed {
        program: "c++",
        tests: "bots and referees in C++",
        install: "sudo apt-get install g++",
    },
    Needed {
        program: "cc",
        tests: "ladders on machines whose clocks differ",
        install: "sudo apt-get install gcc",
    },
    Needed {
        program: "openssl",
        tests: "connections to PostgreSQL with a certificate",
        install: "sudo apt-get install openssl",
    },
];

/// Whether a test can start this program. Where it is missing, that is said once; in CI the test fails.
pub(crate) fn is_there(program: &str) -> bool {
    let needed = NEEDED.iter().find(|needed| needed.program == program);
    let needed = needed.expect("every program that tests may lack is in the table");
    let is_there = path_of(program).is_some();
    if !is_there {
        let in_ci = std::env::var_os("CI").is_some_and(|ci| ci == "true");
        assert!(!in_ci, "{program} is missing, and in CI no test is skipped");
        say_once(needed);
    }
    is_there
}

/// Where this program is. Debian has those of PostgreSQL, of each version, beside the others.
pub(crate) fn path_of(program: &str) -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql");
    let folders = versions.into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path().join("bin")).collect();
    folders.sort_by_key(|folder| Reverse(version(folder)));
    folders.extend(
        std::env::var_os("PATH")
            .iter()
            .flat_map(std::env::split_paths),
    );
    let mut paths = folders.into_iter().map(|folder| folder.join(program));
    paths.find(|path| path.is_file())
}

/// The version whose folder of programs this is.
fn version(folder: &Path) -> Option<u32> {
    folder.parent()?.file_name()?.to_str()?.parse().ok()
}

fn say_once(needed: &Needed) {
    static SAID: Mutex<Vec<&str>> = Mutex::new(Vec::new());
    let mut said = SAID.lock().unwrap();
    if !said.contains(&needed.program) {
        said.push(needed.program);
        let (program, tests, install) = (needed.program, needed.tests, needed.install);
        let line = format!("skipped: {tests}, for {program} is missing: {install}\n");
        // Written past the test runner, which shows nothing of tests that pass.
        let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
    }
}
