//! Symmetry, by its definition: the step by −h undoes the step by h.

use isotrope_algebra::modular::Random;
use isotrope_certify::is_symmetric;
use isotrope_methods::classes::{Class, Defect, Residue, Scalars, measure};
use isotrope_methods::table::Coefficients;

use crate::support::{image, named, tables};

/// The table of a step by h followed by one by −h: (a 0; 1bᵀ −a) with weights (b, −b).
fn there_and_back<S: Scalars<Element = Residue>>(
    scalars: &S,
    table: &Coefficients<Residue>,
) -> Coefficients<Residue> {
    let zero = scalars.zero();
    let matrix = |a: &[Vec<Residue>], b: &[Residue]| -> Vec<Vec<Residue>> {
        let first = a.iter().map(|row| row.iter().copied().chain(b.iter().map(|_| zero)).collect());
        let second = a
            .iter()
            .map(|row| b.iter().copied().chain(row.iter().map(|x| scalars.neg(x))).collect());
        first.chain(second).collect()
    };
    let vector = |b: &[Residue]| -> Vec<Residue> {
        b.iter().copied().chain(b.iter().map(|x| scalars.neg(x))).collect()
    };
    Coefficients {
        a: matrix(&table.a, &table.b),
        abar: matrix(&table.abar, &table.bbar),
        b: vector(&table.b),
        bbar: vector(&table.bbar),
        btil: vector(&table.btil),
    }
}

#[test]
fn a_symmetric_method_is_undone_by_the_step_back_and_no_other_is() {
    for table in tables().into_iter().filter(|table| table.stages <= 4) {
        let image = image(&table);
        let both = there_and_back(&image.field, &image.coefficients);
        let random = &mut Random::new(3);
        // A method that returns to its start conserves the energy and everything else.
        let defects = measure(&image.field, &both, Class::Generic, 8, 2, random).unwrap();
        let returns = defects.energy == Defect::None && defects.psi == Defect::None;
        assert_eq!(is_symmetric(&table), Some(returns), "{}", table.name);
    }
}

#[test]
fn equal_and_unused_stages_do_not_hide_symmetry() {
    // The midpoint rule with its stage written twice, and with a stage that nothing uses.
    let text = |a: &[&[&str]], b: &[&str]| {
        isotrope_methods::table::Table::from_text("", a, b, &mut crate::support::budget()).unwrap()
    };
    let twice = text(&[&["1/2", "0"], &["1/6", "1/3"]], &["1/3", "2/3"]);
    let unused = text(&[&["1/2", "0"], &["1/7", "1/5"]], &["1", "0"]);
    for table in [twice, unused] {
        assert_eq!(is_symmetric(&table), Some(true));
        let one = crate::support::certified(table);
        let midpoint = crate::support::certified(named("midpoint"));
        assert_eq!(one.certificate().classes, midpoint.certificate().classes);
        assert_eq!(one.certificate().cost, midpoint.certificate().cost);
    }
}
