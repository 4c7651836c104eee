//! A worker's copy of a ladder on its own machine: the configuration, and the published files of the bots.
//!
//! All of it can be deleted: missing or changed files are fetched again. Files are read-only and identified by their
//! hashes.

use super::config::{Bot, CONFIG_FILE, Config};
use super::files::{BotFiles, look_at};
use super::folder::{Folder, build_in};
use super::grants::{Grants, Wishes};
use super::version::{
    Description, LETTERS, Ready, fetch, hash_of, hex, name_of, told_of_interpreter, within,
    write_files,
};
use super::{UnusableLadder, refuse};
use crate::store::shared::{Build, Publication, PublishedBot, SharedStore, Word};
use crate::store::{Address, BotVersion};
use anyhow::{Context, bail};
use crownhead_arena::seat::BotSpec;
use crownhead_bots::BoardGame;
use crownhead_record::openings::Source;
use crownhead_train::bench;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use toml_edit::{DocumentMut, value};

/// The folder of a ladder on a worker's machine.
#[derive(Clone, Debug)]
pub(super) struct Cache(PathBuf);

/// What a worker's own command line says about the bots that it plays.
pub(super) struct HostTerms {
    /// Whether bots that have a build command are built here.
    pub(super) builds: bool,
    /// What bots may reach in addition to their own files.
    pub(super) grants: Grants,
    /// What the ladder asks for in addition, and which of that is not granted.
    pub(super) wishes: Wishes,
    pub(super) missing: Option<String>,
}

/// A bot's version that is ready.
struct Unpacked {
    folder: PathBuf,
    files: BTreeMap<String, PathBuf>,
    /// The bot's variables, with their values.
    environment: BTreeMap<String, String>,
}

impl Cache {
    /// The folder within `root` of the ladder in this database.
    pub(super) fn of(root: &Path, address: &Address) -> Cache {
        let hash = hex(&Sha256::digest(address.url().as_bytes()));
        Cache(root.join(&hash[..LETTERS]))
    }

    /// Writes the published ladder as a ladder's folder.
    ///
    /// # Errors
    /// When it cannot be written or understood.
    pub(super) fn write_folder(
        &self,
        published: &Publication,
        address: &Address,
    ) -> anyhow::Result<Folder> {
        let mut document: DocumentMut = published.config.parse()?;
        document["store"] = value(address.url());
        std::fs::create_dir_all(&self.0).with_context(|| self.0.display().to_string())?;
        if let Source::File(path) = Config::parse(&document.to_string())?.openings {
            // Whatever path it names, read only the published file, no file of this machine.
            let name = path.file_name().context("a file of openings has a name")?;
            let openings = published.openings.as_deref();
            let openings = openings.context("the file of openings is not published")?;
            document["openings"] = value(format!("./{}", name.to_string_lossy()));
            write_whole(&self.0.join(name), openings)?;
        }
        write_whole(&self.0.join(CONFIG_FILE), &document.to_string())?;
        Folder::open(&self.0)
    }

    /// Makes a bot ready as it was published. Reports what is built here.
    ///
    /// # Errors
    /// When it cannot be fetched, or cannot be played here.
    pub(super) fn make_ready(
        &self,
        game: &'static dyn BoardGame,
        bot: &Bot,
        published: &Publication,
        version: &BotVersion,
        shared: &dyn SharedStore,
        terms: &HostTerms,
    ) -> anyhow::Result<(Ready, Option<Build>)> {
        if name_of(&version.description) != version.version {
            bail!(
                "what is stored of its version {} is damaged",
                version.version
            );
        }
        let mut bots = published.bots.iter();
        let published_bot =
            bots.find(|known| known.bot == bot.name && known.version == version.version);
        let published_bot = published_bot
            .context("its version is not published; `crownhead ladder publish` does that")?;
        let description: Description = serde_json::from_str(&version.description)?;
        if published_bot.command.is_empty() {
            return Ok((built_in(game, bot, version, &description)?, None));
        }
        if let Some(missing) = &terms.missing {
            bail!("{missing}");
        }
        let environment = terms.grants.environment(bot, &description)?;
        let is_built = terms.builds && bot.build.is_some();
        let unpacked = self.unpack(version, &description, bot, environment, is_built, shared)?;
        let ready = unpacked.ready(bot, published_bot, version, &description, terms)?;
        let build = is_built.then(|| built(bot, &ready)).transpose()?;
        Ok((ready, build))
    }

