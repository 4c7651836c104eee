//! What the supervisor creates for its programs before the first one, and for each program before it forks the init. It
//! removes the latter when the program's processes are gone.

use super::cgroup::Cgroups;
use super::files;
use super::identity::Identity;
use super::message::SpawnRequest;
use super::namespaces::{self, Namespaces};
use super::paths::{self, Grants};
use super::processes::most_held_by_socket;
use super::system_tree::SystemTree;
use crate::config::NamedFiles;
use crate::missing::MissingFeature;
use crate::run_folder::{Held, path_of};
use rustix::thread::{CapabilitySet, remove_capability_from_bounding_set};
use std::io;
use std::path::PathBuf;

/// What the confined programs of a supervisor share. Each part is created for the first program that needs it.
#[derive(Default)]
pub(super) struct Shared {
    namespaces: Option<Result<Namespaces, String>>,
    cgroups: Cgroups,
    system: Option<SystemTree>,
}

impl Shared {
    /// Prepares what a confined program needs.
    fn prepare(&mut self) {
        // Unknown in a network namespace unless it was read before.
        most_held_by_socket();
        let is_first = self.namespaces.is_none();
        if is_first {
            self.namespaces = Some(Namespaces::enter());
            drop_bounding_set();
        }
        if is_first || self.cgroups.are_soiled() {
            // It shows the old groups.
            self.system = None;
            // They are removed before new ones with the same names are created.
            self.cgroups = Cgroups::default();
            self.cgroups = Cgroups::create();
        }
        if !self.system.as_ref().is_some_and(SystemTree::is_current) {
            self.system = None;
        }
        self.cgroups.reset();
    }

    /// Drops the tree in which the last program has left its folders.
    pub(super) fn forget_system(&mut self) {
        self.system = None;
    }
}

/// The setup for one program; the init has a copy.
pub(super) struct Setup<'a> {
    /// With namespaces, the init is process 1 of its own, and the program has its own file system.
    pub(super) namespaces: Option<&'a Namespaces>,
    /// The user that the program runs as, if not the caller.
    pub(super) identity: Option<&'a Identity>,
    /// What the program may read.
    pub(super) grants: Grants,
    /// Where it runs, if not in its private folder.
    pub(super) place: Option<PathBuf>,
    pub(super) cgroups: &'a Cgroups,
    /// The part of the system that it sees, if that is mounted already.
    pub(super) system: Option<&'a SystemTree>,
    /// The private folder, if it is on disk.
    pub(super) folder: Option<PathBuf>,
    /// Keeps other runs from removing that folder.
    _held: Option<Held>,
    /// Missing features.
    pub(super) missing: Vec<MissingFeature>,
}

impl<'a> Setup<'a> {
    pub(super) fn create(request: &SpawnRequest, shared: &'a mut Shared) -> io::Result<Setup<'a>> {
        let has_place = request.folder.is_some() || request.sandbox.named == NamedFiles::Folders;
        let place = has_place.then(|| paths::working_folder(request));
        let confines = request.sandbox.confines();
        if confines {
            shared.prepare();
        }
        let mut setup = Setup {
            namespaces: None,
            identity: None,
            grants: Grants::default(),
            place,
            cgroups: &shared.cgroups,
            system: None,
            folder: None,
            _held: None,
            missing: Vec::new(),
        };
        let namespaces = match &mut shared.namespaces {
            Some(namespaces) if confines => namespaces,
            _ => return Ok(setup),
        };
        let system = shared.system.as_ref().map(|tree| tree.grants.clone());
        setup.grants = paths::grants(request, system.unwrap_or_else(paths::system_grants));
        match namespaces {
            Ok(namespaces) => {
                if let Some(identity) = namespaces.identity.as_mut()
                    && !identity.unmapped(&setup.grants).is_empty()
                {
                    shared.system = None;
                    identity.map(&setup.grants);
                }
                setup.identity = namespaces.identity.as_ref();
                setup.missing.clone_from(&namespaces.missing);
                setup.namespaces = Some(namespaces);
                let as_user = setup.identity.map(|identity| identity.id);
                if !shared
                    .system
                    .as_ref()
                    .is_some_and(|tree| tree.is_for(as_user))
                {
                    shared.system = None;
                    shared.system = Some(SystemTree::mount(setup.cgroups, as_user)?);
                }
                setup.system = shared.system.as_ref();
            }
            Err(why) => {
                setup.missing = vec![namespaces::without(why)];
                let folder = Held::create(&std::env::temp_dir(), 0o700)?;
                setup.folder = Some(folder.path.clone());
                setup._held = Some(folder);
            }
        }
        Ok(setup)
    }

    /// Whether the init creates folders for this program in the shared tree.
    pub(super) fn marks_system(&self) -> bool {
        let own = self.grants.own.iter().chain(&self.grants.writable);
        let mut paths = own.chain(&self.place);
        self.system
            .is_some_and(|tree| paths.any(|path| tree.lacks(path)))
    }

    pub(super) fn remove(&self) {
        if let Some(folder) = &self.folder {
            files::remove(folder);
        }
    }
}

/// Keeps programs that this process and its children start from gaining privileges through their files.
fn drop_bounding_set() {
    for capability in CapabilitySet::all().iter() {
        // Fails without privileges, when there is nothing to remove.
        let _ = remove_capability_from_bounding_set(capability);
    }
}

/// The private folder of a program without its own file system, whose supervisor has this pid.
pub(super) fn folder_on_disk(supervisor: u32) -> PathBuf {
    path_of(&std::env::temp_dir(), supervisor)
}
