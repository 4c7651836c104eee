//! The words of a PDN file, each with its place.

/// What is wrong with a game of a PDN file, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}: line {line}, column {column}: {reason}")]
pub struct PdnError {
    /// The number of the game, by its place in the file.
    pub game: u64,
    /// The number of the line.
    pub line: usize,
    /// The number of the character in it, from 1.
    pub column: usize,
    /// What is wrong and what was expected.
    pub reason: String,
}

/// The sign between the squares of a move.
pub(super) const DASHES: [char; 4] = ['-', 'x', 'X', ':'];

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    line: usize,
    column: usize,
}

impl Place {
    pub(super) fn error(self, reason: impl Into<String>) -> Misread {
        (self, reason.into())
    }

    /// The error of the game of this number.
    pub(super) fn of_game(self, game: u64, reason: String) -> PdnError {
        let Place { line, column } = self;
        PdnError {
            game,
            line,
            column,
            reason,
        }
    }
}

/// What is wrong, and where.
pub(super) type Misread = (Place, String);

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A header: its name and its value.
    Header(String, String),
    /// Anything else: a move, its number, a result.
    Word(String),
}

/// All words of a file. Variations, in round brackets, comments in braces or after a semicolon, and lines that begin with a percent
/// sign are left out. After unreadable text, the words continue with the next line or header.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = (Place, Result<Token, Misread>)> {
    let mut scanner = Scanner {
        rest: text.trim_start_matches('\u{feff}'),
        place: Place { line: 1, column: 1 },
    };
    std::iter::from_fn(move || {
        scanner.pass_over();
        let (begin, place) = (scanner, scanner.place);
        let token = scanner.token()?;
        if token.is_err() {
            scanner = begin;
            let in_header = scanner.rest.starts_with('[');
            while scanner.until('\n').is_some() && !in_header && !scanner.rest.starts_with('[') {}
        }
        Some((place, token))
    })
}

#[derive(Clone, Copy)]
struct Scanner<'a> {
    rest: &'a str,
    place: Place,
}

impl Scanner<'_> {
    /// White space and text for other programs.
    fn pass_over(&mut self) {
        while let Some(next) = self.rest.chars().next() {
            match next {
                _ if next.is_whitespace() => drop(self.take()),
                ';' => drop(self.until('\n')),
                '%' if self.place.column == 1 => drop(self.until('\n')),
                _ => return,
            }
        }
    }

    fn token(&mut self) -> Option<Result<Token, Misread>> {
        let place = self.place;
        Some(match self.rest.chars().next()? {
            '[' => self.header(),
            '{' => {
                if self.until('}').is_none() {
                    return Some(Err(place.error("this comment does not end; expected `}`")));
                }
                self.pass_over();
                return self.token();
            }
            '(' => {
                if let Err(error) = self.variation(place) {
                    return Some(Err(error));
                }
                self.pass_over();
                return self.token();
            }
            next @ ('}' | ')' | ']') => Err(place.error(format!("`{next}` closes nothing"))),
            _ => Ok(Token::Word(self.word())),
        })
    }

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

    /// Consumes the text up to `end`; `None` if there is no `end`.
    fn until(&mut self, end: char) -> Option<()> {
        while self.take()? != end {}
        Some(())
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
            // `11 - 15`: a move may have spaces around its dash.
            let after = self.rest.trim_start_matches([' ', '\t']);
            let goes_on = word.bytes().all(|byte| byte.is_ascii_digit())
                && after.starts_with(DASHES)
                || word.ends_with(DASHES) && after.starts_with(|next: char| next.is_ascii_digit());
            if goes_on {
                self.spaces();
            }
        }
        word
    }

    /// `[Name "value"]`, with `\"` for a quote in the value.
    fn header(&mut self) -> Result<Token, Misread> {
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

    fn variation(&mut self, begin: Place) -> Result<(), Misread> {
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
