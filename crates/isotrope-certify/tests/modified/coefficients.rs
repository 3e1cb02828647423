//! The coefficients β(t), by several roads.

use isotrope_algebra::Rational;
use isotrope_certify::modified::elementary_hamiltonians;
use isotrope_certify::{ElementaryWeights, kept_exactly};
use isotrope_methods::trees::{Family, TreeId, Trees};

use crate::support::{beta, budget, rational_beta, table, trees};

fn number(text: &str) -> Rational {
    text.parse().unwrap()
}

fn of(name: &str, tree: &str) -> Rational {
    let trees = trees(&Family::runge_kutta(), 4);
    rational_beta(name, &trees)[trees.find(tree).unwrap().index()].clone()
}

/// Taylor's series of the step by hand: Euler is the flow of f - h/2 f'f + h²(f''(f,f)/12 +
/// f'f'f/3), the midpoint rule that of f + h²(f'f'f/12 - f''(f,f)/24).
#[test]
fn euler_and_midpoint_have_the_known_modified_equations() {
    let trees = trees(&Family::runge_kutta(), 3);
    let ratios = |name: &str| -> Vec<String> {
        let beta = rational_beta(name, &trees);
        let ratio = |t: TreeId| beta[t.index()].checked_div(trees.sigma(t)).unwrap().to_string();
        trees.ids().map(ratio).collect()
    };
    assert_eq!(ratios("euler"), ["1", "-1/2", "1/12", "1/3"]);
    assert_eq!(ratios("midpoint"), ["1", "0", "-1/24", "1/12"]);
}

/// On y' = λy a step is the multiplication by R(hλ), so the coefficients of tall trees are those
/// of log R.
#[test]
fn tall_trees_have_the_logarithm_of_the_stability_function() {
    // log(1 + z + z²/2 + z³/6 + z⁴/24) = z - z⁵/120 + …; log of the Padé quotient of midpoint is
    // z + z³/12 + z⁵/80.
    let trees = trees(&Family::runge_kutta(), 5);
    let tall = trees.find("y[y[y[y[y]]]]").unwrap().index();
    assert_eq!(rational_beta("rk4", &trees)[tall], number("-1/120"));
    assert_eq!(rational_beta("midpoint", &trees)[tall], number("1/80"));
    assert_eq!(of("euler", "y[y[y[y]]]"), number("-1/4"));
    assert_eq!(of("implicit-euler", "y[y[y[y]]]"), number("1/4"));
}

/// All ways to keep a part of a tree that contains the root, with what falls off.
fn prunings(trees: &Trees, tree: TreeId) -> Vec<(String, Vec<TreeId>)> {
    let colour = trees.family().colours()[trees.colour(tree)].name().to_owned();
    let mut ways = vec![(Vec::<String>::new(), Vec::<TreeId>::new())];
    for &child in trees.children(tree) {
        let mut next = Vec::new();
        for (kept, fallen) in &ways {
            let mut off = fallen.clone();
            off.push(child);
            next.push((kept.clone(), off));
            for (name, more) in prunings(trees, child) {
                let mut on = kept.clone();
                on.push(name);
                next.push((on, [fallen.clone(), more].concat()));
            }
        }
        ways = next;
    }
    let name = |kept: &[String]| match kept {
        [] => colour.clone(),
        _ => format!("{colour}[{}]", kept.join(",")),
    };
    ways.into_iter().map(|(kept, fallen)| (name(&kept), fallen)).collect()
}

type PolynomialInTime = Vec<Rational>;

fn product(x: &PolynomialInTime, y: &PolynomialInTime) -> PolynomialInTime {
    let mut result = vec![Rational::ZERO; x.len() + y.len() - 1];
    for (i, a) in x.iter().enumerate() {
        for (j, b) in y.iter().enumerate() {
            result[i + j] = &result[i + j] + &(a * b);
        }
    }
    result
}

/// The other road: the flow e_τ of the modified field satisfies d/dτ e_τ(t) = Σ β(kept) ∏ e_τ(fallen)
/// over all ways to keep a part of t; integrated as polynomials in τ, at τ = 1 it is the method.
fn flow_is_the_method(name: &str, family: &Family, order: usize) {
    let trees = trees(family, order);
    let beta = rational_beta(name, &trees);
    let table = table(name);
    let mut weights = ElementaryWeights::new(&table, &trees);
    let mut flow: Vec<PolynomialInTime> = Vec::new();
    for tree in trees.ids() {
        let mut integral = vec![Rational::ZERO; trees.order(tree) + 1];
        for (kept, fallen) in prunings(&trees, tree) {
            let factor = &beta[trees.find(&kept).unwrap().index()];
            let term = fallen
                .iter()
                .fold(vec![factor.clone()], |term, branch| product(&term, &flow[branch.index()]));
            for (power, value) in term.iter().enumerate() {
                let share = Rational::new(1, power as i64 + 1).unwrap();
                integral[power + 1] = &integral[power + 1] + &(value * &share);
            }
        }
        let end = integral.iter().fold(Rational::ZERO, |sum, x| &sum + x);
        let weight = weights.weight(tree);
        assert_eq!(Some(&end), weight.as_rational(), "{name}: {}", trees.name(tree));
        flow.push(integral);
    }
}

