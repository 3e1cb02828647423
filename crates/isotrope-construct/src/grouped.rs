//! Methods with a table for each group: what they keep of a problem, computed from their tables alone.

use isotrope_algebra::number::field::FieldElement;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Rational};
use isotrope_certify::DefectOrder;
use isotrope_methods::table::GroupedTable;
use isotrope_methods::trees::dependencies;

use crate::ask::LARGEST_POWER;
use crate::problem::Problem;
use crate::symbolic::{self, SymbolicConditions, SymbolicError};

/// The exponent of the local defect of all structure functions of a problem, exactly: the first power of h at which a
/// condition fails; infinity where all functions are at most quadratic and the tables keep such functions. `None` if the
/// groups are not those of the problem.
pub fn grouped_structure(
    table: &GroupedTable,
    problem: &Problem,
    budget: &mut Budget,
) -> Result<Option<DefectOrder>, SymbolicError> {
    let Some(groups) = table.colours(&problem.family) else { return Ok(None) };
    if keeps_quadratics(table) && is_quadratic(problem, budget)? {
        return Ok(Some(DefectOrder::Infinite));
    }
    let mut kept = DefectOrder::AtLeast(1);
    for reach in 2..=LARGEST_POWER {
        let conditions = match symbolic::conditions(problem, reach, budget) {
            Ok(conditions) => conditions,
            // What is known stays known.
            Err(SymbolicError::OutOfBudget(stop)) if !stop.interrupted && reach > 2 => break,
            Err(error) => return Err(error),
        };
        kept = first_failing(table, &groups, &conditions);
        if matches!(kept, DefectOrder::Exactly(_)) {
            break;
        }
    }
    Ok(Some(kept))
}

/// The first power of h at which a condition fails.
fn first_failing(
    table: &GroupedTable,
    groups: &[usize],
    conditions: &SymbolicConditions,
) -> DefectOrder {
    let field = &table.field;
    let weights = table.weights(conditions.trees(), groups);
    let failing = (1..=conditions.max_order()).find(|&power| {
        conditions.at(power).iter().any(|condition| {
            let mut sum = field.rational(Rational::ZERO);
            for (forest, coefficient) in &condition.terms {
                let mut product = field.rational(coefficient.clone());
                for tree in forest.trees() {
                    product = field.mul(&product, &weights[tree.index()]);
                }
                sum = field.add(&sum, &product);
            }
            !sum.is_zero()
        })
    });
    match failing {
        Some(power) => DefectOrder::Exactly(power),
        None => DefectOrder::AtLeast(conditions.max_order() + 1),
    }
}

/// Are all functions invariants of degree two at most, everywhere and not on a manifold alone?
fn is_quadratic(problem: &Problem, budget: &mut Budget) -> Result<bool, OutOfBudget> {
    if !problem.manifold().is_empty() {
        return Ok(false);
    }
    let mut pool = problem.pool.clone();
    let all: Vec<ExprId> = problem.symbols().iter().flatten().copied().collect();
    let functions: Vec<ExprId> = problem.structure.iter().map(|one| one.expression).collect();
    let found = dependencies(&mut pool, &[all], &[functions], budget)?;
    let degrees = found.iter().flatten().map(|dependency| dependency.at_most);
    Ok(degrees.into_iter().all(|degree| degree.is_some_and(|degree| degree <= 2)))
}

/// Are all weights equal, with b_i a^g_ij + b_j a^h_ji = b_i b_j for all pairs of groups? Then every quadratic invariant
/// is kept: G. J. Cooper (1987), with the stages of every group.
#[must_use]
pub fn keeps_quadratics(table: &GroupedTable) -> bool {
    let field = &table.field;
    let Some(first) = table.groups.first() else { return false };
    if table.groups.iter().any(|group| group.b != first.b) {
        return false;
    }
    let b = &first.b;
    let matrices: Option<Vec<&Vec<Vec<FieldElement>>>> =
        table.groups.iter().map(|group| group.a.as_ref()).collect();
    let Some(matrices) = matrices else { return false };
    matrices.iter().all(|a| {
        matrices.iter().all(|other| {
            (0..table.stages).all(|i| {
                (0..table.stages).all(|j| {
                    let left = field.mul(&b[i], &a[i][j]);
                    let right = field.mul(&b[j], &other[j][i]);
                    field.add(&left, &right) == field.mul(&b[i], &b[j])
                })
            })
        })
    })
}
