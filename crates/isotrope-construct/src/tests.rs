//! The expected results of the theory, recovered.

use isotrope_algebra::ideal::{F4, ModularIdeal};
use isotrope_algebra::modular::Random;
use isotrope_algebra::polynomial::Polynomial;
use isotrope_algebra::{Budget, Rational};

use super::*;
use isotrope_methods::classes::{Class, Part, Structure, conditions};
use isotrope_methods::table::Table;
use isotrope_methods::trees::{Family, Trees};

fn structure_rows(order: usize, structure: Option<(Class, usize)>) -> (Trees, Vec<StructureLevel>) {
    let budget = &mut Budget::unlimited();
    let Some((class, m)) = structure.filter(|(_, m)| *m > order + 1) else {
        return (Trees::up_to(&Family::qvp(), order + 1, budget).unwrap(), Vec::new());
    };
    let random = &mut Random::new(1);
    let found =
        conditions(class, Structure::Submanifold, m - 1, random, budget, &mut |_| {}).unwrap();
    let rows = (order + 1..m)
        .map(|power| StructureLevel {
            power,
            conditions: found.given(Part::All, power, order, budget).unwrap(),
        })
        .collect();
    (found.trees().clone(), rows)
}

fn system(
    stages: usize,
    order: usize,
    structure: Option<(Class, usize)>,
    patterns: &[Pattern],
) -> (Unknowns, Vec<Level>) {
    let budget = &mut Budget::unlimited();
    let unknowns = Unknowns::new(&Family::qvp(), stages, patterns, &[], budget).unwrap();
    let (trees, rows) = structure_rows(order, structure);
    let levels = levels(&unknowns, &trees, order, None, &rows, budget).unwrap();
    (unknowns, levels)
}

/// (conditions, new, dimension) of the last level.
fn last(
    stages: usize,
    order: usize,
    patterns: &[Pattern],
) -> (usize, Option<usize>, Option<usize>) {
    let (unknowns, levels) = system(stages, order, None, patterns);
    let reports = reports(&levels, unknowns.len(), &F4::unlimited()).unwrap();
    let last = reports.last().unwrap();
    (last.conditions, last.new.as_ref().map(Vec::len), last.freedom.dimension())
}

#[test]
fn theorem_a_two_stages() {
    // Conditions of the last order, new ones, dimension.
    assert_eq!(last(2, 2, &[]), (5, Some(5), Some(7)));
    assert_eq!(last(2, 3, &[]), (14, Some(7), Some(3)));
    assert_eq!(last(2, 4, &[]), (42, Some(3), Some(0)));
    assert_eq!(last(2, 5, &[]).2, None);
    assert_eq!(last(1, 2, &[]).2, Some(0));
    assert_eq!(last(1, 3, &[]).2, None);
    assert_eq!(last(3, 3, &[Pattern::Strict]).2, Some(2));
    assert_eq!(last(3, 4, &[Pattern::Strict]).2, None);
}

/// The dimension that a partial preservation (k, m) on a class leaves.
fn partial(class: Class, stages: usize, order: usize, structure: usize) -> Option<usize> {
    let (unknowns, levels) = system(stages, order, Some((class, structure)), &[]);
    let reports = reports(&levels, unknowns.len(), &F4::unlimited()).unwrap();
    reports.last().unwrap().freedom.dimension()
}

#[test]
fn partial_preservation_leaves_the_expected_dimensions() {
    const COLUMNS: [(usize, usize); 5] = [(1, 3), (1, 4), (1, 5), (2, 4), (2, 5)];
    let row = |class, stages| COLUMNS.map(|(k, m)| partial(class, stages, k, m));
    assert_eq!(row(Class::Generic, 2), [Some(7), Some(3), Some(0), Some(3), Some(0)]);
    assert_eq!(row(Class::Bilinear, 2), [Some(8), Some(8), Some(8), Some(7), Some(7)]);
    assert_eq!(row(Class::Sphere, 2), [Some(8), Some(5), Some(3), Some(5), Some(3)]);
    assert_eq!(row(Class::Generic, 1)[..3], [Some(0), None, None]);
    assert_eq!(row(Class::Bilinear, 1), [Some(1), Some(1), Some(1), Some(0), Some(0)]);
}

