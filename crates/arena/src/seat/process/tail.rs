//! The last part of standard error, in bounded memory.

use crownhead_record::Stderr;

/// Keeps the last bytes of what is pushed.
#[derive(Clone, Default, Debug)]
pub(super) struct Tail {
    pub(super) limit: usize,
    pub(super) last: Stderr,
}

impl Tail {
    pub(super) fn push(&mut self, more: &[u8]) {
        let Stderr { kept, cut } = &mut self.last;
        let end = &more[more.len().saturating_sub(self.limit)..];
        let surplus = (kept.len() + end.len()).saturating_sub(self.limit);
        *cut += (more.len() - end.len() + surplus) as u64;
        kept.drain(..surplus);
        kept.extend_from_slice(end);
    }

    /// Takes what is kept, and begins anew. Where something is gone, half a character is no beginning.
    pub(super) fn take(&mut self) -> Stderr {
        let mut last = std::mem::take(&mut self.last);
        if last.cut > 0 {
            // UTF-8: up to three bytes of this form follow a character's first one.
            let rest = last.kept.iter().take(3);
            let rest = rest.take_while(|&byte| byte & 0xc0 == 0x80).count();
            last.kept.drain(..rest);
            last.cut += rest as u64;
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::Tail;

    #[test]
    fn only_the_last_bytes_are_kept_and_the_others_are_counted() {
        let mut tail = Tail {
            limit: 4096,
            ..Tail::default()
        };
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
        let mut tail = Tail {
            limit: 4,
            ..Tail::default()
        };
        tail.push("abc€d".as_bytes());
        assert_eq!(tail.take().kept, "€d".as_bytes());
        tail.push("ab€de".as_bytes());
        let taken = tail.take();
        assert_eq!((&taken.kept[..], taken.cut), (&b"de"[..], 5));
    }
}
