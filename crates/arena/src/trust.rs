//! Which games of a run an external referee judges twice.

/// The most games in a row that are not repeated.
const MOST: u32 = 63;

/// How far a referee is trusted: at first not at all. Each repeated game with the same result about doubles how many games
/// then go unrepeated; another result ends the trust. So a referee with chance of its own is soon found, and a good one
/// costs little.
#[derive(Default, Debug)]
pub(crate) struct Trust {
    /// How many games in a row are not repeated.
    earned: u32,
    /// How many games are not repeated before the next one that is.
    left: u32,
}

impl Trust {
    /// Whether the next game is repeated.
    pub(crate) fn is_due(&mut self) -> bool {
        let left = self.left.checked_sub(1);
        self.left = left.unwrap_or(0);
        left.is_none()
    }

    /// Takes in whether a repeated game had the same result.
    pub(crate) fn judged(&mut self, is_same: bool) {
        self.earned = if is_same {
            (2 * self.earned + 1).min(MOST)
        } else {
            0
        };
        self.left = self.earned;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of the first 200 games are repeated, from 1.
    fn due(trust: &mut Trust) -> Vec<u32> {
        let due = (1..=200).filter(|_| {
            let due = trust.is_due();
            if due {
                trust.judged(true);
            }
            due
        });
        due.collect()
    }

    #[test]
    fn a_good_referee_is_trusted_ever_longer_and_one_with_two_results_not_at_all() {
        let mut trust = Trust::default();
        let expected = [1, 3, 7, 15, 31, 63, 127, 191];
        assert_eq!(due(&mut trust), expected);
        trust.judged(false);
        assert!(trust.is_due());
        trust.judged(false);
        assert_eq!(due(&mut trust), expected);
    }
}
