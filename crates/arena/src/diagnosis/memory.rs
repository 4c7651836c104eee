//! Memory that grows from turn to turn.

/// The fewest samples that show a growth.
const FEWEST: usize = 4;

/// That a bot which ran out of memory kept more with each turn, if that is why: it grew all along, no more slowly in the
/// end, and going on so it would have come near its limit. A table that fills up, or a single large turn, is something
/// else.
///
/// `samples` are numbers of turns, ascending, and the bytes held in them.
pub(super) fn growth(samples: &[(usize, u64)], own_turn: usize, limit: u64) -> Option<String> {
    let (first, last) = (samples.first()?, samples.last()?);
    let rate = |pair: &[(usize, u64)]| {
        let [(turn, held), (later, more)] = *pair else {
            return None;
        };
        let is_growth = later > turn && more > held;
        is_growth.then(|| (more - held) as f64 / (later - turn) as f64)
    };
    let rates: Vec<f64> = samples.windows(2).map(rate).collect::<Option<_>>()?;
    let (latest, before) = (rates.last()?, rates.len().checked_sub(2)?);
    let is_steady = *latest >= rates[before] / 2.0;
    let turns_since = own_turn.saturating_sub(last.0);
    let expected = last.1 as f64 + latest * turns_since as f64;
    let is_leak = samples.len() >= FEWEST && is_steady && last.1 >= limit / 4;
    (is_leak && expected >= limit as f64 / 2.0).then(|| {
        let told = |sample: &(usize, u64)| format!("{} MB in its turn {}", sample.1 >> 20, sample.0);
        format!(
            "its memory grew from turn to turn: {}, {}, until the limit of {} MB: it keeps what it no longer needs",
            told(first),
            told(last),
            limit >> 20
        )
    })
}

#[cfg(test)]
mod tests {
    use super::growth;

    const LIMIT: u64 = 768 << 20;

    fn told(megabytes: &[u64], own_turn: usize) -> Option<String> {
        let samples = megabytes.iter().enumerate();
        let samples: Vec<_> = samples.map(|(at, size)| (1 << at, size << 20)).collect();
        growth(&samples, own_turn, LIMIT)
    }

    #[test]
    fn memory_that_grew_with_every_turn_is_reported_with_its_first_and_last_figure() {
        assert_eq!(
            told(&[12, 25, 52, 105, 210], 31).unwrap(),
            "its memory grew from turn to turn: 12 MB in its turn 1, 210 MB in its turn 16, until the limit of 768 MB: \
             it keeps what it no longer needs"
        );
    }

    #[test]
    fn memory_that_was_needed_at_once_is_no_leak() {
        let cases: [(&[u64], usize, &str); 6] = [
            (&[200, 200, 200, 200], 9, "it did not grow"),
            (&[12, 60, 55, 300], 12, "it shrank"),
            (&[12, 200, 400], 5, "three samples are too few"),
            (&[12, 20, 36, 68], 12, "the last is far from the limit"),
            (
                &[12, 200, 210, 212, 213],
                20,
                "a table that has filled up, and one large turn",
            ),
            (&[12, 60, 120, 230], 9, "one large turn"),
        ];
        for (megabytes, own_turn, why) in cases {
            assert_eq!(told(megabytes, own_turn), None, "{why}");
        }
        assert_eq!(growth(&[], 3, LIMIT), None);
    }
}
