//! Helpers of the tests: distributions from text.

use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId, Pool};

use crate::{Distribution, VectorField};

pub(crate) fn budget() -> Budget {
    Budget::new(20_000_000)
}

pub(crate) fn symbols(pool: &mut Pool, names: &[&str]) -> Vec<ExprId> {
    names.iter().map(|name| pool.symbol(name)).collect()
}

pub(crate) fn row(pool: &mut Pool, texts: &[&str]) -> Vec<ExprId> {
    texts.iter().map(|text| parse_expression(pool, text).unwrap()).collect()
}

pub(crate) fn field(pool: &mut Pool, texts: &[&str]) -> VectorField {
    VectorField::new(row(pool, texts))
}

pub(crate) fn distribution(pool: &mut Pool, names: &[&str], forms: &[&[&str]]) -> Distribution {
    let coordinates = symbols(pool, names);
    let forms: Vec<_> = forms.iter().map(|form| row(pool, form)).collect();
    Distribution::from_forms(pool, &coordinates, &forms, &mut budget()).unwrap()
}

/// `ker(dz - x dy)`.
pub(crate) fn contact(pool: &mut Pool) -> Distribution {
    distribution(pool, &["x", "y", "z"], &[&["0", "-x", "1"]])
}

/// The blade of the Chaplygin sleigh.
pub(crate) fn sleigh(pool: &mut Pool) -> Distribution {
    distribution(pool, &["x", "y", "theta"], &[&["sin(theta)", "-cos(theta)", "0"]])
}

/// The disc that rolls upright: heading phi, rotation psi.
pub(crate) fn rolling_disc(pool: &mut Pool) -> Distribution {
    distribution(
        pool,
        &["x", "y", "phi", "psi"],
        &[&["1", "0", "0", "-R*cos(phi)"], &["0", "1", "0", "-R*sin(phi)"]],
    )
}

/// The velocity constraints of a plane chain of rods in Cartesian coordinates.
pub(crate) fn chain_of_rods(pool: &mut Pool, links: usize, budget: &mut Budget) -> Distribution {
    let names: Vec<String> =
        (1..=links).flat_map(|k| [format!("x[{k}]"), format!("y[{k}]")]).collect();
    let coordinates: Vec<ExprId> = names.iter().map(|name| pool.symbol(name)).collect();
    let mut forms = Vec::new();
    for k in 0..links {
        let mut form = vec![ExprId::ZERO; 2 * links];
        for axis in 0..2 {
            let here = coordinates[2 * k + axis];
            let back = if k > 0 { coordinates[2 * k - 2 + axis] } else { ExprId::ZERO };
            let difference = pool.sub(here, back);
            form[2 * k + axis] = difference;
            if k > 0 {
                form[2 * k - 2 + axis] = pool.neg(difference);
            }
        }
        forms.push(form);
    }
    Distribution::from_forms(pool, &coordinates, &forms, budget).unwrap()
}
