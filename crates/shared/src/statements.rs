//! Statements as PostgreSQL takes them.

use super::error::OrStoreError;
use crownhead_ladder::store::StoreError;
use crownhead_ladder::store::sql::{Dialect, Lock, Row, Sql, Value};
use postgres::types::private::BytesMut;
use postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use postgres::{Error, GenericClient};
use std::error::Error as StdError;

/// A lease lasts for a minute by the server's clock: what a killed run had claimed waits so long. Stored pairs are
/// numbered when they are read (`order`). Pairs of a worker that is excluded are not rated.
pub(crate) const DIALECT: Dialect = Dialect {
    open: "stored IS NULL",
    stored: "stored IS NOT NULL",
    held: "leased_until > clock_timestamp()",
    void: "void IS NOT NULL OR coalesce(pair.run IN (
        SELECT run.id FROM run JOIN worker ON worker.name = run.worker WHERE excluded IS NOT NULL), FALSE)",
    lease: ", leased_until = clock_timestamp() + make_interval(secs => 60)",
    free: ", leased_until = NULL",
    store: "stored = clock_timestamp(), leased_until = NULL",
    reopen: "stored = NULL, leased_until = NULL, finished = NULL",
    renew: "UPDATE pair SET leased_until = clock_timestamp() + make_interval(secs => 60)
        WHERE run = ?1 AND id IN ({pairs}) AND leased_until > clock_timestamp()",
    summary: "",
};

/// What the locks of Crownhead are told from others' by: "CrHd".
const CLASS: i32 = 0x4372_4864;

/// A client, or a transaction of one.
pub(crate) struct Statements<'a, C>(pub(crate) &'a mut C);

impl<C: GenericClient> Sql for Statements<'_, C> {
    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }

    fn query(&mut self, statement: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let bound: Vec<Bound<'_>> = values.iter().map(Bound).collect();
        let bound: Vec<&(dyn ToSql + Sync)> = bound.iter().map(|value| value as _).collect();
        let rows = self
            .0
            .query(&numbered(statement), &bound)
            .or_store_error()?;
        let row = |row: &postgres::Row| {
            let values = (0..row.len()).map(|at| row.try_get(at).map(|Read(value)| value));
            Ok(Row(values
                .collect::<Result<_, Error>>()
                .or_store_error()?))
        };
        rows.iter().map(row).collect()
    }

    fn execute(&mut self, statement: &str, values: &[Value]) -> Result<u64, StoreError> {
        let bound: Vec<Bound<'_>> = values.iter().map(Bound).collect();
        let bound: Vec<&(dyn ToSql + Sync)> = bound.iter().map(|value| value as _).collect();
        self.0
            .execute(&numbered(statement), &bound)
            .or_store_error()
    }

    /// Holds the lock until after what the transaction wrote can be seen. The next statement sees what those wrote who
    /// had the lock before.
    fn lock(&mut self, lock: Lock) -> Result<(), StoreError> {
        let take = "SELECT pg_advisory_xact_lock($1, $2)";
        self.0
            .execute(take, &[&CLASS, &(lock as i32)])
            .or_store_error()?;
        Ok(())
    }
}

/// A statement with its values as `$1`, `$2` and so on.
fn numbered(statement: &str) -> String {
    statement.replace('?', "$")
}

/// A value that goes into a statement.
#[derive(Debug)]
struct Bound<'a>(&'a Value);

impl ToSql for Bound<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self.0 {
            Value::Null => Ok(IsNull::Yes),
            Value::Text(text) => text.to_sql(kind, out),
            Value::Number(number) if *kind == Type::INT2 => {
                i16::try_from(*number)?.to_sql(kind, out)
            }
            Value::Number(number) => number.to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        [Type::INT2, Type::INT8, Type::TEXT].contains(kind)
    }

    to_sql_checked!();
}

/// A value that comes out of a row.
struct Read(Value);

impl<'a> FromSql<'a> for Read {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Read, Box<dyn StdError + Sync + Send>> {
        Ok(Read(match *kind {
            Type::TEXT => Value::Text(String::from_sql(kind, raw)?),
            Type::BOOL => Value::Number(bool::from_sql(kind, raw)?.into()),
            Type::INT2 => Value::Number(i16::from_sql(kind, raw)?.into()),
            Type::INT4 => Value::Number(i32::from_sql(kind, raw)?.into()),
            _ => Value::Number(i64::from_sql(kind, raw)?),
        }))
    }

    fn from_sql_null(_: &Type) -> Result<Read, Box<dyn StdError + Sync + Send>> {
        Ok(Read(Value::Null))
    }

    fn accepts(kind: &Type) -> bool {
        [Type::BOOL, Type::INT2, Type::INT4, Type::INT8, Type::TEXT].contains(kind)
    }
}
