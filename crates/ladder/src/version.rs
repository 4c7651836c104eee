//! A bot's version: the hash of a description of everything that decides how it plays.
//!
//! Copies of its files are kept under their hashes, so that it can be played again. A built-in bot has no files; the
//! signature of its search identifies it.

use super::config::Bot;
use super::files::{BotFiles, Look, look_at};
use crate::store::shared::SharedStore;
use crate::store::{BotVersion, Entrant};
use anyhow::{Context, bail};
use crownhead_arena::runner::Participant;
use crownhead_arena::seat::BotSpec;
use crownhead_record::text::printable;
use crownhead_sandbox::NamedFiles;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The folder of copies within a ladder's.
pub(super) const VERSIONS_FOLDER: &str = "versions";

/// The number of letters of a hash that name a version: enough that no two versions of a ladder share them by chance.
pub(super) const LETTERS: usize = 12;

/// Everything that decides how a bot plays.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Description {
    /// The command from the configuration, with its options.
    pub(super) command: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) environment: BTreeMap<String, String>,
    /// The variables with values from this machine, each with the value's hash, because the value may be a secret.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) inherited: BTreeMap<String, String>,
    /// For a built-in bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) signature: Option<u64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) files: BTreeMap<String, Content>,
}

/// The content of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Content {
    /// Bytes with this hash.
    Sha256(String),
    /// The same, for an executable file.
    Program(String),
    /// A link with this target.
    Link(PathBuf),
}

impl Content {
    /// The hash of its bytes; `None` for a link.
    pub(super) fn hash(&self) -> Option<&str> {
        match self {
            Content::Sha256(hash) | Content::Program(hash) => Some(hash),
            Content::Link(_) => None,
        }
    }
}

/// A bot that can play, and how its files looked when its version was computed.
#[derive(Clone, Debug)]
pub(super) struct Ready {
    pub(super) participant: Arc<Participant>,
    pub(super) version: BotVersion,
    pub(super) files: BotFiles,
    look: Look,
}

impl Ready {
    /// A bot with these files and this version. `look` is how the files looked before they were read.
    pub(super) fn new(
        bot: &Bot,
        mut spec: BotSpec,
        version: BotVersion,
        files: BotFiles,
        look: Look,
    ) -> Ready {
        spec.name.clone_from(&bot.name);
        Ready {
            participant: Arc::new(Participant {
                version: Some(version.version.clone()),
                ..bot.participant(spec, &files)
            }),
            version,
            files,
            look,
        }
    }

    /// Hides all files from it that were not examined.
    pub(super) fn restrict(&mut self) {
        Arc::make_mut(&mut self.participant).named = NamedFiles::Nothing;
    }

    /// The name and version that its games are stored under.
    pub(super) fn entrant(&self) -> Entrant {
        Entrant {
            bot: self.version.bot.clone(),
            version: self.version.version.clone(),
        }
    }

    /// Whether no file was written to since then.
    pub(super) fn is_untouched(&self) -> bool {
        look_at(&self.files) == self.look
    }
}

/// Computes the version of a bot with these files.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn examine(
    bot: &Bot,
    spec: BotSpec,
    signature: Option<u64>,
    files: BotFiles,
) -> anyhow::Result<Ready> {
    // Look before reading, so that files written to meanwhile look different afterwards.
    let look = look_at(&files);
    let content = |(name, path): (&String, &PathBuf)| {
        let told = || format!("{}: its file {}", bot.name, path.display());
        Ok((name.clone(), content_of(path).with_context(told)?))
    };
    let contents = files.files.iter().map(content);
    let description = serde_json::to_string(&Description {
        command: bot.command.clone(),
        environment: written(bot),
        inherited: inherited(bot, &files.environment),
        signature,
        files: contents.collect::<anyhow::Result<_>>()?,
    })?;
    let version = BotVersion {
        bot: bot.name.clone(),
        version: name_of(&description),
        description,
        current: true,
    };
    Ok(Ready::new(bot, spec, version, files, look))
}