fn solved(
    stages: usize,
    order: usize,
    structure: Option<(Class, usize)>,
    patterns: &[Pattern],
) -> Construction {
    let budget = &mut Budget::unlimited();
    let (unknowns, _) = system(stages, order, None, patterns);
    let (trees, rows) = structure_rows(order, structure);
    let question = Question { unknowns, trees, order, class: None, structure: rows, most: 3 };
    let engines =
        Engines { patient: &F4::unlimited(), quick: &F4::unlimited(), hasty: &F4::unlimited() };
    construct(question, engines, budget, &mut |_| {}).unwrap()
}

#[test]
fn two_stages_of_order_two_are_three_components() {
    let found = solved(2, 2, None, &[]);
    let ideal = found.ideal.as_ref().unwrap();
    assert_eq!((ideal.basis().len(), ideal.is_exact()), (12, true));
    assert_eq!(found.families.len(), 3);
    assert!(found.families.iter().all(|family| family.dimension == 7));
    // One of them is b = bbar = btil, another has both c = (1/2, 1/2).
    let budget = &mut Budget::unlimited();
    let names = found.question.unknowns.names();
    let x = |name: &str| Polynomial::variable(names.iter().position(|n| n == name).unwrap());
    let difference = x("b1").sub(&x("btil1"), budget).unwrap();
    let sum = x("a11").add(&x("a12"), budget).unwrap();
    let half = Polynomial::constant(Rational::new(1, 2).unwrap());
    let node = sum.sub(&half, budget).unwrap();
    let mut count = |f: &Polynomial| {
        found.families.iter().filter(|family| family.ideal.contains(f, budget).unwrap()).count()
    };
    assert_eq!((count(&difference), count(&node)), (1, 1));
}

#[test]
fn two_stages_of_order_four_are_gauss() {
    let found = solved(2, 4, None, &[]);
    assert!(found.is_unique());
    let gauss = Table::gauss(2).unwrap().to_pointwise(&mut Budget::unlimited()).unwrap();
    let values = found.solutions[0].tables.to_f64();
    let a = gauss.field.to_f64(&gauss.a[0][1]).unwrap();
    assert!(values[1..3].iter().any(|value| (value - a).abs() < 1e-15));
    assert_eq!(solved(1, 2, None, &[]).solutions[0].tables.to_f64(), [0.5, 0.5, 1.0, 1.0, 1.0]);
}

#[test]
fn conditions_that_contradict_are_few_and_all_needed() {
    let (unknowns, levels) = system(2, 3, None, &[Pattern::Strict]);
    let reports = reports(&levels, unknowns.len(), &F4::unlimited()).unwrap();
    let found = contradiction(&levels, &reports, unknowns.len(), &F4::unlimited()).unwrap();
    assert!(found.minimal);
    let found = found.conditions;
    let polynomials = |leave_out: Option<usize>| -> Vec<Polynomial> {
        let kept = found.iter().enumerate().filter(|(number, _)| Some(*number) != leave_out);
        kept.map(|(_, &(i, j))| levels[i].equations[j].polynomial.clone()).collect()
    };
    let is_consistent = |system: &[Polynomial]| {
        ModularIdeal::new(system, unknowns.len(), &F4::unlimited()).unwrap().is_consistent()
    };
    assert!(!found.is_empty() && !is_consistent(&polynomials(None)));
    for number in 0..found.len() {
        assert!(is_consistent(&polynomials(Some(number))), "{number}");
    }
}

#[test]
fn heun_is_the_only_strict_one_with_two_stages() {
    let found = solved(2, 2, Some((Class::Bilinear, 4)), &[Pattern::Strict]);
    assert!(found.is_unique());
    let half = 0.5;
    let heun = [0., 0., 1., 0., 0., 0., 1., 0., half, half, half, half, half, half];
    assert_eq!(found.solutions[0].tables.to_f64(), heun);
}

