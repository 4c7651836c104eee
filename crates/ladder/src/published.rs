//! A published ladder on a worker's machine: its folder there, the files of its bots, and how they start.
//!
//! All of the folder can be deleted: missing or changed files are fetched again. Files are read-only and identified by
//! their hashes.

use super::config::{Bot, CONFIG_FILE, Config};
use super::files::{BotFiles, look_at};
use super::folder::Folder;
use super::grants::{Grants, expect_same_files};
use super::version::{
    Description, LETTERS, Ready, fetch, hash_of, hex, name_of, within, write_files,
};
use super::{UnusableLadder, refuse};
use crate::store::shared::{Machine, Publication, PublishedBot, SharedStore, Word, expect_shared};
use crate::store::{Address, BotVersion, Store, StoreError};
use anyhow::{Context, bail};
use crownhead_arena::seat::BotSpec;
use crownhead_record::openings::Source;
use crownhead_record::text::printable;
use crownhead_sandbox::SandboxMode;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
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
    ) -> anyhow::Result<(PublishedLadder, Folder)> {
        let config = Config::parse(&published.config)?;
        if config.options.referee.referee.is_some() {
            let told = "the published configuration names an external referee, a program that runs outside of the \
                        sandbox: such a ladder is played on one machine, with `crownhead ladder run`";
            return Err(refuse(told).into());
        }
        let hash = hex(&Sha256::digest(options.address.url().as_bytes()));
        let bots = config.options.bots;
        let is_open = options.sandbox == SandboxMode::Off;
        let ladder = PublishedLadder {
            folder: options.cache.join(&hash[..LETTERS]),
            missing: options.grants.missing(&bots).filter(|_| !is_open),
            readable: bots.allow_read,
            options,
            published,
        };
        let folder = ladder.write_folder()?;
        Ok((ladder, folder))
    }

    /// Takes up later publications. Rewrites its folder, which is then read like a changed configuration.
    pub(super) fn replace(&mut self, published: Publication) -> anyhow::Result<()> {
        self.published = published;
        self.write_folder().map(drop)
    }

    fn write_folder(&self) -> anyhow::Result<Folder> {
        let published = &self.published;
        let mut document: DocumentMut = published.config.parse()?;
        document["store"] = value(self.options.address.url());
        let told = || self.folder.display().to_string();
        std::fs::create_dir_all(&self.folder).with_context(told)?;
        if let Source::File(path) = Config::parse(&document.to_string())?.openings {
            // Whatever path it names, read only the published file, no file of this machine.
            let name = path.file_name().context("a file of openings has a name")?;
            let openings = published.openings.as_deref();
            let openings = openings.context("the file of openings is not published")?;
            document["openings"] = value(format!("./{}", name.to_string_lossy()));
            write_whole(&self.folder.join(name), openings)?;
        }
        write_whole(&self.folder.join(CONFIG_FILE), &document.to_string())?;
        Folder::open(&self.folder)
    }

    /// The configuration as it holds on this machine.
    pub(super) fn as_here(&self, mut config: Config) -> Config {
        config.options.bots.sandbox = self.options.sandbox;
        config.options.bots = self.options.grants.in_force(config.options.bots);
        config
    }

    /// Fetches the files of all bots, and returns for each why it cannot play on this machine, if so.
    ///
    /// # Errors
    /// When the store fails, or the configuration cannot be read.
    pub fn fetch(
        &self,
        folder: &Folder,
        store: &dyn Store,
    ) -> anyhow::Result<Vec<(String, Option<UnusableLadder>)>> {
        let fetch = |bot: &Bot| match self.make_ready(bot, store) {
            Ok(_) => Ok((bot.name.clone(), None)),
            Err(error) if error.is::<StoreError>() => Err(error),
            Err(error) => Ok((
                bot.name.clone(),
                Some(refuse(printable(format!("{error:#}")))),
            )),
        };
        folder.config()?.bots.iter().map(fetch).collect()
    }

    /// Makes a bot ready in the version that plays, as it was published.
    ///
    /// # Errors
    /// When it cannot be fetched, or cannot be played here.
    pub(super) fn make_ready(&self, bot: &Bot, store: &dyn Store) -> anyhow::Result<Ready> {
        let mut versions = store.versions()?.into_iter();
        let version = versions.find(|version| version.bot == bot.name && version.current);
        let version = version.context("it is not published")?;
        if name_of(&version.description) != version.version {
            bail!(
                "what is stored of its version {} is damaged",
                version.version
            );
        }
        let mut bots = self.published.bots.iter();
        let published_bot =
            bots.find(|known| known.bot == bot.name && known.version == version.version);
        let published_bot = published_bot
            .context("its version is not published; `crownhead ladder publish` does that")?;
        if published_bot.command.is_empty() {
            let spec = BotSpec::parse(&bot.command)?;
            return Ok(Ready::new(
                bot,
                spec,
                version,
                BotFiles::default(),
                Vec::new(),
            ));
        }
        if let Some(missing) = &self.missing {
            bail!("{missing}");
        }
        let description: Description = serde_json::from_str(&version.description)?;
        let environment = self.options.grants.environment(bot, &description)?;
        let (folder, files) = self.unpack(&version, &description, expect_shared(store)?)?;
        let spec = start(bot, published_bot, &files)?;
        let mut files = BotFiles {
            folder: published_bot.in_folder.then(|| folder.clone()),
            granted: vec![folder],
            folders: Vec::new(),
            files,
            environment,
        };
        expect_same_files(&self.readable, bot, &description, &mut files)?;
        let look = look_at(&files);
        let mut ready = Ready::new(bot, spec, version, files, look);
        ready.restrict();
        Ok(ready)
    }

    /// A version's files, verified, with their folder.
    fn unpack(
        &self,
        version: &BotVersion,
        description: &Description,
        shared: &dyn SharedStore,
    ) -> anyhow::Result<(PathBuf, BTreeMap<String, PathBuf>)> {
        let folder = self.folder.join("bots").join(&version.version);
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
            remove(&folder)?;
            make(&folder, |draft| {
                write_files(draft, description, |hash| fetch(shared, hash))
            })?;
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
) -> anyhow::Result<BotSpec> {
    let misplaced = match published.command.first() {
        Some(Word::Text(program)) => program.contains('/').then_some(program),
        Some(Word::File(option, _)) => (!option.is_empty()).then_some(option),
        None => None,
    };
    if let Some(program) = misplaced {
        bail!(
            "expected the name of an installed program or one of its files, not a path: {program}"
        );
    }
    let word = |word: &Word| match word {
        Word::Text(text) => Ok(text.clone()),
        Word::File(option, name) => {
            let path = files.get(name);
            let path = path.with_context(|| format!("its file {name} is not published"))?;
            Ok(format!("{option}{}", path.display()))
        }
    };
    let words = published.command.iter().map(word);
    let mut words: Vec<String> = words.collect::<anyhow::Result<_>>()?;
    let program = PathBuf::from(words.remove(0));
    let mut spec = BotSpec::of_program(&bot.name, &program, words)?;
    spec.words.clone_from(&bot.command);
    Ok(spec)
}

