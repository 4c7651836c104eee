//! The files below `view/` of a jar or a folder, by names that cannot lead elsewhere, in bounded sizes.

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveEntryWayfinder};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of the viewer's files.
const FOLDER: &str = "view/";
/// The most bytes of a file; the largest pictures of contests have 5 MB.
const LARGEST: u64 = 32 << 20;
/// The most files; contests have about a hundred.
const MOST: usize = 10_000;
/// The longest name.
const LONGEST_NAME: usize = 200;

/// Where a file is.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// In a folder.
    File(PathBuf),
    /// In a jar.
    Entry {
        jar: Arc<Path>,
        entry: ZipArchiveEntryWayfinder,
        method: CompressionMethod,
    },
}

/// Adds the files of a jar or a folder of classes, except those with existing names.
pub(super) fn add(root: &Path, places: &mut BTreeMap<String, Place>) -> io::Result<()> {
    if root.is_dir() {
        let view = root.join(FOLDER);
        return if view.is_dir() {
            add_folder(&view, "", places)
        } else {
            Ok(())
        };
    }
    let jar: Arc<Path> = root.into();
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(File::open(root)?, &mut buffer).map_err(damaged)?;
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry().map_err(damaged)? {
        let path = entry.file_path();
        let name = str::from_utf8(path.as_ref()).ok();
        let name = name.and_then(|name| name.strip_prefix(FOLDER));
        let Some(name) = name.filter(|name| !entry.is_dir() && is_plain(name)) else {
            continue;
        };
        let place = Place::Entry {
            jar: jar.clone(),
            entry: entry.wayfinder(),
            method: entry.compression_method(),
        };
        put(name, place, places)?;
    }
    Ok(())
}

/// Adds the files of a folder, which is called `prefix` below `view/`. Links are left out: they may lead elsewhere.
fn add_folder(folder: &Path, prefix: &str, places: &mut BTreeMap<String, Place>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().into_string();
        let Some(name) = name.ok().map(|name| format!("{prefix}{name}")) else {
            continue;
        };
        if !is_plain(&name) {
            continue;
        }
        let kind = entry.file_type()?;
        if kind.is_dir() {
            add_folder(&entry.path(), &format!("{name}/"), places)?;
        } else if kind.is_file() {
            put(&name, Place::File(entry.path()), places)?;
        }
    }
    Ok(())
}

fn put(name: &str, place: Place, places: &mut BTreeMap<String, Place>) -> io::Result<()> {
    if places.len() >= MOST {
        return Err(io::Error::other(format!(
            "its viewer has more than {MOST} files"
        )));
    }
    places.entry(name.into()).or_insert(place);
    Ok(())
}

/// Whether a name is one of plain parts, none of which leads upwards or is hidden.
fn is_plain(name: &str) -> bool {
    let is_plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && !part.contains(|letter: char| letter.is_control() || "\\:?#%".contains(letter))
    };
    name.len() <= LONGEST_NAME && name.split('/').all(is_plain)
}

impl Place {
    /// The file's bytes.
    pub(super) fn read(&self) -> io::Result<Vec<u8>> {
        match self {
            Place::File(path) => read_bounded(File::open(path)?),
            Place::Entry { jar, entry, method } => {
                let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
                let archive = ZipArchive::from_file(File::open(jar)?, &mut buffer);
                let archive = archive.map_err(damaged)?;
                let entry = archive.get_entry(*entry).map_err(damaged)?;
                match *method {
                    CompressionMethod::STORE => {
                        read_bounded(entry.verifying_reader(entry.reader()))
                    }
                    CompressionMethod::DEFLATE => {
                        let inflated = DeflateDecoder::new(entry.reader());
                        read_bounded(entry.verifying_reader(inflated))
                    }
                    _ => Err(io::Error::other("an entry is packed in an unknown way")),
                }
            }
        }
    }
}

fn read_bounded(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other(format!(
            "a file of the viewer has more than {} MiB",
            LARGEST >> 20
        )));
    }
    Ok(bytes)
}

fn damaged(error: rawzip::Error) -> io::Error {
    io::Error::other(format!("the jar is damaged: {error}"))
}
