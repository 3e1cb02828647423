//! One group of variables: the theory of quadratic invariants.

use isotrope_algebra::{Budget, Rational};
use isotrope_construct::symbolic::{Route, conditions, conditions_at_points};
use isotrope_methods::classes::{Condition, Forest};
use isotrope_methods::trees::{Family, TreeId, Trees};

use crate::support::{Integers, contained, problem, shipped, texts};

/// w(u) w(v) − w(u∘v) − w(v∘u) for all pairs of total order j, u∘v with v grafted on the root of u:
/// the matrix b_i a_ij + b_j a_ji − b_i b_j contracted with φ(u) and φ(v).
fn pseudo_symplectic(trees: &Trees, order: usize) -> Vec<Condition> {
    let grafted = |u: TreeId, v: TreeId| {
        let name = |tree: TreeId| trees.name(tree);
        let children: String = trees.children(u).iter().map(|c| name(*c)).collect();
        trees.find(&format!("x[{children}{}]", name(v))).unwrap()
    };
    let mut list = Vec::new();
    for u in trees.ids() {
        for v in trees.ids().filter(|v| *v >= u) {
            if trees.order(u) + trees.order(v) != order {
                continue;
            }
            let mut terms = vec![(Forest::new(vec![u, v]), Rational::from(1))];
            for tree in [grafted(u, v), grafted(v, u)] {
                let forest = Forest::new(vec![tree]);
                match terms.iter_mut().find(|(known, _)| *known == forest) {
                    Some((_, value)) => *value = &*value - &Rational::from(1),
                    None => terms.push((forest, Rational::from(-1))),
                }
            }
            list.push(Condition { terms });
        }
    }
    list
}

/// x' = J(x) x with a random skew matrix of polynomials: |x|² is its invariant.
fn skew(dimension: usize, degree: usize, seed: u64) -> String {
    let integers = &mut Integers::new(seed);
    let variables: Vec<String> = (1..=dimension).map(|i| format!("x{i}")).collect();
    let mut rates = vec![Vec::new(); dimension];
    for i in 0..dimension {
        for j in 0..i {
            let mut entry = integers.linear(&variables);
            if degree > 1 {
                entry = format!("{entry} + {}", integers.polynomial(&variables, degree, 3));
            }
            rates[i].push(format!("+ ({entry})*x{}", j + 1));
            rates[j].push(format!("- ({entry})*x{}", i + 1));
        }
    }
    let list = |items: &[String]| items.join(", ");
    let names: Vec<String> = variables.iter().map(|x| format!("\"{x}\"")).collect();
    let rates: Vec<String> = variables
        .iter()
        .zip(&rates)
        .map(|(x, rate)| format!("{x} = \"0 {}\"", rate.concat()))
        .collect();
    let squares: Vec<String> = variables.iter().map(|x| format!("{x}^2")).collect();
    format!(
        "groups = {{ x = [{}] }}\nrates = {{ {} }}\nstructure = {{ square = \"{}\" }}",
        list(&names),
        list(&rates),
        squares.join(" + ")
    )
}

#[test]
fn a_quadratic_invariant_asks_for_pseudo_symplecticity_and_nothing_else() {
    let mut problem = problem(&skew(4, 3, 1));
    assert_eq!(problem.family.rules(), "x=x^4");
    problem.family = Family::parse("x=x").unwrap();
    let found = conditions_at_points(&problem, 4, &mut Budget::new(1_000_000_000)).unwrap();
    for (order, count) in [(2, 1), (3, 1), (4, 3)] {
        let expected = pseudo_symplectic(found.trees(), order);
        assert_eq!(found.at(order).len(), count);
        assert!(contained(found.at(order), &expected) && contained(&expected, found.at(order)));
    }
}

#[test]
fn for_a_quadratic_field_the_weights_of_trees_it_does_not_have_are_eliminated() {
    let mut problem = problem(&skew(4, 1, 2));
    assert_eq!(problem.family.rules(), "x=x^2");
    problem.family = Family::parse("x=x").unwrap();
    let found = conditions(&problem, 5, &mut Budget::new(1_000_000_000)).unwrap();
    assert_eq!(found.route(), Route::NormalForms);
    for (order, count) in [(2, 1), (3, 1), (4, 2), (5, 4)] {
        let expected = pseudo_symplectic(found.trees(), order);
        assert_eq!(found.at(order).len(), count, "h^{order}");
        assert!(contained(found.at(order), &expected), "h^{order}");
        let wide = |tree: &TreeId| found.trees().name(*tree).contains("xxx");
        let terms = found.at(order).iter().flat_map(|condition| &condition.terms);
        assert!(!terms.flat_map(|(forest, _)| forest.trees()).any(wide), "h^{order}");
    }
}

#[test]
fn casimir_and_energy_of_the_rigid_body_ask_for_the_same() {
    let problem = shipped("rigid_body");
    let budget = &mut Budget::new(1_000_000_000);
    let found = conditions(&problem, 5, budget).unwrap();
    assert_eq!((found.route(), &found.failure_probability), (Route::NormalForms, &None));
    for order in 1..=5 {
        assert_eq!(found.at_part("casimir", order), found.at_part("energy", order));
        assert_eq!(found.at_part("casimir", order), found.at(order));
    }
    assert_eq!(texts(found.trees(), found.at(2)), ["w(m)^2 = 2*w(m[m])"]);
    let given = found.given(4, 3, budget).unwrap();
    assert_eq!(texts(found.trees(), &given), ["w(m[m[m[m]]]) = 1/24", "w(m[mm[m]]) = 1/8"]);
}

#[test]
fn a_linear_invariant_asks_for_nothing_and_a_cubic_one_for_order() {
    let found = conditions(&shipped("lotka_volterra"), 4, &mut Budget::new(100_000_000)).unwrap();
    assert!((1..=4).all(|order| found.at_part("total", order).is_empty()));
    let given = found.given(3, 2, &mut Budget::new(1_000_000)).unwrap();
    // Only one of the two conditions of order three.
    assert_eq!(texts(found.trees(), &given), ["w(x[xx]) = 1/3"]);
}

#[test]
fn both_routes_agree() {
    for name in ["rigid_body", "damped_oscillator", "pendulum", "lotka_volterra"] {
        let problem = shipped(name);
        let proved = conditions(&problem, 4, &mut Budget::new(1_000_000_000)).unwrap();
        let seen = conditions_at_points(&problem, 4, &mut Budget::new(1_000_000_000)).unwrap();
        assert_eq!(proved.route(), Route::NormalForms, "{name}");
        let bound = Rational::new(1, 1 << 50).unwrap();
        assert!(seen.failure_probability.clone().is_some_and(|chance| chance < bound));
        for order in 1..=4 {
            assert_eq!(proved.at(order), seen.at(order), "{name} h^{order}");
        }
    }
}
