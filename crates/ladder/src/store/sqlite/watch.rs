//! For how long the beats of runs were seen to stand still.

use std::collections::HashMap;
use std::time::Duration;

/// How often a run renews its leases.
pub(super) const RENEWAL: Duration = Duration::from_secs(3);
/// How long a beat must have stood still before another run takes the pairs. What a killed run had claimed waits so
/// long.
const LEASE: Duration = Duration::from_secs(15);

/// For how long the beats of other runs were seen to stand still.
#[derive(Clone, Default, Debug)]
pub(super) struct Watch {
    /// When they were looked at last.
    looked: Duration,
    runs: HashMap<i64, Seen>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Seen {
    beat: Option<i64>,
    still: Duration,
}

impl Watch {
    /// Takes in the beats of the runs that hold leases. A time in which nobody looked, because the file was locked,
    /// say, counts as one renewal at most: the other run may have waited as well.
    pub(super) fn look(&mut self, now: Duration, beats: &[(i64, Option<i64>)]) {
        let passed = now.saturating_sub(self.looked).min(RENEWAL);
        self.looked = now;
        let before = std::mem::take(&mut self.runs);
        for &(run, beat) in beats {
            let seen = match before.get(&run) {
                Some(seen) if seen.beat == beat => Seen {
                    beat,
                    still: seen.still + passed,
                },
                _ => Seen {
                    beat,
                    still: Duration::ZERO,
                },
            };
            self.runs.insert(run, seen);
        }
    }

    pub(super) fn holds(&self, run: i64) -> bool {
        let seen = self.runs.get(&run);
        seen.is_some_and(|seen| seen.still < LEASE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_run_holds_its_leases_while_its_beat_goes_on_and_loses_them_when_it_has_stood_still() {
        let mut watch = Watch::default();
        for second in 0..60 {
            watch.look(
                second * SECOND,
                &[(1, Some(i64::from(second) / 3)), (2, Some(7))],
            );
            assert!(watch.holds(1));
            assert_eq!(watch.holds(2), second < 15, "after {second} s");
        }
        assert!(!watch.holds(3), "a run without leases");
    }

    #[test]
    fn a_time_in_which_nobody_looked_is_no_sign_that_a_run_has_ended() {
        let mut watch = Watch::default();
        watch.look(SECOND, &[(1, Some(1))]);
        watch.look(7200 * SECOND, &[(1, Some(1))]);
        assert!(watch.holds(1));
    }
}
