//! How many trees there are.

use std::collections::BTreeSet;

use isotrope_algebra::{Budget, Rational};
use isotrope_methods::trees::{Counter, Family, Trees};
use proptest::prelude::*;

use crate::support::{any_groups, cumulative, named_families, totals, trees};

#[test]
fn one_colour_gives_the_rooted_trees() {
    // OEIS A000081.
    let known = [1, 1, 2, 4, 9, 20, 48, 115, 286, 719, 1842, 4766, 12486, 32973, 87811];
    assert_eq!(totals(&Family::runge_kutta(), 15), known);
}

#[test]
fn two_colours_give_the_bicoloured_rooted_trees() {
    // OEIS A038055.
    let known = [2, 4, 14, 52, 214, 916, 4116, 18996, 89894, 433196];
    assert_eq!(totals(&Family::partitioned(), 10), known);
}

#[test]
fn mechanical_systems_have_3_8_22_64_202_670_conditions() {
    assert_eq!(cumulative(&Family::qvp(), 6), [3, 8, 22, 64, 202, 670]);
    assert_eq!(cumulative(&Family::qvp_natural(), 6), [3, 8, 22, 62, 189, 602]);
    let counts = Counter::up_to(&Family::qvp(), 6, &mut Budget::new(10_000)).unwrap();
    let by_root: Vec<Vec<i64>> = counts
        .iter()
        .map(|count| count.by_root.iter().map(|n| n.as_integer().unwrap()).collect())
        .collect();
    assert_eq!(
        by_root,
        [[1, 1, 1], [1, 2, 2], [2, 6, 6], [6, 18, 18], [18, 60, 60], [60, 204, 204]]
    );
}

#[test]
fn nystrom_trees_are_those_of_the_mechanical_family_without_p() {
    let mechanical = trees(&Family::qvp(), 7);
    let nystrom = trees(&Family::nystrom(), 7);
    let without: Vec<String> = mechanical
        .ids()
        .filter(|&tree| mechanical.colour(tree) != 2)
        .map(|tree| mechanical.name(tree))
        .collect();
    assert_eq!(without, nystrom.ids().map(|tree| nystrom.name(tree)).collect::<Vec<_>>());
}

#[test]
fn what_is_counted_is_what_is_listed() {
    for family in named_families() {
        let trees = trees(&family, 8);
        let counts = Counter::up_to(&family, 8, &mut Budget::new(100_000)).unwrap();
        for count in counts {
            for (colour, number) in count.by_root.iter().enumerate() {
                let listed = trees.of_order_and_colour(count.order, colour).len();
                assert_eq!(number, &Rational::integer(listed as i64));
            }
            assert_eq!(count.total, Rational::integer(trees.of_order(count.order).len() as i64));
        }
    }
}

#[test]
fn trees_are_listed_by_order_then_root_then_children_and_none_twice() {
    for family in named_families() {
        let trees = trees(&family, 7);
        let key = |tree| (trees.order(tree), trees.colour(tree), trees.children(tree).to_vec());
        let keys: Vec<_> = trees.ids().map(key).collect();
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
        for tree in trees.ids() {
            assert!(trees.children(tree).is_sorted());
            assert!(trees.children(tree).iter().all(|&child| child < tree));
            let below: usize = trees.children(tree).iter().map(|&child| trees.order(child)).sum();
            assert_eq!(trees.order(tree), 1 + below);
        }
    }
}

#[test]
fn more_than_the_budget_allows_is_refused_at_once() {
    for order in [15, 1000, usize::MAX] {
        let mut budget = Budget::new(100_000);
        let stop = Trees::up_to(&Family::qvp(), order, &mut budget).unwrap_err();
        assert_eq!(stop.doing, "listing trees");
    }
    // One tree of each order: what grows is the work.
    let chain = Family::parse("x=x^1").unwrap();
    assert_eq!(trees(&chain, 300).len(), 300);
    assert!(Trees::up_to(&chain, usize::MAX, &mut Budget::new(100_000)).is_err());
    // Ids are 32 bits wide even if nothing else limits the work.
    assert!(Trees::up_to(&Family::qvp(), 1000, &mut Budget::unlimited()).is_err());
    assert!(Counter::up_to(&Family::qvp(), usize::MAX, &mut Budget::new(100_000)).is_err());
}

