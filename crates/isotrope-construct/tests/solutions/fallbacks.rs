//! What is answered where conditions are not solved: known tables, theorems, what was reached in time.

use isotrope_algebra::ideal::F4;
use isotrope_algebra::{Rational, Stop};
use isotrope_certify::DefectOrder;
use isotrope_construct::combine::{Request, combinations_of};
use isotrope_construct::problem::file::{ProblemText, parse_problem};
use isotrope_construct::{
    Answer, Engines, GroupTables, Pattern, Route, Source, Unknowns, Wanted, answer_within, ask,
    saved,
};
use isotrope_methods::classes::Class;
use isotrope_methods::table::{Table, catalogue};
use isotrope_methods::trees::Family;

use super::support::budget;

/// The answer to a question, with flags that end the work on it and on easier ones.
fn answered(source: Source, wanted: Wanted, patterns: &[&str], set: [bool; 2]) -> Answer {
    let patterns: Vec<String> = patterns.iter().map(|&name| name.to_owned()).collect();
    let asked = ask(source, wanted, &patterns, &[]).unwrap();
    let limits = [Stop::new(), Stop::new()];
    for (limit, set) in limits.iter().zip(set) {
        if set {
            limit.set();
        }
    }
    let engine = F4::unlimited();
    let engines = Engines { patient: &engine, quick: &engine, hasty: &engine };
    answer_within(asked, engines, [&limits[0], &limits[1]], &mut |_| {}).unwrap()
}

fn wanted(stages: usize, order: usize) -> Wanted {
    Wanted { stages, order, structure: None, form: None, most: 3 }
}

fn tables(table: &Table) -> GroupTables {
    let table = table.to_pointwise(&mut budget()).unwrap();
    GroupTables {
        field: table.field.clone(),
        matrices: vec![table.a.clone(), table.abar.clone(), Vec::new()],
        weights: vec![table.b.clone(), table.bbar.clone(), table.btil.clone()],
    }
}

#[test]
fn a_power_balance_is_closed_by_known_tables_where_nothing_else_is_found_in_time() {
    let file = include_str!("../../../../models/groups/rlc.toml");
    let problem = parse_problem(&ProblemText::new("rlc.toml", file.as_bytes())).unwrap();
    let wanted = Wanted { structure: Some(5), ..wanted(3, 2) };
    let source = Source::Problem(Box::new(problem));
    let found = answered(source, wanted, &[], [true, false]);
    let method = &found.methods[0];
    assert_eq!(method.solution.route, Route::Known);
    // Lobatto pairs have order 4, and with it the balance to h^5.
    let best = found.methods.iter().filter_map(|method| method.claims.order).max();
    assert_eq!(best, Some(4));
    assert!(found.methods.iter().all(|method| match method.claims.structure {
        Some(DefectOrder::Exactly(m) | DefectOrder::AtLeast(m)) => m >= 5,
        Some(DefectOrder::Infinite) => true,
        None => false,
    }));
    assert!(saved(&found, method).unwrap().contains("[groups.phi]"));
}

#[test]
fn when_the_time_is_up_the_answer_says_where() {
    let source = Source::Class(Class::Generic);
    let found = answered(source, wanted(2, 2), &[], [true, true]);
    assert!(found.methods.is_empty() && !found.is_found());
    assert!(found.construction.stopped.is_some());
}

#[test]
fn gauss_is_the_only_method_of_its_order_with_one_table() {
    for stages in 1..=3 {
        let source = Source::Class(Class::Generic);
        let found = answered(source, wanted(stages, 2 * stages), &["equal-tables"], [false; 2]);
        assert!(found.construction.theorem.is_some() && found.construction.is_unique());
        assert_eq!(found.methods.len(), 1);
        assert_eq!(found.methods[0].claims.order, Some(2 * stages));
    }
    // The theorem is about free tables: one that is strictly lower is another question.
    let source = Source::Class(Class::Generic);
    let found = answered(source, wanted(1, 2), &["equal-tables", "strict"], [false; 2]);
    assert!(found.construction.theorem.is_none() && found.methods.is_empty());
}

#[test]
fn combinations_are_of_the_pattern_and_have_the_prescribed_entries() {
    let request = Request { stages: 2, class: Class::Generic, order: 2, structure: 3, most: 20 };
    let family = Family::qvp();
    let budget = &mut budget();
    let mut found = |patterns: &[Pattern], fixed: &[(String, Rational)]| {
        let unknowns = Unknowns::new(&family, 2, patterns, fixed, budget).unwrap();
        let found = combinations_of(&request, Some(&unknowns), budget, &mut |_| {}).unwrap();
        found.found
    };
    let strict = found(&[Pattern::Strict], &[]);
    assert!(!strict.is_empty());
    for one in &strict {
        assert!(one.table.a[0][1].is_zero() && one.table.abar[1][1].is_zero());
    }
    let half = Rational::half();
    let fixed = found(&[Pattern::EqualTables], &[("b1".to_owned(), half.clone())]);
    assert!(!fixed.is_empty());
    for one in &fixed {
        assert!(one.table.is_one_table());
        assert_eq!(one.table.b[0].as_rational(), Some(&half));
    }
}

#[test]
fn equal_stages_are_one_and_unused_ones_none() {
    let budget = &mut budget();
    let twice = Table::from_text("m", &[&["1/4", "1/4"], &["1/4", "1/4"]], &["1/2", "1/2"], budget);
    let twice = tables(&twice.unwrap());
    assert_eq!((twice.stages(), twice.reduced().stages()), (2, 1));
    let unused = Table::from_text("e", &[&["0", "0"], &["1", "0"]], &["1", "0"], budget).unwrap();
    assert_eq!(tables(&unused).reduced().stages(), 1);
    let named = twice.reduced().named(&Family::qvp());
    assert_eq!(named.systems(&Family::qvp(), &[0, 1, 2]), [1]);
}

#[test]
fn the_error_is_that_of_the_order_that_the_class_gives() {
    let budget = &mut budget();
    let ruth = catalogue("ruth-3", budget).unwrap();
    let ruth = ruth.unwrap_or_else(|| {
        let rows: [&[&str]; 3] =
            [&["7/24", "0", "0"], &["7/24", "3/4", "0"], &["7/24", "3/4", "-1/24"]];
        let table = Table::from_text("ruth", &rows, &["7/24", "3/4", "-1/24"], budget).unwrap();
        let other: [&[&str]; 3] = [&["0", "0", "0"], &["2/3", "0", "0"], &["2/3", "-2/3", "0"]];
        let velocities = Table::from_text("ruth", &other, &["2/3", "-2/3", "1"], budget).unwrap();
        let (abar, bbar) = (velocities.a, velocities.b);
        Table { abar, btil: bbar.clone(), bbar, ..table }
    });
    let ruth = tables(&ruth);
    let on = |class, budget: &mut _| ruth.order_and_error(&Family::qvp(), class, budget).unwrap();
    let (order, error) = on(Some(Class::Symplectic), budget);
    assert_eq!(order, 3);
    assert!(error > 1e-3 && error.is_finite(), "{error}");
    assert_eq!(on(None, budget).0, 1);
}
