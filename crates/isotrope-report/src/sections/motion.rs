//! The equations of motion, with multipliers and without.

use isotrope_algebra::{Budget, ExprId, normal};
use isotrope_derive::{ConstraintRows, Dynamics, Eliminated, HamiltonianField, System};

use super::{FIRST, equations, math, words};
use crate::document::{Block, Equation, Fact, Formula, Section, Sign};
use crate::elimination::Unsolved;

/// Operations for the shortest form of conditions.
const TIDYING: u64 = 2_000_000;
/// Rates of momenta longer than this are written with multipliers.
const LONG: u64 = 300;

/// Euler-Lagrange equations with multipliers as symbols.
pub(crate) fn euler_lagrange(rows: &ConstraintRows, residual: &[ExprId]) -> Section {
    let mut blocks = vec![Block::Paragraph(vec![math(Sign::EULER_LAGRANGE), words(":")])];
    equations(&mut blocks, residual.len(), |k| Equation::new(residual[k], ExprId::ZERO));
    if !rows.is_empty() {
        blocks.push(Block::words(
            "together with the constraints; each multiplier λ carries the name of its constraint.",
        ));
    }
    Section { id: "motion", title: "Equations of motion", blocks }
}

/// The multipliers as functions of the state; empty if there are none.
pub(crate) fn multipliers(
    system: &mut System,
    rows: &ConstraintRows,
    symbols: &[ExprId],
    eliminated: &Eliminated,
    unsolved: Option<&Unsolved>,
) -> Option<Section> {
    if rows.is_empty() {
        return None;
    }
    let mut blocks = Vec::new();
    match unsolved {
        None => equations(&mut blocks, rows.len(), |k| {
            Equation::new(symbols[k], eliminated.multipliers[k])
        }),
        Some(unsolved) => linear_system(system, unsolved, &mut blocks),
    }
    if !rows.redundant.is_empty() {
        least_norm(rows, eliminated, unsolved.is_none(), &mut blocks);
    }
    Some(Section { id: "multipliers", title: "Multipliers", blocks })
}

/// What is reported where constraints are redundant.
fn least_norm(
    rows: &ConstraintRows,
    eliminated: &Eliminated,
    explicit: bool,
    blocks: &mut Vec<Block>,
) {
    blocks.push(Block::words(
        "Redundant constraints leave the multipliers undetermined: only the reactions Aᵀλ are certain. \
         Here those of redundant constraints are zero. Runs report, of all multipliers with the \
         same reactions, those of least norm.",
    ));
    let numbers = rows.redundant.iter().all(|row| row.coefficients.is_some());
    if explicit && numbers {
        let named = rows.all_names().into_iter().zip(&eliminated.all_multipliers);
        let facts = named.take(FIRST).map(|(name, &value)| Fact::math(name, value));
        blocks.push(Block::Facts(facts.collect()));
    }
}

fn linear_system(system: &mut System, unsolved: &Unsolved, blocks: &mut Vec<Block>) {
    let linear = &unsolved.linear;
    let (size, entries) = (linear.unknowns.len(), linear.matrix.len());
    let what = if unsolved.whole { "The accelerations and multipliers" } else { "The multipliers" };
    let what = if unsolved.whole && size == system.symbols.dimension() {
        "The accelerations"
    } else {
        what
    };
    blocks.push(Block::words(format!(
        "{what} are not written as formulas: they solve a linear system of {size} equations \
         with {entries} coefficients that are not zero."
    )));
    let pool = &mut system.model.pool;
    equations(blocks, size, |k| {
        let (left, right) = linear.row(pool, k);
        Equation::new(left, right)
    });
}

/// The first-order system without multipliers.
pub(crate) fn field(
    system: &mut System,
    dynamics: &Dynamics,
    rows: &ConstraintRows,
    symbols: &[ExprId],
    eliminated: &Eliminated,
    unsolved: Option<&Unsolved>,
) -> Section {
    let n = system.symbols.dimension();
    let mut blocks = Vec::new();
    let (acceleration, momentum_rate) = match unsolved {
        Some(unsolved) => (&unsolved.acceleration, &unsolved.momentum_rate),
        None => (&eliminated.acceleration, &eliminated.momentum_rate),
    };
    let length: u64 =
        momentum_rate.iter().map(|&rate| normal::size(&system.model.pool, rate)).sum();
    let long = unsolved.is_none() && !rows.is_empty() && length > LONG;
    let with_multipliers = long.then(|| momentum_rates(system, dynamics, rows, symbols));
    let momentum_rate = with_multipliers.as_ref().unwrap_or(momentum_rate);
    match unsolved {
        Some(unsolved) if unsolved.whole && rows.is_empty() => {
            linear_system(system, unsolved, &mut blocks);
        }
        Some(unsolved) if unsolved.whole => {
            blocks.push(Block::words("The accelerations are unknowns of the linear system above."))
        }
        _ => equations(&mut blocks, n, |k| {
            Equation::new(system.symbols.acceleration[k], acceleration[k])
        }),
    }
    blocks.push(Block::words(match with_multipliers {
        Some(_) => "Rates of the momenta, with the multipliers above:",
        None => "Rates of the momenta:",
    }));
    let names = &system.symbols.names;
    equations(&mut blocks, n, |k| {
        Equation::new(Formula::Name(format!("p_{}'", names[k])), momentum_rate[k])
    });
    let conditions: Vec<ExprId> = eliminated
        .conditions
        .iter()
        .copied()
        .filter(|&condition| system.model.pool.as_number(condition).is_none())
        .collect();
    let conditions =
        normal::distinct_zeros(&mut system.model.pool, &conditions, &mut Budget::new(TIDYING))
            .unwrap_or(conditions);
    if !conditions.is_empty() {
        blocks.push(Block::words("The formulas hold where"));
        equations(&mut blocks, conditions.len(), |k| Equation {
            left: conditions[k].into(),
            sign: Sign::DIFFERS,
            right: ExprId::ZERO.into(),
        });
    }
    let title = if rows.is_empty() { "Accelerations" } else { "Multipliers eliminated" };
    Section { id: "field", title, blocks }
}

/// `L_q + F + A^T lambda` with the multipliers as symbols.
fn momentum_rates(
    system: &mut System,
    dynamics: &Dynamics,
    rows: &ConstraintRows,
    symbols: &[ExprId],
) -> Vec<ExprId> {
    let pool = &mut system.model.pool;
    let mut terms: Vec<Vec<ExprId>> =
        dynamics.gradient.iter().zip(&dynamics.forces).map(|(&g, &f)| vec![g, f]).collect();
    for (row, &multiplier) in rows.matrix.iter().zip(symbols) {
        for &(column, value) in row {
            terms[column as usize].push(pool.mul(value, multiplier));
        }
    }
    terms.iter().map(|terms| pool.sum(terms)).collect()
}

/// Hamilton's equations alone.
pub(crate) fn hamilton(system: &System, field: &HamiltonianField) -> Section {
    let n = system.symbols.dimension();
    let mut blocks =
        vec![Block::Equations(vec![Equation::new(Sign::HAMILTONIAN, field.hamiltonian)])];
    blocks.push(Block::words(
        "The velocities are not affine in the momenta, so no Lagrangian is written; \
         Hamilton's equations are",
    ));
    equations(&mut blocks, n, |k| {
        Equation::new(system.symbols.velocity[k], field.position_rate[k])
    });
    let names = &system.symbols.names;
    equations(&mut blocks, n, |k| {
        Equation::new(Formula::Name(format!("p_{}'", names[k])), field.momentum_rate[k])
    });
    Section { id: "motion", title: "Hamilton's equations", blocks }
}
