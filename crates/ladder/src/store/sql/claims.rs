//! Claims: which run plays which pair.

use super::{Dialect, Lock, Sql, Value, list};
use crate::store::{Claim, Lease, PairKey, Quota, StoreError};

/// Claims a pair that is there and free, or enters it.
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
    let PairKey {
        first,
        second,
        round,
    } = key;
    let names = [&first.bot, &second.bot, &first.version, &second.version];
    let mut values: Vec<Value> = names.map(Value::from).into();
    values.push((*round).into());
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
        // Another run was quicker.
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

pub(super) fn renew(sql: &mut dyn Sql, run: u64, pairs: &[u64]) -> Result<(), StoreError> {
    let Dialect { renew, .. } = sql.dialect();
    let renew = renew.replace("{pairs}", &list(pairs));
    sql.change(&renew, &[run.into()])?;
    Ok(())
}

pub(super) fn release(sql: &mut dyn Sql, run: u64) -> Result<(), StoreError> {
    let release = "UPDATE pair SET run = NULL{free} WHERE run = ?1 AND {open}";
    sql.change(release, &[run.into()])?;
    Ok(())
}

pub(super) fn under_way(sql: &mut dyn Sql) -> Result<Vec<[String; 2]>, StoreError> {
    let select = "SELECT first, second FROM pair WHERE {open} AND {held} ORDER BY id";
    let rows = sql.rows(select, &[])?;
    let names = |row: &super::Row| Ok([row.text(0)?, row.text(1)?]);
    rows.iter().map(names).collect()
}

/// Gives a pair back, while the lease to it lasts; tells whether it did.
pub(super) fn give_back(sql: &mut dyn Sql, run: u64, lease: Lease) -> Result<bool, StoreError> {
    let give_back = "UPDATE pair SET run = NULL{free}
         WHERE id = ?1 AND run = ?2 AND fence = ?3 AND {open} AND {held}";
    let values = [lease.pair, run, lease.fence].map(Value::from);
    Ok(sql.change(give_back, &values)? > 0)
}
