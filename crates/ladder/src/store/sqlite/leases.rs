//! Which run plays which pair.
//!
//! A run's leases last while its *beat* goes on, a number in the file that it raises as long as it lives. Whoever
//! wants a pair of another run watches that number on a clock of its own, and ends the leases when it has stood still: no
//! two clocks are compared, so it does not matter what the calendar says or how it is moved.

use super::store::SqliteStore;
use crate::store::StoreError;
use rusqlite::params;

impl SqliteStore {
    /// Ends the leases of runs whose beats were seen to stand still, so that their pairs can be claimed.
    pub(super) fn end_leases_of_the_dead(&mut self) -> Result<(), StoreError> {
        let beats = self.beats()?;
        self.watch.look(self.opened.elapsed(), &beats);
        for (run, beat) in beats {
            if self.watch.holds(run) {
                continue;
            }
            // Unless it was about to beat.
            let end = "UPDATE pair SET run = NULL WHERE run = ?1 AND finished IS NULL
                 AND (SELECT beat FROM run WHERE id = ?1) IS ?2";
            self.connection.execute(end, params![run, beat])?;
        }
        Ok(())
    }

    /// The runs that hold leases with their beats; a run that the file does not know has none.
    fn beats(&self) -> Result<Vec<(i64, Option<i64>)>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT DISTINCT pair.run, run.beat FROM pair LEFT JOIN run ON run.id = pair.run
             WHERE finished IS NULL AND pair.run IS NOT NULL",
        )?;
        let beats = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(beats.collect::<Result<_, _>>()?)
    }
}
