//! Lines out of a stream of bytes.

/// What was received and not taken yet.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) bytes: Vec<u8>,
    /// Whether a carriage return ends a line, too.
    returns_end: bool,
    /// Whether the last line ended with a carriage return, whose line feed may be still to come.
    after_return: bool,
}

impl Lines {
    pub(super) fn new(returns_end: bool) -> Lines {
        Lines {
            bytes: Vec::new(),
            returns_end,
            after_return: false,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next complete line, without its end.
    pub(super) fn take(&mut self) -> Option<Vec<u8>> {
        if self.after_return && !self.bytes.is_empty() {
            self.after_return = false;
            if self.bytes[0] == b'\n' {
                self.bytes.remove(0);
            }
        }
        let ends = |&byte: &u8| byte == b'\n' || (self.returns_end && byte == b'\r');
        let end = self.bytes.iter().position(ends)?;
        let line = self.bytes[..end].to_vec();
        self.after_return = self.bytes[end] == b'\r';
        self.bytes.drain(..=end);
        Some(line)
    }

    /// An unfinished last line, if there is one.
    pub(super) fn take_rest(&mut self) -> Option<Vec<u8>> {
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
}