/// The bot's variables with values from the configuration.
fn written(bot: &Bot) -> BTreeMap<String, String> {
    let written = bot.environment.iter();
    let written = written.filter_map(|it| Some((it.name.clone(), it.value.clone()?)));
    written.collect()
}

/// The bot's variables with values from this machine, each with the hash of its value among `values`.
pub(super) fn inherited(bot: &Bot, values: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let named = bot.environment.iter().filter(|it| it.value.is_none());
    let hash = |value: &String| hex(&Sha256::digest(value.as_bytes()));
    let hashes = named.filter_map(|it| Some((it.name.clone(), hash(values.get(&it.name)?))));
    hashes.collect()
}

/// The name of a version that consists of only these files.
///
/// # Errors
/// When one cannot be read.
pub fn version_of_files(files: &BTreeMap<String, PathBuf>) -> anyhow::Result<String> {
    let content = |(name, path): (&String, &PathBuf)| {
        let content = content_of(path).with_context(|| path.display().to_string())?;
        Ok((name.clone(), content))
    };
    let contents = files.iter().map(content);
    let contents: BTreeMap<_, _> = contents.collect::<anyhow::Result<_>>()?;
    Ok(name_of(&serde_json::to_string(&contents)?))
}

/// The name of a version with this description.
pub(super) fn name_of(description: &str) -> String {
    hex(&Sha256::digest(description.as_bytes()))[..LETTERS].into()
}

pub(super) fn content_of(path: &Path) -> io::Result<Content> {
    let Some(file) = path.metadata().ok().filter(Metadata::is_file) else {
        // A socket or a pipe has no content to keep.
        let itself = |_| path.symlink_metadata().map(|_| path.into());
        return Ok(Content::Link(path.read_link().or_else(itself)?));
    };
    let hash = hash_of(path)?;
    Ok(match file.permissions().mode() & 0o111 {
        0 => Content::Sha256(hash),
        _ => Content::Program(hash),
    })
}

/// The hash of a file's content.
pub(super) fn hash_of(path: &Path) -> io::Result<String> {
    let (mut file, mut hasher) = (File::open(path)?, Sha256::new());
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(hex(&hasher.finalize())),
            bytes => hasher.update(&block[..bytes]),
        }
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Copies of versions' files, each file once, under the hash of its content.
#[derive(Clone, Debug)]
pub(super) struct Copies(PathBuf);

impl Copies {
    pub(super) fn of(ladder: &Path) -> Copies {
        Copies(ladder.join(VERSIONS_FOLDER))
    }

    /// The path of the file with this hash.
    ///
    /// # Errors
    /// When it is not a hash, because anyone who can write to the database may have written the version.
    pub(super) fn path_of(&self, hash: &str) -> anyhow::Result<PathBuf> {
        let is_hex = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if hash.len() != 64 || !hash.bytes().all(is_hex) {
            bail!("`{}` is no hash of a file", printable(hash));
        }
        let (folder, name) = hash.split_at(2);
        Ok(self.0.join(folder).join(name))
    }

    /// Copies a version's files, except those already copied.
    ///
    /// # Errors
    /// When a file cannot be copied, or has changed since it was examined.
    pub(super) fn keep(&self, bot: &Ready) -> anyhow::Result<()> {
        let description: Description = serde_json::from_str(&bot.version.description)?;
        std::fs::create_dir_all(&self.0).with_context(|| self.0.display().to_string())?;
        for (name, content) in &description.files {
            let from = &bot.files.files[name];
            let told = || format!("{}: keeping a copy of {}", bot.version.bot, from.display());
            if let Some(hash) = content.hash() {
                self.keep_file(from, hash).with_context(told)?;
            }
        }
        Ok(())
    }

    fn keep_file(&self, from: &Path, hash: &str) -> anyhow::Result<()> {
        let to = self.path_of(hash)?;
        if to.exists() {
            return Ok(());
        }
        let folder = to.parent().context("a copy has a folder")?;
        std::fs::create_dir_all(folder)?;
        let mut draft = tempfile::NamedTempFile::new_in(folder)?;
        io::copy(&mut File::open(from)?, &mut draft)?;
        if hash_of(draft.path())? != hash {
            bail!("it was written to meanwhile; try again");
        }
        draft.as_file().sync_all()?;
        draft.persist(to)?;
        Ok(())
    }

