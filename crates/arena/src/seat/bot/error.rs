//! Why words mean no bot, and what to write instead.

use crownhead_bots::options::BuiltInBot;
use crownhead_record::system_error::{neighbour, reason};
use std::io::ErrorKind;
use std::path::Path;

/// The words name no bot; the message says what to write instead.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BotError {
    /// There is nothing to run.
    #[error("a bot has no name. Expected {}", built_ins())]
    Empty,
    /// The quotes do not match.
    #[error(
        "the quotes in `{0}` do not match. Write the command as in a shell, such as `python3 'my bot.py'`"
    )]
    Quotes(String),
    /// A command line whose program is not there.
    #[error("there is no program `{0}`. Install it, or name another")]
    NoProgram(String),
    /// The source of a program.
    #[error("`{0}` is source, not a program. {1}")]
    Source(String, String),
    /// A path at which there is no file.
    #[error("`{name}` does not exist{}", or_else(meant))]
    NoFile {
        /// What was looked for.
        name: String,
        /// What may be meant.
        meant: Option<String>,
    },
    /// A path of what cannot be run, and why.
    #[error("`{0}` cannot be run: {1}")]
    Unusable(String, String),
    /// Neither a built-in nor a program.
    #[error("there is no bot `{name}`. {advice}")]
    Unknown {
        /// What was looked for.
        name: String,
        /// What to write instead.
        advice: String,
    },
    /// The built-in does not take these options.
    #[error("{0}")]
    Options(String),
}

/// What to write instead of a path at which there is no file.
fn or_else(meant: &Option<String>) -> String {
    match meant {
        Some(file) => format!(". Did you mean `{file}`?"),
        None => format!(". Expected {}", built_ins()),
    }
}

/// What names a bot.
fn built_ins() -> String {
    let [random, greedy, alphabeta] = BuiltInBot::NAMES;
    format!("`{random}`, `{greedy}`, `{alphabeta}` or the command of a program")
}

/// How a file of source is run, by its name.
pub(in crate::seat) fn how_to_run(name: &str) -> Option<String> {
    let path = Path::new(name);
    let program = path.with_extension("");
    let program = Path::new(".").join(program.strip_prefix(".").unwrap_or(&program));
    let quoted = shlex::try_quote(name).ok()?;
    let interpreted = |by: &str| Some(format!("Run it as \"{by} {quoted}\""));
    let compiled = |by: &str| {
        Some(format!(
            "Compile it, for example by `{by}`, and name the program"
        ))
    };
    match path.extension()?.to_str()? {
        "py" => interpreted("python3"),
        "js" | "mjs" => interpreted("node"),
        "rb" => interpreted("ruby"),
        "lua" => interpreted("lua"),
        "pl" => interpreted("perl"),
        "php" => interpreted("php"),
        "java" => interpreted("java"),
        "cpp" | "cc" | "cxx" => compiled(&format!("g++ -O2 {quoted} -o {}", program.display())),
        "c" => compiled(&format!("cc -O2 {quoted} -o {}", program.display())),
        "rs" => compiled(&format!("rustc -O {quoted} -o {}", program.display())),
        "go" => compiled(&format!("go build -o {} {quoted}", program.display())),
        _ => None,
    }
}

/// The path of this file beside the one that was written.
fn beside(written: &str, file: &str) -> String {
    match written.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{file}"),
        None => file.into(),
    }
}

/// The error for a program that cannot be started, with the way out that its name suggests.
pub(super) fn unknown(name: &str, folder: &Path) -> BotError {
    if folder.join(name).is_file()
        && let Some(advice) = how_to_run(name)
    {
        return BotError::Source(name.into(), advice);
    }
    let close = BuiltInBot::NAMES
        .into_iter()
        .map(|known| (strsim::damerau_levenshtein(known, name), known))
        .min()
        .filter(|&(distance, known)| distance * 2 < known.len());
    let path = folder.join(name);
    let advice = if let Some((_, known)) = close {
        format!("Did you mean `{known}`?")
    } else if name.contains('/') {
        match std::fs::metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return BotError::NoFile {
                    name: name.into(),
                    meant: neighbour(&path).map(|file| beside(name, &file)),
                };
            }
            Err(error) => return BotError::Unusable(name.into(), reason(&error)),
            Ok(file) if file.is_dir() => {
                return BotError::Unusable(name.into(), "it is a folder. Name a program".into());
            }
            Ok(_) => {
                let path = path.strip_prefix(".").unwrap_or(&path).display();
                let advice = format!("it is not executable. Run `chmod +x {path}`");
                return BotError::Unusable(name.into(), advice);
            }
        }
    } else if path.is_file() {
        format!("Name a program in this folder with `./`: `./{name}`")
    } else {
        match name {
            "human" => "To play yourself, use `crownhead play`".into(),
            _ => format!("Expected {}", built_ins()),
        }
    };
    BotError::Unknown {
        name: name.into(),
        advice,
    }
}
