//! Files that commands make: whole or not at all, and in place of an earlier one with `--force` alone. What goes into
//! them is left to the commands; files that a command goes on with (`train games`) or keeps up to date (`export site`)
//! are not made here.

use crate::failure::{Failure, usage};
use anyhow::anyhow;
use crownhead_record::system_error::{OfFile, PathError, reason};
use rustix::fs::{Access, access};
use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// Where a command is to write, checked before its work begins.
#[derive(Clone, Debug)]
pub(super) struct OutputPath {
    /// As it was given.
    path: PathBuf,
    target: Target,
    force: bool,
}

#[derive(Clone, Debug)]
enum Target {
    Stdout,
    /// What is there to be written to: a device, a pipe, a file that the caller has opened. None of it is replaced.
    Open,
    /// A file of its own, at the end of all symbolic links.
    Regular(PathBuf),
}

impl OutputPath {
    /// The place that `path` names: standard output by `-`, a device or pipe that is there, or a file, which is not there
    /// yet, or with `force` may be.
    ///
    /// # Errors
    /// When a file is there and may not be replaced, or none can be made.
    pub(super) fn new(path: &Path, force: bool) -> Result<OutputPath, Failure> {
        let refused = |problem: &str| Err(usage(format_args!("`{}` {problem}", path.display())));
        let target = if is_stdout(path) {
            Target::Stdout
        } else if is_descriptor(path) {
            Target::Open
        } else {
            match path.metadata() {
                Ok(there) if there.is_dir() => {
                    return refused("is a folder. Name a file");
                }
                Ok(there) if !there.is_file() => Target::Open,
                Ok(_) if force => match path.canonicalize() {
                    Ok(file) => Target::Regular(file),
                    Err(error) => return Err(usage(PathError::new(path, error))),
                },
                // A link that leads nowhere is there, too.
                _ if !force && path.symlink_metadata().is_ok() => {
                    return Err(usage(is_there(path)));
                }
                Err(_) if path.is_symlink() => {
                    return refused("is a link to nothing. Name another file");
                }
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(usage(PathError::new(path, error)));
                }
                _ => Target::Regular(path.to_path_buf()),
            }
        };
        if let Target::Regular(file) = &target
            && let Err(error) = access(folder_of(file), Access::WRITE_OK)
        {
            return Err(cannot_create(file, &error.into()));
        }
        Ok(OutputPath {
            path: path.to_path_buf(),
            target,
            force,
        })
    }

    /// Writes all that the file is to hold.
    pub(super) fn write(&self, text: &str) -> Result<(), Failure> {
        let mut file = self.create()?;
        file.write_all(text.as_bytes()).of_file(&self.path)?;
        Ok(file.put_in_place()?)
    }

    /// A file that is written bit by bit, and takes its place when it is told to.
    pub(super) fn create(&self) -> Result<OutputFile, Failure> {
        let failed = |error| usage(PathError::new(&self.path, error));
        let (mut own, mut draft) = (None, None);
        let out: Box<dyn Write> = match &self.target {
            Target::Stdout => Box::new(io::stdout()),
            Target::Open => {
                // A file that the caller has opened may hold something already.
                let open = OpenOptions::new().append(true).open(&self.path);
                let open = open.map_err(failed)?;
                // Somebody else may have put it there meanwhile.
                let is_file = open.metadata().is_ok_and(|there| there.is_file());
                if is_file && !is_descriptor(&self.path) {
                    return Err(usage(is_there(&self.path)));
                }
                Box::new(open)
            }
            Target::Regular(file) => {
                let (file, path) = draft_of(file)
                    .map_err(|error| cannot_create(file, &error))?
                    .into_parts();
                // A second run must not continue it meanwhile. Where files cannot be locked, it could.
                let _ = file.try_lock();
                own = Some(file.try_clone().map_err(failed)?);
                draft = Some(path);
                Box::new(BufWriter::with_capacity(1 << 16, file))
            }
        };
        let at = self.clone();
        Ok(OutputFile {
            out,
            own,
            at,
            draft,
        })
    }
}

/// A file that a command writes. What stood there before stays until this one takes its place; if it never does, nothing
/// is left of it.
pub(super) struct OutputFile {
    out: Box<dyn Write>,
    /// What `out` writes to, if that is a file of its own.
    own: Option<File>,
    at: OutputPath,
    /// The file beside the one that is meant; `None` once it has taken its place.
    draft: Option<TempPath>,
}

