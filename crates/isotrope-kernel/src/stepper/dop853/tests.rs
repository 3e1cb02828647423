//! The numbers of the method satisfy the conditions of the orders they are for.

use super::coefficients::{ALL_STAGES, DENSE, Entry, FIFTH, MATRIX, NODES, STAGES, THIRD};

/// A rooted tree as the multiset of its branches (numbers of smaller trees), with its order and
/// γ.
struct Tree {
    branches: Vec<usize>,
    order: usize,
    gamma: f64,
}

/// All rooted trees up to an order: 1, 1, 2, 4, 9, 20, 48, 115 of them.
fn trees(most: usize) -> Vec<Tree> {
    let mut all = vec![Tree { branches: Vec::new(), order: 1, gamma: 1.0 }];
    for order in 2..=most {
        let mut forests = vec![(Vec::new(), 0, 0)];
        let smaller = all.len();
        while let Some((branches, weight, first)) = forests.pop() {
            if weight == order - 1 {
                let gamma: f64 = branches.iter().map(|&b: &usize| all[b].gamma).product();
                let gamma = gamma * order as f64;
                all.push(Tree { branches, order, gamma });
                continue;
            }
            for (next, tree) in all.iter().enumerate().take(smaller).skip(first) {
                if weight + tree.order < order {
                    let mut longer = branches.clone();
                    longer.push(next);
                    forests.push((longer, weight + tree.order, next));
                }
            }
        }
    }
    all
}

/// The products of a tree's branches at all stages.
fn stage_weights(trees: &[Tree]) -> Vec<[f64; ALL_STAGES]> {
    let mut all: Vec<[f64; ALL_STAGES]> = Vec::new();
    for tree in trees {
        let mut product = [1.0; ALL_STAGES];
        for &branch in &tree.branches {
            for (i, value) in product.iter_mut().enumerate() {
                *value *= dot(MATRIX[i], &all[branch]);
            }
        }
        all.push(product);
    }
    all
}

fn dot(weights: &[Entry], values: &[f64; ALL_STAGES]) -> f64 {
    weights.iter().map(|&(j, weight)| weight * values[j]).sum()
}

/// The first order with a defect, and the largest defect below it.
fn order(defect: impl Fn(&Tree, &[f64; ALL_STAGES]) -> f64) -> (usize, f64) {
    let trees = trees(9);
    let weights = stage_weights(&trees);
    let mut largest = 0.0_f64;
    for (tree, values) in trees.iter().zip(&weights) {
        let size = defect(tree, values).abs();
        if size > 1e-9 {
            return (tree.order, largest);
        }
        largest = largest.max(size);
    }
    (10, largest)
}

#[test]
fn there_are_as_many_trees_as_cayley_counted() {
    let count = |order| trees(8).iter().filter(|tree| tree.order == order).count();
    assert_eq!([1, 2, 3, 4, 5, 6, 7, 8].map(count), [1, 1, 2, 4, 9, 20, 48, 115]);
}

#[test]
fn nodes_are_row_sums() {
    for (row, node) in MATRIX.iter().zip(NODES) {
        assert!((dot(row, &[1.0; ALL_STAGES]) - node).abs() < 1e-14);
    }
    let root = 6.0_f64.sqrt();
    let exact = [(12.0 - 2.0 * root) / 135.0, (6.0 - root) / 45.0, (6.0 - root) / 30.0];
    assert!(exact.iter().zip(&NODES[1..]).all(|(x, y)| (x - y).abs() < 1e-15));
}

#[test]
fn the_solution_has_order_eight() {
    let (first, largest) = order(|tree, values| dot(MATRIX[STAGES], values) - 1.0 / tree.gamma);
    assert_eq!(first, 9);
    assert!(largest < 1e-13, "{largest}");
}

/// The weights are differences of two methods: their orders are those of the worse one.
#[test]
fn the_estimates_have_order_five_and_three() {
    for (weights, wanted) in [(FIFTH, 5), (THIRD, 3)] {
        let (first, largest) = order(|_, values| dot(weights, values));
        assert_eq!(first, wanted + 1);
        assert!(largest < 1e-13, "{largest}");
    }
}

/// y(θ) = Σ b_j(θ) k_j with polynomials b_j: order 7 at every θ.
#[test]
fn the_polynomial_has_order_seven() {
    for theta in [0.1, 0.35, 0.5, 0.8, 0.95] {
        let rest = 1.0 - theta;
        let mut weights = [0.0; ALL_STAGES];
        let mut add = |entries: &[Entry], factor: f64| {
            for &(j, weight) in entries {
                weights[j] += factor * weight;
            }
        };
        // θ (change + θ'(bend + θ (rest of the ends + θ' (…)))).
        let (end, start, last): (_, &[Entry], &[Entry]) =
            (MATRIX[STAGES], &[(0, 1.0)], &[(STAGES, 1.0)]);
        let (first, second, third) = (theta, theta * rest, theta * rest * theta);
        add(end, first - second + 2.0 * third);
        add(start, second - third);
        add(last, -third);
        let mut factor = third * rest;
        for (k, entries) in DENSE.into_iter().enumerate() {
            add(entries, factor);
            factor *= if k % 2 == 0 { theta } else { rest };
        }
        let (first, largest) = order(|tree, values| {
            let sum: f64 = weights.iter().zip(values).map(|(w, x)| w * x).sum();
            sum - theta.powi(tree.order as i32) / tree.gamma
        });
        assert_eq!(first, 8, "{theta}");
        assert!(largest < 1e-12, "{largest}");
    }
}
