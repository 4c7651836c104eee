//! A published ladder on a worker's machine: its folder there, the files of its bots, and how they start.
//!
//! All of the folder can be deleted: missing or changed files are fetched again. Their hashes identify them.

use super::config::{Bot, CONFIG_FILE, Config};
use super::error::{LadderError, about, fail};
use super::files::{BotFiles, look_at};
use super::folder::Folder;
use super::grants::{Grants, expect_same_files};
use super::publish::{expect_no_links, expect_own_files};
use super::version::{Content, Description, LETTERS, Ready, hash_of, hash_of_bytes, name_of};
use crate::store::shared::{Machine, Publication, PublishedBot, Word};
use crate::store::{Address, Store};
use crownhead_arena::seat::BotSpec;
use crownhead_arena::settings::crownhead_itself;
use crownhead_record::openings::Source;
use crownhead_record::system_error::{OfFile, PathError};
use crownhead_sandbox::{NamedFiles, Sandbox, SandboxMode, link, set_mode};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use toml_edit::{DocumentMut, value};

/// How a worker plays.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The database of the ladder.
    pub address: Address,
    /// The folder for its copies of ladders.
    pub cache: PathBuf,
    /// What it is.
    pub machine: Machine,
    /// How bots are isolated.
    pub sandbox: SandboxMode,
    /// What bots may read and write here in addition to their own files.
    pub grants: Grants,
}

/// A worker's copy of a ladder.
pub struct PublishedLadder {
    pub(super) options: WorkerOptions,
    pub(super) published: Publication,
    /// The folder of the copy.
    folder: PathBuf,
    /// The program that confines an external referee.
    supervisor: PathBuf,
    /// The files that the ladder lets its bots read in addition to their own, as it is written there.
    readable: Vec<PathBuf>,
    /// What the ladder asks for in addition and this worker does not grant.
    missing: Option<String>,
}

impl PublishedLadder {
    /// Reads what is published, and writes it as a ladder's folder.
    ///
    /// # Errors
    /// When it cannot be understood, played by a worker, or written.
    pub fn new(
        options: WorkerOptions,
        published: Publication,
    ) -> Result<(PublishedLadder, Folder), LadderError> {
        let config = Config::parse(&published.config)?;
        if let Some(command) = &config.options.referee.referee {
            expect_own_files(command)?;
            let referee = published.referee.as_ref();
            referee.ok_or_else(|| fail("the referee is not published"))?;
        }
        let hash = hash_of_bytes(options.address.url().as_bytes());
        let folder = options.cache.join(&hash[..LETTERS]);
        std::fs::create_dir_all(&folder).of_file(&folder)?;
        let mut document: DocumentMut = published.config.parse().map_err(fail)?;
        document["store"] = value(options.address.url());
        if let Source::File(path) = &config.openings {
            // Whatever path it names, read only the published file, no file of this machine.
            let name = path.file_name().unwrap_or_default();
            let openings = published.openings.as_deref();
            let openings = openings.ok_or_else(|| fail("the file of openings is not published"))?;
            document["openings"] = value(format!("./{}", name.to_string_lossy()));
            write_whole(&folder.join(name), openings)?;
        }
        write_whole(&folder.join(CONFIG_FILE), &document.to_string())?;
        let opened = Folder::open(&folder)?;
        let bots = config.options.bots;
        let missing = options.grants.granted(&bots).err();
        let ladder = PublishedLadder {
            folder,
            // Without a sandbox, nothing can be kept from a bot.
            missing: missing.filter(|_| options.sandbox != SandboxMode::Off),
            readable: bots.allow_read,
            supervisor: crownhead_itself().map_err(fail)?,
            options,
            published,
        };
        Ok((ladder, opened))
    }

    /// Takes up a later publication. Rewrites its folder, which is then read like a changed configuration.
    pub(super) fn replace(&mut self, published: Publication) -> Result<(), LadderError> {
        (*self, _) = PublishedLadder::new(self.options.clone(), published)?;
        Ok(())
    }