#[test]
fn the_family_of_three_strict_stages_contains_ps3() {
    let budget = &mut Budget::unlimited();
    let found = solved(3, 2, Some((Class::Bilinear, 5)), &[Pattern::Strict]);
    assert_eq!(found.freedom(), Freedom::Dimension(1));
    let family = &found.families[0];
    let functions = family.parametrisation.as_ref().unwrap();
    // a21 = 1/2, a31 = 0, a32 = 1, b = (1/4, 1/2, 1/4): the member with btil3 = 1/4.
    let ps3: Vec<Rational> = [
        "1/2", "0", "1", "1/2", "0", "1", "1/4", "1/2", "1/4", "1/4", "1/2", "1/4", "1/4", "1/2",
        "1/4",
    ]
    .iter()
    .map(|text| text.parse().unwrap())
    .collect();
    for element in family.ideal.basis() {
        assert!(element.evaluate(&ps3, budget).unwrap().is_zero());
    }
    for (function, value) in functions.iter().zip(&ps3) {
        assert_eq!(function.evaluate(&ps3, budget).unwrap().as_ref(), Some(value));
    }
}

#[test]
fn the_two_form_asks_for_the_symplectic_conditions() {
    // b_i abar_ij + bbar_j a_ji = b_i bbar_j, and on one stage nothing else: a + abar = 1.
    let budget = &mut Budget::unlimited();
    let random = &mut Random::new(1);
    let found =
        conditions(Class::Symplectic, Structure::Form, 4, random, budget, &mut |_| {}).unwrap();
    let unknowns = Unknowns::new(&Family::qvp(), 1, &[], &[], budget).unwrap();
    let rows: Vec<StructureLevel> = (2..=4)
        .map(|power| StructureLevel {
            power,
            conditions: found.given(Part::Form, power, 1, budget).unwrap(),
        })
        .collect();
    let levels = levels(&unknowns, found.trees(), 1, None, &rows, budget).unwrap();
    let ideal = ideal(&levels, unknowns.len(), &F4::unlimited(), budget).unwrap().unwrap();
    let texts: Vec<String> = ideal.basis().iter().map(|g| named(g, &unknowns.names())).collect();
    assert_eq!(texts, ["btil1 - 1", "bbar1 - 1", "b1 - 1", "a11 + abar11 - 1"]);
}

#[test]
fn potential_forces_ask_for_nystrom_conditions() {
    // Without v in f there are explicit methods of order three with two stages (Ruth's need
    // three); with it there are none.
    let budget = &mut Budget::unlimited();
    let entries = ["a12", "abar11", "abar12", "abar22"];
    let zeros: Vec<(String, Rational)> =
        entries.iter().map(|name| ((*name).to_owned(), Rational::ZERO)).collect();
    let unknowns = Unknowns::new(&Family::qvp(), 2, &[], &zeros, budget).unwrap();
    let trees = Trees::up_to(&Family::qvp(), 3, budget).unwrap();
    let dimension = |class| {
        let levels = levels(&unknowns, &trees, 3, class, &[], &mut Budget::unlimited()).unwrap();
        reports(&levels, unknowns.len(), &F4::unlimited())
            .unwrap()
            .last()
            .unwrap()
            .freedom
            .dimension()
    };
    assert_eq!(dimension(Some(Class::Generic)), None);
    assert!(dimension(Some(Class::Symplectic)).is_some());
    let count = |class: Class, order| occurring(&trees, order, Some(class)).count();
    assert_eq!([1, 2, 3].map(|order| count(Class::Symplectic, order)), [3, 3, 5]);
    let four = Trees::up_to(&Family::qvp(), 4, budget).unwrap();
    assert_eq!(occurring(&four, 4, Some(Class::Natural)).count(), 40);
}

#[test]
fn longer_lists_of_trees_begin_with_shorter_ones() {
    let budget = &mut Budget::unlimited();
    let (short, long) = (
        Trees::up_to(&Family::qvp(), 3, budget).unwrap(),
        Trees::up_to(&Family::qvp(), 5, budget).unwrap(),
    );
    for (one, other) in short.ids().zip(long.ids()) {
        assert_eq!(short.name(one), long.name(other));
    }
}

#[test]
fn shapes_are_ordered_by_cost_and_begin_with_the_explicit_one() {
    let shapes = Shape::all(&Family::qvp(), 2);
    let costs: Vec<usize> = shapes.iter().map(Shape::cost).collect();
    assert_eq!(costs, [0, 1, 1, 2, 8]);
    // Of q, v, p only the diagonal of q costs nothing: q' = v.
    let diagonal = vec![true, false, true];
    assert!(
        shapes[0]
            .blocks
            .iter()
            .all(|block| { *block == Block::Explicit { diagonal: diagonal.clone() } })
    );
}
