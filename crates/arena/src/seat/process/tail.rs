//! The last part of standard error, in bounded memory.

use crownhead_record::Stderr;

/// Keeps the last bytes of what is pushed.
#[derive(Clone, Debug)]
pub(super) struct Tail {
    pub(super) bytes: Vec<u8>,
    /// How many bytes before them are gone.
    gone: u64,
    limit: usize,
}

impl Tail {
    /// Keeps so many bytes.
    pub(super) fn new(limit: usize) -> Tail {
        Tail {
            bytes: Vec::new(),
            gone: 0,
            limit,
        }
    }

    pub(super) fn push(&mut self, more: &[u8]) {
        let kept = &more[more.len().saturating_sub(self.limit)..];
        let surplus = (self.bytes.len() + kept.len()).saturating_sub(self.limit);
        self.gone += (more.len() - kept.len() + surplus) as u64;
        self.bytes.drain(..surplus);
        self.bytes.extend_from_slice(kept);
    }

    /// Takes what is kept, and begins anew. Where something is gone, half a character is no beginning.
    pub(super) fn take(&mut self) -> Stderr {
        let mut kept = std::mem::take(&mut self.bytes);
        let mut cut = std::mem::take(&mut self.gone);
        if cut > 0 {
            // UTF-8: up to three bytes of this form follow a character's first one.
            let rest = kept.iter().take(3).take_while(|&byte| byte & 0xc0 == 0x80);
            let rest = rest.count();
            kept.drain(..rest);
            cut += rest as u64;
        }
        Stderr { kept, cut }
    }
}

#[cfg(test)]
mod tests {
    use super::Tail;

    #[test]
    fn only_the_last_bytes_are_kept_and_the_others_are_counted() {
        let mut tail = Tail::new(4096);
        let stream: Vec<u8> = (0..10_000u32).map(|n| n as u8 & 0x7f).collect();
        for chunk in stream.chunks(999) {
            tail.push(chunk);
        }
        tail.push(&stream);
        let taken = tail.take();
        assert_eq!(taken.kept, &stream[10_000 - 4096..]);
        assert_eq!(taken.cut, 20_000 - 4096);
        assert!(tail.take().is_empty());
    }

    #[test]
    fn no_character_is_cut_in_half() {
        let mut tail = Tail::new(4);
        tail.push("abc€d".as_bytes());
        assert_eq!(tail.take().kept, "€d".as_bytes());
        tail.push("ab€de".as_bytes());
        let taken = tail.take();
        assert_eq!((&taken.kept[..], taken.cut), (&b"de"[..], 5));
    }
}