    /// The configuration as it holds on this machine.
    pub(super) fn as_here(&self, mut config: Config) -> Config {
        let bots = &mut config.options.bots;
        bots.sandbox = self.options.sandbox;
        let granted = self.options.grants.granted(bots);
        (bots.allow_read, bots.allow_write) = granted.unwrap_or_default();
        if let Some(description) = &self.published.referee {
            let folder = self.folder_of(&name_of(description));
            let sandbox = Sandbox {
                supervisor: Some(self.supervisor.clone()),
                mode: self.options.sandbox,
                allow_read: vec![folder.clone()],
                named: NamedFiles::Nothing,
                ..Sandbox::none()
            };
            config.options.referee.confined = Some((folder, sandbox));
        }
        config
    }

    /// Fetches the files of the external referee, if there is one.
    ///
    /// # Errors
    /// When they cannot be fetched.
    pub(super) fn fetch_referee(&self, store: &Store) -> Result<(), LadderError> {
        let Some(description) = &self.published.referee else {
            return Ok(());
        };
        let about_it = about("the referee");
        let files: Description = serde_json::from_str(description).map_err(fail)?;
        expect_no_links(&files)?;
        let unpacked = self.unpack(&name_of(description), &files, store);
        unpacked.map(drop).map_err(about_it)
    }

    /// The folder of the files of this version.
    fn folder_of(&self, version: &str) -> PathBuf {
        self.folder.join("bots").join(version)
    }

    /// Fetches the files of a bot.
    ///
    /// # Errors
    /// As when a worker makes it ready: it cannot be fetched, or cannot be played here.
    pub fn fetch(&self, bot: &Bot, store: &Store) -> Result<(), LadderError> {
        self.make_ready(bot, store).map(drop)
    }

    /// Makes a bot ready in the version that plays, as it was published.
    ///
    /// # Errors
    /// When it cannot be fetched, or cannot be played here.
    pub(super) fn make_ready(&self, bot: &Bot, store: &Store) -> Result<Ready, LadderError> {
        let version = store.current_version(&bot.name)?;
        let version = version.ok_or_else(|| fail("it is not published"))?;
        if name_of(&version.description) != version.version {
            let told = format!(
                "what is stored of its version {} is damaged",
                version.version
            );
            return Err(fail(told));
        }
        let is_it = |it: &&PublishedBot| it.bot == bot.name && it.version == version.version;
        let published_bot = self.published.bots.iter().find(is_it);
        let told = "its version is not published; `crownhead ladder publish` does that";
        let published_bot = published_bot.ok_or_else(|| fail(told))?;
        if published_bot.command.is_empty() {
            let spec = BotSpec::parse(&bot.command).map_err(fail)?;
            let (files, look) = (BotFiles::default(), Vec::new());
            return Ok(Ready::new(bot, spec, version, files, look));
        }
        if let Some(missing) = &self.missing {
            return Err(fail(missing));
        }
        let description: Description = serde_json::from_str(&version.description).map_err(fail)?;
        let environment = self.options.grants.environment(bot, &description)?;
        let (folder, files) = self.unpack(&version.version, &description, store)?;
        let mut files = BotFiles {
            folder: published_bot.in_folder.then(|| folder.clone()),
            granted: vec![folder],
            folders: Vec::new(),
            environment,
            files,
        };
        let spec = start(bot, published_bot, &files.files)?;
        expect_same_files(&self.readable, bot, &description, &mut files)?;
        let look = look_at(&files);
        let mut ready = Ready::new(bot, spec, version, files, look);
        ready.restrict();
        Ok(ready)
    }

    /// A version's files, verified, with their folder.
    fn unpack(
        &self,
        version: &str,
        description: &Description,
        store: &Store,
    ) -> Result<(PathBuf, BTreeMap<String, PathBuf>), LadderError> {
        let bots = self.folder.join("bots");
        let folder = self.folder_of(version);
        let names = description.files.keys();
        let files = names.map(|name| (name.clone(), folder.join(within(name))));
        let files: BTreeMap<String, PathBuf> = files.collect();
        let is_whole = description.files.iter().all(|(name, content)| {
            let path = &files[name];
            match content.hash() {
                Some(hash) => hash_of(path).is_ok_and(|found| found == hash),
                None => path.symlink_metadata().is_ok(),
            }
        });
        if !is_whole {
            // Whole or not at all, because other workers may share the cache and write it at the same time.
            std::fs::create_dir_all(&bots).of_file(&bots)?;
            let draft = tempfile::tempdir_in(&bots)?;
            let made = draft.path().join("bot");
            write_files(&made, description, |hash| fetch(store, hash))?;
            let _ = std::fs::rename(&folder, draft.path().join("changed"));
            match std::fs::rename(&made, &folder) {
                // Another worker was first.
                Err(_) if folder.exists() => {}
                moved => moved.of_file(&folder)?,
            }
        }
        Ok((folder, files))
    }
}

