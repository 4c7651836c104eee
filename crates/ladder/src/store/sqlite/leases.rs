//! Decides which run plays which pair.
//!
//! A run's leases last while its *beat* continues: a number in the file that a living run raises. A run that wants
//! another run's pair watches that number by its own clock, and ends the leases when the number has not changed for
//! long enough. No two clocks are compared, so the calendar and its changes do not matter.

use crate::store::StoreError;
use rusqlite::{Connection, params};
use std::collections::HashMap;
use std::time::Duration;

/// How often a run renews its leases.
pub(super) const RENEWAL: Duration = Duration::from_secs(3);
/// How long a beat must be unchanged before another run takes the pairs. The pairs of a killed run wait this long.
const LEASE: Duration = Duration::from_secs(15);

/// How long the beats of other runs have been unchanged.
#[derive(Clone, Default, Debug)]
pub(super) struct Watch {
    /// When they were last looked at.
    looked: Duration,
    runs: HashMap<i64, Seen>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Seen {
    beat: Option<i64>,
    still: Duration,
}

impl Watch {
    /// Reads the beats of the runs that hold leases. A longer time between two looks, for example because the file was
    /// locked, counts as one renewal at most, because the other run may have waited as well.
    fn look(&mut self, now: Duration, beats: &[(i64, Option<i64>)]) {
        let passed = now.saturating_sub(self.looked).min(RENEWAL);
        self.looked = now;
        let before = std::mem::take(&mut self.runs);
        for &(run, beat) in beats {
            let seen = before.get(&run).filter(|seen| seen.beat == beat);
            let still = seen.map_or(Duration::ZERO, |seen| seen.still + passed);
            self.runs.insert(run, Seen { beat, still });
        }
    }

    fn holds(&self, run: i64) -> bool {
        let seen = self.runs.get(&run);
        seen.is_some_and(|seen| seen.still < LEASE)
    }

    /// Ends the leases of runs whose beats did not change, so that their pairs can be claimed. `now` is the time since
    /// the file was opened.
    pub(super) fn end_leases_of_the_dead(
        &mut self,
        connection: &Connection,
        now: Duration,
    ) -> Result<(), StoreError> {
        let beats = beats(connection)?;
        self.look(now, &beats);
        for (run, beat) in beats {
            if self.holds(run) {
                continue;
            }
            // It may have been about to beat.
            let end = "UPDATE pair SET run = NULL WHERE run = ?1 AND finished IS NULL
                 AND (SELECT beat FROM run WHERE id = ?1) IS ?2";
            connection.execute(end, params![run, beat])?;
        }
        Ok(())
    }
}

/// The runs that hold leases, with their beats. A run that is not in the file has none.
fn beats(connection: &Connection) -> Result<Vec<(i64, Option<i64>)>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT pair.run, run.beat FROM pair LEFT JOIN run ON run.id = pair.run
         WHERE finished IS NULL AND pair.run IS NOT NULL",
    )?;
    let beats = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(beats.collect::<Result<_, _>>()?)
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
