//! What a program has written, split into lines.

/// Received bytes that were not taken yet.
#[derive(Clone, Default, Debug)]
pub struct Lines {
    bytes: Vec<u8>,
    /// How many of them hold no end of a line. A line of megabytes is searched once.
    searched: usize,
    /// Whether a carriage return ends a line, too.
    returns_end: bool,
    /// Whether the last line ended with a carriage return, whose line feed may still follow.
    after_return: bool,
}

impl Lines {
    /// Nothing yet. Lines end with a line feed, and with `returns_end` also with a carriage return, or both, as Java's
    /// `split("\r\n|\r|\n")` counts, which the contest's engine uses (`OutputData.java`, v3.15.0 to v4.7.7).
    pub(crate) fn new(returns_end: bool) -> Lines {
        Lines {
            returns_end,
            ..Lines::default()
        }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// All that was received and not taken.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Drops all that was received and not taken.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.searched = 0;
    }

    /// The next complete line, without its end.
    pub(crate) fn take(&mut self) -> Option<Vec<u8>> {
        if self.after_return && !self.bytes.is_empty() {
            self.after_return = false;
            if self.bytes[0] == b'\n' {
                self.bytes.remove(0);
            }
        }
        let ends = |&byte: &u8| byte == b'\n' || (self.returns_end && byte == b'\r');
        let Some(end) = self.bytes[self.searched..].iter().position(ends) else {
            self.searched = self.bytes.len();
            return None;
        };
        let end = std::mem::take(&mut self.searched) + end;
        let line = self.bytes[..end].to_vec();
        self.after_return = self.bytes[end] == b'\r';
        self.bytes.drain(..=end);
        Some(line)
    }

    /// An unfinished last line, if there is one.
    pub fn take_rest(&mut self) -> Option<Vec<u8>> {
        self.searched = 0;
        let rest = std::mem::take(&mut self.bytes);
        (!rest.is_empty()).then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    fn lines(returns_end: bool, pieces: &[&str]) -> Vec<String> {
        let mut lines = Lines::new(returns_end);
        let mut found = Vec::new();
        for piece in pieces {
            lines.push(piece.as_bytes());
            while let Some(line) = lines.take() {
                found.push(String::from_utf8(line).unwrap());
            }
        }
        found
    }

    #[test]
    fn a_line_may_come_in_pieces_and_two_at_once() {
        assert_eq!(
            lines(false, &["A3", "B4", "\nC", "3\n\nD4"]),
            ["A3B4", "C3", ""]
        );
    }

    #[test]
    fn a_carriage_return_ends_a_line_where_the_profile_says_so() {
        assert_eq!(lines(true, &["a\rb\r\nc\r", "\nd\n"]), ["a", "b", "c", "d"]);
        assert_eq!(lines(false, &["a\rb\r\n"]), ["a\rb\r"]);
    }

    #[test]
    fn lines_end_as_the_engine_counts_them_in_whatever_pieces_they_come() {
        let text = b"[[SUMMARY] 4]\na\rb\r\n\nc\n[[X] 0]\r\nrest";
        for size in 1..=text.len() {
            let (mut received, mut lines) = (Lines::new(true), Vec::new());
            for piece in text.chunks(size) {
                received.push(piece);
                while let Some(line) = received.take() {
                    lines.push(String::from_utf8(line).unwrap());
                }
            }
            assert_eq!(lines, ["[[SUMMARY] 4]", "a", "b", "", "c", "[[X] 0]"]);
            assert_eq!(received.take_rest().unwrap(), b"rest");
        }
    }
}
