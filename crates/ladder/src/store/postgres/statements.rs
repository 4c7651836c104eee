//! Statements for PostgreSQL.

use crate::store::StoreError;
use crate::store::sql::{Phrases, Row, Sql, Value, spell};
use postgres::types::private::BytesMut;
use postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use postgres::{Error, GenericClient};
use std::error::Error as StdError;

/// A lease lasts for a minute by the server's clock; the pairs of a killed run wait this long. Stored pairs get their
/// numbers when they are read (`order`).
const PHRASES: &Phrases = &[
    ("{open}", "stored IS NULL"),
    ("{stored}", "stored IS NOT NULL"),
    ("{held}", "leased_until > clock_timestamp()"),
    (
        "{lease}",
        ", leased_until = clock_timestamp() + make_interval(secs => 60)",
    ),
    ("{free}", ", leased_until = NULL"),
    ("{store}", "stored = clock_timestamp(), leased_until = NULL"),
    (
        "{reopen}",
        "stored = NULL, leased_until = NULL, finished = NULL",
    ),
    ("{summary}", ""),
];

/// Distinguishes Crownhead's lock from others: "CrHd". Earlier versions number the stored pairs under this one.
pub(crate) const LOCK: i64 = 0x4372_4864 << 32 | 2;

/// A client, or a transaction of one.
pub(crate) struct Statements<'a, C>(pub(crate) &'a mut C);

impl<C: GenericClient> Sql for Statements<'_, C> {
    fn rows(&mut self, statement: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let row = |row: &postgres::Row| {
            let values = (0..row.len()).map(|at| row.try_get(at));
            Ok(Row(values.collect::<Result<_, Error>>()?))
        };
        let rows = self.0.query(&numbered(statement), &bound(values))?;
        rows.iter().map(row).collect()
    }

    fn change(&mut self, statement: &str, values: &[Value]) -> Result<u64, StoreError> {
        Ok(self.0.execute(&numbered(statement), &bound(values))?)
    }

    /// Holds the lock until the transaction's writes are visible. The next statement sees the writes of earlier
    /// holders.
    fn lock(&mut self) -> Result<(), StoreError> {
        let key = Value::Number(LOCK);
        self.change("SELECT pg_advisory_xact_lock(?1)", &[key])
            .map(drop)
    }
}

fn bound(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as _).collect()
}

/// A statement with its values as `$1`, `$2` and so on.
fn numbered(statement: &str) -> String {
    spell(PHRASES, statement).replace('?', "$")
}

/// The connection says later what the server's error means.
impl From<Error> for StoreError {
    fn from(error: Error) -> StoreError {
        StoreError::Database(Box::new(error))
    }
}

impl ToSql for Value {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Number(number) => number.to_sql(kind, out),
            Value::Real(number) => number.to_sql(kind, out),
            Value::Text(text) => text.to_sql(kind, out),
            Value::Bytes(bytes) => bytes.to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        [Type::INT8, Type::FLOAT8, Type::TEXT, Type::BYTEA].contains(kind)
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Value {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Value, Box<dyn StdError + Sync + Send>> {
        Ok(match *kind {
            Type::BOOL => Value::Number(bool::from_sql(kind, raw)?.into()),
            Type::INT4 => Value::Number(i32::from_sql(kind, raw)?.into()),
            Type::INT8 => Value::Number(i64::from_sql(kind, raw)?),
            Type::FLOAT8 => Value::Real(f64::from_sql(kind, raw)?),
            Type::BYTEA => Value::Bytes(raw.into()),
            _ => Value::Text(String::from_sql(kind, raw)?),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Value, Box<dyn StdError + Sync + Send>> {
        Ok(Value::Null)
    }

    fn accepts(kind: &Type) -> bool {
        [Type::BOOL, Type::INT4].contains(kind) || <Value as ToSql>::accepts(kind)
    }
}
