//! What the supervisor creates for one program before it forks the init, and removes when nothing is left of the
//! program.

use super::cgroup::Cgroups;
use super::files;
use super::identity::Identity;
use super::message::SpawnRequest;
use super::namespaces::{Namespaces, Unavailable};
use super::paths::{self, Grants};
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;

/// What is set up for one program; the init has a copy.
#[derive(Default)]
pub(super) struct Setup {
    /// Whether the init is process 1 of a PID namespace, and the program has a file system of its own.
    pub(super) own_processes: bool,
    /// Whether it runs as the supervisor's [`Identity`].
    own_user: bool,
    /// What the program may read.
    pub(super) grants: Grants,
    pub(super) cgroups: Cgroups,
    /// The private folder, where it lies on disk.
    pub(super) folder: Option<PathBuf>,
    /// Missing features, a sentence each.
    pub(super) missing: Vec<String>,
}

impl Setup {
    /// On an error, what has been created until then is there to be removed.
    pub(super) fn create(
        &mut self,
        request: &SpawnRequest,
        namespaces: &mut Result<Namespaces, Unavailable>,
    ) -> io::Result<()> {
        if !request.confined {
            return Ok(());
        }
        self.cgroups = Cgroups::create(&request.limits);
        self.grants = paths::grants(request);
        match namespaces {
            Ok(namespaces) => {
                self.own_processes = true;
                self.missing.clone_from(&namespaces.missing);
                let identity = namespaces.identity.as_mut();
                self.own_user = identity.is_some_and(|identity| identity.prepare(&self.grants));
            }
            Err(unavailable) => {
                self.missing = unavailable.consequences();
                let folder = folder_on_disk(std::process::id());
                DirBuilder::new().mode(0o700).create(&folder)?;
                self.folder = Some(folder);
            }
        }
        Ok(())
    }

    /// As whom the program runs, if not as the caller.
    pub(super) fn identity<'a>(&self, namespaces: &'a Namespaces) -> Option<&'a Identity> {
        namespaces.identity.as_ref().filter(|_| self.own_user)
    }

    pub(super) fn remove(&self) {
        if let Some(folder) = &self.folder {
            files::remove(folder);
        }
        self.cgroups.remove();
    }
}

/// The private folder of a program whose supervisor has this pid, where it cannot have a file system of its own.
pub(super) fn folder_on_disk(supervisor: u32) -> PathBuf {
    std::env::temp_dir().join(format!("crownhead-{supervisor}"))
}
