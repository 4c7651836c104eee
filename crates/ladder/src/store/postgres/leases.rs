//! Claims, which last by the server's clock.

use super::lock::{self, Lock};
use super::{PostgresStore, natural, whole};
use crate::store::{Claim, Lease, LeaseStore, PairKey, Quota, StoreError};
use postgres::types::ToSql;
use postgres::{Error, Row, Transaction};
use std::time::Duration;

/// How often a run renews its leases.
const RENEWAL: Duration = Duration::from_secs(10);
/// How long a lease lasts that is not renewed. What a killed run had claimed waits so long.
const LEASE: Duration = Duration::from_secs(60);

impl LeaseStore for PostgresStore {
    fn claim(
        &mut self,
        run: u64,
        key: &PairKey,
        quota: Option<Quota>,
    ) -> Result<Claim, StoreError> {
        let (run, key) = (whole(run), key.clone());
        self.connection.run(move |client| {
            let mut transaction = client.transaction()?;
            if let Some(quota) = quota
                && is_full(&mut transaction, quota)?
            {
                return Ok(Claim::Full);
            }
            let claim = claim(&mut transaction, run, &key)?;
            transaction.commit()?;
            Ok(claim)
        })
    }

    fn renew(&mut self, run: u64, pairs: &[u64]) -> Result<(), StoreError> {
        let run = whole(run);
        let pairs: Vec<i64> = pairs.iter().copied().map(whole).collect();
        self.connection.run(move |client| {
            let renew =
                "UPDATE pair SET leased_until = clock_timestamp() + make_interval(secs => $3)
                 WHERE id = ANY ($2) AND run = $1 AND leased_until > clock_timestamp()";
            client.execute(renew, &[&run, &pairs, &LEASE.as_secs_f64()])?;
            Ok(())
        })
    }

    fn renewal(&self) -> Duration {
        RENEWAL
    }

    fn release(&mut self, run: u64) -> Result<(), StoreError> {
        let run = whole(run);
        self.connection.run(move |client| {
            let release =
                "UPDATE pair SET run = NULL, leased_until = NULL WHERE run = $1 AND stored IS NULL";
            client.execute(release, &[&run])?;
            Ok(())
        })
    }

    fn under_way(&self) -> Result<Vec<[String; 2]>, StoreError> {
        self.connection.run(|client| {
            let select = "SELECT first, second FROM pair
                 WHERE stored IS NULL AND leased_until > clock_timestamp() ORDER BY id";
            let rows = client.query(select, &[])?;
            Ok(rows.iter().map(|row| [row.get(0), row.get(1)]).collect())
        })
    }
}

/// Claims a pair that is there and open, or enters it.
fn claim(transaction: &mut Transaction<'_>, run: i64, key: &PairKey) -> Result<Claim, Error> {
    let PairKey {
        first,
        second,
        round,
    } = key;
    let (round, lease) = (whole(*round), LEASE.as_secs_f64());
    let names: [&(dyn ToSql + Sync); 5] = [
        &first.bot,
        &second.bot,
        &first.version,
        &second.version,
        &round,
    ];
    let with_lease = [&names[..], &[&run, &lease]].concat();
    let claimed = |row: &Row| {
        Claim::Claimed(Lease {
            pair: natural(row.get(0)),
            fence: natural(row.get(1)),
        })
    };
    let update = "UPDATE pair SET run = $6, fence = fence + 1,
            leased_until = clock_timestamp() + make_interval(secs => $7)
         WHERE id = (
            SELECT id FROM pair
            WHERE first = $1 AND second = $2 AND first_version = $3 AND second_version = $4
              AND round = $5 AND stored IS NULL
              AND (leased_until IS NULL OR leased_until <= clock_timestamp())
            FOR UPDATE SKIP LOCKED LIMIT 1)
         RETURNING id, fence";
    if let Some(row) = transaction.query_opt(update, &with_lease)? {
        return Ok(claimed(&row));
    }
    let known = "SELECT stored IS NOT NULL FROM pair
         WHERE first = $1 AND second = $2 AND first_version = $3 AND second_version = $4
           AND round = $5";
    if let Some(row) = transaction.query_opt(known, &names)? {
        return Ok(match row.get(0) {
            true => Claim::Finished,
            false => Claim::Taken,
        });
    }
    let insert = "INSERT INTO pair
            (first, second, first_version, second_version, round, run, fence, leased_until)
         VALUES ($1, $2, $3, $4, $5, $6, 1, clock_timestamp() + make_interval(secs => $7))
         ON CONFLICT (first, second, first_version, second_version, round) DO NOTHING
         RETURNING id, fence";
    let inserted = transaction.query_opt(insert, &with_lease)?;
    Ok(inserted.as_ref().map_or(Claim::Taken, claimed))
}

/// Whether a quota is used up, counted by one claim at a time.
fn is_full(transaction: &mut Transaction<'_>, quota: Quota) -> Result<bool, Error> {
    lock::take(transaction, Lock::Quota)?;
    let count = "SELECT
            (SELECT count(*) FROM pair WHERE stored IS NULL AND leased_until > clock_timestamp())
          + (SELECT count(*) FROM pair WHERE stored IS NOT NULL AND finished IS NULL)
          + (SELECT count(*) FROM pair WHERE finished > $1)";
    let count: i64 = transaction.query_one(count, &[&whole(quota.after)])?.get(0);
    Ok(natural(count) >= quota.pairs)
}
