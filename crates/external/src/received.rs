//! A referee's unread output, split into lines.

/// Received bytes that were not taken yet. A line ends with a line feed, a carriage return, or both. Java's
/// `split("\r\n|\r|\n")` counts like this, and the engine uses it to count lines (`OutputData.java`, v3.15.0 to
/// v4.7.7).
#[derive(Clone, Default, Debug)]
pub(crate) struct Received {
    bytes: Vec<u8>,
    /// How many of the bytes are taken.
    taken: usize,
    /// How many of the bytes contain no end of a line, or are taken.
    searched: usize,
    /// Whether the last line ended with a carriage return, whose line feed may still follow.
    after_return: bool,
}

impl Received {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.taken);
        self.searched -= self.taken;
        self.taken = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// How many bytes are there.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() - self.taken
    }

    /// The next complete line.
    pub(crate) fn take_line(&mut self) -> Option<Vec<u8>> {
        if self.after_return && self.len() > 0 {
            self.after_return = false;
            if self.bytes[self.taken] == b'\n' {
                self.taken += 1;
                self.searched = self.taken;
            }
        }
        let unsearched = &self.bytes[self.searched..];
        let Some(end) = unsearched.iter().position(|byte| b"\r\n".contains(byte)) else {
            self.searched = self.bytes.len();
            return None;
        };
        let end = self.searched + end;
        let line = self.bytes[self.taken..end].to_vec();
        self.after_return = self.bytes[end] == b'\r';
        self.taken = end + 1;
        self.searched = self.taken;
        Some(line)
    }

    /// An unfinished last line, if there is one.
    pub(crate) fn take_rest(&mut self) -> Option<Vec<u8>> {
        let rest = self.bytes.split_off(self.taken);
        *self = Received::default();
        (!rest.is_empty()).then_some(rest)
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
