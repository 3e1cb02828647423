//! What the tests of trees share.

use isotrope_algebra::{Budget, Rational};
use isotrope_methods::trees::{Counter, Family, Trees};
use proptest::prelude::*;

/// All families with a name.
pub fn named_families() -> Vec<Family> {
    vec![
        Family::runge_kutta(),
        Family::partitioned(),
        Family::nystrom(),
        Family::nystrom_natural(),
        Family::qvp(),
        Family::qvp_natural(),
    ]
}

/// Trees with a budget that is large enough.
pub fn trees(family: &Family, order: usize) -> Trees {
    Trees::up_to(family, order, &mut Budget::new(10_000_000)).unwrap()
}

/// Counted, not listed: the total of each order.
pub fn totals(family: &Family, order: usize) -> Vec<i64> {
    let counts = Counter::up_to(family, order, &mut Budget::new(10_000_000)).unwrap();
    counts.iter().map(|count| count.total.as_integer().unwrap()).collect()
}

/// Counted: the total of all orders so far.
pub fn cumulative(family: &Family, order: usize) -> Vec<i64> {
    let mut sum = 0;
    totals(family, order)
        .into_iter()
        .map(|total| {
            sum += total;
            sum
        })
        .collect()
}

/// n!.
pub fn factorial(n: usize) -> Rational {
    (1..=n as i64).fold(Rational::ONE, |product, k| &product * &Rational::integer(k))
}

/// Random groups: up to three colours, each with a random set of dependencies and bounds.
pub fn any_groups() -> impl Strategy<Value = String> {
    (1_usize..=3)
        .prop_flat_map(|colours| {
            let bound =
                prop_oneof![Just(None), Just(Some(None)), (1_usize..4).prop_map(|n| Some(Some(n)))];
            prop::collection::vec(prop::collection::vec(bound, colours), colours)
        })
        .prop_map(|graph| {
            let names = ["x", "y", "z"];
            let groups: Vec<String> = graph
                .iter()
                .enumerate()
                .map(|(parent, row)| {
                    let children: Vec<String> = row
                        .iter()
                        .enumerate()
                        .filter_map(|(child, bound)| {
                            bound.map(|bound| match bound {
                                None => names[child].to_owned(),
                                Some(most) => format!("{}^{most}", names[child]),
                            })
                        })
                        .collect();
                    format!("{}={}", names[parent], children.join(","))
                })
                .collect();
            groups.join("; ")
        })
}
