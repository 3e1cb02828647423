//! Leading errors: published values, and minima found by another road.

use isotrope_algebra::Rational;
use isotrope_construct::numeric::{Options, minimise};
use isotrope_construct::{error_constant, error_constant_on, error_residuals};
use isotrope_methods::table::{Table, catalogue};
use isotrope_methods::trees::{Family, Trees};

use super::support::{Shape, budget, one_table, order_conditions, proved};

fn named(name: &str) -> Table {
    catalogue(name, &mut budget()).unwrap().unwrap()
}

fn ordinary(name: &str, order: usize) -> (Option<Rational>, f64) {
    let trees = Trees::up_to(&Family::runge_kutta(), order + 1, &mut budget()).unwrap();
    let found = error_constant_on(&named(name), &trees, order + 1).unwrap();
    (found.square, found.norm)
}

#[test]
fn ordinary_error_constants_are_those_by_hand_and_those_quoted() {
    // Two trees: (b2 c2^2 - 1/3)/2 and 0 - 1/6.
    assert_eq!(ordinary("ralston", 2).0, Rational::new(1, 36));
    assert_eq!(ordinary("heun", 2).0, Rational::new(5, 144));
    // The values that are quoted for these two, to the digits in which they are.
    let (_, norm) = ordinary("dormand-prince", 5);
    assert!((norm - 3.99e-4).abs() < 1e-6, "{norm}");
    let (_, norm) = ordinary("rk4", 4);
    assert!((norm - 1.45e-2).abs() < 1e-4, "{norm}");
}

#[test]
fn collocation_tables_have_the_same_constant_in_both_bases() {
    let budget = &mut budget();
    let table = named("gauss-3");
    let constant = error_constant(&table, 6, budget).unwrap();
    let pointwise = table.to_pointwise(budget).unwrap();
    assert_eq!(constant, error_constant(&pointwise, 6, budget).unwrap());
    assert!(constant.square.is_some());
    // At its own order there is no error.
    assert_eq!(error_constant(&table, 5, budget).unwrap().norm, 0.0);
}

#[test]
fn the_best_method_of_order_two_with_two_stages_is_ralstons() {
    let budget = &mut budget();
    let (tables, _) = one_table(2, Shape::StrictlyLower);
    let family = Family::runge_kutta();
    let trees = Trees::up_to(&family, 3, budget).unwrap();
    let residuals = error_residuals(&trees, &tables, trees.of_order(3), budget).unwrap();
    let conditions = order_conditions(&family, &tables, 2);
    let options = Options { reach: 0.01, ..Options::default() };
    let found = minimise(&conditions, &residuals, &[1.0, 0.5, 0.5], &options, budget);
    let found = found.unwrap().unwrap();
    assert!((found.objective - 1.0 / 36.0).abs() < 1e-12);
    assert_eq!(proved(&found.simple), ["2/3", "1/4", "3/4"]);
    assert!((found.simple_objective - found.objective).abs() < 1e-10);
}

#[test]
fn the_least_error_of_order_three_with_three_stages_is_that_of_a_fine_grid() {
    let budget = &mut budget();
    let (tables, _) = one_table(3, Shape::StrictlyLower);
    let family = Family::runge_kutta();
    let trees = Trees::up_to(&family, 4, budget).unwrap();
    let residuals = error_residuals(&trees, &tables, trees.of_order(4), budget).unwrap();
    let conditions = order_conditions(&family, &tables, 3);
    let options = Options { reach: 0.05, ..Options::default() };
    let kutta = [0.5, -1.0, 2.0, 1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0];
    let found = minimise(&conditions, &residuals, &kutta, &options, budget).unwrap().unwrap();
    // The family of order three in c2, c3, written out; trees of order four: c^3, c (a c), a c^2,
    // a a c with symmetries 6, 1, 2, 1.
    let objective = |c2: f64, c3: f64| {
        let b2 = (2.0 - 3.0 * c3) / (6.0 * c2 * (c2 - c3));
        let b3 = (2.0 - 3.0 * c2) / (6.0 * c3 * (c3 - c2));
        let a32 = 1.0 / (6.0 * b3 * c2);
        let bushy = (b2 * c2.powi(3) + b3 * c3.powi(3) - 0.25) / 6.0;
        let mixed = b3 * c3 * a32 * c2 - 0.125;
        let tall = (b3 * a32 * c2 * c2 - 1.0 / 12.0) / 2.0;
        bushy * bushy + mixed * mixed + tall * tall + (1.0_f64 / 24.0).powi(2)
    };
    let mut least = f64::INFINITY;
    for i in 1..400 {
        for j in 1..400 {
            let value = objective(f64::from(i) / 400.0, f64::from(j) / 400.0);
            if value < least {
                least = value;
            }
        }
    }
    assert!(found.objective <= least && least < found.objective + 1e-5, "{least} {found:?}");
    let (simple, exact) = (proved(&found.simple), found.simple_objective);
    assert!(exact < 1.05 * found.objective, "{simple:?}");
}
