//! Claims: which run plays which pair.

use super::{Lock, Sql, Value};
use crate::store::{Claim, Lease, PairKey, Quota, StoreError};

/// Claims a pair that exists and is free, or creates it.
pub(super) fn claim(
    sql: &mut dyn Sql,
    run: u64,
    key: &PairKey,
    quota: Option<Quota>,
) -> Result<Claim, StoreError> {
    if let Some(quota) = quota
        && is_full(sql, quota)?
    {
        return Ok(Claim::Full);
    }
    let (first, second) = (&key.first, &key.second);
    let names = [&first.bot, &second.bot, &first.version, &second.version];
    let mut values: Vec<Value> = names.map(Value::from).into();
    values.push(key.round.into());
    let known = "SELECT CASE WHEN {stored} THEN 1 ELSE 0 END FROM pair
         WHERE first = ?1 AND second = ?2 AND first_version = ?3 AND second_version = ?4
           AND round = ?5";
    let known = sql.row(known, &values)?;
    if known.as_ref().is_some_and(|row| row.is_true(0)) {
        return Ok(Claim::Finished);
    }
    if known.is_none() {
        let insert = "INSERT INTO pair (first, second, first_version, second_version, round)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (first, second, first_version, second_version, round) DO NOTHING";
        sql.change(insert, &values)?;
    }
    values.push(run.into());
    let claim = "UPDATE pair SET run = ?6, fence = fence + 1{lease}
         WHERE first = ?1 AND second = ?2 AND first_version = ?3 AND second_version = ?4
           AND round = ?5 AND {open} AND ({held}) IS NOT TRUE
         RETURNING id, fence";
    let Some(row) = sql.row(claim, &values)? else {
        // Another run was faster.
        return Ok(Claim::Taken);
    };
    Ok(Claim::Claimed(Lease {
        pair: row.number(0)?,
        fence: row.number(1)?,
    }))
}

/// Whether a quota is used up, counted by one claim at a time.
fn is_full(sql: &mut dyn Sql, quota: Quota) -> Result<bool, StoreError> {
    sql.lock(Lock::Quota)?;
    let count = "SELECT (SELECT count(*) FROM pair WHERE {open} AND {held})
          + (SELECT count(*) FROM pair WHERE {stored} AND finished IS NULL)
          + (SELECT count(*) FROM pair WHERE finished > ?1)";
    Ok(sql.number(count, &[quota.after.into()])? >= quota.pairs)
}
