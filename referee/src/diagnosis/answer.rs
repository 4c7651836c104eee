//! What an illegal reply tells by itself, beside the moves that were listed.

use crate::table::excerpt;

/// What this reply, which is not among `moves`, has to do with them.
pub(super) fn explain(reply: &str, moves: &[&str]) -> Option<String> {
    place(reply, moves)
        .or_else(|| spelled_otherwise(reply, moves))
        .or_else(|| among_words(reply, moves))
}

/// A number that may be the place of a move in the list.
fn place(reply: &str, moves: &[&str]) -> Option<String> {
    let number: usize = reply.parse().ok()?;
    let from_0 = moves.get(number);
    let from_1 = number.checked_sub(1).and_then(|place| moves.get(place));
    Some(match (from_0, from_1) {
        (Some(first), None) => format!(
            "`{number}` is a number: if it is the place of a move in the list, counted from 0, answer the move itself: \
             `{first}`"
        ),
        (Some(from_0), Some(from_1)) => format!(
            "`{number}` is a number: if it is the place of a move in the list, answer the move itself: `{from_0}` \
             counted from 0, `{from_1}` counted from 1"
        ),
        (None, Some(last)) => format!(
            "`{number}` is the number of moves, or the place of the last of them, counted from 1: answer a move itself, \
             such as `{last}`"
        ),
        (None, None) => return None,
    })
}

/// The squares of one listed move, with something between them.
fn spelled_otherwise(reply: &str, moves: &[&str]) -> Option<String> {
    let mut squares = String::new();
    let mut letters = reply.chars();
    while let Some(letter) = letters.next() {
        match letter {
            'a'..='h' | 'A'..='H' => {
                squares.push(letter);
                squares.push(letters.next().filter(|digit| matches!(digit, '1'..='8'))?);
            }
            'x' | 'X' => {}
            _ if letter.is_alphanumeric() => return None,
            _ => {}
        }
    }
    // What differs in case alone, the verdict tells.
    let same =
        |listed: &&&str| listed.eq_ignore_ascii_case(&squares) && squares.len() < reply.len();
    let listed = moves.iter().find(same)?;
    Some(format!(
        "write the move exactly as it is listed: `{listed}`, without anything else on its line"
    ))
}

/// Listed moves among other words, or several of them.
fn among_words(reply: &str, moves: &[&str]) -> Option<String> {
    let words = reply.split(|letter: char| !letter.is_alphanumeric());
    let named: Vec<&str> = words.filter(|word| moves.contains(word)).collect();
    match named[..] {
        [] => None,
        [only] => Some(format!(
            "answer the move alone: `{only}`, without other words on its line"
        )),
        [first, ..] => Some(format!(
            "`{}` has {} of the listed moves in one line: a turn is answered with one move, such as `{first}`",
            excerpt(reply),
            named.len()
        )),
    }
}
