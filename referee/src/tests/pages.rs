//! The pages that users read: their commands and options are those of this program, their links lead to a heading, and
//! what they quote is what the program says.

use crate::Arguments;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Options that the guide names: those of cargo and Docker, and one of an example of a referee.
const OPTIONS_OF_OTHERS: [&str; 3] = ["--features", "--privileged", "--size"];

/// A page, by its path from the root of the repository.
struct Page {
    path: PathBuf,
    text: String,
}

#[test]
fn every_command_of_a_page_is_one_of_this_program() {
    let mut wrong = Vec::new();
    let mut commands = 0;
    for page in pages() {
        for typed in page.typed() {
            for words in commands_of_ours(typed) {
                commands += 1;
                let error = Arguments::try_parse_from(words).err();
                if let Some(error) = error.filter(clap::Error::use_stderr) {
                    wrong.push(format!("{}: {typed}\n{error}", page.name()));
                }
            }
        }
        for code in page.inline_code() {
            // The placeholders of a command, such as FILE, need not be there, nor all that it needs.
            if code.starts_with("crownhead ") && !code.contains(['…', '|']) {
                let words = shlex::split(code).expect("quotes in pairs");
                let error = Arguments::try_parse_from(&words).err().map(|it| it.kind());
                let is_unknown = matches!(
                    error,
                    Some(ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand)
                );
                let is_placeholder = words[1].chars().all(char::is_uppercase);
                if is_unknown && !is_placeholder {
                    wrong.push(format!("{}: {code}", page.name()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(commands > 100, "{commands}");
}

#[test]
fn every_option_that_the_guide_names_is_one_that_help_shows() {
    let mut known: BTreeSet<String> = ["--help", "--version"].map(String::from).into();
    add_options(&Arguments::command(), &mut known);
    known.extend(OPTIONS_OF_OTHERS.map(String::from));
    let mut unknown = Vec::new();
    for page in pages().iter().filter(|page| page.is_of_guide()) {
        for code in page.inline_code().filter(|code| code.starts_with('-')) {
            let words = code.split([' ', ',', '=']);
            for option in words.filter(|word| word.starts_with("--")) {
                if !known.contains(option) {
                    unknown.push(format!("{}: {option}", page.name()));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

/// Only some shells split an unquoted variable of several words.
#[test]
fn commands_of_all_pages_mean_the_same_in_every_shell() {
    for page in pages() {
        for typed in page.typed() {
            let unquoted: String = typed.split(['\'', '"']).step_by(2).collect();
            let variables = unquoted.replace("$?", "");
            assert!(!variables.contains('$'), "{}: {typed}", page.name());
        }
    }
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut dead = Vec::new();
    for page in pages() {
        let targets = page.text.split("](").skip(1);
        for target in targets.filter_map(|rest| rest.split_once(')')) {
            let (path, anchor) = target.0.split_once('#').unwrap_or((target.0, ""));
            if path.contains("://") {
                continue;
            }
            let file = match path {
                "" => root().join(&page.path),
                _ => root().join(page.path.parent().unwrap()).join(path),
            };
            let has_heading = || {
                let text = std::fs::read_to_string(&file);
                text.is_ok_and(|text| headings(&text).any(|heading| slug(heading) == anchor))
            };
            if !file.exists() || !(anchor.is_empty() || has_heading()) {
                dead.push(format!("{}: {}", page.name(), target.0));
            }
        }
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

#[test]
fn a_page_of_the_guide_begins_with_a_command_and_ends_with_what_may_go_wrong_and_what_is_next() {
    let folder = Path::new("docs/guide");
    for page in pages() {
        let is_one = page.path.parent() == Some(folder);
        if !is_one || page.path.ends_with("README.md") {
            continue;
        }
        let name = page.name();
        assert!(page.text.lines().count() <= 200, "{name} is too long");
        let first = page
            .text
            .lines()
            .take(10)
            .find(|line| line.starts_with("$ "));
        assert!(first.is_some(), "{name} begins without a command");
        let end = page.text.split("\n## When it goes wrong\n").nth(1);
        let is_end = |end: &str| {
            ["\n## Next\n", "\nNext: "]
                .iter()
                .any(|it| end.contains(it))
        };
        assert!(end.is_some_and(is_end), "{name} does not say what next");
    }
}

#[test]
fn sentences_about_faults_in_the_guide_are_those_that_are_reported() {
    let mut said = std::fs::read_to_string(root().join("src/explain.rs")).unwrap();
    for folder in [
        "crates/arena/src",
        "crates/record/src/judge",
        "src/games/checkers",
    ] {
        for file in files(&root().join(folder), "rs") {
            said += &std::fs::read_to_string(file).unwrap();
        }
    }
    // A literal continues after a backslash at the end of its line.
    let mut lines: Vec<&str> = said.split("\\\n").collect();
    lines
        .iter_mut()
        .skip(1)
        .for_each(|line| *line = line.trim_start());
    let said = lines.concat().to_lowercase();
    let page = std::fs::read_to_string(root().join("docs/guide/why-did-it-lose.md")).unwrap();
    let mut sentences = 0;
    let mut quotes = false;
    for line in page.lines() {
        let cell = line
            .strip_prefix("| ")
            .and_then(|row| row.split_once(" | "));
        let Some((cell, _)) = cell else {
            quotes &= line.starts_with("|--");
            continue;
        };
        if cell == "Crownhead says" {
            quotes = true;
        } else if quotes {
            sentences += 1;
            for part in cell
                .split('…')
                .map(|part| part.trim_matches([' ', ',', '\'']))
            {
                assert!(said.contains(&part.to_lowercase()), "{cell}: {part}");
            }
        }
    }
    assert!(sentences > 40, "{sentences}");
}

impl Page {
    fn name(&self) -> std::path::Display<'_> {
        self.path.display()
    }

    fn is_of_guide(&self) -> bool {
        self.path.starts_with("docs/guide") || self.path == Path::new("README.md")
    }

    /// What a reader types: the lines of blocks that begin with a prompt.
    fn typed(&self) -> impl Iterator<Item = &str> {
        self.text.lines().filter_map(|line| line.strip_prefix("$ "))
    }

    /// Pieces of code within prose.
    fn inline_code(&self) -> impl Iterator<Item = &str> {
        let prose = self.text.split("\n```").step_by(2);
        prose.flat_map(|text| text.split('`').skip(1).step_by(2))
    }
}

/// All pages except those about the past.
fn pages() -> Vec<Page> {
    let folders = ["docs", "bots", "examples"].map(|folder| files(&root().join(folder), "md"));
    let top = root()
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let top = top.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let paths = folders.into_iter().flatten().chain(top);
    let paths = paths.filter(|path| !path.ends_with("CHANGELOG.md"));
    let page = |path: PathBuf| Page {
        // A command continues after a backslash at the end of its line.
        text: std::fs::read_to_string(&path).unwrap().replace("\\\n", ""),
        path: path.strip_prefix(root()).unwrap().into(),
    };
    paths.map(page).collect()
}

/// All files below a folder with this ending.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in folder.read_dir().unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path(), ending));
        } else if entry.path().extension().is_some_and(|its| its == ending) {
            found.push(entry.path());
        }
    }
    found
}

fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap().into()
}

/// The commands of this program in a line for a shell, without what the shell itself reads.
fn commands_of_ours(typed: &str) -> Vec<Vec<String>> {
    let spaced = typed.replace("; ", " ; ").replace(") ", " ) ");
    let spaced = spaced.replace("cargo run --release -- ", "crownhead ");
    let words = shlex::split(&spaced).expect("quotes in pairs");
    let ends = ["|", "&&", ";", "&", ">", ">>", "<", ")"];
    let commands = words.split(|word| ends.contains(&word.as_str()));
    let is_before = |word: &&String| ["if", "!"].contains(&word.as_str()) || word.contains('=');
    let own = commands.map(|words| words.iter().skip_while(is_before).cloned().collect());
    own.filter(|words: &Vec<String>| words.first().is_some_and(|word| word == "crownhead"))
        .collect()
}

fn add_options(command: &clap::Command, known: &mut BTreeSet<String>) {
    let shown = command.get_arguments().filter(|it| !it.is_hide_set());
    for argument in shown {
        let names = argument.get_long_and_visible_aliases().unwrap_or_default();
        known.extend(names.iter().map(|name| format!("--{name}")));
    }
    for inner in command.get_subcommands() {
        add_options(inner, known);
    }
}

/// The headings of a page without their marks, except its title.
fn headings(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.split("\n```").step_by(2);
    let lines = prose.flat_map(str::lines);
    lines.filter_map(|line| {
        line.strip_prefix("##")
            .map(|rest| rest.trim_matches(['#', ' ']))
    })
}

/// What GitHub makes of a heading in a link.
fn slug(heading: &str) -> String {
    let kept = |letter: &char| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter);
    let letters = heading.chars().filter(kept);
    letters.collect::<String>().to_lowercase().replace(' ', "-")
}
