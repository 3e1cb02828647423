//! The conditions as JSON.

use isotrope_methods::classes::Condition;
use isotrope_methods::trees::Trees;
use serde_json::{Map, Value, json};

use isotrope_construct::Listing;

/// The conditions by powers of h: those given the order of the method, and how many of each part.
pub(super) fn powers(
    powers: &[(usize, Vec<Condition>)],
    counts: Vec<(&str, &[usize])>,
    trees: &Trees,
) -> Vec<Value> {
    powers
        .iter()
        .enumerate()
        .map(|(at, (known, conditions))| {
            let counts: Map<String, Value> = counts
                .iter()
                .map(|(part, counts)| ((*part).to_owned(), json!(counts.get(at))))
                .collect();
            let list: Vec<Value> = conditions.iter().map(|one| entry(trees, one)).collect();
            json!({ "order": at + 1, "given": known, "counts": counts, "conditions": list })
        })
        .collect()
}

/// One object; coefficients are text that parses back.
pub fn to_json(listing: &Listing) -> Value {
    let found = &listing.conditions;
    let counts = listing.counts.iter().map(|(part, counts)| (part.name(), counts.as_slice()));
    let powers = powers(&listing.powers, counts.collect(), found.trees());
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
