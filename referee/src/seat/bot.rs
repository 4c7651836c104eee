//! Which bot a person means: a built-in's name with its options, or a command line.

use crate::table::printable;
use clap::error::ContextKind;
use crownhead_bots::options::Bot;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A bot that can be started as a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotSpec {
    /// What it is called in tables and records.
    pub name: String,
    /// What a person wrote to mean it.
    pub words: String,
    kind: BotKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum BotKind {
    BuiltIn {
        bot: String,
        options: Vec<String>,
    },
    Program {
        path: PathBuf,
        arguments: Vec<String>,
    },
}

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

impl BotSpec {
    /// The bot that `words` mean: a built-in's name with options, a program's path as it is (spaces and
    /// all), or a command line with a shell's quoting.
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
        let spec = |name, kind| BotSpec {
            name,
            words: words.into(),
            kind,
        };
        let path = &folder.join(words);
        if words.contains('/') && path.is_file() {
            which::which(path).map_err(|_| unknown(words, folder))?;
            let kind = BotKind::Program {
                path: absolute(path),
                arguments: Vec::new(),
            };
            return Ok(spec(file_name(path), kind));
        }
        let split = shlex::split(words).ok_or_else(|| BotError::Quotes(words.into()))?;
        let Some((first, rest)) = split.split_first() else {
            return Err(BotError::Empty);
        };
        if Bot::NAMES.contains(&first.as_str()) {
            parse_built_in(words, &split)?;
            let kind = BotKind::BuiltIn {
                bot: first.clone(),
                options: rest.to_vec(),
            };
            return Ok(spec(split.join(" "), kind));
        }
        let search = std::env::var_os("PATH");
        let found =
            which::which_in(first, search, absolute(folder)).map_err(|_| unknown(first, folder))?;
        // `python3 my_bot.py` is called after the script.
        let named_after = rest.iter().find(|word| folder.join(word).is_file());
        let name = file_name(Path::new(named_after.unwrap_or(first)));
        let kind = BotKind::Program {
            path: absolute(&found),
            arguments: rest.to_vec(),
        };
        Ok(spec(name, kind))
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
    pub fn built_in(&self) -> Option<Bot> {
        match &self.kind {
            BotKind::Program { .. } => None,
            BotKind::BuiltIn { bot, options } => {
                let split: Vec<String> = std::iter::once(bot).chain(options).cloned().collect();
                parse_built_in(&self.words, &split).ok()
            }
        }
    }

    /// The command that starts the bot.
    ///
    /// `defaults` hold for a built-in unless its words say otherwise; a program of somebody else's is
    /// started as it was written.
    pub fn command(&self, defaults: &Defaults) -> Command {
        match &self.kind {
            BotKind::Program { path, arguments } => {
                let mut command = Command::new(path);
                command.args(arguments);
                command
            }
            BotKind::BuiltIn { bot, options } => {
                let mut command = Command::new(&defaults.crownhead);
                command.arg("bot").arg(bot).args(options);
                command.args(defaults.options_of(bot, options));
                command
            }
        }
    }
}

/// What a built-in is told unless its words say otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defaults {
    /// The program `crownhead`, which runs the built-ins.
    pub crownhead: PathBuf,
    /// For those that play by chance.
    pub seed: u64,
    /// The time limit of a turn, for those that search.
    pub time: std::time::Duration,
    /// The name of the game.
    pub game: &'static str,
    /// The name of the rule book, for those that search.
    pub rules: &'static str,
}

impl Defaults {
    fn options_of(&self, bot: &str, given: &[String]) -> Vec<OsString> {
        let has = |option: &str| {
            given
                .iter()
                .any(|word| word == option || word.starts_with(&format!("{option}=")))
        };
        let mut options = Vec::new();
        let mut add = |option: &str, value: String| {
            if !has(option) {
                options.extend([OsString::from(option), value.into()]);
            }
        };
        add("--game", self.game.into());
        if bot == "alphabeta" {
            add("--rules", self.rules.into());
            if !has("--nodes") && !has("--depth") {
                add(
                    "--time",
                    humantime::format_duration(self.time)
                        .to_string()
                        .replace(' ', ""),
                );
            }
        } else {
            add("--seed", self.seed.to_string());
        }
        options
    }
}

