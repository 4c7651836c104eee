//! Machines on which workers run, for tests of the real program.

use super::cluster::client;
use crate::common::ladder::read;
use crate::common::{TestWorkspace, wait_until};
use rustix::process::{Pid, Signal, kill_process};
use std::path::PathBuf;
use std::process::{Child, Stdio};

/// Machines of workers: each worker has its own cache, and they know how many games are safe.
pub(crate) struct Machines {
    workspace: TestWorkspace,
    url: String,
    sandbox: &'static str,
}

impl Machines {
    pub(crate) fn new(url: &str) -> Machines {
        Machines::with_sandbox(url, "off")
    }

    /// Machines whose bots are locked in as `sandbox` says. None is too slow, however busy it is.
    pub(crate) fn with_sandbox(url: &str, sandbox: &'static str) -> Machines {
        let any_speed = "UPDATE crownhead SET reference_speed = 1";
        client(url).execute(any_speed, &[]).unwrap();
        let workspace = TestWorkspace::new();
        Machines {
            workspace,
            url: url.into(),
            sandbox,
        }
    }

    fn arguments(&self, name: &str) -> Vec<String> {
        let cache = self.cache(name).display().to_string();
        let words = [
            "worker",
            &self.url,
            "--name",
            name,
            "--cache",
            &cache,
            "--sandbox",
            self.sandbox,
            "--concurrency",
            "1",
        ];
        words.map(String::from).to_vec()
    }

    pub(crate) fn cache(&self, name: &str) -> PathBuf {
        self.workspace.path(&format!("cache-{name}"))
    }

    /// A worker that the test does not wait for; it writes into `NAME.log`.
    pub(crate) fn start(
        &self,
        name: &str,
        options: &[&str],
        environment: &[(&str, &str)],
    ) -> Worker {
        let log = self.workspace.path(&format!("{name}.log"));
        let child = std::process::Command::new(assert_cmd::cargo::cargo_bin("crownhead"))
            .args(self.arguments(name))
            .args(options)
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(&log).unwrap())
            .spawn()
            .unwrap();
        Worker { child, log }
    }

    pub(crate) fn stored(&self) -> i64 {
        let count = "SELECT count(*) FROM pair WHERE stored IS NOT NULL";
        client(&self.url).query_one(count, &[]).unwrap().get(0)
    }

    pub(crate) fn wait_for(&self, pairs: i64, workers: &[&Worker]) {
        let logs = || {
            workers
                .iter()
                .map(|worker| read(&worker.log))
                .collect::<Vec<_>>()
                .join("---\n")
        };
        wait_until(
            || format!("{} of {pairs} pairs: {}", self.stored(), logs()),
            || self.stored() >= pairs,
        );
    }
}

/// A worker, and where it writes.
pub(crate) struct Worker {
    pub(crate) child: Child,
    pub(crate) log: PathBuf,
}

impl Worker {
    /// Ends it as a service is ended; it is content.
    pub(crate) fn end(mut self) -> String {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::TERM).unwrap();
        let status = self.child.wait().unwrap();
        let log = read(&self.log);
        assert!(status.success(), "{status}: {log}");
        log
    }
}