impl OutputFile {
    /// A file that is there and continues after its first `whole` bytes.
    ///
    /// # Errors
    /// When it cannot be written, or another run writes to it.
    pub(super) fn continued(path: &Path, whole: u64) -> Result<OutputFile, Failure> {
        let file = OpenOptions::new().append(true).open(path);
        let file = file.of_file(path).map_err(usage)?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(usage(format_args!(
                "another run writes to `{}`. Wait until it ends",
                path.display()
            )));
        }
        file.set_len(whole).of_file(path).map_err(usage)?;
        Ok(OutputFile {
            out: Box::new(file.try_clone().of_file(path).map_err(usage)?),
            own: Some(file),
            at: OutputPath {
                path: path.into(),
                target: Target::Regular(path.into()),
                force: false,
            },
            draft: None,
        })
    }

    /// Writes all of this or, to a file of its own, nothing, and has it there at once.
    ///
    /// # Errors
    /// When the disk is full, say, or the reader of standard output is gone.
    pub(super) fn append(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let written = self.out.flush().and_then(|()| match &mut self.own {
            None => self.out.write_all(bytes).and_then(|()| self.out.flush()),
            Some(file) => {
                let before = file.metadata()?.len();
                let written = file.write_all(bytes);
                written.inspect_err(|_| drop(file.set_len(before)))
            }
        });
        written.of_file(&self.at.path)?;
        self.put_in_place()
    }

    /// Gives the file its name. What is written from now on is there when it is flushed.
    ///
    /// # Errors
    /// When another file has that name by now and may not be replaced.
    pub(super) fn put_in_place(&mut self) -> anyhow::Result<()> {
        self.out.flush().of_file(&self.at.path)?;
        let (Some(draft), Target::Regular(file)) = (self.draft.take(), &self.at.target) else {
            return Ok(());
        };
        let placed = if self.at.force {
            // On the disk before the earlier file is gone.
            let written = File::open(&draft).and_then(|draft| draft.sync_all());
            written.of_file(&self.at.path)?;
            draft.persist(file)
        } else {
            draft.persist_noclobber(file)
        };
        placed.map_err(|failed| match failed.error.kind() {
            ErrorKind::AlreadyExists => anyhow!(is_there(&self.at.path)),
            _ => PathError::new(&self.at.path, failed.error).into(),
        })
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The refusal of a file that cannot be created. Of the draft beside it nothing is said.
fn cannot_create(file: &Path, error: &io::Error) -> Failure {
    let (path, folder) = (file.display(), folder_of(file));
    usage(match error.kind() {
        ErrorKind::NotFound if folder.exists() => {
            format!("`{path}` cannot be written: its folder takes no files. Name another one")
        }
        ErrorKind::NotFound => {
            format!(
                "`{path}` cannot be written: there is no folder `{}`",
                folder.display()
            )
        }
        _ => format!(
            "`{path}` cannot be written: its folder takes no files ({}). Name another one",
            reason(error)
        ),
    })
}

fn is_there(path: &Path) -> String {
    let path = path.display();
    format!("`{path}` already exists. Name another file, or replace it with `--force`")
}

/// Makes this folder, unless it is there.
///
/// # Errors
/// When it cannot be made, or is a file.
pub(super) fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => usage(format_args!(
            "`{}` is a file. Name a folder",
            folder.display()
        )),
        _ => usage(PathError::new(folder, error)),
    })
}

/// Whether this path means standard output.
pub(super) fn is_stdout(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]
        .iter()
        .any(|name| path == Path::new(name))
}

/// Whether this path means what the caller has opened, such as `>(gzip > games.gz)` in a shell.
fn is_descriptor(path: &Path) -> bool {
    ["/dev/fd", "/proc/self/fd", "/dev/stderr"]
        .iter()
        .any(|start| path.starts_with(start))
}

/// The folder that a file is in.
fn folder_of(file: &Path) -> &Path {
    let parent = file.parent().filter(|parent| *parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

/// A new file beside this one, with the permissions of the one that is there, or the usual ones. Nobody else can open it
/// before it has them.
fn draft_of(file: &Path) -> io::Result<NamedTempFile> {
    let there = file.metadata().ok();
    let draft = tempfile::Builder::new()
        .prefix(".crownhead-")
        .permissions(Permissions::from_mode(if there.is_some() {
            0o600
        } else {
            0o666
        }))
        .tempfile_in(folder_of(file))?;
    if let Some(there) = there {
        // Without the rights of the earlier file's owner (inode(7), set-user-ID).
        let mode = there.permissions().mode() & 0o777;
        draft
            .as_file()
            .set_permissions(Permissions::from_mode(mode))?;
    }
    Ok(draft)
}
