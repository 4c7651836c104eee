//! What a worker lets the bots of a published ladder reach on its machine: only what its own command line names,
//! whatever the database says. The sandbox enforces it, and opens no other file that a bot's command names.
//!
//! A ladder's configuration can ask for files other than a bot's own ([`Grants::missing`]). The files that bots read there
//! are part of their versions, and are compared with them ([`expect_same_files`]).

use super::config::Bot;
use super::files::{BotFiles, listed};
use super::version::{Content, Description, content_of, inherited};
use super::{UnusableLadder, refuse};
use anyhow::{Context, bail};
use crownhead_arena::environment::{self, Variable};
use crownhead_arena::options::BotOptions;
use crownhead_record::text::printable;
use crownhead_sandbox::SandboxMode;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a worker's command line grants, as paths without links.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Grants {
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
    /// Variables of the machine, with their values.
    variables: BTreeMap<String, String>,
}

impl Grants {
    /// Files and folders that bots may read, folders that they may also write, and variables that they may have.
    ///
    /// # Errors
    /// When one of them does not exist, a writable path is not a folder, or a variable is not set.
    pub fn new(
        read: &[PathBuf],
        write: &[PathBuf],
        variables: &[Variable],
    ) -> Result<Grants, UnusableLadder> {
        let find_all = |flag: &str, paths: &[PathBuf]| {
            let find = |path: &PathBuf| {
                let told = |error| refuse(format!("{flag} {}: {error}", path.display()));
                path.canonicalize().map_err(told)
            };
            paths.iter().map(find).collect::<Result<Vec<_>, _>>()
        };
        let grants = Grants {
            read: find_all("--allow-read", read)?,
            write: find_all("--allow-write", write)?,
            variables: environment::values(variables)
                .map_err(|error| refuse(format!("--env: {error}")))?,
        };
        match grants.write.iter().find(|path| !path.is_dir()) {
            None => Ok(grants),
            Some(file) => Err(refuse(format!(
                "--allow-write {}: expected a folder",
                file.display()
            ))),
        }
    }

    fn may_read(&self, real: &Path) -> bool {
        self.read.iter().any(|path| real.starts_with(path)) || self.may_write(real)
    }

    fn may_write(&self, real: &Path) -> bool {
        self.write.iter().any(|path| real.starts_with(path))
    }

    /// What a ladder's options ask for and this does not grant, each with the option that grants it.
    pub(super) fn missing(&self, bots: &BotOptions) -> Option<String> {
        let read = bots
            .allow_read
            .iter()
            .filter_map(|path| missing("read", "--allow-read", path, |real| self.may_read(real)));
        let write = bots.allow_write.iter().filter_map(|path| {
            missing("write", "--allow-write", path, |real| self.may_write(real))
        });
        let missing: Vec<String> = read.chain(write).collect();
        (!missing.is_empty()).then(|| missing.join("; "))
    }

    /// The options of a ladder's bots, with only the granted wishes. Without a sandbox, nothing needs to be granted and
    /// nothing can be kept from a bot.
    pub(super) fn in_force(&self, mut bots: BotOptions) -> BotOptions {
        let is_off = bots.sandbox == SandboxMode::Off;
        let keep = |paths: &mut Vec<PathBuf>, may: &dyn Fn(&Path) -> bool| {
            let real = paths.iter().filter(|path| path.is_absolute());
            let real = real.filter_map(|path| path.canonicalize().ok());
            *paths = real.filter(|path| is_off || may(path)).collect();
        };
        keep(&mut bots.allow_read, &|path| self.may_read(path));
        keep(&mut bots.allow_write, &|path| {
            path.is_dir() && self.may_write(path)
        });
        bots
    }

    /// A bot's variables with their values: those that the configuration sets, and the granted ones of this machine.
    ///
    /// # Errors
    /// When one is not granted, or its value differs from the one in the bot's version.
    pub(super) fn environment(
        &self,
        bot: &Bot,
        description: &Description,
    ) -> anyhow::Result<BTreeMap<String, String>> {
        let value = |it: &Variable| {
            let shown = printable(&it.name);
            let value = it.value.as_ref().or_else(|| self.variables.get(&it.name));
            let value = value.with_context(|| {
                format!(
                    "the ladder gives it the variable {shown} of the machine, and this worker does not; `--env {shown}` does"
                )
            })?;
            Ok((it.name.clone(), value.clone()))
        };
        let values: anyhow::Result<BTreeMap<_, _>> = bot.environment.iter().map(value).collect();
        let values = values?;
        let here = inherited(bot, &values);
        let mut differing = here.iter();
        let differing =
            differing.find(|(name, hash)| description.inherited.get(*name) != Some(hash));
        if let Some((name, _)) = differing {
            let shown = printable(name);
            bail!(
                "the variable {shown} has another value on this machine than its version was made of; `--env \
                 {shown}=VALUE` sets it"
            );
        }
        Ok(values)
    }
}

/// The reason why a wish is not granted, if any.
fn missing(
    verb: &str,
    flag: &str,
    path: &Path,
    is_granted: impl Fn(&Path) -> bool,
) -> Option<String> {
    let shown = printable_path(path);
    let wish = format!("the ladder lets its bots {verb} {shown}");
    if !path.is_absolute() {
        return Some(format!(
            "{wish}, a path within the ladder's folder, which workers do not have; write it as an absolute path in \
             ladder.toml"
        ));
    }
    match path.canonicalize() {
        Ok(real) if is_granted(&real) => None,
        Ok(_) => Some(format!(
            "{wish}, and this worker does not; `{flag} {shown}` does"
        )),
        Err(error) => Some(format!("{wish}, and here: {error}")),
    }
}

fn printable_path(path: &Path) -> String {
    printable(path.display().to_string())
}

/// Compares the extra files that a bot may read with those of its version, and adds them to the files that are watched while
/// it plays.
///
/// # Errors
/// When this machine has other files there.
pub(super) fn expect_same_files(
    readable: &[PathBuf],
    bot: &Bot,
    description: &Description,
    files: &mut BotFiles,
) -> anyhow::Result<()> {
    for path in readable {
        let (found, folders) = listed(&bot.name, path)?;
        let here = found.iter();
        let here = here.map(|(name, path)| Ok((name.clone(), content_of(path)?)));
        let here: std::io::Result<BTreeMap<String, Content>> = here.collect();
        let here = here.with_context(|| printable_path(path))?;
        let there = description.files.iter();
        let there = there.filter(|(name, _)| Path::new(name).starts_with(path));
        if !here.iter().eq(there) {
            bail!(
                "this machine has other files in {} than those its version is made of",
                printable_path(path)
            );
        }
        files.files.extend(found);
        files.folders.extend(folders);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
