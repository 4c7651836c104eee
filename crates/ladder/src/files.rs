//! Which files a bot of a ladder consists of, and where it runs.
//!
//! It runs in the folder of the first file that its command names, unless the configuration names another, and reads
//! everything in it. A folder is not the bot's if it holds a ladder, is shared, or is filled by a build tool. Then the
//! bot gets only the named files, and runs in its private folder. Its version consists of what it gets.

use super::config::{Bot, CONFIG_FILE};
use super::error::{LadderError, about, refuse};
use crownhead_arena::environment;
use crownhead_arena::runner::Participant;
use crownhead_arena::seat::BotSpec;
use crownhead_record::system_error::OfFile;
use crownhead_sandbox::{FileLook, NamedFiles, is_shared_folder, look_of};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

/// The most files of a bot, and the most bytes of its unnamed files.
const MOST_FILES: usize = 10_000;
const MOST_BYTES: u64 = 1 << 30;

/// Marks a folder whose content can be made again. Cargo puts it into `target` (<https://bford.info/cachedir/>).
const CACHE_MARK: &str = "CACHEDIR.TAG";

/// A bot's files, and where it runs.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct BotFiles {
    /// Where it runs; `None` for its private folder.
    pub(super) folder: Option<PathBuf>,
    /// What it may read in addition to the files that its command names.
    pub(super) granted: Vec<PathBuf>,
    /// Its files by their names in its version.
    pub(super) files: BTreeMap<String, PathBuf>,
    /// The folders among them that it has whole.
    pub(super) folders: Vec<PathBuf>,
    /// Its variables, with their values on this machine.
    pub(super) environment: BTreeMap<String, String>,
}

impl Bot {
    /// Its variables, with their values on this machine.
    ///
    /// # Errors
    /// When a variable is not set here.
    pub(super) fn environment_here(&self) -> Result<BTreeMap<String, String>, LadderError> {
        let values = environment::values(&self.environment);
        values.map_err(|error| refuse(format!("{}: {error}", self.name)))
    }

    /// The bot, started with these files.
    pub(super) fn participant(&self, spec: BotSpec, files: &BotFiles) -> Participant {
        Participant {
            spec,
            version: None,
            folder: files.folder.clone(),
            named: NamedFiles::Files,
            files: files.granted.clone(),
            environment: files.environment.clone(),
        }
    }
}

