//! What a worker lets the bots of a published ladder reach on its machine: only what its own command line names,
//! whatever the database says. The sandbox enforces it.
//!
//! A ladder's configuration can ask for files other than a bot's own ([`Grants::missing`]). So can a bot's command,
//! because the sandbox opens the files that it names ([`Grants::expect_own_files`]). The files that bots read there are
//! part of their versions, and are compared with them ([`Wishes::expect_same_files`]).

use super::config::Bot;
use super::files::{BotFiles, listed};
use super::version::{Content, Description, content_of, inherited};
use super::{UnusableLadder, refuse};
use anyhow::{Context, bail};
use crownhead_arena::environment::{self, Variable};
use crownhead_arena::options::BotOptions;
use crownhead_arena::seat::BotSpec;
use crownhead_record::text::printable;
use crownhead_sandbox::{Sandbox, SandboxMode, granted};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a worker's command line grants, as paths without links.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Grants {
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
    /// Variables of the machine, with their values.
    variables: BTreeMap<String, String>,
}

/// What a ladder's configuration asks for in addition to the bots' own files, as it is written there.
pub(super) struct Wishes {
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
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

    /// The ladder's wishes that are not granted, each with the option that grants it.
    pub(super) fn missing(&self, wishes: &Wishes) -> Option<String> {
        let read = wishes
            .read
            .iter()
            .filter_map(|path| missing("read", "--allow-read", path, |real| self.may_read(real)));
        let write = wishes.write.iter().filter_map(|path| {
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

    /// The granted files of this machine that a bot's command names. The bot's own files are in `own`.
    ///
    /// # Errors
    /// When the command, or a link among the bot's files, names a file that is not granted.
    pub(super) fn expect_own_files(
        &self,
        spec: &BotSpec,
        own: &Path,
        place: Option<&Path>,
    ) -> anyhow::Result<Vec<PathBuf>> {
        let Some(program) = spec.program() else {
            return Ok(Vec::new());
        };
        let own = own.canonicalize()?;
        let place = match place {
            Some(place) => place.to_path_buf(),
            None => std::env::current_dir()?,
        };
        let mut system = granted(&Command::new("/bin/true"), &Sandbox::none());
        system.retain(|path| path != Path::new("/proc") && path != Path::new("/dev"));
        let is_open = |real: &Path| {
            real.starts_with(&own)
                || self.may_read(real)
                || system.iter().any(|path| real.starts_with(path))
        };
        let mut opened = Vec::new();
        let words = program.arguments.iter().map(PathBuf::from);
        let program = (!program.installed).then(|| program.path.clone());
        for word in words.chain(program) {
            let path = place.join(&word);
            let Some(real) = path.canonicalize().ok().filter(|_| path.is_file()) else {
                continue;
            };
            if !is_open(&real) {
                bail!(
                    "its command names {}, which is on this machine and not among its files; `--allow-read {}` lets it \
                     read that",
                    printable_path(&word),
                    printable_path(&real)
                );
            }
            if !real.starts_with(&own) && self.may_read(&real) {
                opened.push(real);
            }
        }
        Ok(opened)
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

impl Wishes {
    /// The wishes of a configuration for its bots.
    pub(super) fn of(bots: &BotOptions) -> Wishes {
        Wishes {
            read: bots.allow_read.clone(),
            write: bots.allow_write.clone(),
        }
    }

    /// Compares the extra files that a bot may read with those of its version, and adds them to the files that are
    /// watched while it plays.
    ///
    /// # Errors
    /// When this machine has other files there.
    pub(super) fn expect_same_files(
        &self,
        bot: &Bot,
        description: &Description,
        files: &mut BotFiles,
    ) -> anyhow::Result<()> {
        for path in &self.read {
            let (found, folders) = listed(&bot.name, path)?;
            let here = found
                .iter()
                .map(|(name, path)| Ok((name.clone(), content_of(path)?)));
            let here: std::io::Result<BTreeMap<String, Content>> = here.collect();
            let here = here.with_context(|| printable_path(path))?;
            let there = description.files.clone().into_iter();
            let there: BTreeMap<String, Content> = there
                .filter(|(name, _)| Path::new(name).starts_with(path))
                .collect();
            let shown = printable_path(path);
            if there.is_empty() && !here.is_empty() {
                bail!(
                    "it may read {shown}, which is no part of its version, so that no machine can tell whether it has the \
                     same; add it to the bot's `files` in ladder.toml"
                );
            }
            if let Some(how) = difference(&here, &there) {
                bail!(
                    "this machine has other files in {shown} than those its version is made of: {how}"
                );
            }
            files.files.extend(found);
            files.folders.extend(folders);
        }
        Ok(())
    }
}

/// The first file by which two folders differ, if they do.
fn difference(
    here: &BTreeMap<String, Content>,
    there: &BTreeMap<String, Content>,
) -> Option<String> {
    let names: BTreeSet<&String> = here.keys().chain(there.keys()).collect();
    let name = names
        .into_iter()
        .find(|&name| here.get(name) != there.get(name))?;
    let how = match (here.contains_key(name), there.contains_key(name)) {
        (true, true) => "is another",
        (true, false) => "is not among them",
        _ => "is missing",
    };
    Some(format!("{} {how}", printable_path(Path::new(name))))
}

#[cfg(test)]
mod tests;
