//! Cuts a file into the texts of its games: one game, a list, or one game a line; packed by gzip or not.

use super::fields::game_of;
use super::tree::tree;
use super::{SiteError, SiteGame};
use crate::format_error::plain_format;
use crate::input::{BYTE_ORDER_MARK, expect_utf8};
use flate2::bufread::MultiGzDecoder;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::error::Category;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

/// The most bytes of a game. The engine allows 1 Mi characters for all views of a game (`VIEW_DATA_TOTAL_HARD_QUOTA` in
/// `GameManager.java`), and what a page loads holds the viewer's script, too.
const LARGEST_GAME: usize = 32 << 20;

/// The bytes by which a file that gzip has packed begins (RFC 1952, 2.3.1).
const GZIP: &[u8] = &[0x1f, 0x8b];

/// What of its keys tells a record of ours.
#[derive(Deserialize)]
#[expect(dead_code, reason = "they only have to be there")]
struct AnyRecord {
    version: IgnoredAny,
    turns: IgnoredAny,
}

/// Whether a file begins as those of the site do: packed, with a list, or with an object that is no record of ours.
///
/// # Errors
/// When it cannot be read.
pub fn is_site_file(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    let file = File::open(path)?.take(LARGEST_GAME as u64);
    BufReader::new(file).read_until(b'\n', &mut start)?;
    let text = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&start);
    Ok(match text.trim_ascii_start() {
        [b'[', rest @ ..] => matches!(rest.trim_ascii_start(), [] | [b'{', ..]),
        // A damaged record begins so; a tool may have sorted the keys of a whole one.
        [b'{', rest @ ..] if rest.starts_with(b"\"version\"") => false,
        object @ [b'{', ..] => serde_json::from_slice::<AnyRecord>(object).is_err(),
        other => other.starts_with(GZIP),
    })
}

/// The games of a file, in order. A game that cannot be read leaves the others readable, unless the file is one list.
#[derive(Debug)]
pub struct SiteGames<R> {
    input: R,
    /// The number of the line that is read, from 1.
    line: usize,
    is_list: bool,
    /// Whether each game has a line of its own, so that a damaged one ends with its line.
    one_a_line: bool,
    has_ended: bool,
}

impl SiteGames<Box<dyn BufRead>> {
    /// Those of this file.
    ///
    /// # Errors
    /// When it cannot be opened, or is written in UTF-16.
    pub fn open(path: &Path) -> io::Result<SiteGames<Box<dyn BufRead>>> {
        let mut input = BufReader::new(File::open(path)?);
        let is_packed = input.fill_buf()?.starts_with(GZIP);
        SiteGames::new(match is_packed {
            true => Box::new(BufReader::new(MultiGzDecoder::new(input))),
            false => Box::new(input),
        })
    }
}

impl<R: BufRead> SiteGames<R> {
    /// Those of this text.
    ///
    /// # Errors
    /// When it cannot be read, or is written in UTF-16.
    pub fn new(mut input: R) -> io::Result<SiteGames<R>> {
        let start = input.fill_buf()?;
        expect_utf8(start)?;
        if start.starts_with(BYTE_ORDER_MARK) {
            input.consume(BYTE_ORDER_MARK.len());
        }
        Ok(SiteGames {
            input,
            line: 1,
            is_list: false,
            one_a_line: false,
            has_ended: false,
        })
    }

    fn next_byte(&mut self) -> io::Result<Option<u8>> {
        let byte = loop {
            match self.input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                chunk => break chunk?.first().copied(),
            }
        };
        self.input.consume(usize::from(byte.is_some()));
        self.line += usize::from(byte == Some(b'\n'));
        Ok(byte)
    }

    /// Goes on behind what is no game: with the next line where each game has one, and else nowhere.
    fn give_up(&mut self) -> io::Result<()> {
        self.has_ended = !self.one_a_line;
        if self.one_a_line {
            self.input.skip_until(b'\n')?;
            self.line += 1;
        }
        Ok(())
    }

    /// The text of an object whose first brace has been read, as far as it goes; `None` if it is too long.
    fn object(&mut self) -> io::Result<Option<Vec<u8>>> {
        let (first_line, mut depth) = (self.line, 1);
        let (mut in_text, mut is_escaped) = (false, false);
        let mut object = vec![b'{'];
        while depth > 0 {
            let byte = match self.next_byte()? {
                Some(b'\n') if in_text || self.one_a_line => break,
                None => break,
                Some(byte) => byte,
            };
            if object.len() == LARGEST_GAME {
                self.give_up()?;
                return Ok(None);
            }
            object.push(byte);
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = in_text,
                b'"' => in_text = !in_text,
                b'{' | b'[' if !in_text => depth += 1,
                b'}' | b']' if !in_text => depth -= 1,
                _ => {}
            }
        }
        self.one_a_line |= depth == 0 && self.line == first_line && !self.is_list;
        Ok(Some(object))
    }

    /// The next game or its error; `None` at the end.
    fn next_game(&mut self) -> io::Result<Option<Result<SiteGame, SiteError>>> {
        while !self.has_ended
            && let Some(byte) = self.next_byte()?
        {
            let line = self.line;
            let game = match byte {
                b'[' => {
                    self.is_list = true;
                    continue;
                }
                b']' | b',' | b'\n' => continue,
                byte if byte.is_ascii_whitespace() => continue,
                b'{' => match self.object()? {
                    Some(text) => read(&text),
                    None => Err(format!(
                        "it goes on after {LARGEST_GAME} bytes; expected a game of the site"
                    )),
                },
                _ => {
                    self.give_up()?;
                    Err("it is not JSON; expected games of the site".into())
                }
            };
            let game = game.map(|game| SiteGame { line, ..game });
            return Ok(Some(game.map_err(|why| SiteError::Game { line, why })));
        }
        Ok(None)
    }
}

impl<R: BufRead> Iterator for SiteGames<R> {
    type Item = Result<SiteGame, SiteError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_game().unwrap_or_else(|error| {
            self.has_ended = true;
            Some(Err(SiteError::File(error)))
        })
    }
}

/// The game of this text, or what is wrong with it.
fn read(text: &[u8]) -> Result<SiteGame, String> {
    let tree = tree(text).map_err(|error| match error.classify() {
        Category::Eof => "it is cut off".into(),
        Category::Data => plain_format(&error.to_string()),
        Category::Syntax | Category::Io => "it is not JSON".to_string(),
    })?;
    game_of(&tree)
}
