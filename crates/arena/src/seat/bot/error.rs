//! Why words mean no bot, and what to write instead.

use crownhead_bots::options::BuiltInBot;
use crownhead_record::system_error::{neighbour, reason};
use crownhead_sandbox::{PYTHON, join_words, why_no_program};
use std::env::consts::EXE_EXTENSION;
use std::io::ErrorKind;
use std::path::{MAIN_SEPARATOR, Path, is_separator};

/// The words name no bot; the message says what to write instead.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BotError {
    /// There is nothing to run.
    #[error("a bot has no name. Expected {}", built_ins())]
    Empty,
    /// The quotes do not match.
    #[error(
        "the quotes in `{0}` do not match. Write the command as in a shell, such as `{python} 'my bot.py'`",
        python = PYTHON
    )]
    Quotes(String),
    /// A command line whose program is not there.
    #[error("there is no program `{0}`. Install it, or name another")]
    NoProgram(String),
    /// Neither a built-in nor a program.
    #[error("{0}")]
    Unknown(String),
    /// The built-in does not take these options.
    #[error("{0}")]
    Options(String),
}

/// What names a bot.
fn built_ins() -> String {
    let [random, greedy, alphabeta] = BuiltInBot::NAMES;
    format!("`{random}`, `{greedy}`, `{alphabeta}` or the command of a program")
}

/// How a file of source is run, by its name.
pub(in crate::seat) fn how_to_run(name: &str) -> Option<String> {
    let path = Path::new(name);
    let program = path.with_extension(EXE_EXTENSION);
    let program = Path::new(".").join(program.strip_prefix(".").unwrap_or(&program));
    let quoted = join_words(&[name.into()]);
    let interpreted = |by: &str| Some(format!("Run it as \"{by} {quoted}\""));
    let compiled = |by: &str| {
        Some(format!(
            "Compile it, for example by `{by}`, and name the program"
        ))
    };
    match path.extension()?.to_str()? {
        "py" => interpreted(PYTHON),
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
    let folder = written.rfind(is_separator).map_or(0, |last| last + 1);
    format!("{}{file}", &written[..folder])
}

/// The error for a program that cannot be started, with the way out that its name suggests.
pub(super) fn unknown(name: &str, folder: &Path) -> BotError {
    let (path, is_path) = (folder.join(name), name.contains(is_separator));
    let close = BuiltInBot::NAMES
        .into_iter()
        .map(|known| (strsim::damerau_levenshtein(known, name), known))
        .min()
        .filter(|&(distance, known)| distance * 2 < known.len());
    let no_bot = |advice: String| format!("there is no bot `{name}`. {advice}");
    let unusable = |why: String| format!("`{name}` cannot be run: {why}");
    BotError::Unknown(match (std::fs::metadata(&path), how_to_run(name), close) {
        (Ok(file), Some(advice), _) if file.is_file() => {
            format!("`{name}` is source, not a program. {advice}")
        }
        (_, _, Some((_, known))) => no_bot(format!("Did you mean `{known}`?")),
        (Err(error), ..) if is_path && error.kind() == ErrorKind::NotFound => {
            let meant =
                neighbour(&path).map(|file| format!("Did you mean `{}`?", beside(name, &file)));
            let advice = meant.unwrap_or_else(|| format!("Expected {}", built_ins()));
            format!("`{name}` does not exist. {advice}")
        }
        (Err(error), ..) if is_path => unusable(reason(&error)),
        (Ok(file), ..) if file.is_dir() && is_path => {
            unusable("it is a folder. Name a program".into())
        }
        (Ok(_), ..) if is_path => {
            let path = path.strip_prefix(".").unwrap_or(&path).display();
            unusable(format!("it {}", why_no_program(path)))
        }
        (Ok(file), ..) if file.is_file() => no_bot(format!(
            "Name a program in this folder with `.{0}`: `.{0}{name}`",
            MAIN_SEPARATOR
        )),
        _ if name == "human" => no_bot("To play yourself, use `crownhead play`".into()),
        _ => no_bot(format!("Expected {}", built_ins())),
    })
}
