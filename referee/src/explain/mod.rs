//! `crownhead explain`: what the name of a fault means. The texts are in `faults.md`.

use crate::failure::{Failure, usage};
use crate::words::paragraph;
use clap::Args;
use crownhead_record::format_error::unknown_name;
use std::io::{self, Write};

/// Explain a fault: what it means, its usual causes, and the fix
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead explain timeout
  crownhead explain",
    after_long_help = "\
Without a name it lists all faults, and the other ways in which a game can end. The names are those in tables, in records \
and in `crownhead replay --list --termination`.

Exit status: 0 the text was printed; 2 there is no such fault."
)]
pub(super) struct Explain {
    /// Name of a fault, such as illegal-reply [default: list all]
    #[arg(value_name = "FAULT", num_args = 0..)]
    words: Vec<String>,
}

/// A section of the second level for each ending; a blank line ends a block.
const TEXT: &str = include_str!("faults.md");

impl Explain {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        if self.words.is_empty() {
            return Ok(write_list(&mut out)?);
        }
        Ok(find(&self.words.join(" "))
            .map_err(usage)?
            .write(&mut out)?)
    }
}

/// What is said of one ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Section<'a> {
    /// Its name in records and options.
    name: &'a str,
    summary: &'a str,
    /// Other words for it, separated by commas.
    words: &'a str,
    /// Paragraphs, headings and lists.
    text: &'a str,
}

impl<'a> Section<'a> {
    /// Below a heading of the second level.
    fn read(text: &'a str) -> Option<Section<'a>> {
        let (heading, text) = text.split_once('\n')?;
        let (name, summary) = heading.split_once(": ")?;
        let text = text.split("\n# ").next()?.trim();
        let words = text.strip_prefix("<!-- ");
        let words = words.and_then(|text| text.split_once(" -->"));
        let (words, text) = words.unwrap_or(("", text));
        Some(Section {
            name,
            summary,
            words,
            text: text.trim(),
        })
    }

    fn names(self) -> impl Iterator<Item = &'a str> {
        let words = self.words.split(", ").filter(|word| !word.is_empty());
        [self.name].into_iter().chain(words)
    }

    fn write(self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}: {}", self.name, self.summary)?;
        for block in self.text.split("\n\n") {
            if let Some(heading) = block.strip_prefix("**") {
                writeln!(out, "\n{}:", heading.trim_end_matches('*'))?;
            } else if let Some(list) = block.strip_prefix("- ") {
                for item in list.split("\n- ") {
                    writeln!(out, "{}", paragraph("  ", &format!("- {}", one_line(item))))?;
                }
            } else {
                writeln!(out, "\n{}", paragraph("", &one_line(block)))?;
            }
        }
        Ok(())
    }
}

fn one_line(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

fn sections(text: &str) -> impl Iterator<Item = Section<'_>> {
    text.split("\n## ").skip(1).filter_map(Section::read)
}

/// The section that a person means by these words: its name, or another word for it.
fn find(words: &str) -> Result<Section<'static>, String> {
    let asked = joined(words);
    let mut all = sections(TEXT);
    let section = all.find(|section| section.names().any(|name| name == asked));
    section.ok_or_else(|| {
        let known: Vec<&str> = sections(TEXT).flat_map(Section::names).collect();
        unknown_name("fault", &asked, &known)
    })
}

/// Words as one name: `Illegal reply` is `illegal-reply`.
fn joined(words: &str) -> String {
    let parts = words.split(|letter: char| letter.is_whitespace() || "-_".contains(letter));
    let parts: Vec<String> = parts
        .filter(|part| !part.is_empty())
        .map(str::to_lowercase)
        .collect();
    parts.join("-")
}

fn write_list(out: &mut impl Write) -> io::Result<()> {
    let widest = sections(TEXT).map(|section| section.name.len()).max();
    let widest = widest.unwrap_or(0);
    for part in TEXT.split("\n# ").skip(1) {
        let heading = part.lines().next().unwrap_or_default();
        writeln!(out, "{heading}:")?;
        for Section { name, summary, .. } in sections(part) {
            writeln!(out, "  {name:widest$}  {summary}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "`crownhead explain timeout` explains one of them.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Parser, ValueEnum};
    use crownhead_record::Termination;

    #[test]
    fn each_ending_has_a_section_and_each_command_in_it_can_be_typed() {
        for &ending in Termination::value_variants() {
            let section = find(&ending.name()).unwrap();
            assert_eq!(section.name, ending.name());
            // What tables and messages call it.
            assert_eq!(find(&ending.to_string()), Ok(section));
            let parts = [
                "**Usual causes**",
                "**How to find the cause**",
                "**How to fix it**",
            ];
            let has = parts.map(|part| section.text.contains(part));
            assert_eq!(has, [ending.is_fault(); 3], "{ending}");
            let quoted = section.text.split('`').skip(1).step_by(2).map(one_line);
            for command in quoted.filter(|text| text.starts_with("crownhead ")) {
                let words = shlex::split(&command).unwrap();
                crate::Arguments::try_parse_from(words)
                    .unwrap_or_else(|error| panic!("{command}: {error}"));
            }
        }
        let count = Termination::value_variants().len();
        assert_eq!(sections(TEXT).count(), count);
    }

    #[test]
    fn a_fault_is_found_by_its_names_and_a_misspelt_one_is_guessed() {
        let name = |words: &str| find(words).map(|section| section.name);
        for words in [
            "illegal-reply",
            "illegal reply",
            "Illegal_Reply",
            "illegal move",
        ] {
            assert_eq!(name(words), Ok("illegal-reply"), "{words}");
        }
        assert_eq!(name("flood"), Ok("unreadable-reply"));
        let refused = |words| name(words).unwrap_err();
        assert!(refused("timout").contains("Did you mean `timeout`?"));
        assert!(!refused("weather").contains("Did you mean"));
    }

    #[test]
    fn no_word_means_two_endings() {
        let mut all: Vec<&str> = sections(TEXT).flat_map(Section::names).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
