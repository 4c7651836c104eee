//! Text from files and standard input, in bounded memory: lines, and whole files.
//!
//! Lines end with `\n` or `\r\n`. A byte-order mark of UTF-8 is skipped; UTF-16 is reported. Leaves out the
//! output of bots (`seat`).

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

/// The most bytes of a line that a person types, or of a move in a file.
pub const LONGEST_TYPED_LINE: usize = 64 << 10;

/// The most bytes of a line of a game's record: about 300,000 turns, or 1500 replies of the greatest length.
pub const LONGEST_RECORD: usize = 64 << 20;

// A bot's answer as a person types it, and about 200 bytes per turn.
const _: () = assert!(LONGEST_TYPED_LINE >= 10_000 && LONGEST_RECORD >= 200 * 300_000);

/// The most bytes of a line of a file that is read whole.
const LONGEST_LINE: usize = 1 << 20;

/// The most bytes of a file that is read whole: about 30,000 games in PDN.
const LARGEST_FILE: usize = 64 << 20;

/// The error of input that is not text, or of too much of it: [`ErrorKind::InvalidData`], which no stream gives.
fn unfit(told: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, told.into())
}

/// Lines out of a stream of bytes.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    limit: usize,
    line: usize,
    failed: bool,
}

impl<R: BufRead> LineReader<R> {
    /// The lines of `input`, of at most `limit` bytes each.
    pub fn new(input: R, limit: usize) -> LineReader<R> {
        LineReader {
            input,
            limit,
            line: 0,
            failed: false,
        }
    }

    /// The number of the line that was read last, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The next line without its end; `None` at the end, and after an error.
    ///
    /// # Errors
    /// When the stream fails; [`ErrorKind::InvalidData`] when it is not text.
    pub fn next_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        if self.failed {
            return Ok(None);
        }
        let line = self.read_line();
        self.failed = line.is_err();
        line
    }

    fn read_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        // The line's end may come after the limit.
        let most = self.limit as u64 + 2;
        let mut input = (&mut self.input).take(most);
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        self.line += 1;
        if self.line == 1 {
            expect_utf8(&line)?;
            if line.starts_with(BYTE_ORDER_MARK) {
                line.drain(..BYTE_ORDER_MARK.len());
            }
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        line.truncate(text.len());
        if line.len() > self.limit {
            return Err(unfit(format!(
                "line {} goes on after {} bytes; expected lines of text",
                self.line, self.limit
            )));
        }
        Ok(Some(line))
    }
}

/// The byte-order mark with which some editors begin a UTF-8 file.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Refuses a stream with this beginning that is UTF-16 with its byte-order mark, as PowerShell writes it.
pub(crate) fn expect_utf8(beginning: &[u8]) -> io::Result<()> {
    match beginning {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err(unfit(
            "it is written in UTF-16; expected UTF-8: save it again with that encoding",
        )),
        _ => Ok(()),
    }
}

/// The text of a file, every line ended by a line feed.
///
/// # Errors
/// When the file cannot be read; [`ErrorKind::InvalidData`] when it is not text.
pub fn read_text(path: &Path) -> io::Result<String> {
    text_of(BufReader::new(File::open(path)?), LARGEST_FILE)
}

