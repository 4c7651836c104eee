//! What to write instead of words that mean no bot.

use super::error::{BotError, built_ins};
use crownhead_bots::options::Bot;
use std::path::Path;

/// How a file of source is run, by its name.
fn how_to_run(name: &str) -> Option<String> {
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
    let close = Bot::NAMES
        .into_iter()
        .map(|known| (strsim::damerau_levenshtein(known, name), known))
        .min()
        .filter(|&(distance, known)| distance * 2 < known.len());
    let path = folder.join(name);
    let advice = if let Some((_, known)) = close {
        format!("did you mean `{known}`?")
    } else if name.contains('/') {
        match std::fs::metadata(&path) {
            Err(error) if folder == Path::new(".") => format!("{error}"),
            Err(error) => format!("{}: {error}", path.display()),
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
