//! Density, symmetry and labellings, each by a second road.

use isotrope_algebra::Rational;
use isotrope_methods::trees::{Family, TreeId, Trees};
use proptest::prelude::*;

use crate::support::{any_groups, factorial, named_families, trees};

/// The sizes of all subtrees: one for each vertex.
fn subtree_sizes(trees: &Trees, tree: TreeId) -> Vec<usize> {
    let mut stack = vec![tree];
    let mut sizes = Vec::new();
    while let Some(next) = stack.pop() {
        sizes.push(trees.order(next));
        stack.extend(trees.children(next));
    }
    sizes
}

#[test]
fn density_is_the_product_of_the_sizes_of_all_subtrees() {
    for family in named_families() {
        let trees = trees(&family, 8);
        for tree in trees.ids() {
            let product = subtree_sizes(&trees, tree)
                .into_iter()
                .fold(Rational::ONE, |product, size| &product * &Rational::integer(size as i64));
            assert_eq!(trees.gamma(tree), &product);
        }
    }
}

#[test]
fn symmetry_is_the_number_of_automorphisms() {
    // Brute force: permutations of the vertices that keep parents and colours.
    fn automorphisms(trees: &Trees, tree: TreeId) -> i64 {
        let mut parents = vec![usize::MAX];
        let mut vertices = vec![tree];
        let mut at = 0;
        while at < vertices.len() {
            for &child in trees.children(vertices[at]) {
                parents.push(at);
                vertices.push(child);
            }
            at += 1;
        }
        fn extend(image: &mut Vec<usize>, parents: &[usize], colours: &[usize]) -> i64 {
            let k = image.len();
            if k == parents.len() {
                return 1;
            }
            let mut found = 0;
            for candidate in 0..parents.len() {
                let parent_fits = if k == 0 {
                    candidate == 0
                } else {
                    candidate > 0 && parents[candidate] == image[parents[k]]
                };
                if parent_fits && colours[candidate] == colours[k] && !image.contains(&candidate) {
                    image.push(candidate);
                    found += extend(image, parents, colours);
                    image.pop();
                }
            }
            found
        }
        let colours: Vec<usize> = vertices.iter().map(|&vertex| trees.colour(vertex)).collect();
        extend(&mut Vec::new(), &parents, &colours)
    }
    for family in named_families() {
        let trees = trees(&family, 6);
        for tree in trees.ids() {
            assert_eq!(trees.sigma(tree).as_integer(), Some(automorphisms(&trees, tree)));
        }
    }
}

/// All trees that arise from this one by hanging one more leaf on it, once for each vertex.
fn with_one_leaf_more(trees: &Trees, tree: TreeId) -> Vec<TreeId> {
    let mut grown = Vec::new();
    for colour in trees.family().colours() {
        let name = trees.name(tree);
        // A vertex is a letter of the name; the new leaf goes into its brackets.
        for (at, letter) in name.char_indices().filter(|(_, letter)| letter.is_alphabetic()) {
            let after = at + letter.len_utf8();
            let (before, rest) = name.split_at(after);
            let longer = match rest.strip_prefix('[') {
                Some(children) => format!("{before}[{}{children}", colour.name()),
                None => format!("{before}[{}]{rest}", colour.name()),
            };
            // Where the rules forbid it there is no such tree.
            grown.extend(trees.find(&longer));
        }
    }
    grown
}

#[test]
fn alpha_counts_the_ways_to_grow_a_tree_leaf_by_leaf() {
    for family in named_families() {
        let trees = trees(&family, 6);
        let mut ways = vec![Rational::ZERO; trees.len()];
        for tree in trees.ids() {
            if trees.order(tree) == 1 {
                ways[tree.index()] = Rational::ONE;
            }
            assert_eq!(trees.alpha(tree), ways[tree.index()], "{}", trees.name(tree));
            for grown in with_one_leaf_more(&trees, tree) {
                ways[grown.index()] = &ways[grown.index()] + &ways[tree.index()];
            }
        }
    }
}

#[test]
fn labelled_trees_of_one_colour_are_n_minus_one_factorial() {
    let trees = trees(&Family::runge_kutta(), 10);
    for order in 1..=10 {
        let sum = trees.of_order(order).fold(Rational::ZERO, |sum, tree| &sum + &trees.alpha(tree));
        assert_eq!(sum, factorial(order - 1));
    }
}

/// Numbers of monotonely labelled trees from their exponential generating functions:
/// Y_x' = ∏ Σ_(k ≤ bound) Y_yᵏ/k!, coefficients by order for each root.
fn labelled(family: &Family, order: usize) -> Vec<Vec<Rational>> {
    let colours = family.colours().len();
    let mut series = vec![vec![Rational::ZERO]; colours];
    for n in 1..=order {
        let next: Vec<Rational> = (0..colours)
            .map(|colour| {
                let mut rate = vec![Rational::ZERO; n];
                rate[0] = Rational::ONE;
                for dependency in family.dependencies(colour) {
                    let y = &series[dependency.colour];
                    let mut power = vec![Rational::ZERO; n];
                    power[0] = Rational::ONE;
                    let mut sum = power.clone();
                    for k in 1..=dependency.at_most.unwrap_or(n).min(n) {
                        power = product(&power, y, n);
                        let share = Rational::new(1, k as i64).unwrap();
                        power.iter_mut().for_each(|c| *c = &*c * &share);
                        sum.iter_mut().zip(&power).for_each(|(s, c)| *s = &*s + c);
                    }
                    rate = product(&rate, &sum, n);
                }
                &rate[n - 1] * &Rational::new(1, n as i64).unwrap()
            })
            .collect();
        for (known, value) in series.iter_mut().zip(next) {
            known.push(value);
        }
    }
    for known in &mut series {
        for (n, value) in known.iter_mut().enumerate() {
            *value = &*value * &factorial(n);
        }
    }
    series
}

fn product(a: &[Rational], b: &[Rational], length: usize) -> Vec<Rational> {
    let mut result = vec![Rational::ZERO; length];
    for (i, x) in a.iter().enumerate().take(length) {
        for (j, y) in b.iter().enumerate().take(length - i) {
            result[i + j] = &result[i + j] + &(x * y);
        }
    }
    result
}

fn alphas_add_up(family: &Family, order: usize) {
    let trees = trees(family, order);
    let expected = labelled(family, order);
    for order in 1..=order {
        for (colour, expected) in expected.iter().enumerate() {
            let sum = trees
                .of_order_and_colour(order, colour)
                .fold(Rational::ZERO, |sum, tree| &sum + &trees.alpha(tree));
            assert_eq!(sum, expected[order], "{} order {order}", family.rules());
            // The same with the coefficients of the exact solution: Σ 1/(σ γ) = Σ α/n!.
            let sum = trees.of_order_and_colour(order, colour).fold(Rational::ZERO, |sum, tree| {
                &sum + &(trees.gamma(tree) * trees.sigma(tree)).recip().unwrap()
            });
            assert_eq!(&sum * &factorial(order), expected[order]);
        }
    }
}

#[test]
fn labellings_add_up_to_their_generating_function() {
    for family in named_families() {
        alphas_add_up(&family, 7);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn labellings_of_random_groups_add_up(groups in any_groups()) {
        alphas_add_up(&Family::parse(&groups).unwrap(), 5);
    }
}
