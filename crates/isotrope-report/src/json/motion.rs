//! Parts that several kinds of systems have: dynamics, motion, constraints.

use isotrope_algebra::{Budget, ExprId, Pool};
use isotrope_derive::{
    ConstraintKind, ConstraintRows, DistributionReport, Dynamics, Eliminated, Written,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Expression, Named, by_name, expression, list, nonzero, optional};
use crate::elimination::{Linear, Unsolved};

/// Mass matrices up to this size are written with their zeros.
const DENSE: usize = 64;
/// Solves up to this many unknowns are written out in every expression that uses them.
const WRITTEN_OUT: usize = 16;

/// What a Lagrangian says before constraints are imposed.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct DynamicsRecord {
    /// The Lagrangian.
    lagrangian: Expression,
    /// Forces that are not zero.
    forces: Named<Expression>,
    /// The momenta L_v.
    momenta: Named<Expression>,
    /// The mass matrix L_vv by rows; `null` of large systems.
    mass_matrix: Option<Vec<Vec<Expression>>>,
    /// Of large systems: row, column from 0, entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    mass_matrix_sparse: Option<Vec<(usize, usize, Expression)>>,
    /// The energy in positions and velocities.
    energy: Expression,
}

/// The differential of the Lagrangian as a section of the Dirac structure.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct DifferentialRecord {
    /// -L_q.
    #[serde(rename = "minus_L_q")]
    minus_gradient: Named<Expression>,
}

/// The rates of positions, velocities and momenta; `null` where there are none, or no formulas.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct EquationsRecord {
    /// Of positions.
    pub(super) q: Named<Expression>,
    /// Of velocities.
    pub(super) v: Option<Named<Expression>>,
    /// Of momenta.
    pub(super) p: Option<Named<Expression>>,
}

/// A sparse linear system.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct LinearRecord {
    /// The unknowns.
    unknowns: Vec<Expression>,
    /// Row, column from 0, entry.
    matrix: Vec<(usize, usize, Expression)>,
    /// The right-hand side.
    right: Vec<Expression>,
}

/// Multipliers and the field without them.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct MotionRecord {
    /// The multipliers by the names of their constraints, where there are formulas.
    multipliers: Option<Named<Expression>>,
    /// Is everything a formula, without a linear system that is left to be solved?
    explicit: bool,
    /// The linear system of accelerations and multipliers.
    #[serde(skip_serializing_if = "Option::is_none")]
    accelerations_solve: Option<LinearRecord>,
    /// The linear system of the multipliers.
    #[serde(skip_serializing_if = "Option::is_none")]
    multipliers_solve: Option<LinearRecord>,
    /// The equations of motion.
    pub(super) equations: EquationsRecord,
    /// The formulas hold where none of these vanishes.
    side_conditions: Vec<Expression>,
}

/// A constraint.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct ConstraintRecord {
    /// Its name.
    name: String,
    /// `holonomic`, `pfaffian-integrable`, `nonholonomic` or `affine`.
    kind: &'static str,
    /// Does it integrate? `null`: not decided.
    integrable: Option<bool>,
    /// Left side minus right side, as written.
    expression: Expression,
    /// What follows for the velocities from a constraint on positions.
    hidden: Expression,
    /// Nonlinear in the velocities, with Chetaev reactions?
    chetaev: bool,
    /// Does it follow from others?
    #[serde(skip_serializing_if = "Option::is_none")]
    redundant: Option<bool>,
    /// From these.
    #[serde(skip_serializing_if = "Option::is_none")]
    follows_from: Option<Vec<String>>,
}

pub(super) fn dynamics_record(
    pool: &mut Pool,
    names: &[String],
    dynamics: &Dynamics,
) -> DynamicsRecord {
    let n = names.len();
    let dense = || {
        let row = |row: &Vec<(u32, ExprId)>| {
            let mut entries = vec![ExprId::ZERO; n];
            for &(column, value) in row {
                entries[column as usize] = value;
            }
            list(pool, &entries)
        };
        dynamics.mass.iter().map(row).collect()
    };
    let sparse = || {
        let entries = dynamics.mass.iter().enumerate();
        entries
            .flat_map(|(i, row)| row.iter().map(move |&(j, value)| (i, j as usize, value)))
            .map(|(i, j, value)| (i, j, expression(pool, value)))
            .collect()
    };
    let mass_matrix = (n <= DENSE).then(dense);
    let mass_matrix_sparse = (n > DENSE).then(sparse);
    let energy = if n <= DENSE {
        isotrope_algebra::normal::simplify(pool, dynamics.energy, &mut Budget::new(200_000))
    } else {
        dynamics.energy
    };
    DynamicsRecord {
        lagrangian: expression(pool, dynamics.lagrangian),
        forces: nonzero(pool, names, &dynamics.working),
        momenta: by_name(pool, names, &dynamics.momenta),
        mass_matrix,
        mass_matrix_sparse,
        energy: expression(pool, energy),
    }
}

