//! What a bot is: a description of all that decides how it plays, whose hash is its version.
//!
//! A copy of its files is kept under their own hashes, so that it can be played again. A built-in's code is not a
//! file: it is told by the signature of its search.

use super::files::{BotFiles, Look, look_at};
use super::{Refusal, refuse};
use crate::store::BotVersion;
use anyhow::Context;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

/// The folder of copies within a ladder's.
pub(super) const VERSIONS_FOLDER: &str = "versions";

/// The letters of a hash that a version is called by: two of a ladder's versions do not share them by chance.
const LETTERS: usize = 12;

/// What decides how a bot plays.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Description {
    /// As the configuration has it, with its options.
    pub(super) command: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) environment: BTreeMap<String, String>,
    /// For a built-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) signature: Option<u64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) files: BTreeMap<String, Content>,
}

/// What is in a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Content {
    /// Bytes with this hash.
    Sha256(String),
    /// The same, of a program.
    Program(String),
    /// A link to there.
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

/// A bot's version, and how its files looked when that was found out.
#[derive(Clone, Debug)]
pub(super) struct Examined {
    pub(super) version: BotVersion,
    pub(super) files: BotFiles,
    look: Look,
}

impl Examined {
    /// A version that is known already, with its files as they lie here now.
    pub(super) fn of_known(version: &BotVersion, files: BotFiles) -> Examined {
        Examined {
            version: version.clone(),
            look: look_at(&files),
            files,
        }
    }

    /// Whether no file was written to since.
    pub(super) fn is_untouched(&self) -> bool {
        look_at(&self.files) == self.look
    }
}

/// Finds out the version of a bot.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn examine(
    bot: &str,
    command: &str,
    environment: &BTreeMap<String, String>,
    signature: Option<u64>,
    files: BotFiles,
) -> anyhow::Result<Examined> {
    // Before they are read: what is written to meanwhile looks different afterwards.
    let look = look_at(&files);
    let content = |(name, path): (&String, &PathBuf)| {
        let content = content_of(path);
        let content = content.with_context(|| format!("{bot}: its file {}", path.display()))?;
        Ok((name.clone(), content))
    };
    let description = Description {
        command: command.into(),
        environment: environment.clone(),
        signature,
        files: files
            .files
            .iter()
            .map(content)
            .collect::<anyhow::Result<_>>()?,
    };
    let description = serde_json::to_string(&description)?;
    let interpreter = files.interpreter.as_deref().map(told_of_interpreter);
    Ok(Examined {
        version: BotVersion {
            bot: bot.into(),
            version: name_of(&description),
            description,
            interpreter: interpreter.transpose()?,
            current: true,
        },
        files,
        look,
    })
}

/// `/usr/bin/python3.13 (sha256 0123456789ab)`.
pub(super) fn told_of_interpreter(path: &Path) -> anyhow::Result<String> {
    let real = path.canonicalize()?;
    let hash = hash_of(&real)?;
    Ok(format!("{} (sha256 {})", real.display(), &hash[..LETTERS]))
}

/// What a version is called that is described like this.
pub(super) fn name_of(description: &str) -> String {
    hex(&Sha256::digest(description.as_bytes()))[..LETTERS].into()
}

fn content_of(path: &Path) -> io::Result<Content> {
    if let Ok(target) = path.read_link()
        && !path.metadata().is_ok_and(|file| file.is_file())
    {
        return Ok(Content::Link(target));
    }
    let file = path.metadata()?;
    if !file.is_file() {
        // A socket or a pipe holds nothing that could be kept.
        return Ok(Content::Link(PathBuf::from(path)));
    }
    let hash = hash_of(path)?;
    Ok(match file.permissions().mode() & 0o111 {
        0 => Content::Sha256(hash),
        _ => Content::Program(hash),
    })
}

/// The hash of what is in a file.
pub(super) fn hash_of(path: &Path) -> io::Result<String> {
    let (mut file, mut hasher) = (File::open(path)?, Sha256::new());
    each_block(&mut file, |block| {
        hasher.update(block);
        Ok(())
    })?;
    Ok(hex(&hasher.finalize()))
}

fn each_block(file: &mut File, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(()),
            bytes => each(&block[..bytes])?,
        }
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Copies of the files of versions, each file once, under the hash of what is in it.
#[derive(Clone, Debug)]
pub(super) struct Copies(PathBuf);

impl Copies {
    pub(super) fn of(ladder: &Path) -> Copies {
        Copies(ladder.join(VERSIONS_FOLDER))
    }

    pub(super) fn path_of(&self, hash: &str) -> PathBuf {
        self.0.join(&hash[..2]).join(&hash[2..])
    }

    /// Keeps a version's files, those that are not kept already.
    ///
    /// # Errors
    /// When a file cannot be copied, or has changed since it was examined.
    pub(super) fn keep(&self, examined: &Examined) -> anyhow::Result<()> {
        let description: Description = serde_json::from_str(&examined.version.description)?;
        std::fs::create_dir_all(&self.0).with_context(|| self.0.display().to_string())?;
        for (name, content) in &description.files {
            let (Content::Sha256(hash) | Content::Program(hash)) = content else {
                continue;
            };
            let (from, to) = (&examined.files.files[name], self.path_of(hash));
            if !to.exists() {
                keep_file(from, &to, hash).with_context(|| {
                    format!(
                        "{}: keeping a copy of {}",
                        examined.version.bot,
                        from.display()
                    )
                })?;
            }
        }
        Ok(())
    }

    /// Writes a version's files into a new folder.
    ///
    /// # Errors
    /// When the folder is there already, or a copy is missing.
    pub(super) fn restore(&self, version: &BotVersion, folder: &Path) -> anyhow::Result<()> {
        let description: Description = serde_json::from_str(&version.description)?;
        std::fs::create_dir(folder).with_context(|| folder.display().to_string())?;
        for (name, content) in &description.files {
            let path = folder.join(within(name));
            let parent = path.parent().unwrap_or(folder);
            std::fs::create_dir_all(parent)?;
            let (hash, mode) = match content {
                Content::Link(target) => {
                    std::os::unix::fs::symlink(target, &path)?;
                    continue;
                }
                Content::Sha256(hash) => (hash, 0o644),
                Content::Program(hash) => (hash, 0o755),
            };
            let copied = std::fs::copy(self.path_of(hash), &path);
            copied.with_context(|| format!("the copy of {name}"))?;
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode))?;
        }
        Ok(())
    }
}

/// A name as a path that leads nowhere else.
pub(super) fn within(name: &str) -> PathBuf {
    let parts = Path::new(name).components();
    let plain = |part: &Component<'_>| matches!(part, Component::Normal(_));
    parts.filter(plain).collect()
}

fn keep_file(from: &Path, to: &Path, hash: &str) -> anyhow::Result<()> {
    let folder = to.parent().context("a copy has a folder")?;
    std::fs::create_dir_all(folder)?;
    let mut draft = tempfile::NamedTempFile::new_in(folder)?;
    let mut hasher = Sha256::new();
    each_block(&mut File::open(from)?, |block| {
        hasher.update(block);
        draft.write_all(block)
    })?;
    if hex(&hasher.finalize()) != hash {
        let changed: Refusal = refuse("it was written to meanwhile; try again");
        return Err(changed.into());
    }
    draft.as_file().sync_all()?;
    draft.persist(to)?;
    Ok(())
}
