//! Which files a bot of a ladder consists of, and where it runs.
//!
//! It runs in the folder of the first of its files that its command names, unless the configuration says another, and
//! reads all that is there. A folder in which there is a ladder, or that is shared, or that a build tool fills,
//! is not the bot's: there it is given only the files that are named, and runs in its private folder. What is given is
//! what its version is made of.

use super::config::{Bot, CONFIG_FILE};
use super::{UnusableLadder, refuse};
use anyhow::Context;
use crownhead_arena::runner::Participant;
use crownhead_arena::seat::BotSpec;
use crownhead_sandbox::{NamedFiles, is_shared_folder};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The largest file that is kept with a version without being named in the configuration.
pub(super) const LARGEST_FILE: u64 = 64 << 20;
/// The most files of a bot, and the most bytes of those that are not named.
const MOST_FILES: usize = 10_000;
const MOST_BYTES: u64 = 1 << 30;

/// The mark of a folder whose content can be made again, as cargo puts it into `target`
/// (<https://bford.info/cachedir/>).
const CACHE_MARK: &str = "CACHEDIR.TAG";

/// What a bot consists of, and where it runs.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct BotFiles {
    /// Where it runs; `None` for its private folder.
    pub(super) folder: Option<PathBuf>,
    /// What it may read besides the files that its command names.
    pub(super) granted: Vec<PathBuf>,
    /// Its files by what they are called in its version.
    pub(super) files: BTreeMap<String, PathBuf>,
    /// The folders that they lie in, as far as it has those whole.
    pub(super) folders: Vec<PathBuf>,
    /// The program that runs it and is not part of it.
    pub(super) interpreter: Option<PathBuf>,
}

impl Bot {
    /// The bot as it is started with these files.
    pub(super) fn participant(&self, spec: BotSpec, files: &BotFiles) -> Participant {
        Participant {
            spec,
            version: None,
            folder: files.folder.clone(),
            named: NamedFiles::Files,
            files: files.granted.clone(),
            environment: self.environment.clone().into_iter().collect(),
            hidden: Vec::new(),
        }
    }
}

/// The files of a bot whose command was written in `place`. `ladder` is the ladder's folder, `shared` what all bots
/// of it may read.
///
/// # Errors
/// When there is too much, or it cannot be read.
pub(super) fn files_of(
    bot: &Bot,
    spec: &BotSpec,
    place: &Path,
    ladder: &Path,
    shared: &[PathBuf],
) -> anyhow::Result<BotFiles> {
    let Some(found) = spec.program() else {
        return Ok(BotFiles::default());
    };
    let program = &found.path;
    let mut named = spec.files_named(place);
    let interpreter = (found.installed && !named.is_empty()).then(|| program.clone());
    if interpreter.is_none() {
        let name = program.file_name().unwrap_or(program.as_os_str());
        named.insert(0, (name.to_string_lossy().into(), program.into()));
    }
    let folder = match &bot.folder {
        Some(_) => Some(place.to_path_buf()),
        None => named[0].1.parent().map(Path::to_path_buf),
    };
    let folder = folder.as_deref().filter(|folder| is_own(folder, ladder));
    let mut list = List {
        bot: &bot.name,
        ..List::default()
    };
    let granted = match &bot.files {
        Some(files) => {
            for file in files {
                list.add(&file.to_string_lossy(), &place.join(file), true)?;
            }
            files.iter().map(|file| place.join(file)).collect()
        }
        None => {
            if let Some(folder) = folder {
                list.add(".", folder, false)?;
            }
            folder.map(Path::to_path_buf).into_iter().collect()
        }
    };
    for path in shared {
        list.add(&path.to_string_lossy(), path, true)?;
    }
    for (name, path) in named {
        // What is in its folder is in the list already.
        if list.files.values().all(|listed| *listed != path) {
            list.files.insert(name, path);
        }
    }
    Ok(BotFiles {
        folder: folder.map(Path::to_path_buf),
        granted,
        files: list.files,
        folders: list.folders,
        interpreter,
    })
}

