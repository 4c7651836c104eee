//! The extra variables of bots: `NAME`, with the value that it has here, or
//! `NAME=VALUE`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::env::VarError;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// A variable, as a person writes it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value, if not the one that it has here.
    pub value: Option<String>,
}

impl FromStr for Variable {
    type Err = String;

    fn from_str(text: &str) -> Result<Variable, String> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        if name.is_empty() || text.contains('\0') {
            return Err("expected NAME or NAME=VALUE".into());
        }
        Ok(Variable {
            name: name.into(),
            value: value.map(Into::into),
        })
    }
}

impl Display for Variable {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(to, "{}={value}", self.name),
            None => to.write_str(&self.name),
        }
    }
}

impl TryFrom<String> for Variable {
    type Error = String;

    fn try_from(text: String) -> Result<Variable, String> {
        text.parse()
    }
}

impl Variable {
    /// Its value; of one that is only named, the one that it has here.
    ///
    /// # Errors
    /// When it has none here, or one that is not UTF-8.
    pub fn value(&self) -> Result<String, String> {
        if let Some(value) = &self.value {
            return Ok(value.clone());
        }
        let name = &self.name;
        std::env::var(name).map_err(|error| match error {
            VarError::NotPresent => format!(
                "`{name}` is not set here: `--env {name}=VALUE` gives it a value (`env` in a ladder.toml)"
            ),
            VarError::NotUnicode(_) => format!("the value of `{name}` is not UTF-8"),
        })
    }
}

/// One variable of each name, in their order: of two with one name the later one counts.
pub fn last_of_each(variables: impl IntoIterator<Item = Variable>) -> Vec<Variable> {
    let named = variables.into_iter().map(|it| (it.name.clone(), it));
    named.collect::<BTreeMap<_, _>>().into_values().collect()
}

/// The variables with their values; of two with one name the later one counts.
///
/// # Errors
/// When one has no value here, or one that is not UTF-8.
pub fn values(variables: &[Variable]) -> Result<BTreeMap<String, String>, String> {
    let last = last_of_each(variables.iter().cloned());
    let value = |it: &Variable| Ok((it.name.clone(), it.value()?));
    last.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_its_name_with_or_without_a_value() {
        let read = |text: &str| text.parse::<Variable>();
        let variable = |name: &str, value: Option<&str>| Variable {
            name: name.into(),
            value: value.map(Into::into),
        };
        assert_eq!(read("DEPTH"), Ok(variable("DEPTH", None)));
        assert_eq!(read("DEPTH="), Ok(variable("DEPTH", Some(""))));
        assert_eq!(read("A=b=c d"), Ok(variable("A", Some("b=c d"))));
        for text in ["DEPTH", "DEPTH=", "A=b=c d"] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
        for text in ["", "=x", "=", "A=b\0c"] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn the_later_of_two_variables_counts_and_a_bare_name_takes_its_value_here() {
        let read = |texts: &[&str]| -> Vec<Variable> {
            texts.iter().map(|text| text.parse().unwrap()).collect()
        };
        let values_of = |texts: &[&str]| values(&read(texts));
        let found = values_of(&[
            "PATH",
            "A=1",
            "NO_SUCH_VARIABLE",
            "A=2",
            "NO_SUCH_VARIABLE=3",
        ]);
        let path = std::env::var("PATH").unwrap();
        let expected = [("A", "2"), ("NO_SUCH_VARIABLE", "3"), ("PATH", &path)];
        assert_eq!(
            found.unwrap(),
            BTreeMap::from(expected.map(|(name, value)| (name.to_string(), value.to_string())))
        );
        let unset = values_of(&["A=1", "NO_SUCH_VARIABLE"]).unwrap_err();
        assert!(
            unset.contains("`NO_SUCH_VARIABLE` is not set here"),
            "{unset}"
        );
    }
}
