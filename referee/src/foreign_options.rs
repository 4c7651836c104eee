//! Options of other programs that people type here, and what they are called here: those of cutechess-cli, fastchess and
//! brutaltester, and guesses.

use std::ffi::OsString;

/// A line for each thing to say: what other programs call it, without dashes, and what to type here.
const OPTIONS: &str = include_str!("foreign_options.txt");

/// A test counts pairs.
const PAIRS: &str = "The number of pairs (2 games each) at most is `--max-pairs 2000`";

/// What to type instead of this option of a match or a test, if another program has it.
pub(crate) fn advice(words: &[OsString], option: &str) -> Option<String> {
    let name = option.trim_start_matches('-').split('=').next()?;
    let command = words.first()?.to_str()?;
    if !["match", "sprt"].contains(&command) {
        return None;
    }
    let mut known = OPTIONS.lines().filter_map(|line| line.split_once(": "));
    let (_, advice) = known.find(|(names, _)| names.split(' ').any(|known| known == name))?;
    let counts_games = advice.starts_with("The number of games is");
    let advice = if counts_games && command == "sprt" {
        PAIRS
    } else {
        advice
    };
    Some(format!(
        "`crownhead {command}` has no option `{option}`. {advice}"
    ))
}

/// The same for the first long option with a single dash, as other programs have them: here it would be read as several
/// short ones.
pub(crate) fn single_dashed(words: &[OsString]) -> Option<String> {
    let options = words.iter().filter_map(|word| word.to_str());
    let options = options.take_while(|word| *word != "--");
    let mut long =
        options.filter(|word| word.len() > 2 && word.starts_with('-') && !word.starts_with("--"));
    long.find_map(|word| advice(words, word))
}

#[cfg(test)]
mod tests {
    use super::{OPTIONS, advice, single_dashed};
    use crate::command_line;
    use std::ffi::OsString;

    #[test]
    fn an_option_of_another_program_is_answered_with_the_one_here() {
        let words = |line: &str| -> Vec<OsString> { line.split(' ').map(Into::into).collect() };
        let told = |line| single_dashed(&words(line)).unwrap_or_default();
        assert_eq!(
            advice(&words("match a b --tc 1"), "--tc").unwrap(),
            "`crownhead match` has no option `--tc`. The time limit of a turn is `--time 100ms`"
        );
        let of_a_test = advice(&words("sprt a b"), "--rounds=10").unwrap();
        assert!(of_a_test.contains("--max-pairs 2000"), "{of_a_test}");
        assert!(told("match -rounds 10 a b").contains("--games 100"));
        assert!(told("match a b -openings file=x").contains("--openings FILE"));
        for line in [
            "match a b -g4 -q",
            "match a b -- -games",
            "bundle -output x",
        ] {
            assert_eq!(told(line), "");
        }
        assert_eq!(advice(&words("bench --nodes 3"), "--nodes"), None);
        assert_eq!(advice(&words("match a b"), "--colour"), None);
    }

    #[test]
    fn everything_that_the_page_names_exists() {
        let program = command_line();
        let of = |command: &str| -> Vec<String> {
            let arguments = program.find_subcommand(command).unwrap().get_arguments();
            arguments
                .filter_map(|it| it.get_long().map(|long| format!("--{long}")))
                .collect()
        };
        let known = ["match", "sprt", "serve"].map(of).concat();
        let of_a_bot = ["--nodes"];
        for line in OPTIONS.lines() {
            let named = line
                .split([' ', '`', ';', ','])
                .filter(|word| word.starts_with("--"));
            for option in named.filter(|option| !of_a_bot.contains(option)) {
                assert!(known.iter().any(|it| it == option), "{option}: {line}");
            }
        }
    }
}
