//! How a command is split into words on Windows: a backslash is a letter like others. Single quotes serve where a shell
//! has used up the double ones, and begin a word, because names such as `O'Brien` have one too.

/// The words of a command; `None` if its quotes do not match. Two double quotes within quotes are one of the word.
pub fn split_words(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = command.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some('"'), '"') if letters.next_if_eq(&'"').is_some() => {
                word.get_or_insert_default().push('"')
            }
            (Some(mark), _) if letter == mark => quote = None,
            (None, _) if letter == '"' || letter == '\'' && word.is_none() => {
                word.get_or_insert_default();
                quote = Some(letter);
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// The command of these words, as a person could type it.
pub fn join_words(words: &[String]) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || r"\/:._-=+".contains(letter);
    let quoted = words.iter().map(
        |word| match word.is_empty() || !word.chars().all(is_plain) {
            true => format!("\"{}\"", word.replace('"', "\"\"")),
            false => word.clone(),
        },
    );
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backslash_is_literal_and_blanks_are_quoted() {
        for (command, words) in [
            (
                r"C:\bots\bot.exe --depth 3",
                &[r"C:\bots\bot.exe", "--depth", "3"][..],
            ),
            (r#""C:\my bots\" x"#, &[r"C:\my bots\", "x"]),
            (r"'C:\my bots\bot.exe'  -x", &[r"C:\my bots\bot.exe", "-x"]),
            (r"C:\Users\O'Brien\bot.exe", &[r"C:\Users\O'Brien\bot.exe"]),
            (r#"--net="my net" "" ''"#, &["--net=my net", "", ""]),
            (r#""a""b" '"' "'""#, &["a\"b", "\"", "'"]),
            ("  ", &[]),
        ] {
            assert_eq!(split_words(command).unwrap(), words, "{command}");
        }
        for command in ["\"a", "'a", "\"\"\""] {
            assert_eq!(split_words(command), None, "{command}");
        }
    }

    #[test]
    fn words_are_joined_so_that_they_are_split_again() {
        let words = [
            r"C:\my bots\",
            "",
            "a\"b",
            "'a b' c",
            "a&b",
            "O'Brien",
            r"\\pc\x",
        ]
        .map(String::from);
        let joined = join_words(&words);
        assert_eq!(split_words(&joined).unwrap(), words, "{joined}");
        assert_eq!(
            join_words(&[r".\bot.exe".into(), "a b".into()]),
            ".\\bot.exe \"a b\""
        );
    }
}
