//! Named numbers in their order.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::Named;

/// Named numbers in the order of the model; in JSON an object, and `null` for what is not finite.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Quantities(pub Vec<(String, f64)>);

impl Quantities {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of that name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }
}

impl<S: Into<String>> FromIterator<(S, f64)> for Quantities {
    fn from_iter<I: IntoIterator<Item = (S, f64)>>(items: I) -> Self {
        Self(items.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }
}

impl Serialize for Quantities {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let finite = |value: f64| value.is_finite().then_some(value);
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, finite(*value))))
    }
}

impl<'de> Deserialize<'de> for Quantities {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = Quantities;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of numbers")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Quantities, A::Error> {
                let mut entries = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Option<f64>>()? {
                    entries.push((name, value.unwrap_or(f64::NAN)));
                }
                Ok(Quantities(entries))
            }
        }

        deserializer.deserialize_map(Entries)
    }
}

impl JsonSchema for Quantities {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Quantities".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Named::<Option<f64>>::json_schema(generator)
    }
}

/// A number that is `null` in JSON when it is not finite.
pub(super) struct Finite;

impl Finite {
    pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        value.is_finite().then_some(*value).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::<f64>::deserialize(deserializer)?.unwrap_or(f64::NAN))
    }
}

/// A number that may not apply, and is `null` in JSON then or when it is not finite.
pub(super) struct Applicable;

impl Applicable {
    pub(super) fn serialize<S: Serializer>(
        value: &Option<f64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.filter(|value| value.is_finite()).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<f64>, D::Error> {
        Option::<f64>::deserialize(deserializer)
    }
}

/// In the schema both are a number or `null`.
macro_rules! number_or_null {
    ($($name:ident),*) => {$(
        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                Option::<f64>::json_schema(generator)
            }
        }
    )*};
}
number_or_null!(Finite, Applicable);
