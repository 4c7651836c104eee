//! How many games of a run an external referee is believed, before it is given the seed and answers of one again.

/// The most games in a row that it is believed.
const MOST: u32 = 63;

/// What a referee has earned: at first none, after each game that it judged alike twice about double, after one that it
/// did not none again. So one that takes its chance from elsewhere is soon found, and a good one costs little.
#[derive(Default, Debug)]
pub(crate) struct Trust {
    /// The games in a row that it is believed, and how many of them are left.
    earned: u32,
    left: u32,
}

impl Trust {
    /// Whether the next game is one that it is given again.
    pub(crate) fn is_due(&mut self) -> bool {
        let left = self.left.checked_sub(1);
        self.left = left.unwrap_or(0);
        left.is_none()
    }

    /// Takes in whether it judged such a game alike.
    pub(crate) fn judged(&mut self, alike: bool) {
        self.earned = if alike {
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

    /// Those of the first 200 games of a run that are given again, from 1.
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
    fn a_good_referee_is_believed_ever_longer_and_one_that_judged_unlike_not_at_all() {
        let mut trust = Trust::default();
        let expected = [1, 3, 7, 15, 31, 63, 127, 191];
        assert_eq!(due(&mut trust), expected);
        trust.judged(false);
        assert!(trust.is_due());
        trust.judged(false);
        assert_eq!(due(&mut trust), expected);
    }
}