pub(super) fn differential(
    pool: &mut Pool,
    names: &[String],
    dynamics: &Dynamics,
) -> DifferentialRecord {
    let falling: Vec<ExprId> = dynamics.gradient.iter().map(|&g| pool.neg(g)).collect();
    DifferentialRecord { minus_gradient: by_name(pool, names, &falling) }
}

fn linear_system(pool: &Pool, linear: &Linear) -> LinearRecord {
    let entry = |&(i, j, value): &(usize, usize, ExprId)| (i, j, expression(pool, value));
    LinearRecord {
        unknowns: list(pool, &linear.unknowns),
        matrix: linear.matrix.iter().map(entry).collect(),
        right: list(pool, &linear.right),
    }
}

/// What is not a number, of conditions.
pub(super) fn side_conditions(pool: &Pool, conditions: &[ExprId]) -> Vec<Expression> {
    let open = conditions.iter().filter(|&&condition| pool.as_number(condition).is_none());
    open.map(|&condition| expression(pool, condition)).collect()
}

/// Multipliers and the field without them: written out where that is short, otherwise with
/// the multipliers as symbols and the linear system they solve, once.
pub(super) fn motion(
    pool: &Pool,
    names: &[String],
    rows: &ConstraintRows,
    eliminated: &Eliminated,
    unsolved: Option<&Unsolved>,
    velocity: &[ExprId],
) -> MotionRecord {
    let large = unsolved.filter(|unsolved| unsolved.linear.unknowns.len() > WRITTEN_OUT);
    let multipliers = match large {
        _ if rows.is_empty() => None,
        Some(_) => None,
        // With functions in the combination they are solutions of a linear system.
        None if rows.redundant.iter().all(|row| row.coefficients.is_some()) => {
            Some(by_name(pool, &rows.all_names(), &eliminated.all_multipliers))
        }
        None => Some(by_name(pool, &rows.names, &eliminated.multipliers)),
    };
    let solve = |whole: bool| {
        let unsolved = unsolved.filter(|unsolved| unsolved.whole == whole)?;
        Some(linear_system(pool, &unsolved.linear))
    };
    let v = match large {
        Some(unsolved) if unsolved.whole => None,
        Some(unsolved) => Some(by_name(pool, names, &unsolved.acceleration)),
        None => Some(by_name(pool, names, &eliminated.acceleration)),
    };
    let p = match large {
        Some(unsolved) => by_name(pool, names, &unsolved.momentum_rate),
        None => by_name(pool, names, &eliminated.momentum_rate),
    };
    MotionRecord {
        multipliers,
        explicit: eliminated.explicit,
        accelerations_solve: solve(true),
        multipliers_solve: solve(false),
        equations: EquationsRecord { q: by_name(pool, names, velocity), v, p: Some(p) },
        side_conditions: side_conditions(pool, &eliminated.conditions),
    }
}

pub(super) fn constraints(
    pool: &Pool,
    rows: &ConstraintRows,
    report: &DistributionReport,
) -> Vec<ConstraintRecord> {
    let independent = (0..rows.len()).map(|a| {
        let (kind, integrable) =
            report.kinds.get(a).copied().unwrap_or((ConstraintKind::Nonholonomic, None));
        // The contract knows four kinds; Chetaev reactions are distinguished by a key.
        let name = match kind {
            ConstraintKind::Chetaev => ConstraintKind::Nonholonomic.name(),
            _ => kind.name(),
        };
        let hidden = (rows.written[a] == Written::Position).then_some(rows.velocity_level[a]);
        ConstraintRecord {
            name: rows.names[a].clone(),
            kind: name,
            integrable,
            expression: expression(pool, rows.expressions[a]),
            hidden: optional(pool, hidden),
            chetaev: kind == ConstraintKind::Chetaev,
            redundant: None,
            follows_from: None,
        }
    });
    let redundant = rows.redundant.iter().map(|row| ConstraintRecord {
        name: row.name.clone(),
        kind: ConstraintKind::Holonomic.name(),
        integrable: Some(true),
        expression: expression(pool, row.expression),
        hidden: expression(pool, row.velocity_level),
        chetaev: false,
        redundant: Some(true),
        follows_from: Some(row.follows_from.clone()),
    });
    independent.chain(redundant).collect()
}
