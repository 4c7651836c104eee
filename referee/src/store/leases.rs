//! Which run plays which pair.

use super::{PairKey, Store, StoreError, now_ms};
use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params};
use std::time::Duration;

/// What became of an attempt to claim a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// It is the caller's, under this number.
    Claimed(u64),
    /// Another run plays it.
    Taken,
    /// It has been played.
    Finished,
    /// The quota is used up.
    Full,
}

/// How many more pairs there shall be, counted as they are claimed, so that runs at once agree on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quota {
    /// The most that may be leased by anybody, or stored after `after`.
    pub pairs: u64,
    /// The last pair in the order of [`StoredPair::finished`](super::StoredPair::finished) that the caller
    /// knows of.
    pub after: u64,
}

impl Store {
    /// Claims a pair for a run, unless it is finished or leased.
    ///
    /// # Errors
    /// When the file fails; so for all that follow.
    pub fn claim(
        &mut self,
        run: u64,
        key: &PairKey,
        lease: Duration,
        quota: Option<Quota>,
    ) -> Result<Claim, StoreError> {
        self.without_fsync(|transaction| {
            let now = now_ms();
            if let Some(quota) = quota
                && count_started(transaction, quota.after, now)? >= quota.pairs
            {
                return Ok(Claim::Full);
            }
            let claimed = transaction
                .prepare_cached(
                    "INSERT INTO pair (first, second, round, run, leased_until_ms)
                     VALUES (?1, ?2, ?3, ?4, ?5)
                     ON CONFLICT (first, second, round) DO UPDATE
                     SET run = excluded.run, leased_until_ms = excluded.leased_until_ms
                     WHERE leased_until_ms < ?6
                     RETURNING id",
                )?
                .query_row(
                    params![
                        key.first,
                        key.second,
                        key.round,
                        run,
                        until(now, lease),
                        now
                    ],
                    |row| row.get(0),
                )
                .optional()?;
            if let Some(id) = claimed {
                return Ok(Claim::Claimed(id));
            }
            let finished = transaction
                .prepare_cached(
                    "SELECT finished IS NOT NULL FROM pair
                     WHERE first = ?1 AND second = ?2 AND round = ?3",
                )?
                .query_row(params![key.first, key.second, key.round], |row| row.get(0))?;
            Ok(if finished {
                Claim::Finished
            } else {
                Claim::Taken
            })
        })
    }

    /// Renews the leases of a run.
    pub fn renew(&mut self, run: u64, lease: Duration) -> Result<(), StoreError> {
        self.without_fsync(|transaction| {
            let renew = "UPDATE pair SET leased_until_ms = ?2 WHERE run = ?1 AND finished IS NULL";
            transaction.execute(renew, params![run, until(now_ms(), lease)])?;
            Ok(())
        })
    }

    /// Gives back all that a run has claimed and not finished.
    pub fn release(&mut self, run: u64) -> Result<(), StoreError> {
        self.without_fsync(|transaction| {
            let delete = "DELETE FROM pair WHERE run = ?1 AND finished IS NULL";
            transaction.execute(delete, [run])?;
            Ok(())
        })
    }

    /// A transaction that survives the death of this program, but perhaps not the loss of power.
    fn without_fsync<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.connection
            .pragma_update(None, "synchronous", "NORMAL")?;
        let done = (|| {
            let transaction = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        })();
        self.connection.pragma_update(None, "synchronous", "FULL")?;
        done
    }
}

/// How many pairs are leased, or finished after `after`. A lease that has ended holds nothing.
fn count_started(transaction: &Transaction<'_>, after: u64, now: u64) -> Result<u64, StoreError> {
    let started = transaction
        .prepare_cached(
            "SELECT (SELECT count(*) FROM pair WHERE finished > ?1)
                  + (SELECT count(*) FROM pair WHERE finished IS NULL AND leased_until_ms >= ?2)",
        )?
        .query_row(params![after, now], |row| row.get(0))?;
    Ok(started)
}

fn until(now: u64, lease: Duration) -> u64 {
    now + lease.as_millis() as u64
}
