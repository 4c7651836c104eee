//! A new folder with files to begin with, which commands write for people.

use crate::failure::{Failure, usage};
use crownhead_record::system_error::{OfFile, PathError};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// What the file is called that explains the others. Its lines that begin with `$` are the commands to type first.
pub(crate) const README: &str = "README.md";

/// Writes files, each a name and a text, into a folder that does not exist or is empty. Prints their names, and the
/// commands of the README.
///
/// # Errors
/// When the folder holds anything, or a file cannot be written.
pub(crate) fn write_folder(folder: &Path, files: &[(&str, &str)]) -> Result<(), Failure> {
    make_empty(folder)?;
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

/// Makes the folder, unless it holds anything.
fn make_empty(folder: &Path) -> Result<(), Failure> {
    let shown = folder.display();
    let is_empty = match std::fs::read_dir(folder) {
        Ok(mut files) => files.next().is_none(),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            std::fs::create_dir_all(folder)
                .of_file(folder)
                .map_err(usage)?;
            true
        }
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return Err(usage(format_args!(
                "`{shown}` is a file. Name a new folder"
            )));
        }
        Err(error) => return Err(usage(PathError::new(folder, error))),
    };
    is_empty
        .then_some(())
        .ok_or_else(|| usage(format_args!("`{shown}` is not empty. Name a new folder")))
}
