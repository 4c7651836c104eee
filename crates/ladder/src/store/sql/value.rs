//! Values in statements and rows.

use crate::store::StoreError;
use crownhead_record::text::printable;
use serde::de::DeserializeOwned;

/// A value of a column.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Value {
    Null,
    Number(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

impl From<u64> for Value {
    fn from(number: u64) -> Value {
        Value::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl<T: AsRef<str> + ?Sized> From<&T> for Value {
    fn from(text: &T) -> Value {
        Value::Text(text.as_ref().into())
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

/// One row of a reply, with its values by position.
#[derive(Clone, Debug)]
pub struct Row(pub Vec<Value>);

/// How much of an unexpected text to show.
const SHOWN: usize = 100;

/// Describes an unexpected value.
pub(super) fn unexpected(found: &str, expected: &str) -> StoreError {
    StoreError::Content(format!("{found} is stored where {expected} should be"))
}

/// # Errors
/// All methods fail when the value is of another kind.
impl Row {
    pub(super) fn unexpected<T>(&self, at: usize, expected: &str) -> Result<T, StoreError> {
        let found: String = match &self.0[at] {
            Value::Null => "nothing".into(),
            Value::Number(number) => number.to_string(),
            Value::Real(number) => number.to_string(),
            Value::Text(text) => {
                let beginning: String = text.chars().take(SHOWN).collect();
                format!("`{}`", printable(beginning))
            }
            Value::Bytes(bytes) => format!("{} bytes", bytes.len()),
        };
        Err(unexpected(&found, expected))
    }

    /// A number that is not negative.
    pub fn number(&self, at: usize) -> Result<u64, StoreError> {
        match self.0[at] {
            Value::Number(number @ 0..) => Ok(number as u64),
            _ => self.unexpected(at, "a number that is not negative"),
        }
    }

    /// A number with a fraction.
    pub fn real(&self, at: usize) -> Result<f64, StoreError> {
        match self.0[at] {
            Value::Real(number) => Ok(number),
            _ => self.unexpected(at, "a number with a fraction"),
        }
    }

    /// A text.
    pub fn text(&self, at: usize) -> Result<String, StoreError> {
        match &self.0[at] {
            Value::Text(text) => Ok(text.clone()),
            _ => self.unexpected(at, "a text"),
        }
    }

    /// The content of a file.
    pub fn bytes(&self, at: usize) -> Result<Vec<u8>, StoreError> {
        match &self.0[at] {
            Value::Bytes(bytes) => Ok(bytes.clone()),
            _ => self.unexpected(at, "bytes"),
        }
    }

    /// A value as `read` reads it, if there is one.
    pub fn optional<T>(
        &self,
        at: usize,
        read: impl Fn(&Row, usize) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        match self.0[at] {
            Value::Null => Ok(None),
            _ => read(self, at).map(Some),
        }
    }

    /// Whether a condition holds.
    pub(super) fn is_true(&self, at: usize) -> bool {
        matches!(self.0[at], Value::Number(number) if number != 0)
    }

    /// A value that is stored as JSON.
    pub(super) fn json<T: DeserializeOwned>(
        &self,
        at: usize,
        expected: &str,
    ) -> Result<T, StoreError> {
        let Value::Text(text) = &self.0[at] else {
            return self.unexpected(at, expected);
        };
        serde_json::from_str(text).or_else(|_| self.unexpected(at, expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        Row(vec![
            Value::Null,
            Value::from(7_u64),
            Value::Number(-1),
            Value::Real(0.5),
            Value::from("anna"),
            Value::from("[1,2]"),
            Value::Bytes(vec![1, 2]),
            Value::Number(0),
        ])
    }

    #[test]
    fn a_value_is_read_as_what_it_is() {
        let row = row();
        assert_eq!(row.number(1).unwrap(), 7);
        assert_eq!(row.number(7).unwrap(), 0);
        assert_eq!(row.real(3).unwrap(), 0.5);
        assert_eq!(row.text(4).unwrap(), "anna");
        assert_eq!(row.bytes(6).unwrap(), [1, 2]);
        let list: Vec<u64> = row.json(5, "a list").unwrap();
        assert_eq!(list, [1, 2]);
        assert_eq!(row.optional(0, Row::number).unwrap(), None);
        assert_eq!(row.optional(1, Row::number).unwrap(), Some(7));
        assert_eq!(
            [0, 1, 2, 7].map(|at| row.is_true(at)),
            [false, true, true, false]
        );
        assert_eq!(Value::from(None::<u64>), Value::Null);
        assert_eq!(Value::from(u64::MAX), Value::Number(i64::MAX));
    }

    #[test]
    fn a_value_of_another_kind_is_told_with_what_should_be_there() {
        let row = row();
        let told = |read: Result<(), StoreError>| read.unwrap_err().to_string();
        for (read, expected) in [
            (
                row.number(0).map(drop),
                "nothing is stored where a number that is not negative should be",
            ),
            (
                row.number(2).map(drop),
                "-1 is stored where a number that is not negative should be",
            ),
            (
                row.real(1).map(drop),
                "7 is stored where a number with a fraction should be",
            ),
            (
                row.text(3).map(drop),
                "0.5 is stored where a text should be",
            ),
            (
                row.bytes(4).map(drop),
                "`anna` is stored where bytes should be",
            ),
            (
                row.text(6).map(drop),
                "2 bytes is stored where a text should be",
            ),
            (
                row.json::<Vec<u64>>(4, "a list").map(drop),
                "`anna` is stored where a list should be",
            ),
        ] {
            let told = told(read);
            assert!(told.contains(expected), "{told}");
        }
        let long = Row(vec![Value::Text("\u{1b}".repeat(SHOWN + 1))]);
        let told = told(long.number(0).map(drop));
        assert_eq!(told.matches(r"\x1b").count(), SHOWN, "{told}");
    }
}
