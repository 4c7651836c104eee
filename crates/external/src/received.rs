//! A referee's unread output, split into lines.

use std::collections::VecDeque;
use std::mem::take;

/// Received lines that were not taken yet. A line ends with a line feed, a carriage return, or both. Java's
/// `split("\r\n|\r|\n")` counts like this, and the engine uses it to count lines (`OutputData.java`, v3.15.0 to
/// v4.7.7).
#[derive(Default, Debug)]
pub(crate) struct Received {
    lines: VecDeque<Vec<u8>>,
    /// What is there of the next line.
    rest: Vec<u8>,
    /// Whether the last line ended with a carriage return, whose line feed may still follow.
    after_return: bool,
}

impl Received {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == b'\r' || byte == b'\n' && !self.after_return {
                self.lines.push_back(take(&mut self.rest));
            } else if byte != b'\n' {
                self.rest.push(byte);
            }
            self.after_return = byte == b'\r';
        }
    }

    /// How many bytes of the next line are there, if it is not complete.
    pub(crate) fn len(&self) -> usize {
        self.rest.len()
    }

    /// The next complete line.
    pub(crate) fn take_line(&mut self) -> Option<Vec<u8>> {
        self.lines.pop_front()
    }

    /// An unfinished last line, if there is one.
    pub(crate) fn take_rest(&mut self) -> Option<Vec<u8>> {
        Some(take(&mut self.rest)).filter(|rest| !rest.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::Received;

    #[test]
    fn lines_end_as_the_engine_counts_them_in_whatever_pieces_they_come() {
        let text = b"[[SUMMARY] 4]\na\rb\r\n\nc\n[[X] 0]\r\nrest";
        for size in 1..=text.len() {
            let (mut received, mut lines) = (Received::default(), Vec::new());
            for piece in text.chunks(size) {
                received.push(piece);
                while let Some(line) = received.take_line() {
                    lines.push(String::from_utf8(line).unwrap());
                }
            }
            assert_eq!(lines, ["[[SUMMARY] 4]", "a", "b", "", "c", "[[X] 0]"]);
            assert_eq!(received.take_rest().unwrap(), b"rest");
        }
    }
}
