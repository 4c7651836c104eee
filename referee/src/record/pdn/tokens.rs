//! The words of a PDN file, each with its place.

/// What is wrong in a PDN file, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct PdnError {
    /// The number of the line.
    pub line: usize,
    /// The number of the character in it, from 1.
    pub column: usize,
    /// What is wrong and what was expected.
    pub reason: String,
}

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    line: usize,
    column: usize,
}

impl Place {
    pub(super) fn error(self, reason: impl Into<String>) -> PdnError {
        PdnError {
            line: self.line,
            column: self.column,
            reason: reason.into(),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A header: its name and its value.
    Header(String, String),
    /// What stands in braces.
    Comment(String),
    /// Anything else: a move, its number, a result.
    Word(String),
}

/// All words of a file. Variations, in round brackets, are left out.
pub(super) fn tokens(text: &str) -> Result<Vec<(Place, Token)>, PdnError> {
    let mut scanner = Scanner {
        rest: text.trim_start_matches('\u{feff}'),
        place: Place { line: 1, column: 1 },
    };
    let mut found = Vec::new();
    while let Some(next) = scanner.rest.chars().next() {
        let place = scanner.place;
        match next {
            _ if next.is_whitespace() => drop(scanner.take()),
            '[' => found.push((place, scanner.header()?)),
            '{' => {
                scanner.take();
                let comment = scanner
                    .until('}')
                    .ok_or_else(|| place.error("this comment does not end; expected `}`"))?;
                found.push((place, Token::Comment(comment)));
            }
            ';' => drop(scanner.until('\n')),
            '(' => scanner.variation(place)?,
            '}' | ')' | ']' => return Err(place.error(format!("`{next}` closes nothing"))),
            _ => found.push((place, Token::Word(scanner.word()))),
        }
    }
    Ok(found)
}

struct Scanner<'a> {
    rest: &'a str,
    place: Place,
}

impl Scanner<'_> {
    fn take(&mut self) -> Option<char> {
        let mut letters = self.rest.chars();
        let next = letters.next()?;
        self.rest = letters.as_str();
        if next == '\n' {
            self.place = Place {
                line: self.place.line + 1,
                column: 1,
            };
        } else {
            self.place.column += 1;
        }
        Some(next)
    }

    /// What comes before `end`, which is taken too; `None` when it does not come.
    fn until(&mut self, end: char) -> Option<String> {
        let mut taken = String::new();
        loop {
            match self.take()? {
                next if next == end => return Some(taken),
                next => taken.push(next),
            }
        }
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(next) = self.rest.chars().next() {
            if next.is_whitespace() || "[]{}();".contains(next) {
                break;
            }
            word.push(next);
            self.take();
            // `1.11-15`: a number is a word of its own.
            if next == '.' && !self.rest.starts_with('.') {
                break;
            }
        }
        word
    }

    /// `[Name "value"]`, with `\"` for a quote in the value.
    fn header(&mut self) -> Result<Token, PdnError> {
        self.take();
        let name = self.word();
        self.spaces();
        let place = self.place;
        if name.is_empty() || self.take() != Some('"') {
            return Err(place.error("expected a header such as [Event \"name\"]"));
        }
        let mut value = String::new();
        loop {
            match self.take() {
                Some('"') => break,
                Some('\\') => value.extend(self.take()),
                Some('\n') | None => {
                    return Err(place.error("this value does not end; expected `\"`"));
                }
                Some(next) => value.push(next),
            }
        }
        self.spaces();
        let place = self.place;
        if self.take() != Some(']') {
            return Err(place.error("expected `]` after the value of a header"));
        }
        Ok(Token::Header(name, value))
    }

    fn spaces(&mut self) {
        while self.rest.starts_with([' ', '\t']) {
            self.take();
        }
    }

    fn variation(&mut self, begin: Place) -> Result<(), PdnError> {
        let mut depth = 0;
        loop {
            match self.take() {
                Some('(') => depth += 1,
                Some(')') => depth -= 1,
                Some('{') => drop(self.until('}')),
                Some(_) => {}
                None => return Err(begin.error("this variation does not end; expected `)`")),
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }
}
