//! Hashes of a referee's files.

use crate::RefereeError;
use sha2::{Digest, Sha256};
use std::path::Path;

/// Adds a file, or the files of a folder in the order of their names, each with its path within it.
pub(crate) fn add_files(path: &Path, hasher: &mut Sha256) -> Result<(), RefereeError> {
    let failed =
        |error| RefereeError::NotFound(format!("the referee's {}: {error}", path.display()));
    if !path.is_dir() {
        let bytes = std::fs::read(path).map_err(failed)?;
        add_part(hasher, &bytes);
        return Ok(());
    }
    let entries = std::fs::read_dir(path).map_err(failed)?;
    let entries: Result<Vec<_>, _> = entries.collect();
    let mut entries = entries.map_err(failed)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        add_part(hasher, entry.file_name().as_encoded_bytes());
        add_files(&entry.path(), hasher)?;
    }
    Ok(())
}

/// Adds bytes and their number, so that the same bytes with other boundaries have another hash.
pub(crate) fn add_part(hasher: &mut Sha256, bytes: &[u8]) {
    hasher.update((bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
