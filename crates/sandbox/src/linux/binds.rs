//! Binds folders and files of the file system outside into a program's own, at the same paths.
//! [`paths`](super::paths) decides which; [`rootfs`](super::rootfs) makes the rest of that file system.

use super::identity::Identity;
use super::mounts::{attach, clone_tree};
use super::{files, sys};
use libc::AT_RECURSIVE;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

/// What is to be bound, and where.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bind {
    pub(super) at: PathBuf,
    pub(super) from: PathBuf,
    /// Attributes of the mount, in addition to those that all have.
    pub(super) attributes: u64,
    pub(super) kind: Kind,
}

/// The kinds of binds. A later kind is bound over an earlier one, never the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    System,
    /// Belongs to the program: its user is shown as the owner.
    Own,
    /// Belongs to the program, and it may write there.
    Writable,
}

/// The errors for which a path is left out: it does not exist, or cannot be reached.
const LEFT_OUT: [ErrorKind; 2] = [ErrorKind::NotFound, ErrorKind::PermissionDenied];

/// The binds so far.
pub(super) type Bound = Vec<(Kind, PathBuf)>;

impl Bind {
    /// Attaches it to the new root, unless one of its parent folders is `bound`. Leaves out what does not exist or
    /// cannot be reached. The program's files are bound over the system's, because only their owner may be able to read
    /// them. Writable folders are bound over read-only ones, such as the program's own folder.
    pub(super) fn attach(self, identity: Option<&Identity>, bound: &mut Bound) -> io::Result<()> {
        let is_there = is_in(&self.at, paths_of(bound));
        let over = bound.iter().filter(|(kind, _)| *kind >= self.kind);
        if is_in(&self.at, over.map(|(_, path)| path)) {
            return Ok(());
        }
        let Ok(file) = fs::metadata(&self.from) else {
            return Ok(());
        };
        let tree = match clone_tree(&self.from) {
            Err(error) if LEFT_OUT.contains(&error.kind()) => return Ok(()),
            tree => tree?,
        };
        sys::set_mount_attributes(&tree, AT_RECURSIVE, self.attributes, None)?;
        create_folders(self.at.parent().unwrap_or(&self.at), bound)?;
        let at = relative(&self.at);
        if !is_there && file.is_file() && at.exists() {
            // It is bound under another name, because one of them contains `..`.
            return Ok(());
        }
        self.show_owner(identity, &tree, is_there)?;
        if !is_there && file.is_dir() {
            create_folders(&self.at, &[])?;
        } else if !is_there {
            File::create(at)?;
        }
        attach(&tree, at)?;
        bound.push((self.kind, self.at));
        Ok(())
    }

    /// Shows the program's user as the owner in `tree`.
    ///
    /// # Errors
    /// When the file system cannot do that, and the user may not use the files as they are.
    fn show_owner(
        &self,
        identity: Option<&Identity>,
        tree: &OwnedFd,
        is_there: bool,
    ) -> io::Result<()> {
        let Some(identity) = identity.filter(|_| self.kind != Kind::System) else {
            return Ok(());
        };
        let is_usable = self.kind == Kind::Own && (is_there || files::is_readable(&self.from));
        if identity.show_as_own(&self.from, tree).is_ok() || is_usable {
            return Ok(());
        }
        let from = self.from.display();
        Err(io::Error::other(match self.kind {
            Kind::Writable => format!(
                "{from}: on this file system a bot, who is another user, cannot be let write (--sandbox off)"
            ),
            _ => format!(
                "{from}: on this file system a bot, who is another user, reads only what every user may read (chmod -R \
                 a+rX)"
            ),
        }))
    }
}

fn paths_of(bound: &[(Kind, PathBuf)]) -> impl Iterator<Item = &PathBuf> {
    bound.iter().map(|(_, path)| path)
}

pub(super) fn relative(path: &Path) -> &Path {
    path.strip_prefix("/").unwrap_or(path)
}

/// Whether a path is one of these or in one of them.
pub(super) fn is_in(path: &Path, mut folders: impl Iterator<Item = impl AsRef<Path>>) -> bool {
    folders.any(|folder| path.starts_with(folder))
}

/// Creates this folder and those it is in, except where something is bound already.
pub(super) fn create_folders(path: &Path, bound: &[(Kind, PathBuf)]) -> io::Result<()> {
    let mut folder = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => folder.push(name),
            Component::ParentDir => drop(folder.pop()),
            _ => continue,
        }
        if !is_in(&folder, paths_of(bound)) {
            files::create_folder(relative(&folder))?;
        }
    }
    Ok(())
}
