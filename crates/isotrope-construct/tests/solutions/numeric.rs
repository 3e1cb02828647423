//! Known methods found from their conditions alone.

use isotrope_algebra::Budget;
use isotrope_certify::properties;
use isotrope_construct::GroupTables;
use isotrope_construct::numeric::{Options, Standing, solve};
use isotrope_methods::classes::Class;
use isotrope_methods::table::Table;
use isotrope_methods::trees::Family;

use super::support::{
    Shape, budget, one_table, order_conditions, proved, rational, structure_conditions,
    three_tables,
};

#[test]
fn the_only_two_stage_methods_of_order_four_are_gauss_with_its_stages_in_both_orders() {
    let (tables, unknowns) = one_table(2, Shape::Full);
    let conditions = order_conditions(&Family::runge_kutta(), &tables, 4);
    let search = solve(&conditions, unknowns, &Options::default(), &mut budget(), &mut |_| {});
    let mut found: Vec<Vec<String>> = search.solutions.iter().map(proved).collect();
    found.sort();
    let gauss = ["1/4", "1/4-sqrt(3)/6", "1/4+sqrt(3)/6", "1/4", "1/2", "1/2"];
    let swapped = ["1/4", "1/4+sqrt(3)/6", "1/4-sqrt(3)/6", "1/4", "1/2", "1/2"];
    assert_eq!(found, [swapped, gauss]);
    assert!(search.solutions.iter().all(|solution| solution.dimension == 0));
}

#[test]
fn three_tables_of_two_stages_and_order_four_are_gauss_three_times() {
    let (tables, unknowns) = three_tables(2, Shape::Full, Shape::Full);
    let conditions = order_conditions(&Family::qvp(), &tables, 4);
    let search = solve(&conditions, unknowns, &Options::default(), &mut budget(), &mut |_| {});
    assert_eq!(search.solutions.len(), 2);
    for solution in &search.solutions {
        let values = proved(solution);
        assert_eq!(values[..6], values[6..12]);
        assert_eq!(values[12..], ["1/2", "1/2"]);
        assert!(["1/4-sqrt(3)/6", "1/4+sqrt(3)/6"].contains(&values[1].as_str()));
    }
}

#[test]
fn gauss_with_three_stages_has_sqrt_15() {
    let (tables, unknowns) = one_table(3, Shape::Full);
    let conditions = order_conditions(&Family::runge_kutta(), &tables, 6);
    let options = Options { starts: 200, most: 1, ..Options::default() };
    let search = solve(&conditions, unknowns, &options, &mut budget(), &mut |_| {});
    let Standing::Proved(point) = &search.solutions[0].standing else { panic!("not proved") };
    assert_eq!(point.field.degree(), 2);
    let mut weights = proved(&search.solutions[0])[9..].to_vec();
    weights.sort();
    assert_eq!(weights, ["4/9", "5/18", "5/18"]);
    let texts = proved(&search.solutions[0]);
    assert!(texts.iter().any(|text| text == "5/36+sqrt(15)/24"), "{texts:?}");
}

#[test]
fn explicit_methods_of_order_three_are_moved_to_simple_tables() {
    let (tables, unknowns) = one_table(3, Shape::StrictlyLower);
    let conditions = order_conditions(&Family::runge_kutta(), &tables, 3);
    let options = Options { starts: 40, most: 12, ..Options::default() };
    let search = solve(&conditions, unknowns, &options, &mut budget(), &mut |_| {});
    assert!(search.solutions.iter().all(|solution| solution.dimension == 2));
    let simple: Vec<Vec<String>> = search
        .solutions
        .iter()
        .map(|solution| rational(solution).iter().map(ToString::to_string).collect())
        .collect();
    let heun = ["1/3", "0", "2/3", "1/4", "0", "3/4"];
    assert!(simple.iter().any(|values| values[..] == heun), "{simple:?}");
}

#[test]
fn a_search_without_budget_says_so_and_keeps_what_it_found() {
    let (tables, unknowns) = one_table(2, Shape::Full);
    let conditions = order_conditions(&Family::runge_kutta(), &tables, 4);
    let search =
        solve(&conditions, unknowns, &Options::default(), &mut Budget::new(50), &mut |_| {});
    assert!(search.stopped.is_some());
    let again = solve(&conditions, unknowns, &Options::default(), &mut budget(), &mut |_| {});
    assert!(again.stopped.is_none());
}

#[test]
fn explicit_two_stage_methods_reach_four_on_bilinear_systems_and_over_the_reals_not_five() {
    // Explicit: q' = v makes the diagonal of a free.
    let (tables, unknowns) = three_tables(2, Shape::Lower, Shape::StrictlyLower);
    let options = Options { starts: 30, most: 3, ..Options::default() };
    let mut found = [4, 5].map(|exponent| {
        let mut conditions = order_conditions(&Family::qvp(), &tables, 2);
        conditions.extend(structure_conditions(Class::Bilinear, &tables, 2, exponent));
        solve(&conditions, unknowns, &options, &mut budget(), &mut |_| {}).solutions
    });
    assert_eq!(found[1].pop(), None);
    assert!(found[0].iter().all(|solution| matches!(solution.standing, Standing::Proved(_))));
    assert!(!found[0].is_empty());
    // With a strictly lower a there is Heun's method alone.
    let (tables, unknowns) = three_tables(2, Shape::StrictlyLower, Shape::StrictlyLower);
    let mut conditions = order_conditions(&Family::qvp(), &tables, 2);
    conditions.extend(structure_conditions(Class::Bilinear, &tables, 2, 4));
    let search = solve(&conditions, unknowns, &options, &mut budget(), &mut |_| {});
    let texts: Vec<Vec<String>> = search.solutions.iter().map(proved).collect();
    assert_eq!(texts, [["1", "1/2", "1/2", "1", "1/2", "1/2", "1/2", "1/2"]]);
}

#[test]
fn explicit_methods_found_for_spheres_have_the_orders_they_were_made_for() {
    let (tables, unknowns) = three_tables(3, Shape::Lower, Shape::StrictlyLower);
    let mut conditions = order_conditions(&Family::qvp(), &tables, 2);
    conditions.extend(structure_conditions(Class::Sphere, &tables, 2, 5));
    // Numbers of a higher degree take longer to recognise.
    let options = Options { starts: 40, most: 3, max_degree: 2, ..Options::default() };
    let search = solve(&conditions, unknowns, &options, &mut budget(), &mut |_| {});
    let mut certified = 0;
    for solution in &search.solutions {
        let Standing::Proved(point) = &solution.standing else { continue };
        let budget = &mut budget();
        let coefficients =
            GroupTables::of(&tables, point, budget).unwrap().coefficients(&Family::qvp()).unwrap();
        let table = Table::pointwise("found", point.field.clone(), coefficients).unwrap();
        // The other road: trees for the order, random problems and algebra for the structure.
        let certificate = properties(&table, budget).unwrap();
        assert_eq!(certificate.order, Some(2));
        let structure = certificate.on(Class::Sphere).unwrap().structure.unwrap();
        assert_eq!(structure.allows(Some(5)), Some(true));
        assert!(certificate.cost.unwrap().explicit);
        certified += 1;
    }
    assert!(certified > 0);
}
