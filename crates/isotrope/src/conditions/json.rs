//! The conditions as JSON.

use isotrope_scheme::methods::classes::Condition;
use isotrope_scheme::methods::trees::Trees;
use serde_json::{Map, Value, json};

use super::Listing;

/// One object; coefficients are text that parses back.
pub fn to_json(listing: &Listing) -> Value {
    let found = &listing.conditions;
    let powers: Vec<Value> = listing
        .powers
        .iter()
        .enumerate()
        .map(|(at, (known, conditions))| {
            let counts: Map<String, Value> = listing
                .counts
                .iter()
                .map(|(part, counts)| (part.name().to_owned(), json!(counts.get(at))))
                .collect();
            let list: Vec<Value> = conditions.iter().map(|one| entry(found.trees(), one)).collect();
            json!({ "order": at + 1, "given": known, "counts": counts, "conditions": list })
        })
        .collect();
    json!({
        "class": found.class().name(),
        "description": found.class().description(),
        "part": listing.part.name(),
        "order": found.max_order(),
        "powers": powers,
        "problems": found.problems,
        "checks": found.checks,
        "failure_probability": found.failure_probability.to_f64(),
        "failure_bits": found.failure_bits(),
    })
}

/// One condition: its text and its terms.
pub(super) fn entry(trees: &Trees, condition: &Condition) -> Value {
    let terms: Vec<Value> = condition
        .terms
        .iter()
        .map(|(forest, coefficient)| {
            let names: Vec<String> = forest.trees().iter().map(|tree| trees.name(*tree)).collect();
            json!({ "trees": names, "coefficient": coefficient.to_string() })
        })
        .collect();
    json!({ "text": condition.text(trees), "terms": terms })
}
