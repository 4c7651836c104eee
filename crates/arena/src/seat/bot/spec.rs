//! A bot that can be started, and how words are read as one.

use super::error::{BotError, unknown};
use crownhead_bots::command_line::describe;
use crownhead_bots::options::BuiltInBot;
use crownhead_record::text::printable;
use crownhead_sandbox::{is_program, launched, split_words};
use std::ffi::OsString;
use std::path::{Path, PathBuf, is_separator};

/// A bot that can be started as a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotSpec {
    /// What it is called in tables and records.
    pub name: String,
    /// What a person wrote to mean it.
    pub words: String,
    pub(crate) kind: BotKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BotKind {
    /// Its name and its options.
    BuiltIn(Vec<String>),
    Program(Program),
}

/// The program of somebody else's bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// What is started.
    pub path: PathBuf,
    /// Whether it was found on the search path, not named by a path.
    pub installed: bool,
    /// The words after it.
    pub arguments: Vec<String>,
}

impl BotSpec {
    /// The bot that `words` mean: a built-in's name with options, a program's path as it is (spaces and
    /// all), or a command line with the quoting of the system's shells.
    ///
    /// # Errors
    /// When there is no such built-in and no such program.
    pub fn parse(words: &str) -> Result<BotSpec, BotError> {
        BotSpec::parse_in(words, Path::new("."))
    }

    /// The same for words that were written in `folder`: programs with a relative path are looked for there.
    ///
    /// # Errors
    /// When there is no such built-in and no such program.
    pub fn parse_in(words: &str, folder: &Path) -> Result<BotSpec, BotError> {
        let (name, kind) = read(words, folder)?;
        Ok(BotSpec {
            name,
            words: words.into(),
            kind,
        })
    }

    /// What a bot is to be called: a line of tables and records.
    ///
    /// # Errors
    /// When that is nothing, or would break them.
    pub fn parse_name(text: &str) -> Result<String, String> {
        let name = text.trim();
        if name.is_empty() || printable(name) != name {
            let expected = "expected a name of one letter or more, without control characters and invisible ones";
            return Err(expected.into());
        }
        Ok(name.into())
    }

    /// The built-in that is meant, with its options; `None` for somebody else's program.
    pub fn built_in(&self) -> Option<BuiltInBot> {
        match &self.kind {
            BotKind::Program(_) => None,
            BotKind::BuiltIn(split) => parse_built_in(split).ok(),
        }
    }

    /// The file with the network by which a built-in evaluates, if it names one.
    pub fn network_file(&self) -> Option<PathBuf> {
        network_of(&self.built_in()?).map(Path::to_path_buf)
    }

    /// The program that is started, if it is somebody else's.
    pub fn program(&self) -> Option<&Program> {
        match &self.kind {
            BotKind::Program(program) => Some(program),
            BotKind::BuiltIn(_) => None,
        }
    }

    /// The bot that is this program with these arguments, called by this name.
    ///
    /// # Errors
    /// When a program that is named without a path is not installed.
    pub fn of_program(
        name: &str,
        program: &Path,
        arguments: Vec<String>,
    ) -> Result<BotSpec, BotError> {
        let installed = !program.is_absolute();
        let told = program.display().to_string();
        let path = if installed {
            which::which(program).map_err(|_| BotError::NoProgram(told.clone()))?
        } else {
            program.into()
        };
        let words = [&[told], &arguments[..]].concat().join(" ");
        let program = Program {
            path,
            installed,
            arguments,
        };
        Ok(BotSpec {
            name: name.into(),
            words,
            kind: BotKind::Program(program),
        })
    }
}

/// What a bot is called and what it is, by its words.
fn read(words: &str, folder: &Path) -> Result<(String, BotKind), BotError> {
    let is_file = words.contains(is_separator) && folder.join(words).is_file();
    let split = match is_file {
        true => Some(vec![words.into()]),
        false => split_words(words),
    };
    let split = launched(split.ok_or_else(|| BotError::Quotes(words.into()))?, folder);
    let (first, rest) = split.split_first().ok_or(BotError::Empty)?;
    if BuiltInBot::NAMES.contains(&first.as_str()) {
        let bot = parse_built_in(&split)?;
        return Ok((name_of_built_in(&bot, &split), BotKind::BuiltIn(split)));
    }
    let found = which::which_in(first, std::env::var_os("PATH"), absolute(folder));
    let found = found
        .ok()
        .filter(|found| is_program(found))
        .ok_or_else(|| {
            if rest.is_empty() || folder.join(first).exists() {
                unknown(first, folder)
            } else {
                BotError::NoProgram(first.clone())
            }
        })?;
    // `python3 my_bot.py` is called after the script.
    let named_after = rest.iter().find(|word| folder.join(word).is_file());
    let name = match named_after {
        Some(script) => file_name(Path::new(script)),
        None => started_name(&split).unwrap_or_else(|| file_name(Path::new(first))),
    };
    let program = Program {
        path: absolute(&found),
        installed: !first.contains(is_separator),
        arguments: rest.to_vec(),
    };
    Ok((name, BotKind::Program(program)))
}

/// The module or class that `python3 -m my_bot` or `java -cp out Player` starts.
fn started_name(words: &[String]) -> Option<String> {
    let is_java = file_name(Path::new(&words[0])) == "java";
    let behind_option = words.iter().skip_while(|word| *word != "-m").nth(1);
    let last = words[1..].last().filter(|_| is_java);
    Some(printable(behind_option.or(last)?))
}

/// Its words, but of the file with a network the name alone.
fn name_of_built_in(bot: &BuiltInBot, split: &[String]) -> String {
    let network = network_of(bot);
    let words = split.iter().map(|word| match network {
        Some(file) if Path::new(word) == file => file_name(file),
        _ => word.clone(),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn network_of(bot: &BuiltInBot) -> Option<&Path> {
    match bot {
        BuiltInBot::Alphabeta(options) => options.net.as_deref(),
        BuiltInBot::Random(_) | BuiltInBot::Greedy(_) => None,
    }
}

fn parse_built_in(split: &[String]) -> Result<BuiltInBot, BotError> {
    #[derive(clap::Parser)]
    #[command(
        no_binary_name = true,
        disable_help_flag = true,
        disable_help_subcommand = true
    )]
    struct BuiltIn {
        #[command(subcommand)]
        bot: BuiltInBot,
    }
    let parsed = <BuiltIn as clap::Parser>::try_parse_from(split).map_err(|error| {
        let written: Vec<OsString> = split.iter().map(OsString::from).collect();
        let command = <BuiltIn as clap::CommandFactory>::command();
        let told = describe(&error, command, &written);
        BotError::Options(format!("`{}`: {told}", split.join(" ")))
    })?;
    Ok(parsed.bot)
}

fn file_name(path: &Path) -> String {
    let name = path.file_stem().unwrap_or(path.as_os_str());
    printable(name.as_encoded_bytes())
}

pub(super) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
