//! `crownhead referee new`: a small whole game, to be changed into another one.

use crate::failure::{Failure, about, usage};
use anyhow::Context;
use clap::{Args, ValueEnum};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  crownhead referee new my_game --lang python

The game is Connect Four: a referee, a bot that plays at random, a bot that takes wins and prevents losses, tests, and a \
README with the commands.")]
pub(super) struct New {
    /// The folder to make
    folder: PathBuf,
    /// The programming language
    #[arg(long, value_name = "LANGUAGE")]
    lang: Language,
}

/// A language that there is a game in.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Language {
    Python,
    Javascript,
    Rust,
    Cpp,
}

/// A file's name and its text.
type Template = (&'static str, &'static str);

/// The files of one folder of templates.
macro_rules! templates {
    ($folder:literal: $($file:literal),+) => {
        &[$(($file, include_str!(concat!("../../templates/", $folder, "/", $file)))),+]
    };
}

impl Language {
    /// The files of its game, of which one is its README.
    fn templates(self) -> &'static [Template] {
        match self {
            Language::Python => templates!("python":
                "README.md", "referee.py", "random_bot.py", "starter_bot.py", "test_referee.py"),
            Language::Javascript => templates!("javascript":
                "README.md", "referee.js", "random_bot.js", "starter_bot.js", "referee.test.js"),
            Language::Rust => templates!("rust":
                "README.md", "referee.rs", "random_bot.rs", "starter_bot.rs", "tests.rs"),
            Language::Cpp => templates!("cpp":
                "README.md", "referee.cpp", "random_bot.cpp", "starter_bot.cpp", "tests.cpp"),
        }
    }
}

impl New {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let folder = self.folder.display();
        make_empty(&self.folder)?;
        let templates = self.lang.templates();
        let mut out = anstream::stdout().lock();
        for (name, text) in templates {
            let path = self.folder.join(name);
            let written =
                File::create_new(&path).and_then(|mut file| file.write_all(text.as_bytes()));
            written.with_context(|| path.display().to_string())?;
        }
        let names: Vec<&str> = templates.iter().map(|(name, _)| *name).collect();
        writeln!(
            out,
            "{folder} holds {}.\n\nNext:\n  cd {folder}",
            names.join(", ")
        )?;
        for command in commands(templates) {
            writeln!(out, "  {command}")?;
        }
        Ok(())
    }
}

/// Makes the folder, unless it holds anything.
fn make_empty(folder: &Path) -> Result<(), Failure> {
    let shown = folder.display();
    let is_empty = match std::fs::read_dir(folder) {
        Ok(mut files) => files.next().is_none(),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            std::fs::create_dir_all(folder).map_err(about(&shown))?;
            true
        }
        Err(error) => {
            let told = "name a folder that is not there yet";
            return Err(usage(format_args!("{shown}: {error}; {told}")));
        }
    };
    is_empty.then_some(()).ok_or_else(|| {
        usage(format_args!(
            "{shown} holds files already; name a folder that is not there yet, so that nothing is lost"
        ))
    })
}

/// The commands that the README tells.
fn commands(templates: &[Template]) -> impl Iterator<Item = &'static str> {
    let lines = templates.iter().filter(|(name, _)| *name == "README.md");
    lines.flat_map(|(_, text)| text.lines().filter_map(|line| line.strip_prefix("$ ")))
}