/// Creates a read-only folder, whole or not at all, because other workers may share the cache and create it at the same
/// time.
fn make(folder: &Path, fill: impl FnOnce(&Path) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let parent = folder
        .parent()
        .context("a version's folder is in another")?;
    std::fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
    let draft = tempfile::tempdir_in(parent)?;
    let made = draft.path().join("bot");
    fill(&made)?;
    set_modes(&made, |mode| mode & 0o555)?;
    // A folder must be writable to be moved.
    std::fs::set_permissions(&made, PermissionsExt::from_mode(0o755))?;
    match std::fs::rename(&made, folder) {
        Ok(()) => std::fs::set_permissions(folder, PermissionsExt::from_mode(0o555))?,
        // Another worker was first.
        Err(_) if folder.exists() => remove(&made)?,
        Err(error) => return Err(error).with_context(|| folder.display().to_string()),
    }
    Ok(())
}

/// Removes a folder, also a read-only one.
fn remove(folder: &Path) -> anyhow::Result<()> {
    if folder.symlink_metadata().is_err() {
        return Ok(());
    }
    set_modes(folder, |mode| mode | 0o700)?;
    std::fs::remove_dir_all(folder).with_context(|| folder.display().to_string())
}

/// Changes the mode of a file, or of a folder and its contents, but not of links.
fn set_modes(path: &Path, change: fn(u32) -> u32) -> anyhow::Result<()> {
    let told = || path.display().to_string();
    let found = path.symlink_metadata().with_context(told)?;
    if found.is_dir() {
        for entry in std::fs::read_dir(path).with_context(told)? {
            set_modes(&entry?.path(), change)?;
        }
    }
    if !found.is_symlink() {
        let mode = change(found.permissions().mode());
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).with_context(told)?;
    }
    Ok(())
}

