//! Parses one line of such a referee: a command after `###`, or text. Leaves out what follows from it.

use std::time::Duration;

/// The most players of a game: `###End` names each of them by one digit.
pub(crate) const MOST_PLAYERS: usize = 10;

/// The most lines that may be asked for at once.
const LINES: usize = 10_000;

/// The longest limit, in milliseconds.
const LONGEST_LIMIT: u64 = 3_600_000;

/// Every command, for errors.
pub(super) const COMMANDS: &str = "one of `###Input PLAYER`, `###Output PLAYER LINES`, `###Error PLAYER TEXT`, \
     `###End PLAYERS`, `###Limit MS`, `###Show`, `###Legal`, `###Score PLAYER NUMBER`, `###Reason TEXT`";

/// A parsed line.
#[derive(PartialEq, Debug)]
pub(super) enum Command<'a> {
    /// The lines that follow are sent to this player.
    Input(usize),
    /// This player must answer this many lines.
    Output(usize, usize),
    /// This player has failed, and why.
    Error(usize, &'a str),
    /// The places: players, best first, those of a tie in one word.
    End(Vec<&'a str>),
    /// The limit of the next output.
    Limit(Duration),
    /// The lines that follow show the board.
    Show,
    /// The lines that follow are the legal answers to the next output.
    Legal,
    /// The final score of this player.
    Score(usize, f64),
    /// Why the game ended.
    Reason(&'a str),
    /// A line of the current block.
    Text(&'a str),
}

/// Parses a line in a game of this many players.
///
/// # Errors
/// What was expected, if the line is not valid.
pub(super) fn read(line: &str, players: usize) -> Result<Command<'_>, String> {
    let Some(command) = line.strip_prefix("###") else {
        return Ok(Command::Text(line));
    };
    let (name, rest) = command.split_once(' ').unwrap_or((command, ""));
    let words = rest.trim_end();
    let understood = match name.trim_end() {
        "Input" => player(words, players).map(Command::Input),
        "Output" => output(words, players),
        "Error" => {
            let (failed, text) = rest.split_once(' ').unwrap_or((rest, ""));
            player(failed.trim_end(), players).map(|player| Command::Error(player, text))
        }
        "End" => Some(Command::End(rest.split_whitespace().collect())),
        "Limit" => limit(words),
        "Show" => words.is_empty().then_some(Command::Show),
        "Legal" => words.is_empty().then_some(Command::Legal),
        "Score" => score(words, players),
        "Reason" => Some(Command::Reason(words)),
        _ => None,
    };
    understood.ok_or_else(|| expected(name.trim_end(), players))
}

fn player(text: &str, players: usize) -> Option<usize> {
    text.parse().ok().filter(|&player| player < players)
}

fn output(words: &str, players: usize) -> Option<Command<'_>> {
    let (asked, lines) = words.split_once(' ')?;
    let lines = lines.parse().ok().filter(|&lines| lines <= LINES)?;
    Some(Command::Output(player(asked, players)?, lines))
}

fn limit(words: &str) -> Option<Command<'_>> {
    let limit: u64 = words.parse().ok()?;
    let is_allowed = (1..=LONGEST_LIMIT).contains(&limit);
    is_allowed.then(|| Command::Limit(Duration::from_millis(limit)))
}

fn score(words: &str, players: usize) -> Option<Command<'_>> {
    let (scored, score) = words.split_once(' ')?;
    let score = score.parse().ok().filter(|score: &f64| score.is_finite())?;
    Some(Command::Score(player(scored, players)?, score))
}

/// The expected form of a line with this command.
fn expected(name: &str, players: usize) -> String {
    let last = players.saturating_sub(1);
    match name {
        "Input" => format!("`###Input PLAYER`, with a player from 0 to {last}"),
        "Output" => format!(
            "`###Output PLAYER LINES`, with a player from 0 to {last} and at most {LINES} lines"
        ),
        "Error" => format!("`###Error PLAYER TEXT`, with a player from 0 to {last}"),
        "Limit" => format!("`###Limit MS`, with 1 to {LONGEST_LIMIT} milliseconds"),
        "Show" | "Legal" => format!("`###{name}` alone in its line, and its text in those below"),
        "Score" => {
            format!("`###Score PLAYER NUMBER`, with a player from 0 to {last} and a finite number")
        }
        _ => COMMANDS.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_command_or_text() {
        let limit = Duration::from_millis(50);
        for (line, told) in [
            ("###Output 1 2", Command::Output(1, 2)),
            ("###Error 0 is late", Command::Error(0, "is late")),
            ("###End 1 0 ", Command::End(vec!["1", "0"])),
            ("###Limit 50", Command::Limit(limit)),
            ("###Show", Command::Show),
            ("###Legal ", Command::Legal),
            ("###Score 1 -2.5", Command::Score(1, -2.5)),
            ("###Reason four in a row", Command::Reason("four in a row")),
            (" ###Show", Command::Text(" ###Show")),
        ] {
            assert_eq!(read(line, 2), Ok(told), "{line}");
        }
    }

    #[test]
    fn an_unknown_command_is_answered_with_what_it_accepts() {
        for (line, sentence) in [
            ("###Input 2", "`###Input PLAYER`, with a player from 0 to 1"),
            ("###Input", "`###Input PLAYER`, with"),
            ("###Output 0", "`###Output PLAYER LINES`, with"),
            ("###Output 0 10001", "at most 10000 lines"),
            ("###Error x", "`###Error PLAYER TEXT`, with"),
            ("###Limit", "1 to 3600000 milliseconds"),
            ("###Limit 0", "1 to 3600000 milliseconds"),
            ("###Limit 3600001", "1 to 3600000 milliseconds"),
            ("###Show board", "`###Show` alone in its line"),
            ("###Legal 1", "`###Legal` alone in its line"),
            ("###Score 0", "`###Score PLAYER NUMBER`, with"),
            ("###Score 2 5", "a player from 0 to 1"),
            ("###Score 0 nan", "a finite number"),
            ("###News", "one of `###Input PLAYER`, "),
            ("###", "one of `###Input PLAYER`, "),
        ] {
            let expected = read(line, 2).unwrap_err();
            assert!(expected.contains(sentence), "{line}: {expected}");
        }
    }
}
