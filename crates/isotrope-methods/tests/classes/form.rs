//! The conditions for the 2-form.

use std::collections::BTreeMap;

use isotrope_algebra::Rational;
use isotrope_methods::classes::{Class, Conditions, Part, Structure};

use crate::support::{computed, given_ranks, ranks};

/// Names of products of trees, sorted, with coefficients.
type Row = BTreeMap<Vec<String>, Rational>;

/// Recolours the root.
fn with_root(tree: &str, root: char) -> String {
    let mut name = tree.to_owned();
    name.replace_range(..1, &root.to_string());
    name
}

/// The canonical name of the tree got by attaching `child` to the root of `tree`.
fn attach(found: &Conditions, tree: &str, child: &str) -> String {
    let name = match tree.strip_suffix(']') {
        Some(open) => format!("{open}{child}]"),
        None => format!("{tree}[{child}]"),
    };
    found.trees().name(found.trees().find(&name).unwrap())
}

/// b_i ā_ij + b̃_j a_ji = b_i b̃_j, summed against the stage vectors of a q-tree τ and a p-tree σ:
/// w(τ with σ attached) + w(σ with τ attached) = w(τ) w(σ). A q-vertex has one child at most; if
/// τ = q[υ] has it already, the first term is the same for τ = q[σ] and υ, and cancels.
fn implied(found: &Conditions, order: usize) -> Vec<Row> {
    let trees = found.trees();
    // U depends on q alone: trees in which a v-vertex or the p-root has a v-child never occur.
    let momenta = |n: usize| -> Vec<String> {
        trees
            .of_order_and_colour(n, 2)
            .map(|tree| trees.name(tree))
            .filter(|name| only_positions(found, name))
            .collect()
    };
    let mut rows = Vec::new();
    let one = Rational::from(1);
    let product = |row: &mut Row, factors: &[&str], sign: i64| {
        let mut key: Vec<String> = factors.iter().map(|x| (*x).to_owned()).collect();
        key.sort();
        let entry = row.entry(key).or_default();
        *entry = &*entry + &(&one * &Rational::from(sign));
    };
    for sigma in momenta(order - 1) {
        let mut row = Row::new();
        product(&mut row, &[&attach(found, "q", &with_root(&sigma, 'v'))], 1);
        product(&mut row, &[&attach(found, &sigma, "q")], 1);
        product(&mut row, &["q", &sigma], -1);
        rows.push(row);
    }
    for size in 1..order {
        for sigma in momenta(size) {
            for upsilon in momenta((order - 1).saturating_sub(size)) {
                let mut row = Row::new();
                for (sigma, upsilon, sign) in [(&sigma, &upsilon, 1), (&upsilon, &sigma, -1)] {
                    let tau = attach(found, "q", &with_root(upsilon, 'v'));
                    product(&mut row, &[&tau, sigma], sign);
                    product(&mut row, &[&attach(found, sigma, &tau)], -sign);
                }
                rows.push(row);
            }
        }
    }
    for row in &mut rows {
        row.retain(|_, value| !value.is_zero());
    }
    rows
}

/// Does no v-vertex, nor the root, have a v-child?
fn only_positions(found: &Conditions, name: &str) -> bool {
    let trees = found.trees();
    let mut open = vec![trees.find(name).unwrap()];
    while let Some(tree) = open.pop() {
        for &child in trees.children(tree) {
            if trees.colour(tree) != 0 && trees.colour(child) == 1 {
                return false;
            }
            open.push(child);
        }
    }
    true
}

fn rank(rows: Vec<Row>) -> usize {
    let mut basis: Vec<Row> = Vec::new();
    for mut row in rows {
        for pivot in &basis {
            let (column, lead) = pivot.first_key_value().unwrap();
            if let Some(value) = row.get(column) {
                let factor = value.checked_div(lead).unwrap();
                for (column, value) in pivot {
                    let entry = row.entry(column.clone()).or_default();
                    *entry = &*entry - &(&factor * value);
                }
                row.retain(|_, value| !value.is_zero());
            }
        }
        if !row.is_empty() {
            basis.push(row);
            basis.sort_by(|x, y| x.first_key_value().cmp(&y.first_key_value()));
        }
    }
    basis.len()
}

#[test]
fn symplectic_conditions_are_those_of_partitioned_methods() {
    let found = computed(Class::Symplectic, Structure::Form, 6);
    for order in 1..=6 {
        let ours: Vec<Row> = found
            .at(Part::Form, order)
            .iter()
            .map(|condition| {
                let names = |forest: &isotrope_methods::classes::Forest| {
                    let mut names: Vec<String> =
                        forest.trees().iter().map(|tree| found.trees().name(*tree)).collect();
                    names.sort();
                    names
                };
                condition.terms.iter().map(|(f, value)| (names(f), value.clone())).collect()
            })
            .collect();
        let expected = implied(&found, order);
        let (mine, theirs) = (rank(ours.clone()), rank(expected.clone()));
        let together = rank(ours.into_iter().chain(expected).collect());
        assert_eq!((mine, theirs), (together, together), "h^{order}");
    }
    assert_eq!(ranks(&found, Part::Form)[..5], [0, 1, 1, 3, 5]);
}

#[test]
fn on_one_quadric_the_form_asks_for_less_than_on_several() {
    let one = computed(Class::Sphere, Structure::Form, 4);
    let several = computed(Class::Quadrics, Structure::Form, 4);
    assert_eq!(given_ranks(&one, Part::Form), [0, 1, 3, 10]);
    assert_eq!(given_ranks(&several, Part::Form), [0, 1, 3, 11]);
}

#[test]
fn on_arbitrary_constraint_manifolds_the_form_asks_for_more() {
    let found = computed(Class::Holonomic, Structure::Form, 4);
    assert_eq!(given_ranks(&found, Part::Form), [1, 3, 8, 23]);
}
