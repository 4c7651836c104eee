//! What the supervisor creates for one program before it forks the init, and removes when nothing is left of the
//! program.

use super::cgroup::Cgroups;
use super::files;
use super::identity::Identity;
use super::message::SpawnRequest;
use super::namespaces::{Namespaces, consequences};
use super::paths::{self, Grants};
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;

/// What is set up for one program; the init has a copy.
#[derive(Default)]
pub(super) struct Setup<'a> {
    /// Where there are namespaces, the init is process 1 of its own, and the program has a file system of its own.
    pub(super) namespaces: Option<&'a Namespaces>,
    /// As whom the program runs, if not as the caller.
    pub(super) identity: Option<&'a Identity>,
    /// What the program may read.
    pub(super) grants: Grants,
    pub(super) cgroups: Cgroups,
    /// The private folder, where it lies on disk.
    pub(super) folder: Option<PathBuf>,
    /// Missing features, a sentence each.
    pub(super) missing: Vec<String>,
}

impl<'a> Setup<'a> {
    /// `namespaces` are the supervisor's, which enters them for the first program that is confined.
    pub(super) fn create(
        request: &SpawnRequest,
        namespaces: &'a mut Option<Result<Namespaces, String>>,
    ) -> io::Result<Setup<'a>> {
        let mut setup = Setup::default();
        if !request.sandbox.confines() {
            return Ok(setup);
        }
        setup.grants = paths::grants(request);
        match namespaces.get_or_insert_with(Namespaces::enter) {
            Ok(namespaces) => {
                let identity = namespaces.identity.as_mut();
                let own_user = identity.is_some_and(|identity| identity.prepare(&setup.grants));
                setup.identity = namespaces.identity.as_ref().filter(|_| own_user);
                setup.missing.clone_from(&namespaces.missing);
                setup.namespaces = Some(namespaces);
            }
            Err(why) => {
                setup.missing = consequences(why);
                let folder = folder_on_disk(std::process::id());
                DirBuilder::new().mode(0o700).create(&folder)?;
                setup.folder = Some(folder);
            }
        }
        // Last, for an error would leave them behind.
        setup.cgroups = Cgroups::create(&request.sandbox.limits);
        Ok(setup)
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