/// The built-ins' names as a list for people.
pub fn built_ins() -> String {
    Bot::NAMES.join(", ")
}

fn parse_built_in(words: &str, split: &[String]) -> Result<Bot, BotError> {
    #[derive(clap::Parser)]
    #[command(
        no_binary_name = true,
        disable_help_flag = true,
        disable_help_subcommand = true
    )]
    struct BuiltIn {
        #[command(subcommand)]
        bot: Bot,
    }
    match <BuiltIn as clap::Parser>::try_parse_from(split) {
        Ok(parsed) => Ok(parsed.bot),
        Err(error) => {
            let text = error.to_string();
            let problem = text.lines().next().unwrap_or_default();
            let problem = problem.trim_start_matches("error: ");
            let meant = error.get(ContextKind::SuggestedArg);
            let tip = meant.map(|meant| format!("; did you mean `{meant}`?"));
            Err(BotError::Options {
                words: words.into(),
                problem: format!("{problem}{}", tip.unwrap_or_default()),
            })
        }
    }
}

fn unknown(name: &str, folder: &Path) -> BotError {
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

fn file_name(path: &Path) -> String {
    printable(
        &path
            .file_stem()
            .unwrap_or(path.as_os_str())
            .to_string_lossy(),
    )
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::time::Duration;

    fn arguments(words: &str) -> Vec<String> {
        let defaults = Defaults {
            crownhead: "crownhead".into(),
            seed: 7,
            time: Duration::from_millis(100),
            game: "checkers",
            rules: "contest",
        };
        let command = BotSpec::parse(words).unwrap().command(&defaults);
        command
            .get_args()
            .map(|word| word.to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn a_built_in_is_told_what_its_words_leave_open() {
        assert_eq!(
            arguments("random"),
            ["bot", "random", "--game", "checkers", "--seed", "7"]
        );
        assert_eq!(
            arguments("greedy --seed=3"),
            ["bot", "greedy", "--seed=3", "--game", "checkers"]
        );
        assert_eq!(
            arguments("alphabeta"),
            [
                "bot",
                "alphabeta",
                "--game",
                "checkers",
                "--rules",
                "contest",
                "--time",
                "100ms"
            ]
        );
        assert_eq!(
            arguments("alphabeta --nodes 500"),
            [
                "bot",
                "alphabeta",
                "--nodes",
                "500",
                "--game",
                "checkers",
                "--rules",
                "contest"
            ]
        );
    }

    #[test]
    fn a_command_line_is_split_as_a_shell_does() {
        assert_eq!(arguments("sh -c 'echo \"a b\"'"), ["-c", "echo \"a b\""]);
    }

    #[test]
    fn a_program_whose_path_has_spaces_needs_no_quotes() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("my bot.sh");
        std::fs::write(&program, "").unwrap();
        let error = BotSpec::parse(program.to_str().unwrap())
            .unwrap_err()
            .to_string();
        assert!(error.contains("not executable"), "{error}");
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        let spec = BotSpec::parse(program.to_str().unwrap()).unwrap();
        assert_eq!(spec.name, "my bot");
    }

    #[test]
    fn what_is_no_bot_is_refused_with_a_way_out() {
        let error = |words| BotSpec::parse(words).unwrap_err().to_string();
        assert_eq!(
            error("alphabte"),
            "no bot named `alphabte`; did you mean `alphabeta`?"
        );
        assert!(error("xyzzy").contains("expected one of random, greedy, alphabeta or a program"));
        assert!(error("  ").contains("found nothing"));
        assert!(error("sh 'oops").contains("quotes"));
        assert!(error("/tmp").contains("it is a folder"));
        assert!(error("/no/such/bot").contains("No such file"));
        assert_eq!(
            error("greedy --sede 3"),
            "`greedy --sede 3`: unexpected argument '--sede' found; did you mean `--seed`?"
        );
    }
}