/// How a published bot starts with these files.
///
/// # Errors
/// When its command names a program or a file that was not published.
fn start(
    bot: &Bot,
    published: &PublishedBot,
    files: &BTreeMap<String, PathBuf>,
) -> Result<BotSpec, LadderError> {
    let misplaced = match published.command.first() {
        Some(Word::Text(program)) => {
            (Path::new(program).file_name() != Some(program.as_ref())).then_some(program)
        }
        Some(Word::File(option, _)) => (!option.is_empty()).then_some(option),
        None => None,
    };
    if let Some(program) = misplaced {
        let expected = "expected the name of an installed program or one of its files, not a path";
        return Err(fail(format!("{expected}: {program}")));
    }
    let word = |word: &Word| match word {
        Word::Text(text) => Ok(text.clone()),
        Word::File(option, name) => {
            let path = files.get(name);
            let path = path.ok_or_else(|| fail(format!("its file {name} is not published")))?;
            Ok(format!("{option}{}", path.display()))
        }
    };
    let words = published.command.iter().map(word);
    let mut words: Vec<String> = words.collect::<Result<_, LadderError>>()?;
    let program = PathBuf::from(words.remove(0));
    let mut spec = BotSpec::of_program(&bot.name, &program, words).map_err(fail)?;
    spec.words.clone_from(&bot.command);
    Ok(spec)
}

/// Writes a file whole or not at all, because a run may be reading it.
fn write_whole(path: &Path, text: &str) -> Result<(), PathError> {
    let write = || {
        let mut draft = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(path))?;
        draft.write_all(text.as_bytes())?;
        draft.persist(path)?;
        Ok(())
    };
    write().of_file(path)
}

/// The file with this hash, from a store that has it.
///
/// # Errors
/// When the store lacks it, or has another file there.
fn fetch(store: &Store, hash: &str) -> Result<Vec<u8>, LadderError> {
    match store.file(hash)? {
        Some(bytes) if hash_of_bytes(&bytes) == hash => Ok(bytes),
        Some(_) => Err(fail("it is damaged in the store")),
        None => Err(fail("it is not in the store")),
    }
}

/// Writes a version's files into a new folder. `content` returns the content with a hash. Links come last, so that
/// nothing is written through them.
///
/// # Errors
/// When the folder already exists, or a file cannot be fetched or written.
fn write_files(
    folder: &Path,
    description: &Description,
    content: impl Fn(&str) -> Result<Vec<u8>, LadderError>,
) -> Result<(), LadderError> {
    std::fs::create_dir(folder).of_file(folder)?;
    let (links, files): (Vec<_>, Vec<_>) = description
        .files
        .iter()
        .partition(|(_, what)| matches!(what, Content::Link(_)));
    // Create every folder before any link.
    for name in description.files.keys() {
        let path = folder.join(within(name));
        std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
    }
    for (name, what) in files.into_iter().chain(links) {
        let path = folder.join(within(name));
        let (hash, mode) = match what {
            Content::Link(target) => {
                link(Path::new(target), &path).of_file(&path)?;
                continue;
            }
            Content::Sha256(hash) => (hash, 0o644),
            Content::Program(hash) => (hash, 0o755),
        };
        let bytes = content(hash).map_err(about(format_args!("its file {name}")))?;
        let mut file = File::create_new(&path).of_file(&path)?;
        file.write_all(&bytes).of_file(&path)?;
        set_mode(&path, mode)?;
    }
    Ok(())
}

/// A name as a path that stays inside the folder.
fn within(name: &str) -> PathBuf {
    let parts = Path::new(name).components();
    let plain = |part: &Component<'_>| matches!(part, Component::Normal(_));
    parts.filter(plain).collect()
}

// Without databases there is nothing to publish to.
#[cfg(all(test, feature = "shared"))]
mod tests;
