//! Finds the program behind a referee's options, its protocol, and the hash that distinguishes its games from others.

use crate::java::{Classes, ENTRY, Launch, has_entry, is_jar};
use crate::{ExternalReferee, LEAGUE, RefereeError, RefereeOptions, lines};
use crownhead_record::RefereeProtocol;
use crownhead_record::text::printable;
use crownhead_sandbox::{is_program, launched, split_words, why_no_program};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// How many letters of a hash are kept.
const LETTERS: usize = 16;

/// The message for an empty command.
const NONE_NAMED: &str = "no referee is named. Name a jar, a folder of classes or a command line";

impl ExternalReferee {
    /// Finds the referee, with paths relative to `folder`.
    ///
    /// A jar must contain all its dependencies. A folder has classes, including the engine's, or is a Maven build:
    /// `target`, or the folder around it, with `classes` and the jars that `mvn dependency:copy-dependencies` puts into
    /// `dependency`.
    ///
    /// # Errors
    /// When there is no such program, or its options do not fit.
    pub fn find(options: &RefereeOptions, folder: &Path) -> Result<ExternalReferee, RefereeError> {
        let here = Path::new(".");
        let folder = Some(folder).filter(|folder| *folder != Path::new(""));
        let folder = std::path::absolute(folder.unwrap_or(here));
        let folder = folder.unwrap_or_else(|_| here.into());
        check(options)?;
        let name = game_name(&options.command);
        if options.protocol == Some(RefereeProtocol::Command) {
            return Err(RefereeError::NotFound(format!(
                "the referee {name} starts the bots itself, which Crownhead does not support; expected one that asks for \
                 answers"
            )));
        }
        let found = match Classes::at(&folder.join(&options.command))? {
            Some(classes) => of_classes(options, classes)?,
            None => of_command(options, &folder)?,
        };
        if found.protocol == RefereeProtocol::Lines {
            check_for_lines(options)?;
        }
        Ok(ExternalReferee {
            options: options.clone(),
            protocol: found.protocol,
            name,
            hash: hash(&found.words, &found.files, &options.parameters)?,
            files: found.files,
            sandbox: None,
            launch: Launch {
                program: found.program,
                arguments: found.arguments,
                folder,
            },
        })
    }
}

/// What the options name.
struct Found {
    protocol: RefereeProtocol,
    program: PathBuf,
    arguments: Vec<OsString>,
    /// The words and the files that count for its hash.
    words: Vec<String>,
    files: Vec<PathBuf>,
}

/// The name of a referee's game in tables, without checking that the referee exists. It is the name of the jar, script or
/// folder, or of the nearest folder around it whose name is specific, such as that of `target/referee.jar`.
pub fn game_name(command: &str) -> String {
    const COMMON: [&str; 5] = ["referee", "target", "classes", "build", "dist"];
    let kind = |path: &Path| {
        let kind = path.extension()?.to_str()?;
        kind.bytes()
            .all(|letter| letter.is_ascii_alphabetic())
            .then_some(())
    };
    let words = split_words(command).unwrap_or_default();
    let is_file = |word: &&String| !word.starts_with('-') && kind(Path::new(word)).is_some();
    let named = words.iter().find(is_file).or(words.first());
    let path = Path::new(named.map_or("referee", String::as_str));
    let stem = kind(path)
        .and_then(|()| path.file_stem())
        .or(path.file_name());
    let folders = path.ancestors().skip(1).filter_map(Path::file_name);
    let names = stem
        .into_iter()
        .chain(folders)
        .map(|name| printable(name.as_encoded_bytes()));
    let names: Vec<String> = names.collect();
    let own = names.iter().find(|name| !COMMON.contains(&name.as_str()));
    own.or(names.first())
        .cloned()
        .unwrap_or_else(|| "referee".into())
}

/// Checks the options of any referee.
fn check(options: &RefereeOptions) -> Result<(), RefereeError> {
    let wrong = |text: String| Err(RefereeError::NotFound(text));
    if options.command.trim().is_empty() {
        return wrong(NONE_NAMED.into());
    }
    if options.players == 0 {
        return wrong("a game has no players; expected at least one".into());
    }
    for (key, value) in &options.parameters {
        let parameter = printable(format!("{key}={value}"));
        if key.is_empty() || key.contains(char::is_control) || value.contains(char::is_control) {
            return wrong(format!(
                "the parameter `{parameter}` is not one line `KEY=VALUE`"
            ));
        }
        if key == "seed" {
            return wrong(format!(
                "the parameter `{parameter}` is not for the referee: each game has a seed of its own"
            ));
        }
    }
    Ok(())
}

fn check_for_lines(options: &RefereeOptions) -> Result<(), RefereeError> {
    let most = lines::MOST_PLAYERS;
    if options.players > most {
        return Err(RefereeError::NotFound(format!(
            "a referee that speaks lines has at most {most} players; found {}",
            options.players
        )));
    }
    let mut sent = options.parameters.keys().filter(|key| *key != LEAGUE);
    sent.next().map_or(Ok(()), |key| {
        Err(RefereeError::NotFound(format!(
            "a referee that speaks lines takes no parameters, such as `{}`; name them in its command line",
            printable(key)
        )))
    })
}

