//! The list as JSON.

use isotrope_algebra::Rational;
use isotrope_methods::trees::{Listing, OrderCount, TreeId, Trees};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::json::{Named, value};

/// What `isotrope trees` answers.
#[derive(Debug, JsonSchema, Serialize)]
pub struct TreesRecord {
    /// The family of methods.
    family: String,
    /// Only trees that occur for natural systems?
    natural: bool,
    /// The highest order.
    order: usize,
    /// The rules that trees obey.
    rules: String,
    /// The equations that the methods are for.
    equations: Vec<String>,
    /// How many there are.
    counts: Vec<CountRecord>,
    /// How many up to each order.
    cumulative: Vec<i64>,
    /// The trees, if they were asked for.
    trees: Option<Vec<TreeRecord>>,
}

/// The number of trees of an order.
#[derive(Debug, JsonSchema, Serialize)]
struct CountRecord {
    /// The order.
    order: usize,
    /// By the colour of the root.
    by_root: Named<Option<i64>>,
    /// All of them.
    total: Option<i64>,
}

/// A tree and its order condition.
#[derive(Debug, JsonSchema, Serialize)]
struct TreeRecord {
    /// Its name.
    name: String,
    /// The colour of its root.
    root: String,
    /// Its order.
    order: usize,
    /// Its density.
    gamma: Option<i64>,
    /// The number of its symmetries.
    sigma: Option<i64>,
    /// The number of its monotonic labellings.
    alpha: Option<i64>,
    /// Its elementary weight.
    weight: String,
    /// Its order condition.
    condition: String,
    /// Its elementary differential.
    differential: String,
}

/// One object with the keys that other programs rely on.
pub fn to_json(listing: &Listing) -> Value {
    let count = |count: &OrderCount| CountRecord {
        order: count.order,
        by_root: listing
            .family
            .colours()
            .iter()
            .zip(&count.by_root)
            .map(|(colour, number)| (colour.name(), number.as_integer()))
            .collect(),
        total: count.total.as_integer(),
    };
    let trees = listing.trees.as_ref();
    value(&TreesRecord {
        family: listing.family.name().to_owned(),
        natural: listing.natural,
        order: listing.counts.len(),
        rules: listing.family.rules(),
        equations: listing.family.equations(),
        counts: listing.counts.iter().map(count).collect(),
        cumulative: listing.cumulative.clone(),
        trees: trees.map(|trees| trees.ids().map(|tree| entry(trees, tree)).collect()),
    })
}

fn entry(trees: &Trees, tree: TreeId) -> TreeRecord {
    TreeRecord {
        name: trees.name(tree),
        root: trees.family().colours()[trees.colour(tree)].name().to_owned(),
        order: trees.order(tree),
        gamma: trees.gamma(tree).as_integer(),
        sigma: trees.sigma(tree).as_integer(),
        alpha: Rational::as_integer(&trees.alpha(tree)),
        weight: trees.weight(tree),
        condition: trees.condition(tree),
        differential: trees.differential(tree),
    }
}