    /// Writes a version's files into a new folder. Files without a copy here come from a store that has them.
    ///
    /// # Errors
    /// When the folder already exists, or a copy is missing.
    pub(super) fn restore(
        &self,
        version: &BotVersion,
        folder: &Path,
        shared: Option<&dyn SharedStore>,
    ) -> anyhow::Result<()> {
        let description: Description = serde_json::from_str(&version.description)?;
        write_files(folder, &description, |hash| {
            let path = self.path_of(hash)?;
            match shared {
                Some(shared) if !path.exists() => fetch(shared, hash),
                _ => Ok(std::fs::read(path)?),
            }
        })
    }
}

/// The file with this hash, from a store that has it.
///
/// # Errors
/// When the store lacks it, or has another file there.
pub(super) fn fetch(shared: &dyn SharedStore, hash: &str) -> anyhow::Result<Vec<u8>> {
    let bytes = shared.file(hash)?.context("it is not in the store")?;
    if hex(&Sha256::digest(&bytes)) != hash {
        bail!("it is damaged in the store");
    }
    Ok(bytes)
}

/// Writes a version's files into a new folder. `content` returns the content with a hash. Links come last, so that
/// nothing is written through them.
///
/// # Errors
/// When the folder already exists, or a file cannot be fetched or written.
pub(super) fn write_files(
    folder: &Path,
    description: &Description,
    content: impl Fn(&str) -> anyhow::Result<Vec<u8>>,
) -> anyhow::Result<()> {
    std::fs::create_dir(folder).with_context(|| folder.display().to_string())?;
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
        let told = || format!("its file {name}");
        let (hash, mode) = match what {
            Content::Link(target) => {
                std::os::unix::fs::symlink(target, &path).with_context(told)?;
                continue;
            }
            Content::Sha256(hash) => (hash, 0o644),
            Content::Program(hash) => (hash, 0o755),
        };
        let bytes = content(hash).with_context(told)?;
        let mut file = File::create_new(&path).with_context(told)?;
        file.write_all(&bytes).with_context(told)?;
        std::fs::set_permissions(&path, PermissionsExt::from_mode(mode))?;
    }
    Ok(())
}

