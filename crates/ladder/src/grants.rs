//! What a worker lets the bots of a published ladder reach on its machine: only what its own command line names,
//! whatever the database says. The sandbox enforces it.

use super::config::Bot;
use super::error::{LadderError, fail, refuse};
use super::files::{BotFiles, listed};
use super::version::{Description, contents, inherited};
use crownhead_arena::environment::{self, Variable};
use crownhead_arena::options::BotOptions;
use crownhead_record::text::printable;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a worker's command line grants, as paths without links.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Grants {
    /// Each file or folder, with whether bots may also write it.
    paths: Vec<(PathBuf, bool)>,
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
    ) -> Result<Grants, LadderError> {
        let read = read.iter().map(|path| (path, false));
        let paths = read.chain(write.iter().map(|path| (path, true)));
        let paths = paths.map(|(path, written)| {
            let told = |why| refuse(format!("{} {}: {why}", flag(written), path.display()));
            Ok((real(path, written).map_err(told)?, written))
        });
        Ok(Grants {
            paths: paths.collect::<Result<_, LadderError>>()?,
            variables: environment::values(variables)
                .map_err(|error| refuse(format!("--env: {error}")))?,
        })
    }

    /// The paths without links that a ladder's options ask for: those to read, and those to write.
    ///
    /// # Errors
    /// What this does not grant, each with the option that grants it.
    pub(super) fn granted(
        &self,
        bots: &BotOptions,
    ) -> Result<(Vec<PathBuf>, Vec<PathBuf>), String> {
        let mut missing = Vec::new();
        let mut sort = |paths: &[PathBuf], written| {
            let found = paths.iter().map(|path| self.find(path, written));
            let granted = found.filter_map(|found| found.map_err(|told| missing.push(told)).ok());
            granted.collect()
        };
        let granted = (sort(&bots.allow_read, false), sort(&bots.allow_write, true));
        match missing.as_slice() {
            [] => Ok(granted),
            missing => Err(missing.join("; ")),
        }
    }

    fn find(&self, path: &Path, written: bool) -> Result<PathBuf, String> {
        let (shown, flag) = (printable(path.display().to_string()), flag(written));
        let verb = if written { "write" } else { "read" };
        let wish = format!("the ladder lets its bots {verb} {shown}");
        if !path.is_absolute() {
            return Err(format!(
                "{wish}, a path within the ladder's folder, which workers do not have; write it as an absolute path in \
                 ladder.toml"
            ));
        }
        let path = real(path, written).map_err(|why| format!("{wish}, and here: {why}"))?;
        let mut grants = self.paths.iter();
        if grants.any(|(granted, writes)| path.starts_with(granted) && (*writes || !written)) {
            return Ok(path);
        }
        Err(format!(
            "{wish}, and this worker does not; `{flag} {shown}` does"
        ))
    }

    /// A bot's variables with their values: those that the configuration sets, and the granted ones of this machine.
    ///
    /// # Errors
    /// When one is not granted, or its value differs from the one in the bot's version.
    pub(super) fn environment(
        &self,
        bot: &Bot,
        description: &Description,
    ) -> Result<BTreeMap<String, String>, LadderError> {
        let mut values = BTreeMap::new();
        for Variable { name, value } in &bot.environment {
            let Some(value) = value.as_ref().or_else(|| self.variables.get(name)) else {
                return Err(fail(format!(
                    "the ladder gives it the variable {0} of the machine, and this worker does not; `--env {0}` does",
                    printable(name)
                )));
            };
            values.insert(name.clone(), value.clone());
        }
        let here = inherited(bot, &values);
        let there = &description.inherited;
        if let Some((name, _)) = here
            .iter()
            .find(|(name, hash)| there.get(*name) != Some(hash))
        {
            return Err(fail(format!(
                "the variable {0} has another value on this machine than its version was made of; `--env {0}=VALUE` \
                 sets it",
                printable(name)
            )));
        }
        Ok(values)
    }
}

/// The option that grants a path.
fn flag(written: bool) -> &'static str {
    if written {
        "--allow-write"
    } else {
        "--allow-read"
    }
}

/// The path without links of what is there; only a folder can be written.
fn real(path: &Path, written: bool) -> Result<PathBuf, String> {
    let real = path.canonicalize().map_err(|error| error.to_string())?;
    if written && !real.is_dir() {
        return Err("expected a folder".into());
    }
    Ok(real)
}

/// Compares the extra files that a bot may read with those of its version, and adds them to the files that are watched
/// while it plays.
///
/// # Errors
/// When this machine has other files there.
pub(super) fn expect_same_files(
    readable: &[PathBuf],
    bot: &Bot,
    description: &Description,
    files: &mut BotFiles,
) -> Result<(), LadderError> {
    for path in readable {
        let found = listed(&bot.name, path)?;
        let here = contents(&found.files)?;
        let there = description.files.iter();
        if !here
            .iter()
            .eq(there.filter(|(name, _)| Path::new(name).starts_with(path)))
        {
            return Err(fail(format!(
                "this machine has other files in {} than those its version is made of",
                printable(path.display().to_string())
            )));
        }
        files.files.extend(found.files);
        files.folders.extend(found.folders);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
