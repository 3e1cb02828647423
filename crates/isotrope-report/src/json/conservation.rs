//! What is conserved, what is not, and what is left when symmetries are divided out.

use isotrope_algebra::Pool;
use isotrope_derive::{Conservation, Reduction};
use schemars::JsonSchema;
use serde::Serialize;

use super::geometry::fields;
use super::{Expression, Named, by_name, expression, list, nonzero, zero_answer};

/// A conserved quantity.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct ConservedRecord {
    /// A short name.
    name: String,
    /// The quantity.
    expression: Expression,
    /// Why it is conserved.
    why: String,
    /// Is its derivative along the flow zero: `proved`, or how far that was checked.
    proof: String,
    /// By which law it was found: `noether`, `gauge` (a total derivative is left over), `moving-energy`, `casimir`
    /// (a bracket leaves it constant) or `direct` (its rate vanishes).
    kind: &'static str,
    /// The symmetry of the action, where time or a gauge term belongs to it.
    symmetry: Option<GeneratorRecord>,
}

/// A symmetry of the action.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct GeneratorRecord {
    /// How it moves time.
    tau: Expression,
    /// How it moves positions: the components that are not zero.
    xi: Named<Expression>,
    /// The total derivative by which it changes L dt is that of this.
    #[serde(rename = "G")]
    gauge: Expression,
}

/// A search for conserved quantities.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct SearchedRecord {
    /// What was sought: `symmetries`, `polynomials`, `casimirs`.
    search: &'static str,
    /// Among which functions.
    ansatz: String,
    /// How many coefficients were unknown.
    unknowns: usize,
    /// Did it come to its end? Then the list is complete for these functions, as docs/derive.md says.
    complete: bool,
}

/// A momentum that constraints or forces do not let be conserved.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct LostRecord {
    /// A short name.
    name: String,
    /// The momentum.
    expression: Expression,
    /// Its rate, with the multipliers as symbols.
    rate: Expression,
}

/// The momentum equation of an admissible field.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct MomentumEquationRecord {
    /// The components of the field that are not zero.
    field: Named<Expression>,
    /// The momentum along it.
    momentum: Expression,
    /// Its rate.
    rate: Expression,
}

/// The equations in quasi-velocities of an invariant frame.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct ReductionRecord {
    /// The names of the quasi-velocities.
    quasi_velocities: Vec<String>,
    /// The frame.
    frame: Vec<Named<Expression>>,
    /// The rates of the quasi-velocities.
    equations: Named<Expression>,
    /// The positions that still occur in the rates.
    shape: Vec<Expression>,
    /// The velocities from the quasi-velocities.
    reconstruction: Named<Expression>,
    /// The symmetries that were divided out.
    symmetries: Vec<Named<Expression>>,
}

pub(super) fn conserved(
    pool: &Pool,
    names: &[String],
    found: &Conservation,
) -> Vec<ConservedRecord> {
    let generator = |generator: &isotrope_derive::Generator| GeneratorRecord {
        tau: expression(pool, generator.time),
        xi: nonzero(pool, names, &generator.field),
        gauge: expression(pool, generator.gauge),
    };
    let record = |quantity: &isotrope_derive::Conserved| ConservedRecord {
        name: quantity.name.clone(),
        expression: expression(pool, quantity.expression),
        why: quantity.why.clone(),
        proof: zero_answer(quantity.proof),
        kind: quantity.law.name(),
        symmetry: quantity.generator.as_ref().map(generator),
    };
    found.conserved.iter().map(record).collect()
}

pub(super) fn searched(found: &Conservation) -> Vec<SearchedRecord> {
    let record = |searched: &isotrope_derive::Searched| SearchedRecord {
        search: searched.search,
        ansatz: searched.ansatz.clone(),
        unknowns: searched.unknowns,
        complete: searched.complete,
    };
    found.searched.iter().map(record).collect()
}

pub(super) fn lost(pool: &Pool, found: &Conservation) -> Vec<LostRecord> {
    let record = |lost: &isotrope_derive::LostMomentum| LostRecord {
        name: lost.name.clone(),
        expression: expression(pool, lost.expression),
        rate: expression(pool, lost.rate),
    };
    found.lost.iter().map(record).collect()
}

pub(super) fn momentum_equations(
    pool: &Pool,
    names: &[String],
    found: &Conservation,
) -> Vec<MomentumEquationRecord> {
    let record = |equation: &isotrope_derive::MomentumEquation| MomentumEquationRecord {
        field: nonzero(pool, names, &equation.field),
        momentum: expression(pool, equation.momentum),
        rate: expression(pool, equation.rate),
    };
    found.momentum_equations.iter().map(record).collect()
}

pub(super) fn reduction(pool: &Pool, names: &[String], reduction: &Reduction) -> ReductionRecord {
    let weights: Vec<String> = reduction
        .quasi_velocities
        .iter()
        .map(|&weight| pool.name_of(weight).unwrap_or("w").to_owned())
        .collect();
    ReductionRecord {
        frame: fields(pool, names, &reduction.frame),
        equations: by_name(pool, &weights, &reduction.rates),
        quasi_velocities: weights,
        shape: list(pool, &reduction.shape),
        reconstruction: by_name(pool, names, &reduction.reconstruction),
        symmetries: reduction.symmetries.iter().map(|s| nonzero(pool, names, &s.field)).collect(),
    }
}
