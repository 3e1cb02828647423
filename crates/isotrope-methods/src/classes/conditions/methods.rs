//! Random methods, to check the expansion in trees against actual steps.

use isotrope_algebra::modular::Random;

use crate::classes::class::Part;
use crate::classes::defects::{structure_at, two_form};
use crate::classes::error::ClassError;
use crate::classes::jets::Jets;
use crate::classes::prime_field::{PrimeField, Residue};
use crate::classes::problem::{Problem, Tangent};
use crate::classes::scalars::Scalars;
use crate::classes::step::run;
use crate::table::Coefficients;
use crate::trees::Trees;

use super::{Forest, POSITION, VELOCITY};

/// A full random table.
pub(super) fn random_table(
    field: &PrimeField,
    stages: usize,
    random: &mut Random,
) -> Coefficients<Residue> {
    let mut vector = || -> Vec<Residue> { (0..stages).map(|_| field.random(random)).collect() };
    let b = vector();
    let bbar = vector();
    let btil = vector();
    let a = (0..stages).map(|_| vector()).collect();
    let abar = (0..stages).map(|_| vector()).collect();
    Coefficients { a, abar, b, bbar, btil }
}

/// The weights w(t) of a method for all trees.
pub(super) fn weights(
    field: &PrimeField,
    table: &Coefficients<Residue>,
    trees: &Trees,
) -> Vec<Residue> {
    let stages = table.stages();
    // A_colour φ(t), ready to be a factor in the parent.
    let mut factors: Vec<Vec<Residue>> = Vec::with_capacity(trees.len());
    let mut weights = Vec::with_capacity(trees.len());
    for tree in trees.ids() {
        let mut product = vec![field.one(); stages];
        for child in trees.children(tree) {
            for (entry, factor) in product.iter_mut().zip(&factors[child.index()]) {
                *entry = field.mul(entry, factor);
            }
        }
        let (matrix, functional) = match trees.colour(tree) {
            POSITION => (Some(&table.a), &table.b),
            VELOCITY => (Some(&table.abar), &table.bbar),
            _ => (None, &table.btil),
        };
        weights.push(field.sum_of_products(stages, |i| (&functional[i], &product[i])));
        factors.push(matrix.map_or_else(Vec::new, |matrix| {
            let apply =
                |row: &Vec<Residue>| field.sum_of_products(stages, |i| (&row[i], &product[i]));
            matrix.iter().map(apply).collect()
        }));
    }
    weights
}

/// The value of a monomial.
pub(super) fn monomial(field: &PrimeField, forest: &Forest, weights: &[Residue]) -> Residue {
    forest
        .trees()
        .iter()
        .fold(field.one(), |product, tree| field.mul(&product, &weights[tree.index()]))
}

/// A part and the series of its components.
pub(super) type Components = (Part, Vec<Vec<Residue>>);

/// The defects of one step of a method, by part, component and power of h.
pub(super) fn step(
    field: &PrimeField,
    problem: &Problem<Residue>,
    tangents: &[Tangent<Residue>],
    table: &Coefficients<Residue>,
    order: usize,
) -> Result<Vec<Components>, ClassError> {
    let singular = ClassError::Singular { attempts: 1 };
    let jets = Jets::new(field, order, tangents.len()).ok_or(singular.clone())?;
    let end = run(&jets, problem, table, &problem.start(&jets, tangents))?;
    if !tangents.is_empty() {
        let plain = Jets::new(field, order, 0).ok_or(singular)?;
        return Ok(vec![(Part::Form, vec![two_form(&jets, &plain, &end)])]);
    }
    let at = structure_at(&jets, problem, &end).ok_or(singular)?;
    Ok(vec![(Part::Psi, at.psi), (Part::PhiV, at.phi_v), (Part::PhiQ, at.phi_q)])
}
