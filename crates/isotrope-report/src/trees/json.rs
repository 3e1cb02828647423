//! The list as JSON.

use isotrope_algebra::Rational;
use isotrope_methods::trees::{TreeId, Trees};
use serde_json::{Map, Value, json};

use isotrope_methods::trees::Listing;

/// One object with the keys that other programs rely on.
pub fn to_json(listing: &Listing) -> Value {
    let counts: Vec<Value> = listing
        .counts
        .iter()
        .map(|count| {
            let by_root: Map<String, Value> = listing
                .family
                .colours()
                .iter()
                .zip(&count.by_root)
                .map(|(colour, number)| (colour.name().to_owned(), integer(number)))
                .collect();
            json!({ "order": count.order, "by_root": by_root, "total": integer(&count.total) })
        })
        .collect();
    let trees = listing
        .trees
        .as_ref()
        .map(|trees| trees.ids().map(|tree| entry(trees, tree)).collect::<Vec<Value>>());
    json!({
        "family": listing.family.name(),
        "natural": listing.natural,
        "order": listing.counts.len(),
        "rules": listing.family.rules(),
        "equations": listing.family.equations(),
        "counts": counts,
        "cumulative": listing.cumulative,
        "trees": trees,
    })
}

/// An integer that is known to fit.
fn integer(value: &Rational) -> Value {
    value.as_integer().map_or(Value::Null, Value::from)
}

fn entry(trees: &Trees, tree: TreeId) -> Value {
    json!({
        "name": trees.name(tree),
        "root": trees.family().colours()[trees.colour(tree)].name(),
        "order": trees.order(tree),
        "gamma": integer(trees.gamma(tree)),
        "sigma": integer(trees.sigma(tree)),
        "alpha": integer(&trees.alpha(tree)),
        "weight": trees.weight(tree),
        "condition": trees.condition(tree),
        "differential": trees.differential(tree),
    })
}
