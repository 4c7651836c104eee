//! `crownhead referee new`: writes a small complete game, to be changed into another one.

use crate::failure::Failure;
use crate::new_folder::write_folder;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead referee new my_game --lang python
  crownhead referee new my_game --lang cpp",
    after_long_help = "\
The game is Connect Four: a referee, a bot that plays at random, a bot that takes wins and prevents losses, tests, and a \
README with the commands."
)]
pub(super) struct New {
    /// Folder to create
    folder: PathBuf,
    /// Programming language
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
        write_folder(&self.folder, self.lang.templates())
    }
}