/// Writes a file whole or not at all, because a run may be reading it.
fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = path.parent().context("a file has a folder")?;
    let told = || path.display().to_string();
    let mut draft = tempfile::NamedTempFile::new_in(folder).with_context(told)?;
    draft.write_all(text.as_bytes()).with_context(told)?;
    draft.persist(path).with_context(told)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = "[[bot]]\nname = \"a\"\ncommand = \"sh a.sh\"\n";

    /// What a worker says of this publication.
    fn refusal(config: &str) -> String {
        let cache = tempfile::tempdir().unwrap();
        let options = WorkerOptions {
            address: Address::parse("postgres://host/night").unwrap(),
            cache: cache.path().into(),
            machine: Machine {
                name: "one".into(),
                cores: 1,
                concurrency: 1,
                speed: 1.0,
            },
            sandbox: SandboxMode::Auto,
            grants: Grants::default(),
        };
        let published = Publication {
            config: format!("{config}\n{CONFIG}"),
            openings: None,
            signature: 1,
            bots: Vec::new(),
        };
        let refused = PublishedLadder::new(options, published).err().unwrap();
        refused.to_string()
    }

    #[test]
    fn a_worker_starts_no_referee_and_reads_no_openings_that_the_database_names() {
        let told = refusal("referee = \"touch mark\"");
        assert!(told.contains("names an external referee"), "{told}");
        let told = refusal("openings = \"/etc/passwd\"");
        assert_eq!(told, "the file of openings is not published");
    }

    #[test]
    fn a_published_command_names_installed_programs_and_the_bots_own_files() {
        let bot = Config::parse(CONFIG).unwrap().bots.remove(0);
        let files = BTreeMap::from([("a.sh".to_string(), PathBuf::from("/own/a.sh"))]);
        let start = |command: Vec<Word>| {
            let published = PublishedBot {
                bot: "a".into(),
                version: "1".into(),
                command,
                in_folder: true,
            };
            start(&bot, &published, &files)
        };
        let text = |text: &str| Word::Text(text.into());
        let file = |option: &str, name: &str| Word::File(option.into(), name.into());
        let spec = start(vec![text("sh"), file("--script=", "a.sh")]).unwrap();
        let words = &spec.program().unwrap().arguments;
        assert_eq!(words, &["--script=/own/a.sh"]);
        for misplaced in [text("../../loot"), file("../../..", "a.sh")] {
            let told = start(vec![misplaced]).unwrap_err().to_string();
            assert!(
                told.ends_with("not a path: ../../loot") || told.ends_with("../../.."),
                "{told}"
            );
        }
        let told = start(vec![text("sh"), file("", "b.sh")]).unwrap_err();
        assert_eq!(told.to_string(), "its file b.sh is not published");
    }
}
