//! What is wrong with a file of keys and values (JSON, TOML) or with a name, in words for people instead of serde's.

use crate::text::printable;

/// How many names are listed where one is not known.
const LISTED: usize = 10;

/// What serde says of a key or a value, in words for people.
pub fn plain_format(message: &str) -> String {
    // JSON's place is that in one line of the file, and is given beside the line's number.
    let message = message
        .split(" at line ")
        .next()
        .unwrap_or_default()
        .replace('\n', "; ");
    let part = |start| message.strip_prefix(start);
    if let Some(key) = part("missing field ") {
        format!("the key {key} is missing")
    } else if let Some(key) = part("duplicate field ").or_else(|| part("duplicate key ")) {
        format!("the key {key} is there twice. Leave one")
    } else if let Some(rest) = part("unknown field ") {
        unknown("key", rest)
    } else if let Some(rest) = part("unknown variant ") {
        unknown("value", rest)
    } else if let Some(rest) = part("invalid type: ").or_else(|| part("invalid value: ")) {
        wrong_value(rest).unwrap_or_else(|| rest.into())
    } else if message.starts_with("invalid basic string") {
        "the text has no closing quote".into()
    } else {
        message
    }
}

/// Of serde's "`pairz`, expected one of `a`, `b`".
fn unknown(what: &str, rest: &str) -> String {
    let (name, known) = rest.split_once(", ").unwrap_or((rest, ""));
    let name = name.trim_matches('`');
    let known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
    unknown_name(what, name, &known)
}

/// The message that there is no such name, with the nearest of those there are, or else all of them.
pub fn unknown_name(what: &str, name: &str, known: &[&str]) -> String {
    let unknown = format!("there is no {what} `{}`", printable(name));
    let near = known
        .iter()
        .map(|known| (strsim::damerau_levenshtein(known, name), known))
        .min()
        .filter(|(distance, known)| distance * 2 < known.len());
    match near {
        Some((_, near)) => format!("{unknown}. Did you mean `{near}`?"),
        None if known.is_empty() => unknown,
        None => format!("{unknown}. Expected {}", any_of(known)),
    }
}

/// "`a`, `b` or `c`", and how many more there are.
pub fn any_of(names: &[&str]) -> String {
    let mut listed: Vec<String> = names
        .iter()
        .take(LISTED)
        .map(|name| format!("`{}`", printable(name)))
        .collect();
    if names.len() > LISTED {
        listed.push(format!("one of {} more", names.len() - LISTED));
    }
    match listed.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        _ => listed.concat(),
    }
}

/// Of serde's "string \"two\", expected u64".
fn wrong_value(rest: &str) -> Option<String> {
    let (found, expected) = rest.rsplit_once(", expected ")?;
    let (kind, value) = found.split_once(' ').unwrap_or((found, ""));
    let value = value.trim_matches('`');
    let expected = match expected {
        "u64" | "u32" | "u16" | "u8" | "usize" => "a whole number from 0",
        "i64" | "i32" | "i16" | "i8" => "a whole number",
        "f64" | "f32" => "a number",
        "a string" => "text in quotes",
        "a boolean" => "`true` or `false`",
        "a sequence" => "a list in `[ ]`",
        _ if expected.starts_with("struct ") || expected == "a map" => "keys with values",
        other => other,
    };
    let found = match kind {
        "map" | "table" => "keys with values",
        "sequence" => "a list",
        "null" => "`null`",
        _ if value.is_empty() => kind,
        _ => return Some(format!("expected {expected}, found `{value}`")),
    };
    Some(format!("expected {expected}, found {found}"))
}

#[cfg(test)]
mod tests {
    use super::plain_format;

    #[test]
    fn keys_and_values_are_refused_without_serdes_words() {
        for (message, plain) in [
            (
                "missing field `version` at line 1 column 7",
                "the key `version` is missing",
            ),
            (
                "unknown field `pairz`, expected one of `schedule`, `pairs`",
                "there is no key `pairz`. Did you mean `pairs`?",
            ),
            (
                "unknown variant `foo`, expected `all` or `faults`",
                "there is no value `foo`. Expected `all` or `faults`",
            ),
            (
                "unknown variant `foo`, there are no variants",
                "there is no value `foo`",
            ),
            (
                "invalid type: string \"two\", expected u64",
                "expected a whole number from 0, found `\"two\"`",
            ),
            (
                "invalid value: integer `-1`, expected u64",
                "expected a whole number from 0, found `-1`",
            ),
            (
                "invalid type: map, expected a string",
                "expected text in quotes, found keys with values",
            ),
            (
                "duplicate key `time`",
                "the key `time` is there twice. Leave one",
            ),
            (
                "invalid basic string, expected `\"`",
                "the text has no closing quote",
            ),
            ("`1x` is no time", "`1x` is no time"),
        ] {
            assert_eq!(plain_format(message), plain);
        }
        for (expected, plain) in [
            ("u8", "a whole number from 0"),
            ("i64", "a whole number"),
            ("f32", "a number"),
            ("a string", "text in quotes"),
            ("a boolean", "`true` or `false`"),
            ("a sequence", "a list in `[ ]`"),
            ("a map", "keys with values"),
            ("struct Limits", "keys with values"),
            ("a time such as 5s", "a time such as 5s"),
        ] {
            for (found, plain_found) in [
                ("map", "keys with values"),
                ("sequence", "a list"),
                ("null", "`null`"),
                ("unit", "unit"),
                ("integer `1`", "`1`"),
            ] {
                let told = plain_format(&format!("invalid type: {found}, expected {expected}"));
                assert_eq!(told, format!("expected {plain}, found {plain_found}"));
            }
        }
    }
}