/// A jar or folder of Java classes.
fn of_classes(options: &RefereeOptions, classes: Classes) -> Result<Found, RefereeError> {
    let protocol = protocol_of(options, classes.has_engine);
    if protocol == RefereeProtocol::Engine && !classes.has_engine {
        return Err(RefereeError::NotFound(format!(
            "{} does not hold {ENTRY}; expected a jar with all that it depends on, or a command line",
            printable(&options.command)
        )));
    }
    let speaks_engine = protocol == RefereeProtocol::Engine;
    if !speaks_engine && !classes.path.iter().all(|path| path.is_file()) {
        return Err(RefereeError::NotFound(format!(
            "{} is a folder, which runs only with CodinGame's engine; expected a jar or a command line",
            printable(&options.command)
        )));
    }
    let program = which::which("java").map_err(|_| {
        RefereeError::NotFound(
            "there is no program `java`, which the referee needs; install a Java runtime".into(),
        )
    })?;
    let league = options.parameters.get(LEAGUE).map(String::as_str);
    let arguments = classes.arguments(league, speaks_engine.then_some(ENTRY));
    Ok(Found {
        protocol,
        program,
        arguments,
        words: Vec::new(),
        files: classes.path,
    })
}

/// How a referee speaks: as its options say, or else as what it holds tells.
fn protocol_of(options: &RefereeOptions, has_engine: bool) -> RefereeProtocol {
    options.protocol.unwrap_or(match has_engine {
        true => RefereeProtocol::Engine,
        false => RefereeProtocol::Lines,
    })
}

/// A command line, as it stands.
fn of_command(options: &RefereeOptions, folder: &Path) -> Result<Found, RefereeError> {
    let written = printable(&options.command);
    let wrong = |text: String| RefereeError::NotFound(text);
    let words = split_words(&options.command).ok_or_else(|| {
        wrong(format!(
            "the quotes in `{written}` do not match. Write the command as in a shell"
        ))
    })?;
    let words = launched(words, folder);
    let (first, rest) = words
        .split_first()
        .ok_or_else(|| wrong(NONE_NAMED.into()))?;
    let program = which::which_in(first, std::env::var_os("PATH"), folder).ok();
    let program = program.filter(|program| is_program(program)).ok_or_else(|| {
        let found = folder.join(first);
        let first = printable(first);
        wrong(match found.is_file() {
            true => format!("`{first}` {}", why_no_program(&first)),
            false => format!(
                "there is no program `{first}`. Name a jar, a folder of classes or a command line"
            ),
        })
    })?;
    if let Some(league) = options.parameters.get(LEAGUE) {
        return Err(wrong(format!(
            "the league of `{written}` cannot be set. Write `-Dleague.level={}` into its command line",
            printable(league)
        )));
    }
    let files = files_named(&words, folder);
    let is_engine = |path: &PathBuf| is_jar(path) && has_entry(path).unwrap_or_default();
    let has_engine = words.iter().any(|word| word == ENTRY) || files.iter().any(is_engine);
    Ok(Found {
        protocol: protocol_of(options, has_engine),
        program: std::path::absolute(&program).unwrap_or(program),
        arguments: rest.iter().map(OsString::from).collect(),
        words,
        files,
    })
}

/// The files that a command line names; a class path names several.
pub(crate) fn files_named(words: &[String], folder: &Path) -> Vec<PathBuf> {
    let named = words.iter().flat_map(std::env::split_paths);
    let named = named.filter_map(|word| Some(folder.join(word.to_str()?.rsplit('=').next()?)));
    named.filter(|path| path.is_file()).collect()
}

/// The hash of a referee: of the words of its command line, unless it is a jar or a folder, and of its files and
/// parameters.
pub(crate) fn hash(
    words: &[String],
    files: &[PathBuf],
    parameters: &BTreeMap<String, String>,
) -> Result<String, RefereeError> {
    let mut hasher = Sha256::new();
    for word in words {
        add_part(&mut hasher, word.as_bytes());
    }
    for path in files {
        add_files(path, &mut hasher)?;
    }
    for text in parameters.iter().flat_map(|(key, value)| [key, value]) {
        add_part(&mut hasher, text.as_bytes());
    }
    let bytes = hasher.finalize();
    let letters = bytes[..LETTERS / 2].iter();
    Ok(letters.map(|byte| format!("{byte:02x}")).collect())
}

/// Adds a file, or the files of a folder in the order of their names, each with its path within it.
fn add_files(path: &Path, hasher: &mut Sha256) -> Result<(), RefereeError> {
    let failed =
        |error| RefereeError::NotFound(format!("the referee's {}: {error}", path.display()));
    if !path.is_dir() {
        let bytes = std::fs::read(path).map_err(failed)?;
        add_part(hasher, &bytes);
        return Ok(());
    }
    let entries = std::fs::read_dir(path).map_err(failed)?;
    let entries: Result<Vec<_>, _> = entries.collect();
    let mut entries = entries.map_err(failed)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        add_part(hasher, entry.file_name().as_encoded_bytes());
        add_files(&entry.path(), hasher)?;
    }
    Ok(())
}

/// Adds bytes and their number, so that the same bytes with other boundaries have another hash.
fn add_part(hasher: &mut Sha256, bytes: &[u8]) {
    hasher.update((bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

#[cfg(test)]
mod tests {
    use super::game_name;

    #[test]
    fn a_game_is_called_after_its_jar_script_or_the_folder_that_tells_most() {
        for (command, name) in [
            ("contests/spring-2023-1.0.jar", "spring-2023-1.0"),
            ("/home/me/olymbits/target/referee.jar", "olymbits"),
            ("soak-1.0/target/classes", "soak-1.0"),
            ("python3 'my games/othello.py' --size 8", "othello"),
            ("java -Dleague.level=4 -jar fall.jar", "fall"),
            ("./judge --seeds", "judge"),
            ("referee.jar", "referee"),
            ("", "referee"),
        ] {
            assert_eq!(game_name(command), name, "{command}");
        }
    }
}