#[test]
fn the_flow_of_the_modified_field_is_the_method() {
    for name in ["euler", "heun", "rk4", "midpoint", "gauss-2", "radau-iia-2"] {
        flow_is_the_method(name, &Family::runge_kutta(), 6);
    }
    for name in ["symplectic-euler", "verlet", "semi2-m4", "lobatto-iiia-iiib-3"] {
        flow_is_the_method(name, &Family::nystrom(), 5);
    }
}

#[test]
fn a_method_of_order_k_changes_nothing_below_the_power_k() {
    for (name, order) in [("euler", 1), ("heun", 2), ("rk4", 4), ("gauss-2", 4), ("yoshida-4", 4)] {
        let trees = trees(&Family::nystrom(), order + 1);
        let beta = beta(&table(name), &trees);
        let zero = |t: TreeId| beta[t.index()].is_zero();
        assert!((2..=order).all(|n| trees.of_order(n).all(zero)), "{name}");
        assert!(!trees.of_order(order + 1).all(zero), "{name}");
    }
}

#[test]
fn a_symmetric_method_has_even_powers_only() {
    for name in ["midpoint", "trapezoid", "verlet", "gauss-2", "yoshida-4"] {
        let trees = trees(&Family::nystrom(), 6);
        let beta = beta(&table(name), &trees);
        let even = trees.ids().filter(|&t| trees.order(t).is_multiple_of(2));
        assert!(even.into_iter().all(|t| beta[t.index()].is_zero()), "{name}");
    }
}

/// β(u∘v) + β(v∘u) = 0, u∘v being v put onto the root of u: the modified field is Hamiltonian for
/// every Hamiltonian system (Hairer, Lubich, Wanner, IX.9.2).
fn is_hamiltonian(name: &str) -> bool {
    let trees = trees(&Family::runge_kutta(), 6);
    let beta = beta(&table(name), &trees);
    let table = table(name);
    trees.ids().all(|tree| {
        trees.rerooted(tree).iter().filter(|other| other.distance == 1).all(|other| {
            let sum = table.field.add(&beta[tree.index()], &beta[other.tree.index()]);
            sum.is_zero()
        })
    })
}

#[test]
fn exactly_the_symplectic_methods_have_hamiltonian_modified_fields() {
    for name in ["midpoint", "gauss-2", "gauss-3", "rk4", "trapezoid", "heun", "sdirk-crouzeix-2"] {
        let exact = kept_exactly(&table(name), &mut budget()).unwrap();
        assert_eq!(is_hamiltonian(name), exact.bilinear_velocity, "{name}");
        assert_eq!(is_hamiltonian(name), name == "midpoint" || name.starts_with("gauss"), "{name}");
    }
}

/// H - h²/24 H''(f, f) for the midpoint rule; for H = T + U and Verlet's method, with f = -U',
/// h²(U''(v, v)/12 + U'(f)/24), that is h²(U''(v, v)/12 - U'U'/24).
#[test]
fn modified_hamiltonians_by_trees() {
    let terms = |name: &str, family: &Family, order| -> Vec<(String, String)> {
        let (trees, table) = (trees(family, order), table(name));
        let beta = beta(&table, &trees);
        let terms = elementary_hamiltonians(&table, &trees, &beta, order, &mut budget()).unwrap();
        let text = |x: &isotrope_certify::modified::ElementaryHamiltonian| {
            (trees.name(x.tree), x.coefficient.as_rational().unwrap().to_string())
        };
        terms.iter().map(text).collect()
    };
    let pair = |tree: &str, value: &str| (tree.to_owned(), value.to_owned());
    let midpoint = terms("midpoint", &Family::runge_kutta(), 3);
    assert_eq!(midpoint, [pair("y", "1"), pair("y[yy]", "-1/24")]);
    let verlet = terms("verlet", &Family::nystrom(), 3);
    assert_eq!(verlet, [pair("v", "1"), pair("v[qq]", "1/12"), pair("v[q[v]]", "1/24")]);
}
