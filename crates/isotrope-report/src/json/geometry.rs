//! Admissible velocities and the Dirac structure.

use isotrope_algebra::{Budget, Pool};
use isotrope_derive::{ConstraintRows, DistributionReport};
use isotrope_geometry::{DiracStructure, VectorField};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Expression, Named, expression, nonzero, zero_answer};

/// The distribution of admissible velocities.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct DistributionRecord {
    /// Its rank.
    rank: usize,
    /// Does it integrate? `null`: not decided.
    integrable: Option<bool>,
    /// Two of its fields whose bracket leaves it.
    bracket: Option<BracketRecord>,
    /// Fields that span it.
    frame: Option<Vec<Named<Expression>>>,
    /// Is the time one of the coordinates, since constraints move?
    with_time: bool,
    /// Ranks of D, D + [D, D], …, on positions and time if `with_time`.
    growth_vector: Option<Vec<usize>>,
    /// Ranks of the derived flag.
    derived_flag: Option<Vec<usize>>,
    /// Combinations of the constraints that integrate.
    integrable_part: Option<Vec<Named<Expression>>>,
    /// Do brackets generate every direction?
    bracket_generating: Option<bool>,
    /// Are the ranks proved?
    flag_proved: Option<bool>,
}

/// A bracket that leaves the distribution.
#[derive(Debug, JsonSchema, Serialize)]
struct BracketRecord {
    /// The fields of the frame, counted from 1.
    fields: [usize; 2],
    /// Their bracket.
    value: Named<Expression>,
    /// The constraint that it violates.
    constraint: Option<String>,
    /// By how much.
    constraint_value: Expression,
}

/// The Dirac structure on positions and momenta.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct DiracRecord {
    /// Sections that span it; `null` of large systems.
    generators: Option<Vec<GeneratorRecord>>,
    /// Its rank.
    rank: Option<usize>,
    /// Does the pairing vanish on it?
    isotropic: Option<String>,
}

/// A section: a vector and a covector.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct GeneratorRecord {
    /// The components of the vector that are not zero.
    pub(crate) vector: Named<Expression>,
    /// Those of the covector.
    pub(crate) covector: Named<Expression>,
}

pub(super) fn fields(
    pool: &Pool,
    names: &[String],
    fields: &[VectorField],
) -> Vec<Named<Expression>> {
    fields.iter().map(|field| nonzero(pool, names, &field.components)).collect()
}

/// The generators of a structure over coordinates with these names.
pub(crate) fn generators(
    pool: &Pool,
    names: &[String],
    structure: &DiracStructure,
) -> Vec<GeneratorRecord> {
    structure
        .generators
        .iter()
        .map(|generator| GeneratorRecord {
            vector: nonzero(pool, names, &generator.vector),
            covector: nonzero(pool, names, &generator.covector),
        })
        .collect()
}

pub(super) fn distribution(
    pool: &Pool,
    names: &[String],
    rows: Option<&ConstraintRows>,
    report: &DistributionReport,
) -> DistributionRecord {
    let mut names = names.to_vec();
    if report.extended {
        names.push("t".into());
    }
    let bracket = report.obstruction.as_ref().map(|obstruction| BracketRecord {
        fields: [obstruction.first + 1, obstruction.second + 1],
        value: nonzero(pool, &names, &obstruction.bracket.components),
        constraint: rows.and_then(|rows| rows.names.get(obstruction.form)).cloned(),
        constraint_value: expression(pool, obstruction.value),
    });
    let unconstrained = rows.is_none_or(ConstraintRows::is_empty);
    // With time there is one direction more: the frame, the growth vector and the flag are those on (q, t).
    let whole = report.rank + usize::from(report.extended);
    let steady = (report.integrable == Some(true)).then(|| vec![whole]);
    let flag = report.flag.as_ref();
    DistributionRecord {
        rank: report.rank,
        integrable: report.integrable,
        bracket,
        frame: report.distribution.as_ref().map(|d| fields(pool, &names, &d.frame)),
        with_time: report.extended,
        growth_vector: flag.map(|flag| flag.growth_vector.clone()).or(steady.clone()),
        derived_flag: flag.map(|flag| flag.derived_flag.clone()).or(steady),
        integrable_part: flag.map(|flag| {
            flag.integrable_part.iter().map(|form| nonzero(pool, &names, form)).collect()
        }),
        bracket_generating: match (flag, report.integrable) {
            (Some(flag), _) => Some(flag.bracket_generating),
            (None, Some(true)) => Some(unconstrained),
            _ => None,
        },
        flag_proved: flag.map(|flag| flag.proved),
    }
}

pub(super) fn dirac(
    pool: &mut Pool,
    names: &[String],
    structure: Option<&DiracStructure>,
    known_rank: Option<usize>,
) -> DiracRecord {
    let Some(structure) = structure else {
        return DiracRecord { generators: None, rank: known_rank, isotropic: None };
    };
    let mut all = names.to_vec();
    all.extend(names.iter().map(|name| format!("p_{name}")));
    let isotropic = structure.is_isotropic(pool, &mut Budget::new(5_000_000));
    let rank = structure.rank(pool, &mut Budget::new(20_000_000));
    DiracRecord {
        generators: Some(generators(pool, &all, structure)),
        rank: Some(rank.map_or(structure.generators.len(), |rank| rank.rank)),
        isotropic: Some(zero_answer(isotropic)),
    }
}
