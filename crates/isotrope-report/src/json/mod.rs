//! The report for programs: names are fixed by the contract, expressions parse back.
//!
//! Every answer is a plain struct, a *record*; its JSON and its schema follow from its fields.

mod conservation;
mod derivation;
mod geometry;
mod mechanics;
mod motion;
mod singular;
mod state;

pub use derivation::{DerivationRecord, to_json};
pub(crate) use geometry::{GeneratorRecord, generators};
pub use isotrope_study::report::Named;

use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, Internal, Pool, print};
use isotrope_certify::DefectOrder;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

/// An expression as text that parses back; `null` if it is too long to be written.
pub(crate) type Expression = Option<String>;

/// The JSON of a record.
///
/// The keys of a record are texts, and numbers that are not finite become `null`, so there is nothing
/// that JSON cannot hold. If a record breaks that rule, the answer is an object with the one key
/// `internal_error`, which no schema has, and the command that shows it ends as with any violated invariant.
pub fn value(record: &impl Serialize) -> Value {
    serde_json::to_value(record).unwrap_or_else(|error| {
        let internal = Internal::new("a record can be written as JSON");
        json!({ "internal_error": format!("{internal}: {error}; {}", Internal::HINT) })
    })
}

/// An exponent of h: a number, or `inf` and `>=m`.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(untagged)]
#[schemars(inline)]
pub(crate) enum Exponent {
    Power(u64),
    Bound(String),
}

impl From<DefectOrder> for Exponent {
    fn from(of: DefectOrder) -> Self {
        match of {
            DefectOrder::Exactly(power) => Self::Power(power as u64),
            DefectOrder::Infinite | DefectOrder::AtLeast(_) => Self::Bound(of.to_string()),
        }
    }
}

pub(crate) fn expression(pool: &Pool, id: ExprId) -> Expression {
    // What cannot be written within the budget is null, never cut: it has to parse back.
    print::to_text(pool, id, &mut Budget::new(20_000_000)).ok()
}

pub(crate) fn optional(pool: &Pool, id: Option<ExprId>) -> Expression {
    id.and_then(|id| expression(pool, id))
}

pub(crate) fn list(pool: &Pool, ids: &[ExprId]) -> Vec<Expression> {
    ids.iter().map(|&id| expression(pool, id)).collect()
}

pub(crate) fn matrix(pool: &Pool, rows: &[Vec<ExprId>]) -> Vec<Vec<Expression>> {
    rows.iter().map(|row| list(pool, row)).collect()
}

pub(crate) fn by_name(pool: &Pool, names: &[String], ids: &[ExprId]) -> Named<Expression> {
    names.iter().zip(ids).map(|(name, &id)| (name.clone(), expression(pool, id))).collect()
}

/// The components that are not zero.
pub(crate) fn nonzero(pool: &Pool, names: &[String], ids: &[ExprId]) -> Named<Expression> {
    let parts = names.iter().zip(ids).filter(|(_, id)| !id.is_zero());
    parts.map(|(name, &id)| (name.clone(), expression(pool, id))).collect()
}

/// What is known of a statement: `proved`, `refuted`, …
pub(crate) fn zero_answer(answer: Zero) -> String {
    match answer {
        Zero::Yes => "proved".to_owned(),
        Zero::No => "refuted".to_owned(),
        Zero::Unknown { points: 0 } => "not checked".to_owned(),
        Zero::Unknown { points } => format!("zero at {points} points"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::value;

    #[test]
    fn what_json_cannot_hold_is_told_and_not_left_out() {
        let keys_are_lists = BTreeMap::from([(vec![1, 2], 3)]);
        let told = value(&keys_are_lists)["internal_error"].as_str().unwrap().to_owned();
        assert!(told.contains("a record can be written as JSON"), "{told}");
        assert!(told.contains("please report it"), "{told}");
        assert!(value(&f64::NAN).is_null());
    }
}
