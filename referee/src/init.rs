//! `crownhead init`: a first bot, ready for the contest.

use crate::failure::Failure;
use crate::output_file::{README, write_folder};
use clap::{Args, ValueEnum};
use crownhead_bots::starters::{self, Starter};
use crownhead_sandbox::PYTHON;
use std::path::PathBuf;

/// Write a first bot in the language of your choice
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead init
  crownhead init --lang java my_java_bot",
    after_long_help = "\
The bot plays checkers, and the contest takes it as it is. It captures as many pieces as one move can, and keeps its own \
pieces out of danger. The README in the folder says how to try and submit it.

Exit status: 0 the bot was written; 1 that failed; 2 unusable arguments, such as a folder with files in it."
)]
pub(super) struct Init {
    /// Folder to create
    #[arg(value_name = "DIR", default_value = "my_bot")]
    folder: PathBuf,
    /// Programming language
    #[arg(long, short, value_name = "LANGUAGE", default_value = "python")]
    lang: Language,
}

/// A language that there is a first bot in.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Language {
    #[value(alias = "py", alias = "python3")]
    Python,
    #[value(alias = "c++")]
    Cpp,
    #[value(alias = "js", alias = "node")]
    Javascript,
    Java,
    #[value(alias = "rs")]
    Rust,
    #[value(alias = "golang")]
    Go,
    #[value(alias = "c#", alias = "cs")]
    Csharp,
}

impl Language {
    fn starter(self) -> Starter {
        match self {
            Language::Python => starters::PYTHON,
            Language::Cpp => starters::CPP,
            Language::Javascript => starters::JAVASCRIPT,
            Language::Java => starters::JAVA,
            Language::Rust => starters::RUST,
            Language::Go => starters::GO,
            Language::Csharp => starters::CSHARP,
        }
    }
}

impl Init {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let starter = self.lang.starter();
        let readme = readme(&starter);
        let files = [&[(README, readme.as_str())], starter.files].concat();
        write_folder(&self.folder, &files)
    }
}

/// How to try, check, change and submit the bot.
fn readme(starter: &Starter) -> String {
    let Starter {
        language,
        files,
        build,
        run,
    } = starter;
    let file = files[0].0;
    let build = build.map_or(String::new(), |build| format!("$ {build}\n"));
    let run = run.replace("python3", PYTHON);
    // A command of several words is one argument.
    let bot = if run.contains(' ') {
        format!("\"{run}\"")
    } else {
        run
    };
    format!(
        "# A checkers bot in {language}\n\n\
         Play against a built-in bot, then check the bot for the contest:\n\n\
         ```console\n{build}$ crownhead match {bot}\n$ crownhead check {bot}\n```\n\n\
         Make it stronger: change `worth` in `{file}`, which scores a move.\n\n\
         Submit it: paste `{file}` into the editor of \
         [Checkers on CodinGame](https://www.codingame.com/multiplayer/bot-programming/checkers), with {language} as the \
         language.\n"
    )
}
