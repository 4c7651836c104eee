//! Why words mean no bot, and what to write instead.

use crate::seat::unstartable::without_number;
use crownhead_bots::options::BuiltInBot;
use std::io::ErrorKind;
use std::path::Path;

/// The words name no bot; the message says what to write instead.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BotError {
    /// There is nothing to run.
    #[error(
        "a bot is a built-in's name ({}) or a command line; found nothing",
        built_ins()
    )]
    Empty,
    /// The quotes do not match.
    #[error(
        "the quotes in `{0}` do not match; write the command as in a shell, such as `python3 'my bot.py'`"
    )]
    Quotes(String),
    /// A command line whose program is not there.
    #[error("there is no program `{0}`")]
    NoProgram(String),
    /// The source of a program.
    #[error("`{0}` is source, not a program: {1}")]
    Source(String, String),
    /// Neither a built-in nor a program.
    #[error("no bot named `{name}`; {advice}")]
    Unknown {
        /// What was looked for.
        name: String,
        /// What to write instead.
        advice: String,
    },
    /// The built-in does not take these options.
    #[error("`{words}`: {problem}")]
    Options {
        /// What a person wrote.
        words: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// The built-ins' names as a list for people.
fn built_ins() -> String {
    BuiltInBot::NAMES.join(", ")
}

/// How a file of source is run, by its name.
pub(in crate::seat) fn how_to_run(name: &str) -> Option<String> {
    let path = Path::new(name);
    let program = path.with_extension("");
    let program = Path::new(".").join(program.strip_prefix(".").unwrap_or(&program));
    let quoted = shlex::try_quote(name).ok()?;
    let interpreted = |by: &str| Some(format!("run it as \"{by} {quoted}\""));
    let compiled = |by: &str| Some(format!("compile it, say by `{by}`, and name the program"));
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
        format!("did you mean `{known}`?")
    } else if name.contains('/') {
        match std::fs::metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let path = path.strip_prefix(".").unwrap_or(&path).display();
                format!("there is no file `{path}`")
            }
            Err(error) => format!("{}: {}", path.display(), without_number(&error.to_string())),
            Ok(file) if file.is_dir() => "it is a folder; expected a program".into(),
            Ok(_) => {
                let path = path.strip_prefix(".").unwrap_or(&path).display();
                format!("the file is there but not executable; try `chmod +x {path}`")
            }
        }
    } else if path.is_file() {
        format!("a program in this folder is written `./{name}`")
    } else {
        format!("expected one of {} or a program on the path", built_ins())
    };
    BotError::Unknown {
        name: name.into(),
        advice,
    }
}