/// What a version has of a file or folder that the configuration lets bots read: the files by their names there, and the
/// folders.
///
/// # Errors
/// When there is too much, or it cannot be read.
pub(super) fn listed(
    bot: &str,
    path: &Path,
) -> anyhow::Result<(BTreeMap<String, PathBuf>, Vec<PathBuf>)> {
    let mut list = List {
        bot,
        ..List::default()
    };
    list.add(&path.to_string_lossy(), path, true)?;
    Ok((list.files, list.folders))
}

/// Whether a folder is a bot's own.
fn is_own(folder: &Path, ladder: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.into());
    let (folder, ladder) = (real(folder), real(ladder));
    let is_made = folder
        .ancestors()
        .any(|above| above.join(CACHE_MARK).is_file());
    !ladder.starts_with(&folder)
        && !folder.join(CONFIG_FILE).exists()
        && !is_made
        && !is_shared_folder(&folder)
}

#[derive(Default)]
struct List<'a> {
    bot: &'a str,
    files: BTreeMap<String, PathBuf>,
    folders: Vec<PathBuf>,
    bytes: u64,
}

impl List<'_> {
    /// Adds a file, or a folder with all that is in it; one that the configuration names may be of any size.
    fn add(&mut self, name: &str, path: &Path, is_named: bool) -> anyhow::Result<()> {
        let told = || format!("{}: its file {}", self.bot, path.display());
        let found = path.symlink_metadata().with_context(told)?;
        // Links to folders are not followed unless they are named: they may lead back.
        let found = match path.metadata() {
            Ok(file) if is_named || file.is_file() => file,
            _ => found,
        };
        if !found.is_dir() {
            self.bound(path, &found, is_named)?;
            self.files.insert(name.into(), path.into());
            return Ok(());
        }
        self.folders.push(path.into());
        let entries = std::fs::read_dir(path).with_context(told)?;
        for entry in entries {
            let entry = entry?;
            let (file, own) = (entry.path(), entry.file_name());
            if !is_left_out(&file) {
                let own = own.to_string_lossy();
                let name = match name {
                    "." => own.into_owned(),
                    name => format!("{name}/{own}"),
                };
                self.add(&name, &file, false)?;
            }
        }
        Ok(())
    }

    fn bound(
        &mut self,
        path: &Path,
        found: &Metadata,
        is_named: bool,
    ) -> Result<(), UnusableLadder> {
        let bot = self.bot;
        let way_out = "name what the bot consists of in ladder.toml, with `files = [\"…\"]`";
        if !is_named && found.is_file() {
            self.bytes += found.len();
            if found.len() > LARGEST_FILE {
                return Err(refuse(format!(
                    "{bot}: {} has more than 64 MB, and a copy of it would be kept with each version; {way_out}, and \
                     this file among it if it is needed",
                    path.display()
                )));
            }
        }
        if self.files.len() >= MOST_FILES || self.bytes > MOST_BYTES {
            return Err(refuse(format!(
                "{bot}: there are more than {MOST_FILES} files or 1 GB in the folder it runs in; {way_out}, or give \
                 it a folder of its own"
            )));
        }
        Ok(())
    }
}

/// What is made from other files, or keeps their history, and differs without the bot being another.
fn is_left_out(path: &Path) -> bool {
    let is_called = |name: &str| path.file_name().is_some_and(|own| own == name);
    is_called(".git") || is_called("__pycache__") || path.join(CACHE_MARK).is_file()
}

/// How files look from outside: it differs when one of them was written to, whatever its times say.
pub(super) type Look = Vec<(PathBuf, Option<([u64; 4], [i64; 4])>)>;

/// Looks at a bot's files; those that are gone look like nothing.
pub(super) fn look_at(files: &BotFiles) -> Look {
    let all = files.files.values().chain(&files.folders);
    let all = all.chain(&files.interpreter);
    let look = |path: &PathBuf| {
        let found = path.metadata().or_else(|_| path.symlink_metadata()).ok();
        let look = found.map(|file| {
            let which = [file.dev(), file.ino(), file.len(), file.mode().into()];
            let [mtime, ctime] = [file.mtime(), file.ctime()];
            (which, [mtime, file.mtime_nsec(), ctime, file.ctime_nsec()])
        });
        (path.clone(), look)
    };
    all.map(look).collect()
}
