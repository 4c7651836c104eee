//! A new folder with files to begin with, which commands write for people.

use crate::failure::{Failure, usage};
use crate::output_file::make_folder;
use crownhead_record::system_error::OfFile;
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// What the file is called that explains the others. Its lines that begin with `$` are the commands to type first.
pub(crate) const README: &str = "README.md";

/// Writes files, each a name and a text, into a folder that does not exist or is empty. Prints their names, and the
/// commands of the README.
///
/// # Errors
/// When the folder holds anything, or a file cannot be written.
pub(crate) fn write_folder(folder: &Path, files: &[(&str, &str)]) -> Result<(), Failure> {
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
