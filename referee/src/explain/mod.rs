//! `crownhead explain`: what the name of a fault means. The texts are in [`texts`].

mod texts;

use crate::failure::{Failure, usage};
use crate::words::paragraph;
use clap::{Args, ValueEnum};
use crownhead_record::Termination;
use crownhead_record::text::printable;
use std::io::{self, Write};
use texts::text;

/// Explain a fault: what it means, its usual causes, and the fix
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead explain timeout
  crownhead explain",
    after_long_help = "\
Without a name it lists all faults, and the other ways in which a game can end. The names are those in tables, in records \
and in `crownhead ladder games --termination`.

Exit status: 0 the text was printed; 2 there is no such fault."
)]
pub(super) struct Explain {
    /// Name of a fault, such as illegal-reply [default: list all]
    #[arg(value_name = "FAULT", num_args = 0..)]
    words: Vec<String>,
}

impl Explain {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        if self.words.is_empty() {
            return Ok(write_list(&mut out)?);
        }
        let asked = self.words.join(" ");
        match find(&asked) {
            Ok(ending) => Ok(write_text(ending, &mut out)?),
            Err(near) => {
                let asked = printable(&asked);
                let guess = near.map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
                Err(usage(format_args!(
                    "no fault is called `{asked}`.{guess} `crownhead explain` lists them all"
                )))
            }
        }
    }
}

/// The ending that a person means by these words: its name in records or in tables, or a synonym. If there is none, the
/// name of the ending that is spelled most alike, if one is.
fn find(words: &str) -> Result<Termination, Option<String>> {
    let asked = joined(words);
    let known = Termination::value_variants().iter().flat_map(|&ending| {
        let names = [ending.name(), joined(&ending.to_string())];
        let synonyms = text(ending).synonyms.iter().map(|word| (*word).into());
        let all = names.into_iter().chain(synonyms);
        all.map(move |known: String| (known, ending))
    });
    let distances = known.map(|(known, ending)| {
        let distance = strsim::damerau_levenshtein(&known, &asked);
        (distance, known.len(), ending)
    });
    let nearest = distances.min_by_key(|(distance, ..)| *distance);
    match nearest {
        Some((0, _, ending)) => Ok(ending),
        // A third of the letters may be wrong.
        Some((distance, length, ending)) if 3 * distance <= length => Err(Some(ending.name())),
        _ => Err(None),
    }
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
    let all = Termination::value_variants().iter().copied();
    let (faults, others): (Vec<_>, Vec<_>) = all.partition(|ending| ending.is_fault());
    let widest = Termination::value_variants().iter();
    let widest = widest.map(|ending| ending.name().len()).max().unwrap_or(0);
    for (heading, endings) in [("Faults", faults), ("Other ways to end", others)] {
        writeln!(out, "{heading}:")?;
        for ending in endings {
            let name = ending.name();
            writeln!(out, "  {name:widest$}  {}", text(ending).summary)?;
        }
        writeln!(out)?;
    }
    writeln!(out, "`crownhead explain timeout` explains one of them.")
}

fn write_text(ending: Termination, out: &mut impl Write) -> io::Result<()> {
    let text = text(ending);
    writeln!(out, "{}: {}", ending.name(), text.summary)?;
    for meaning in text.meaning {
        writeln!(out, "\n{}", paragraph("", meaning))?;
    }
    write_items("Usual causes", text.causes, out)?;
    if !text.find.is_empty() {
        writeln!(out, "\nHow to find the cause:")?;
        for (command, shows) in text.find {
            writeln!(out, "  {command}\n{}", paragraph("      ", shows))?;
        }
    }
    write_items("How to fix it", text.fix, out)
}

fn write_items(heading: &str, items: &[&str], out: &mut impl Write) -> io::Result<()> {
    if !items.is_empty() {
        writeln!(out, "\n{heading}:")?;
    }
    let mut items = items.iter();
    items.try_for_each(|item| writeln!(out, "{}", paragraph("  ", &format!("- {item}"))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[test]
    fn each_fault_has_causes_commands_and_a_fix_and_each_command_can_be_typed() {
        for &ending in Termination::value_variants() {
            let text = text(ending);
            let is_whole = !text.summary.is_empty() && !text.meaning.is_empty();
            assert!(is_whole, "{ending}");
            let explained = [text.causes.len(), text.find.len(), text.fix.len()];
            let expected = ending.is_fault();
            assert!(
                explained.map(|parts| parts > 0) == [expected; 3],
                "{ending}"
            );
            for (command, _) in text.find {
                let words = shlex::split(command).unwrap();
                crate::Arguments::try_parse_from(words)
                    .unwrap_or_else(|error| panic!("{command}: {error}"));
            }
        }
    }

    #[test]
    fn a_fault_is_found_by_its_names_and_a_misspelt_one_is_guessed() {
        for words in [
            "illegal-reply",
            "illegal reply",
            "Illegal_Reply",
            "illegal move",
        ] {
            assert_eq!(find(words), Ok(Termination::IllegalReply), "{words}");
        }
        // Records say `exit`, tables say `left the game`.
        for words in ["exit", "left the game"] {
            assert_eq!(find(words), Ok(Termination::Exit), "{words}");
        }
        assert_eq!(find("flood"), Ok(Termination::UnreadableReply));
        assert_eq!(find("timout"), Err(Some("timeout".into())));
        assert_eq!(find("ilegal-replies"), Err(Some("illegal-reply".into())));
        assert_eq!(find("weather"), Err(None));
    }

    #[test]
    fn no_word_means_two_endings() {
        let mut all: Vec<String> = Vec::new();
        for &ending in Termination::value_variants() {
            let mut own = vec![ending.name(), joined(&ending.to_string())];
            own.extend(text(ending).synonyms.iter().map(|word| (*word).into()));
            own.sort();
            own.dedup();
            all.extend(own);
        }
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
