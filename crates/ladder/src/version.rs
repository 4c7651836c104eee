//! A bot's version: the hash of a description of everything that decides how it plays.
//!
//! A built-in bot has no files; the signature of its search identifies it.

use super::config::Bot;
use super::error::{LadderError, about};
use super::files::{BotFiles, Look, look_at};
use crate::store::{BotVersion, Entrant};
use crownhead_arena::runner::Participant;
use crownhead_arena::seat::BotSpec;
use crownhead_record::system_error::{OfFile, PathError};
use crownhead_sandbox::{NamedFiles, mode};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of letters of a hash that name a version: enough that no two versions of a ladder share them by chance.
pub(super) const LETTERS: usize = 12;

/// Everything that decides how a bot plays.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
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
) -> Result<Ready, LadderError> {
    // Look before reading, so that files written to meanwhile look different afterwards.
    let look = look_at(&files);
    let contents = contents(&files.files).map_err(about(&bot.name))?;
    let description = serde_json::to_string(&Description {
        command: bot.command.clone(),
        environment: written(bot),
        inherited: inherited(bot, &files.environment),
        signature,
        files: contents,
    });
    let description = description.expect("plain data");
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
    let hash = |name: &String| Some(hash_of_bytes(values.get(name)?.as_bytes()));
    let hashes = named.filter_map(|it| Some((it.name.clone(), hash(&it.name)?)));
    hashes.collect()
}

/// The name of a version that consists of only these files.
///
/// # Errors
/// When one cannot be read.
pub fn version_of_files(files: &BTreeMap<String, PathBuf>) -> Result<String, LadderError> {
    let description = serde_json::to_string(&contents(files)?);
    Ok(name_of(&description.expect("plain data")))
}

/// The contents of files, by their names.
///
/// # Errors
/// When one cannot be read.
pub(super) fn contents(
    files: &BTreeMap<String, PathBuf>,
) -> Result<BTreeMap<String, Content>, PathError> {
    let content =
        |(name, path): (&String, &PathBuf)| Ok((name.clone(), content_of(path).of_file(path)?));
    files.iter().map(content).collect()
}

/// The name of a version with this description.
pub(super) fn name_of(description: &str) -> String {
    hash_of_bytes(description.as_bytes())[..LETTERS].into()
}

pub(super) fn content_of(path: &Path) -> io::Result<Content> {
    let Some(file) = path.metadata().ok().filter(Metadata::is_file) else {
        // A socket or a pipe has no content to keep.
        let itself = |_| path.symlink_metadata().map(|_| path.into());
        return Ok(Content::Link(path.read_link().or_else(itself)?));
    };
    let hash = hash_of(path)?;
    Ok(match mode(&file) & 0o111 {
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

pub(super) fn hash_of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_of_a_file_is_its_hash_and_whether_it_is_a_program() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("bot");
        std::fs::write(&file, "abc").unwrap();
        // FIPS 180-2, B.1.
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(content_of(&file).unwrap(), Content::Sha256(hash.into()));
        crownhead_sandbox::set_mode(&file, 0o744).unwrap();
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
}
