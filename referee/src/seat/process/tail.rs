//! The last part of a stream, in bounded memory.

/// Keeps the last bytes of what is pushed.
#[derive(Clone, Debug)]
pub(super) struct Tail {
    bytes: Vec<u8>,
    limit: usize,
}

impl Tail {
    /// Keeps so many bytes.
    pub(super) fn new(limit: usize) -> Tail {
        Tail {
            bytes: Vec::new(),
            limit,
        }
    }

    pub(super) fn push(&mut self, more: &[u8]) {
        let more = &more[more.len().saturating_sub(self.limit)..];
        let surplus = (self.bytes.len() + more.len()).saturating_sub(self.limit);
        self.bytes.drain(..surplus);
        self.bytes.extend_from_slice(more);
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::Tail;

    #[test]
    fn only_the_last_bytes_are_kept() {
        let mut tail = Tail::new(4096);
        let stream: Vec<u8> = (0..10_000u32).map(|n| n as u8).collect();
        for chunk in stream.chunks(999) {
            tail.push(chunk);
        }
        assert_eq!(tail.bytes(), &stream[10_000 - 4096..]);
        tail.push(&stream);
        assert_eq!(tail.bytes(), &stream[10_000 - 4096..]);
    }
}