fn text_of(input: impl BufRead, limit: usize) -> io::Result<String> {
    let mut lines = LineReader::new(input, LONGEST_LINE.min(limit));
    let mut text = String::new();
    while let Some(line) = lines.next_line()? {
        let line = String::from_utf8(line).map_err(|_| {
            let number = lines.line();
            unfit(format!(
                "line {number} is not readable text; expected UTF-8"
            ))
        })?;
        if text.len() + line.len() >= limit {
            return Err(unfit(format!(
                "it goes on after {limit} bytes; expected a smaller file"
            )));
        }
        text.push_str(&line);
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads in pieces of two bytes, so that ends of lines come in two pieces.
    fn lines(text: &[u8], limit: usize) -> Vec<Result<String, String>> {
        let mut reader = LineReader::new(BufReader::with_capacity(2, text), limit);
        let line = || match reader.next_line() {
            Ok(line) => line.map(|line| Ok(String::from_utf8(line).unwrap())),
            Err(error) => Some(Err(error.to_string())),
        };
        std::iter::from_fn(line).collect()
    }

    fn good(text: &[u8]) -> Vec<String> {
        lines(text, 100).into_iter().map(Result::unwrap).collect()
    }

    #[test]
    fn a_line_ends_with_a_line_feed_and_perhaps_a_carriage_return_before_it() {
        for text in ["ab\nc\n\nd", "ab\r\nc\r\n\r\nd\r\n"] {
            assert_eq!(good(text.as_bytes()), ["ab", "c", "", "d"], "{text:?}");
        }
        assert!(good(b"").is_empty());
    }

    #[test]
    fn a_byte_order_mark_is_passed_over_at_the_beginning_alone() {
        assert_eq!(good(b"\xef\xbb\xbfe2e4\ne7e5\n"), ["e2e4", "e7e5"]);
        assert_eq!(good("a\n\u{feff}b".as_bytes()), ["a", "\u{feff}b"]);
    }

    #[test]
    fn utf16_with_its_mark_is_refused_in_either_order() {
        let little =
            |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
        let big =
            |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
        for text in ["\u{feff}e2e4\r\n", "\u{feff}\n"] {
            for bytes in [little(text), big(text)] {
                let told = lines(&bytes, 100)[0].clone().unwrap_err();
                assert!(told.starts_with("it is written in UTF-16"), "{told}");
            }
        }
        let endless = lines(&little(&format!("\u{feff}{}", "e".repeat(100))), 100);
        assert!(endless[0].clone().unwrap_err().contains("UTF-16"));
    }

    #[test]
    fn a_line_that_does_not_end_is_an_error_and_nothing_comes_after_it() {
        let told = "line 2 goes on after 3 bytes; expected lines of text";
        let read = lines(b"abc\nabcd\nabc\n", 3);
        assert_eq!(read, [Ok("abc".into()), Err(told.into())]);
        let mut endless = LineReader::new(BufReader::new(io::repeat(0)), 1000);
        let error = endless.next_line().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert!(endless.next_line().unwrap().is_none());
    }

    #[test]
    fn a_file_is_read_whole_up_to_a_bound() {
        let read = |text: &[u8]| text_of(text, 8).map_err(|error| error.to_string());
        assert_eq!(read(b"\xef\xbb\xbfabc\r\ndef"), Ok("abc\ndef\n".into()));
        assert_eq!(
            read(b"abc\ndefg\n").unwrap_err(),
            "it goes on after 8 bytes; expected a smaller file"
        );
        assert_eq!(
            read(b"abc\n\xff\n").unwrap_err(),
            "line 2 is not readable text; expected UTF-8"
        );
    }

    /// A stream that fails after its bytes.
    struct Broken(&'static [u8]);

    impl Read for Broken {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            match self.0 {
                [] => Err(io::ErrorKind::ConnectionReset.into()),
                _ => self.0.read(to),
            }
        }
    }

    #[test]
    fn a_read_that_fails_is_an_error_and_the_end() {
        let mut lines = LineReader::new(BufReader::new(Broken(b"a\nb")), 100);
        assert_eq!(lines.next_line().unwrap(), Some(b"a".to_vec()));
        let error = lines.next_line().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
        assert!(lines.next_line().unwrap().is_none());
    }

    #[test]
    fn a_line_has_as_many_bytes_as_the_limit_however_they_come() {
        let long = "abcdef".as_bytes();
        assert_eq!(lines(long, 6), [Ok("abcdef".into())]);
        let told = "line 1 goes on after 5 bytes; expected lines of text";
        assert_eq!(lines(long, 5), [Err(told.into())]);
        // Only the first line shows UTF-16.
        let told = "line 2 goes on after 3 bytes; expected lines of text";
        assert_eq!(lines(b"a\nb\0c\0d\0", 3)[1], Err(told.into()));
    }
}
