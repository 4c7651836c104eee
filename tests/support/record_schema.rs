//! The schema of a record, `docs/guide/reference/record.schema.json`, and whether a game keeps to it.
//!
//! Knows the keywords of JSON Schema that the file uses and refuses any other, so that none goes unchecked.

use serde_json::Value;
use std::collections::BTreeSet;

/// The schema.
pub(crate) struct RecordSchema {
    root: Value,
}

/// Properties of the schema, such as `turn.reply`.
pub(crate) type Properties = BTreeSet<String>;

impl RecordSchema {
    pub(crate) fn load() -> RecordSchema {
        let text = include_str!("../../docs/guide/reference/record.schema.json");
        let root = serde_json::from_str(text).expect("the schema is JSON");
        RecordSchema { root }
    }

    /// The properties that a game has.
    ///
    /// # Errors
    /// Where the game violates the schema.
    pub(crate) fn check(&self, game: &Value) -> Result<Properties, String> {
        let mut met = Properties::new();
        self.check_value(&self.root, game, "game", &mut met)?;
        Ok(met)
    }

    /// All properties.
    pub(crate) fn properties(&self) -> Properties {
        let definitions = self.root["$defs"].as_object().expect("definitions");
        let definitions = definitions.iter().map(|(name, schema)| (&**name, schema));
        let all = definitions.chain([("game", &self.root)]);
        let of = |(name, schema): (&str, &Value)| {
            let properties = schema["properties"].as_object().into_iter().flatten();
            let names = properties.map(|(property, _)| format!("{name}.{property}"));
            names.collect::<Vec<_>>()
        };
        all.flat_map(of).collect()
    }

    /// The texts of the enumeration at this place in the schema.
    pub(crate) fn texts(&self, place: &str) -> BTreeSet<&str> {
        let texts = self.root.pointer(place).and_then(Value::as_array);
        texts
            .expect(place)
            .iter()
            .filter_map(Value::as_str)
            .collect()
    }

    /// Checks a value, which errors call `name`, and notes its properties.
    fn check_value(
        &self,
        schema: &Value,
        value: &Value,
        name: &str,
        met: &mut Properties,
    ) -> Result<(), String> {
        for (keyword, told) in schema.as_object().expect("a schema") {
            let holds = match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" => true,
                "$ref" => {
                    let place = told.as_str().expect("a place").trim_start_matches('#');
                    let definition = self.root.pointer(place).expect(place);
                    let name = place.rsplit('/').next().unwrap_or(place);
                    self.check_value(definition, value, name, met)?;
                    true
                }
                "type" => match told {
                    Value::Array(types) => types.iter().any(|one| is_of(one, value)),
                    one => is_of(one, value),
                },
                "const" => value == told,
                "enum" => told.as_array().expect("a list").contains(value),
                "minimum" => value
                    .as_f64()
                    .is_none_or(|number| Some(number) >= told.as_f64()),
                "minItems" => {
                    let items = value.as_array().map(|items| items.len() as u64);
                    items.is_none_or(|items| Some(items) >= told.as_u64())
                }
                "required" => {
                    let mut names = told.as_array().expect("a list").iter();
                    names.all(|name| value.get(name.as_str().expect("a name")).is_some())
                }
                "items" => {
                    for item in value.as_array().into_iter().flatten() {
                        self.check_value(told, item, name, met)?;
                    }
                    true
                }
                "properties" => {
                    for (property, schema) in told.as_object().expect("properties") {
                        let name = format!("{name}.{property}");
                        if let Some(value) = value.get(property) {
                            self.check_value(schema, value, &name, met)?;
                            met.insert(name);
                        }
                    }
                    true
                }
                "additionalProperties" => {
                    let known = &schema["properties"];
                    for (property, value) in value.as_object().into_iter().flatten() {
                        let name = format!("{name}.{property}");
                        match told {
                            _ if known.get(property).is_some() => {}
                            Value::Bool(false) => return Err(format!("{name} is not known")),
                            schema => self.check_value(schema, value, &name, met)?,
                        }
                    }
                    true
                }
                other => panic!("the keyword {other} is not checked"),
            };
            if !holds {
                return Err(format!("{name} violates {keyword} {told}: {value}"));
            }
        }
        Ok(())
    }
}

/// Whether a value has a type of JSON Schema.
fn is_of(kind: &Value, value: &Value) -> bool {
    match kind.as_str().expect("a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the type {other} is not known"),
    }
}
