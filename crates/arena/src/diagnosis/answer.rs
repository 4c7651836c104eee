//! What an illegal reply shows by itself, compared with the listed moves.

use crownhead_record::text::excerpt;

/// What this reply, which is not among `moves`, has to do with them.
pub(super) fn explain(reply: &str, moves: &[&str]) -> Option<String> {
    place(reply, moves)
        .or_else(|| spelled_otherwise(reply, moves))
        .or_else(|| among_words(reply, moves))
}

/// A number that may be the place of a move in the list.
fn place(reply: &str, moves: &[&str]) -> Option<String> {
    let number: usize = reply.parse().ok()?;
    let listed = moves.get(number.saturating_sub(1))?;
    let what = match number == moves.len() {
        true => "is the number of moves, or the place of the last one",
        false => "is a number: if it is the place of a move in the list",
    };
    Some(format!(
        "`{number}` {what}, answer the move itself, such as `{listed}`"
    ))
}

/// The squares of one listed move, with something between them.
fn spelled_otherwise(reply: &str, moves: &[&str]) -> Option<String> {
    // A capture's `x` is none of their letters.
    let squares: String = reply
        .chars()
        .filter(|letter| letter.is_alphanumeric() && !matches!(letter, 'x' | 'X'))
        .collect();
    // The verdict reports a difference in case only.
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

#[cfg(test)]
mod tests {
    fn told(reply: &str) -> String {
        super::explain(reply, &["B4A5", "E3D4"]).unwrap_or_default()
    }

    #[test]
    fn a_listed_move_with_something_around_it_is_reported() {
        for reply in [
            "MOVE B4A5",
            "B4A5 0",
            "['B4A5' 1]",
            "B4A5 C3B4",
            "MOVE B4A5!",
        ] {
            let alone = "answer the move alone: `B4A5`, without other words on its line";
            assert_eq!(told(reply), alone, "{reply}");
        }
        for reply in ["B4A5 E3D4", "['B4A5', 'E3D4']", "B4A5 B4A5"] {
            assert!(
                told(reply).contains("has 2 of the listed moves in one line"),
                "{reply}"
            );
        }
    }

    #[test]
    fn a_listed_move_spelled_otherwise_is_reported() {
        for reply in [
            "B4-A5", "b4xa5", "B4 A5", "B4:A5", "(B4,A5)", "b4 -> a5", "\"B4A5\"", "B4A5;",
        ] {
            let exactly =
                "write the move exactly as it is listed: `B4A5`, without anything else on its line";
            assert_eq!(told(reply), exactly, "{reply}");
        }
    }

    #[test]
    fn a_number_is_reported_with_a_move_that_it_may_stand_for() {
        assert!(told("0").ends_with("answer the move itself, such as `B4A5`"));
        assert!(told("2").ends_with("answer the move itself, such as `E3D4`"));
    }

    #[test]
    fn a_reply_that_has_nothing_to_do_with_the_list_is_told_nothing() {
        let replies = [
            "b4a5", "B4A6", "B4", "B4A5C6", "A5B4", "i4a5", "hello", "3", "-1", "0.5", "1e3", "",
        ];
        for reply in replies {
            assert_eq!(told(reply), "", "{reply}");
        }
    }
}