    /// A version's files, verified; if the version is built here, in a folder of its own, built once.
    fn unpack(
        &self,
        version: &BotVersion,
        description: &Description,
        bot: &Bot,
        environment: BTreeMap<String, String>,
        is_built: bool,
        shared: &dyn SharedStore,
    ) -> anyhow::Result<Unpacked> {
        let kind = if is_built { "built" } else { "bots" };
        let folder = self.0.join(kind).join(&version.version);
        let unpacked = Unpacked::of(&folder, description, environment);
        let is_there = if is_built {
            folder.exists()
        } else {
            unpacked.holds(description)
        };
        if !is_there {
            remove(&folder)?;
            self.make(&folder, |draft| {
                write_files(draft, description, |hash| fetch(shared, hash))?;
                if is_built {
                    build_in(draft, bot, &unpacked.environment, || {})?;
                }
                Ok(())
            })?;
        }
        Ok(unpacked)
    }

    /// Creates a read-only folder, whole or not at all, because other workers may share the cache and create it at the
    /// same time.
    fn make(
        &self,
        folder: &Path,
        fill: impl FnOnce(&Path) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let parent = folder.parent().unwrap_or(&self.0);
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
}

impl Unpacked {
    fn of(
        folder: &Path,
        description: &Description,
        environment: BTreeMap<String, String>,
    ) -> Unpacked {
        let files = description.files.keys();
        let files = files.map(|name| (name.clone(), folder.join(within(name))));
        Unpacked {
            folder: folder.into(),
            files: files.collect(),
            environment,
        }
    }

    /// Whether all files exist and match the version.
    fn holds(&self, description: &Description) -> bool {
        description.files.iter().all(|(name, content)| {
            let path = &self.files[name];
            match content.hash() {
                Some(hash) => hash_of(path).is_ok_and(|found| found == hash),
                None => path.symlink_metadata().is_ok(),
            }
        })
    }

    fn ready(
        &self,
        bot: &Bot,
        published_bot: &PublishedBot,
        version: &BotVersion,
        description: &Description,
        terms: &HostTerms,
    ) -> anyhow::Result<Ready> {
        let misplaced = match published_bot.command.first() {
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
                let path = self.files.get(name);
                let path = path.with_context(|| format!("its file {name} is not published"))?;
                Ok(format!("{option}{}", path.display()))
            }
        };
        let words = published_bot.command.iter().map(word);
        let mut words: Vec<String> = words.collect::<anyhow::Result<_>>()?;
        let program = PathBuf::from(words.remove(0));
        let mut spec = BotSpec::of_program(&bot.name, &program, words)?;
        spec.words.clone_from(&bot.command);
        let interpreter = spec.program().filter(|program| program.installed);
        let interpreter = interpreter.map(|program| program.path.clone());
        let mut files = BotFiles {
            folder: published_bot.in_folder.then(|| self.folder.clone()),
            granted: vec![self.folder.clone()],
            files: self.files.clone(),
            folders: Vec::new(),
            interpreter,
            environment: self.environment.clone(),
        };
        let folder = files.folder.as_deref();
        let opened = terms.grants.expect_own_files(&spec, &self.folder, folder)?;
        files.granted.extend(opened);
        terms
            .wishes
            .expect_same_files(bot, description, &mut files)?;
        let look = look_at(&files);
        let mut ready = Ready::new(bot, spec, version.clone(), files, look);
        ready.restrict();
        Ok(ready)
    }
}

fn built_in(
    game: &'static dyn BoardGame,
    bot: &Bot,
    version: &BotVersion,
    description: &Description,
) -> anyhow::Result<Ready> {
    let own = bench::signature(game);
    if description.signature != Some(own) {
        let told = format!(
            "{}: the built-in search of this Crownhead is another than the one that plays here; expected the same \
             version of Crownhead on all machines",
            bot.name
        );
        return Err(UnusableLadder::into(refuse(told)));
    }
    let spec = BotSpec::parse(&bot.command)?;
    let (version, files) = (version.clone(), BotFiles::default());
    Ok(Ready::new(bot, spec, version, files, Vec::new()))
}

/// What was built of a bot, and by which compiler, if the command shows it.
fn built(bot: &Bot, ready: &Ready) -> anyhow::Result<Build> {
    let entrant = ready.entrant();
    let files = ready.files.files.values();
    let mut program = Sha256::new();
    for path in files.filter(|path| path.is_file()) {
        program.update(hash_of(path)?);
    }
    let command = bot.build.as_deref().unwrap_or_default();
    let compiler = command.split_whitespace().next().unwrap_or_default();
    let mut command = Command::new(compiler);
    let told = command.arg("--version").stdin(Stdio::null()).output();
    let told = told.ok().filter(|told| told.status.success());
    let line = told.and_then(|told| {
        let text = String::from_utf8_lossy(&told.stdout).into_owned();
        Some(text.lines().next()?.to_string())
    });
    let mut tools = vec![line.unwrap_or_else(|| compiler.to_string())];
    if let Some(interpreter) = &ready.files.interpreter {
        tools.push(told_of_interpreter(interpreter)?);
    }
    Ok(Build {
        bot: entrant.bot,
        version: entrant.version,
        program: hex(&program.finalize())[..LETTERS].into(),
        compiler: tools.join(", "),
    })
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