#[test]
fn a_family_may_end() {
    let family = Family::parse("x=y^2; y").unwrap();
    assert_eq!(totals(&family, 6), [2, 1, 1, 0, 0, 0]);
    let trees = trees(&family, 6);
    let names: Vec<String> = trees.ids().map(|tree| trees.name(tree)).collect();
    assert_eq!(names, ["x", "y", "x[y]", "x[yy]"]);
    assert_eq!(trees.of_order(5).len(), 0);
    assert_eq!(trees.of_order(0).len(), 0);
    assert_eq!(trees.of_order(7).len(), 0);
}

/// Names of all trees of this order, by brute force: all ways to hang vertex k on an earlier
/// one, all colourings, those that keep the rules, up to isomorphism.
fn brute_force(family: &Family, order: usize) -> BTreeSet<String> {
    let colours = family.colours().len();
    let mut found = BTreeSet::new();
    let shapes: usize = (1..order).product();
    for shape in 0..shapes {
        let mut digits = shape;
        let parents: Vec<usize> = (1..order)
            .map(|k| {
                let parent = digits % k;
                digits /= k;
                parent
            })
            .collect();
        for colouring in 0..colours.pow(order as u32) {
            let mut digits = colouring;
            let colour: Vec<usize> = (0..order)
                .map(|_| {
                    let colour = digits % colours;
                    digits /= colours;
                    colour
                })
                .collect();
            let mut below: Vec<Vec<usize>> = vec![Vec::new(); order];
            for (k, &parent) in parents.iter().enumerate() {
                below[parent].push(k + 1);
            }
            let allowed = (0..order).all(|vertex| {
                (0..colours).all(|child| {
                    let number = below[vertex].iter().filter(|&&k| colour[k] == child).count();
                    let rule = family.dependencies(colour[vertex]);
                    match rule.iter().find(|dependency| dependency.colour == child) {
                        None => number == 0,
                        Some(dependency) => dependency.at_most.is_none_or(|most| number <= most),
                    }
                })
            });
            if !allowed {
                continue;
            }
            // Children have larger numbers, so names are ready when they are needed.
            let mut names = vec![String::new(); order];
            for vertex in (0..order).rev() {
                let mut children: Vec<&str> =
                    below[vertex].iter().map(|&k| names[k].as_str()).collect();
                children.sort_unstable();
                let letter = family.colours()[colour[vertex]].name();
                names[vertex] = match children.concat() {
                    empty if empty.is_empty() => letter.to_owned(),
                    inside => format!("{letter}[{inside}]"),
                };
            }
            found.insert(names.swap_remove(0));
        }
    }
    found
}

#[test]
fn named_families_are_those_of_brute_force() {
    for family in named_families() {
        let trees = trees(&family, 6);
        let most = if family.colours().len() > 2 { 5 } else { 6 };
        for order in 1..=most {
            let listed: BTreeSet<String> = trees.of_order(order).map(|t| trees.name(t)).collect();
            assert_eq!(listed, brute_force(&family, order), "{} {order}", family.name());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn trees_of_random_groups_are_those_of_brute_force(groups in any_groups()) {
        let family = Family::parse(&groups).unwrap();
        let trees = trees(&family, 5);
        let totals = totals(&family, 5);
        for order in 1..=5 {
            let listed: BTreeSet<String> = trees.of_order(order).map(|t| trees.name(t)).collect();
            prop_assert_eq!(listed.len(), trees.of_order(order).len());
            prop_assert_eq!(listed.len() as i64, totals[order - 1]);
            prop_assert_eq!(listed, brute_force(&family, order));
        }
    }
}
