//! Files that commands make: whole or not at all, and in place of an earlier one with `--force` alone. What goes into
//! them is left to the commands; files that a command continues (`train games`) or keeps up to date (`export site`)
//! are not made here.

use crate::failure::{Failure, usage};
use anyhow::anyhow;
use crownhead_record::system_error::{OfFile, PathError, reason};
use crownhead_sandbox::{check_writable, mode, stdout_file, temporary_file, try_lock};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::TempPath;

/// Where a command is to write, checked before its work begins.
#[derive(Clone, Debug)]
pub(super) struct OutputPath {
    /// As it was given.
    path: PathBuf,
    /// The file that is made, at the end of all symbolic links. `None` is something that is there to be written to:
    /// standard output, a device, a pipe, a file that the caller has opened. None of it is replaced.
    file: Option<PathBuf>,
    force: bool,
}

impl OutputPath {
    /// The place that `path` names: standard output by `-`, a device or pipe that is there, or a file, which is not there
    /// yet, or with `force` may be.
    ///
    /// # Errors
    /// When a file is there and may not be replaced, or none can be made.
    pub(super) fn new(path: &Path, force: bool) -> Result<OutputPath, Failure> {
        let at = |file: Option<PathBuf>| OutputPath {
            path: path.into(),
            file,
            force,
        };
        let refused = |problem: &str| Err(usage(format_args!("`{}` {problem}", path.display())));
        if is_stdout(path) {
            return Ok(at(None));
        }
        let file = match path.metadata() {
            Ok(there) if there.is_dir() => return refused("is a folder. Name a file"),
            Ok(there) if !there.is_file() => return Ok(at(None)),
            Ok(_) if force => path.canonicalize().of_file(path).map_err(usage)?,
            Ok(_) => return Err(usage(is_there(path))),
            Err(_) if path.is_symlink() => {
                return refused("is a link to nothing. Name another file");
            }
            Err(error) if error.kind() == ErrorKind::NotFound => path.into(),
            Err(error) => return Err(usage(PathError::new(path, error))),
        };
        match check_writable(folder_of(&file)) {
            Ok(()) => Ok(at(Some(file))),
            Err(error) => Err(cannot_create(&file, &error)),
        }
    }

    /// Writes all that the file is to hold.
    pub(super) fn write(&self, text: &str) -> Result<(), Failure> {
        let mut file = self.create()?;
        file.write(text.as_bytes())?;
        Ok(file.put_in_place()?)
    }

    /// A file that is written bit by bit, and takes its place when it is told to.
    pub(super) fn create(&self) -> Result<OutputFile, Failure> {
        let (out, draft) = match &self.file {
            None if is_stdout(&self.path) => (stdout_file(&io::stdout()), None),
            // A file that the caller has opened may hold something already.
            None => (OpenOptions::new().append(true).open(&self.path), None),
            Some(file) => {
                let draft = draft_of(file).map_err(|error| cannot_create(file, &error))?;
                let (out, draft) = draft.into_parts();
                // A second run must not continue it meanwhile. Where files cannot be locked, it could.
                let _ = try_lock(&out);
                (Ok(out), Some(draft))
            }
        };
        let out = out.of_file(&self.path).map_err(usage)?;
        Ok(OutputFile {
            out: BufWriter::new(out),
            at: self.clone(),
            draft,
        })
    }
}

/// A file that a command writes. What stood there before stays until this one takes its place; if it never does, nothing
/// is left of it.
pub(super) struct OutputFile {
    out: BufWriter<File>,
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
        if matches!(try_lock(&file), Err(TryLockError::WouldBlock)) {
            return Err(usage(format_args!(
                "another run writes to `{}`. Wait until it ends",
                path.display()
            )));
        }
        file.set_len(whole).of_file(path).map_err(usage)?;
        Ok(OutputFile {
            out: BufWriter::new(file),
            at: OutputPath {
                path: path.into(),
                file: Some(path.into()),
                force: false,
            },
            draft: None,
        })
    }

    /// Writes all of this, which is there once the file has its place.
    ///
    /// # Errors
    /// When the disk is full, say, or the reader of standard output is gone.
    pub(super) fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        Ok(self.out.write_all(bytes).of_file(&self.at.path)?)
    }

    /// Writes all of this or, to a file of its own, nothing, and has it there at once.
    ///
    /// # Errors
    /// When the disk is full, say, or the reader of standard output is gone.
    pub(super) fn append(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let is_own = self.at.file.is_some();
        let written = self.out.flush().and_then(|()| {
            let file = self.out.get_mut();
            let before = file.metadata()?.len();
            let written = file.write_all(bytes);
            written.inspect_err(|_| drop(is_own.then(|| file.set_len(before))))
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
        let (Some(draft), Some(file)) = (self.draft.take(), &self.at.file) else {
            return Ok(());
        };
        let placed = if self.at.force {
            // On the disk before the earlier file is gone.
            self.out.get_ref().sync_all().of_file(&self.at.path)?;
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

/// The refusal of a file that cannot be created. Of the draft beside it nothing is said.
fn cannot_create(file: &Path, error: &io::Error) -> Failure {
    let (path, folder) = (file.display(), folder_of(file));
    if !folder.exists() {
        let folder = folder.display();
        return usage(format_args!(
            "`{path}` cannot be written: there is no folder `{folder}`"
        ));
    }
    let why = match error.kind() {
        ErrorKind::NotFound => String::new(),
        _ => format!(" ({})", reason(error)),
    };
    usage(format_args!(
        "`{path}` cannot be written: its folder takes no files{why}. Name another one"
    ))
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

/// What the file is called that explains the others. Its lines that begin with `$` are the commands to type first.
pub(super) const README: &str = "README.md";

/// Writes files, each a name and a text, into a folder that does not exist or is empty. Prints their names, and the
/// commands of the README.
///
/// # Errors
/// When the folder holds anything, or a file cannot be written.
pub(super) fn write_folder(folder: &Path, files: &[(&str, &str)]) -> Result<(), Failure> {
    make_folder(folder)?;
    let mut there = std::fs::read_dir(folder).of_file(folder).map_err(usage)?;
    if there.next().is_some() {
        let folder = folder.display();
        return Err(usage(format_args!(
            "`{folder}` is not empty. Name a new folder"
        )));
    }
    for (name, text) in files {
        let path = folder.join(name);
        let written = File::create_new(&path).and_then(|mut file| file.write_all(text.as_bytes()));
        written.of_file(&path)?;
    }
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let folder = folder.display();
    let mut out = anstream::stdout().lock();
    writeln!(
        out,
        "{folder} holds {}.\n\nNext:\n  cd {folder}",
        names.join(", ")
    )?;
    let readme = files.iter().filter(|(name, _)| *name == README);
    let lines = readme.flat_map(|(_, text)| text.lines());
    for command in lines.filter_map(|line| line.strip_prefix("$ ")) {
        writeln!(out, "  {command}")?;
    }
    Ok(())
}

/// Whether this path means standard output.
pub(super) fn is_stdout(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]
        .iter()
        .any(|name| path == Path::new(name))
}

/// The folder that a file is in.
fn folder_of(file: &Path) -> &Path {
    let parent = file.parent().filter(|parent| *parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

/// A new file beside this one. It has the permissions of the one that is there, but not the rights of its owner
/// (inode(7), set-user-ID), or the usual ones.
fn draft_of(file: &Path) -> io::Result<tempfile::NamedTempFile> {
    let there = file.metadata().map(|there| mode(&there) & 0o777);
    temporary_file(there.unwrap_or(0o666))
        .prefix(".crownhead-")
        .tempfile_in(folder_of(file))
}