/// The files of a bot whose command was written in `place`. `ladder` is the ladder's folder; all its bots may read
/// `shared`.
///
/// # Errors
/// When there is too much, or it cannot be read.
pub(super) fn files_of(
    bot: &Bot,
    spec: &BotSpec,
    place: &Path,
    ladder: &Path,
    shared: &[PathBuf],
) -> Result<BotFiles, LadderError> {
    let Some(found) = spec.program() else {
        return Ok(BotFiles::default());
    };
    let program = &found.path;
    let mut named = spec.files_named(place);
    let is_interpreter = found.installed && !named.is_empty();
    if !is_interpreter {
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
    list.own.folder = folder.map(Path::to_path_buf);
    match &bot.files {
        Some(files) => {
            for file in files {
                list.add(&file.to_string_lossy(), &place.join(file), true)?;
                list.own.granted.push(place.join(file));
            }
        }
        None => {
            if let Some(folder) = folder {
                list.add(".", folder, false)?;
                list.own.granted.push(folder.into());
            }
        }
    }
    for path in shared {
        list.add(&path.to_string_lossy(), path, true)?;
    }
    let mut own = list.own;
    for (name, path) in named {
        // The list already has the contents of its folder.
        if own.files.values().all(|listed| *listed != path) {
            own.files.insert(name, path);
        }
    }
    Ok(own)
}

/// The part of a version for a file or folder that the configuration lets bots read.
///
/// # Errors
/// When there is too much, or it cannot be read.
pub(super) fn listed(bot: &str, path: &Path) -> Result<BotFiles, LadderError> {
    let mut list = List {
        bot,
        ..List::default()
    };
    list.add(&path.to_string_lossy(), path, true)?;
    Ok(list.own)
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
    own: BotFiles,
    bytes: u64,
}

impl List<'_> {
    /// Adds a file, or a folder with its contents. A named file may have any size.
    fn add(&mut self, name: &str, path: &Path, is_named: bool) -> Result<(), LadderError> {
        let found = path.symlink_metadata().of_file(path);
        let found = found.map_err(about(self.bot))?;
        // Links to folders are followed only if they are named, because they may lead back.
        let found = match path.metadata() {
            Ok(file) if is_named || file.is_file() => file,
            _ => found,
        };
        if !found.is_dir() {
            self.bound(&found, is_named)?;
            self.own.files.insert(name.into(), path.into());
            return Ok(());
        }
        self.own.folders.push(path.into());
        let entries = std::fs::read_dir(path).of_file(path);
        for entry in entries.map_err(about(self.bot))? {
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

    fn bound(&mut self, found: &Metadata, is_named: bool) -> Result<(), LadderError> {
        if !is_named && found.is_file() {
            self.bytes += found.len();
        }
        if self.own.files.len() >= MOST_FILES || self.bytes > MOST_BYTES {
            return Err(refuse(format!(
                "{}: there are more than {MOST_FILES} files or 1 GB in the folder it runs in; name what the bot consists of \
                 in ladder.toml, with `files = [\"…\"]`, or give it a folder of its own",
                self.bot
            )));
        }
        Ok(())
    }
}

/// Files that are made from others or keep their history. They change although the bot does not.
fn is_left_out(path: &Path) -> bool {
    let is_called = |name: &str| path.file_name().is_some_and(|own| own == name);
    is_called(".git") || is_called("__pycache__") || path.join(CACHE_MARK).is_file()
}

/// How files look from outside.
pub(super) type Look = Vec<(PathBuf, Option<FileLook>)>;

/// Looks at a bot's files; missing files have no look.
pub(super) fn look_at(files: &BotFiles) -> Look {
    let all = files.files.values().chain(&files.folders);
    let look = |path: &PathBuf| {
        let found = path.metadata().or_else(|_| path.symlink_metadata()).ok();
        (path.clone(), found.as_ref().map(look_of))
    };
    all.map(look).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File};
    use std::os::unix::fs::symlink;

    fn workspace() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    /// Writes a file with these bytes, and the folders above it.
    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn names(list: &List<'_>) -> Vec<String> {
        list.own.files.keys().cloned().collect()
    }

    #[test]
    fn a_folder_is_a_bots_with_all_that_is_in_it_but_what_is_made_again() {
        let bot = workspace();
        for file in [
            "bot.py",
            "data/book.txt",
            "data/more/net.bin",
            ".git/HEAD",
            "data/__pycache__/bot.pyc",
            "target/bot",
        ] {
            write(&bot.path().join(file), file);
        }
        write(&bot.path().join("target").join(CACHE_MARK), "");
        let elsewhere = workspace();
        write(&elsewhere.path().join("secret"), "");
        symlink(elsewhere.path(), bot.path().join("link")).unwrap();
        symlink(elsewhere.path().join("secret"), bot.path().join("linked")).unwrap();
        let mut list = List::default();
        list.add(".", bot.path(), false).unwrap();
        // A link to a folder stays a link; a link to a file is read as the file.
        let expected = [
            "bot.py",
            "data/book.txt",
            "data/more/net.bin",
            "link",
            "linked",
        ];
        assert_eq!(names(&list), expected);
        let folders = [
            bot.path().to_path_buf(),
            bot.path().join("data"),
            bot.path().join("data/more"),
        ];
        list.own.folders.sort_unstable();
        assert_eq!(list.own.folders, folders);
        // A named folder is followed, under that name.
        let link = bot.path().join("link");
        let BotFiles { files, folders, .. } = listed("bot", &link).unwrap();
        let name = format!("{}/secret", link.display());
        assert_eq!(files.into_keys().collect::<Vec<_>>(), [name]);
        assert_eq!(folders, [link]);
    }

    #[test]
    fn what_is_not_there_is_told_with_the_bots_name() {
        let error = listed("mine", Path::new("/no/such/file")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "mine: `/no/such/file`: there is no folder `/no/such`"
        );
    }

    /// A sparse file of this size.
    fn sparse(path: &Path, bytes: u64) {
        File::create(path).unwrap().set_len(bytes).unwrap();
    }

    #[test]
    fn a_bot_has_ten_thousand_files_and_a_gigabyte_at_most() {
        let bot = workspace();
        let net = bot.path().join("net.bin");
        sparse(&net, MOST_BYTES);
        assert!(List::default().add(".", bot.path(), false).is_ok());
        sparse(&bot.path().join("more"), 1);
        let refused = List::default().add(".", bot.path(), false).unwrap_err();
        assert!(
            refused.to_string().contains("10000 files or 1 GB"),
            "{refused}"
        );
        sparse(&net, MOST_BYTES + 1);
        assert!(
            List::default().add("net.bin", &net, true).is_ok(),
            "it is named"
        );

        let mut full = List::default();
        let file = |number: usize| (number.to_string(), PathBuf::new());
        full.own.files = (0..MOST_FILES - 1).map(file).collect();
        assert!(full.add("last", &bot.path().join("more"), true).is_ok());
        assert!(
            full.add("one more", &bot.path().join("more"), true)
                .is_err()
        );
    }

    #[test]
    fn a_folder_that_others_fill_or_that_holds_a_ladder_is_not_a_bots_own() {
        let place = workspace();
        let at = |name: &str| place.path().join(name);
        for folder in ["ladder/bots", "mine/src", "other", "project/target/release"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        write(&at("other").join(CONFIG_FILE), "");
        write(&at("project/target").join(CACHE_MARK), "");
        let is_own = |folder: &str| is_own(&at(folder), &at("ladder"));
        for own in ["mine", "mine/src", "ladder/bots", "project", "not-there"] {
            assert!(is_own(own), "{own}");
        }
        for other in [
            "",
            "ladder",
            "other",
            "project/target",
            "project/target/release",
        ] {
            assert!(!is_own(other), "{other}");
        }
    }

    #[test]
    fn a_file_looks_different_once_it_was_written_to() {
        let place = workspace();
        let [bot, other] = ["bot.py", "other.py"].map(|name| place.path().join(name));
        write(&bot, "one");
        write(&other, "");
        let files = BotFiles {
            files: [("bot.py", &bot), ("other.py", &other)]
                .map(|(name, path)| (name.to_string(), path.clone()))
                .into(),
            folders: vec![place.path().into()],
            ..BotFiles::default()
        };
        let look = look_at(&files);
        assert_eq!(look.len(), 3);
        assert_eq!(look_at(&files), look);
        // With the same size and time as before.
        let time = bot.metadata().unwrap().modified().unwrap();
        write(&bot, "two");
        File::options()
            .write(true)
            .open(&bot)
            .unwrap()
            .set_modified(time)
            .unwrap();
        assert_ne!(look_at(&files), look);
        let look = look_at(&files);
        fs::remove_file(&other).unwrap();
        let gone = look_at(&files);
        assert_ne!(gone, look);
        assert_eq!(gone[1], (other, None));
    }
}
