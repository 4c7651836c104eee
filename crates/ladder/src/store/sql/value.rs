//! Values that go into statements and come back in rows.

use crate::store::StoreError;
use serde::de::value::Error as NameError;
use serde::de::{DeserializeOwned, IntoDeserializer};
use std::time::Duration;

/// A value of a column.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Value {
    Null,
    Number(i64),
    Text(String),
}

impl From<u64> for Value {
    fn from(number: u64) -> Value {
        Value::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.into())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Value {
        Value::Text(text.clone())
    }
}

impl<T> From<Option<T>> for Value
where
    Value: From<T>,
{
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, Value::from)
    }
}

/// One row of an answer. Its values are asked for by their places.
#[derive(Clone, Debug)]
pub struct Row(pub Vec<Value>);

/// What is there instead of what should be.
pub(super) fn unexpected(found: impl Into<String>, expected: &'static str) -> StoreError {
    let found = found.into();
    StoreError::Value { found, expected }
}

/// # Errors
/// All methods fail when the value is of another kind.
impl Row {
    fn unexpected<T>(&self, at: usize, expected: &'static str) -> Result<T, StoreError> {
        let found = match &self.0[at] {
            Value::Null => "nothing".into(),
            Value::Number(number) => number.to_string(),
            Value::Text(text) => format!("`{text}`"),
        };
        Err(unexpected(found, expected))
    }

    pub(super) fn number(&self, at: usize) -> Result<u64, StoreError> {
        match self.0[at] {
            Value::Number(number @ 0..) => Ok(number as u64),
            _ => self.unexpected(at, "a number that is not negative"),
        }
    }

    pub(super) fn text(&self, at: usize) -> Result<String, StoreError> {
        match &self.0[at] {
            Value::Text(text) => Ok(text.clone()),
            _ => self.unexpected(at, "a text"),
        }
    }

    pub(super) fn optional_text(&self, at: usize) -> Result<Option<String>, StoreError> {
        match self.0[at] {
            Value::Null => Ok(None),
            _ => self.text(at).map(Some),
        }
    }

    /// Whether a condition holds.
    pub(super) fn is_true(&self, at: usize) -> bool {
        matches!(self.0[at], Value::Number(number) if number != 0)
    }

    pub(super) fn time(&self, at: usize) -> Result<Duration, StoreError> {
        Ok(Duration::from_micros(self.number(at)?))
    }

    /// A value by its name in records.
    pub(super) fn named<T: DeserializeOwned>(
        &self,
        at: usize,
        expected: &'static str,
    ) -> Result<T, StoreError> {
        let name: String = self.text(at)?;
        let named = T::deserialize(IntoDeserializer::<NameError>::into_deserializer(name));
        named.or_else(|_| self.unexpected(at, expected))
    }
}
