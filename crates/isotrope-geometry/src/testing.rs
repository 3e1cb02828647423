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