/// A name as a path that stays inside the folder.
pub(super) fn within(name: &str) -> PathBuf {
    let parts = Path::new(name).components();
    let plain = |part: &Component<'_>| matches!(part, Component::Normal(_));
    parts.filter(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The paths that are written for files with these names and equal content, and links with these names that lead
    /// outside.
    fn written(names: &[&str], links: &[&str]) -> (anyhow::Result<()>, tempfile::TempDir) {
        let workspace = tempfile::tempdir().unwrap();
        let outside = workspace.path().join("outside");
        std::fs::create_dir(&outside).unwrap();
        let files = names
            .iter()
            .map(|name| ((*name).into(), Content::Sha256("hash".into())));
        let link = |name: &&str| ((*name).into(), Content::Link(outside.clone()));
        let description = Description {
            command: "bot".into(),
            environment: BTreeMap::new(),
            inherited: BTreeMap::new(),
            signature: None,
            files: files.chain(links.iter().map(link)).collect(),
        };
        let to = workspace.path().join("bot");
        (
            write_files(&to, &description, |_| Ok(b"text".into())),
            workspace,
        )
    }

    #[test]
    fn no_hash_of_a_file_leads_out_of_the_folder_of_copies() {
        let workspace = tempfile::tempdir().unwrap();
        let secret = workspace.path().join("secret");
        std::fs::write(&secret, "secret").unwrap();
        let copies = Copies::of(&workspace.path().join("ladder"));
        let absolute = format!("xx{}", secret.display());
        for hash in [&absolute, "../../secret", "..", "é", "", &"A".repeat(64)] {
            let description = json!({"command": "bot", "files": {"bot": {"sha256": hash}}});
            let version = BotVersion {
                bot: "bot".into(),
                version: "version".into(),
                description: description.to_string(),
                current: true,
            };
            let to = workspace.path().join("restored");
            let refused = copies.restore(&version, &to, None).unwrap_err();
            let told = format!("{refused:#}");
            assert!(told.ends_with("is no hash of a file"), "{told}");
            std::fs::remove_dir_all(to).unwrap();
        }
    }

    #[test]
    fn no_name_of_a_file_leads_out_of_the_folder_that_a_version_is_written_into() {
        let (done, workspace) = written(&["../above", "/etc/root", "in/side"], &["link"]);
        done.unwrap();
        for file in ["above", "etc/root", "in/side"] {
            assert!(workspace.path().join("bot").join(file).is_file(), "{file}");
        }
        assert!(!workspace.path().join("above").exists());
        for (names, links) in [
            (&["link/through"][..], &["link"][..]),
            (&["twice", "../twice"], &["link"]),
            (&[], &["link", "link/through"]),
        ] {
            let (done, workspace) = written(names, links);
            assert!(done.is_err(), "{names:?} {links:?}");
            let outside = workspace.path().join("outside");
            assert_eq!(std::fs::read_dir(outside).unwrap().count(), 0, "{names:?}");
        }
    }

    #[test]
    fn the_content_of_a_file_is_its_hash_and_whether_it_is_a_program() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("bot");
        std::fs::write(&file, "abc").unwrap();
        // FIPS 180-2, B.1.
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(content_of(&file).unwrap(), Content::Sha256(hash.into()));
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o744)).unwrap();
        let program = content_of(&file).unwrap();
        assert_eq!(program, Content::Program(hash.into()));
        assert_eq!(program.hash(), Some(hash));
        let link = place.path().join("link");
        std::os::unix::fs::symlink("nowhere", &link).unwrap();
        let content = content_of(&link).unwrap();
        assert_eq!(content.hash(), None);
        assert_eq!(content, Content::Link("nowhere".into()));
        assert!(content_of(&place.path().join("gone")).is_err());
        assert_eq!(name_of("abc"), &hash[..LETTERS]);
    }

    #[test]
    fn a_version_is_restored_as_it_was_kept_and_a_file_that_has_changed_is_not_kept() {
        let place = tempfile::tempdir().unwrap();
        let bot = place.path().join("bot");
        std::fs::write(&bot, "abc").unwrap();
        let hash = hash_of(&bot).unwrap();
        let copies = Copies::of(place.path());
        std::fs::write(&bot, "changed").unwrap();
        let error = copies.keep_file(&bot, &hash).unwrap_err();
        assert_eq!(error.to_string(), "it was written to meanwhile; try again");
        assert!(!copies.path_of(&hash).unwrap().exists());
        std::fs::write(&bot, "abc").unwrap();
        copies.keep_file(&bot, &hash).unwrap();
        // Copied files are not read again.
        copies.keep_file(Path::new("/no/such/file"), &hash).unwrap();

        let description = json!({"command": "bot", "files": {
            "run": {"program": hash}, "data/book": {"sha256": hash}, "link": {"link": "run"},
        }});
        let version = BotVersion {
            bot: "bot".into(),
            version: "version".into(),
            description: description.to_string(),
            current: true,
        };
        let to = place.path().join("restored");
        copies.restore(&version, &to, None).unwrap();
        let file = |name: &str| {
            let path = to.join(name);
            let mode = path.metadata().unwrap().permissions().mode() & 0o777;
            (std::fs::read_to_string(path).unwrap(), mode)
        };
        assert_eq!(file("run"), ("abc".into(), 0o755));
        assert_eq!(file("data/book"), ("abc".into(), 0o644));
        assert_eq!(to.join("link").read_link().unwrap(), Path::new("run"));
        assert!(
            copies.restore(&version, &to, None).is_err(),
            "it is there already"
        );
    }
}
