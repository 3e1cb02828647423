//! Constraint rows: `A v + b = 0`, and what they demand of the accelerations.

use isotrope_algebra::calculus::{
    CollectError, SparseRows, collect, directional_derivative, jacobian,
};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use isotrope_model::{Constraint, Place};

use super::{DeriveError, Redundant, Symbols};

/// How a constraint is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// Without velocities: `phi(q, t) = 0`.
    Position,
    /// Linear in the velocities, homogeneous: `A v = 0`.
    Linear,
    /// Linear with a part free of velocities: `A v + b = 0`, `b != 0`.
    Affine,
    /// Nonlinear in the velocities, with reactions `lambda phi_v` (Chetaev).
    Chetaev,
}

/// All constraints of a system as rows.
#[derive(Debug, Clone, Default)]
pub struct ConstraintRows {
    /// Names, in the order of the model.
    pub names: Vec<String>,
    /// Places in the model file.
    pub places: Vec<Place>,
    /// Left side minus right side.
    pub expressions: Vec<ExprId>,
    /// How each is written.
    pub written: Vec<Written>,
    /// `A`: rows of nonzero entries (`phi_q`, the coefficients, or `phi_v`).
    pub matrix: SparseRows,
    /// `b`: `phi_t` for positions, the inhomogeneous part otherwise.
    pub offset: Vec<ExprId>,
    /// `A v + b`, or `phi(q, v)` itself for Chetaev.
    pub velocity_level: Vec<ExprId>,
    /// `c` with `A a + c = 0`: the time derivative of the velocity level, accelerations left out.
    pub curvature: Vec<ExprId>,
    /// Constraints of the model that follow from these and are not among them.
    pub redundant: Vec<Redundant>,
}

/// The nonzero partial derivatives of one constraint.
struct Partials {
    position: Vec<(u32, ExprId)>,
    velocity: Vec<(u32, ExprId)>,
    time: ExprId,
}

impl Default for Partials {
    fn default() -> Self {
        Self { position: Vec::new(), velocity: Vec::new(), time: ExprId::ZERO }
    }
}

/// Operations for writing one constraint as a polynomial in the velocities.
const COLLECTING: u64 = 100_000;

impl ConstraintRows {
    /// Number of constraints.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// No constraints at all?
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Are all constraints on positions?
    pub fn all_holonomic(&self) -> bool {
        self.written.iter().all(|written| *written == Written::Position)
    }

    /// Is the structure affine (some `b != 0`)?
    pub fn is_affine(&self) -> bool {
        self.written.iter().zip(&self.offset).any(|(w, b)| *w != Written::Chetaev && !b.is_zero())
    }

    /// Some of the rows.
    pub(super) fn selected(&self, kept: &[usize]) -> Self {
        fn of<T: Clone>(list: &[T], kept: &[usize]) -> Vec<T> {
            kept.iter().map(|&k| list[k].clone()).collect()
        }
        Self {
            names: of(&self.names, kept),
            places: of(&self.places, kept),
            expressions: of(&self.expressions, kept),
            written: of(&self.written, kept),
            matrix: of(&self.matrix, kept),
            offset: of(&self.offset, kept),
            velocity_level: of(&self.velocity_level, kept),
            curvature: of(&self.curvature, kept),
            redundant: self.redundant.clone(),
        }
    }

    /// Names of all constraints, the redundant ones last.
    pub fn all_names(&self) -> Vec<String> {
        let redundant = self.redundant.iter().map(|row| &row.name);
        self.names.iter().chain(redundant).cloned().collect()
    }

    /// `A` for the redundant constraints.
    pub fn redundant_matrix(&self) -> SparseRows {
        self.redundant.iter().map(|row| row.row.clone()).collect()
    }

    /// A row of `A`, zeros included.
    pub fn dense_row(&self, row: usize, dimension: usize) -> Vec<ExprId> {
        let mut dense = vec![ExprId::ZERO; dimension];
        for &(column, value) in &self.matrix[row] {
            dense[column as usize] = value;
        }
        dense
    }

    /// Reads the rows off the constraints of a model.
    pub fn new(
        pool: &mut Pool,
        symbols: &Symbols,
        constraints: &[Constraint],
        budget: &mut Budget,
    ) -> Result<Result<Self, Vec<DeriveError>>, OutOfBudget> {
        let mut rows = Self {
            names: constraints.iter().map(|c| c.name.clone()).collect(),
            places: constraints.iter().map(|c| c.place).collect(),
            expressions: constraints.iter().map(|c| c.expression).collect(),
            written: Vec::new(),
            matrix: Vec::new(),
            offset: Vec::new(),
            velocity_level: Vec::new(),
            curvature: Vec::new(),
            redundant: Vec::new(),
        };
        // One sweep for all partial derivatives: its cost is linear in their number.
        let n = symbols.dimension() as u32;
        let mut variables = symbols.position.clone();
        variables.extend(&symbols.velocity);
        variables.push(symbols.time);
        let partials = jacobian(pool, &rows.expressions, &variables, budget)?;
        let mut errors = Vec::new();
        for (constraint, partial) in constraints.iter().zip(partials) {
            let mut split = Partials::default();
            for (column, value) in partial {
                match column {
                    k if k < n => split.position.push((k, value)),
                    k if k < 2 * n => split.velocity.push((k - n, value)),
                    _ => split.time = value,
                }
            }
            match rows.push(pool, symbols, constraint, split, budget)? {
                Ok(()) => {}
                Err(error) => errors.push(error),
            }
        }
        if !errors.is_empty() {
            return Ok(Err(errors));
        }
        rows.curvature =
            directional_derivative(pool, &rows.velocity_level, &symbols.drift(), budget)?;
        Ok(Ok(rows))
    }

    fn push(
        &mut self,
        pool: &mut Pool,
        symbols: &Symbols,
        constraint: &Constraint,
        partials: Partials,
        budget: &mut Budget,
    ) -> Result<Result<(), DeriveError>, OutOfBudget> {
        let phi = constraint.expression;
        let by_velocity = partials.velocity;
        let empty = || DeriveError::EmptyConstraint {
            name: constraint.name.clone(),
            place: constraint.place,
        };
        if by_velocity.is_empty() {
            if partials.position.is_empty() {
                return Ok(Err(empty()));
            }
            let (row, offset) = (partials.position, partials.time);
            self.push_row(pool, symbols, Written::Position, row, offset);
            return Ok(Ok(()));
        }
        let used: Vec<ExprId> =
            by_velocity.iter().map(|&(k, _)| symbols.velocity[k as usize]).collect();
        // A budget of its own: a constraint that explodes is reported at its place, and soon.
        let mut allowance = Budget::new(COLLECTING.min(budget.left()));
        let collected = collect(pool, phi, &used, &mut allowance);
        budget.spend(allowance.spent(), "collecting velocities")?;
        let collected = match collected {
            Ok(collected) => Some(collected),
            Err(CollectError::NotPolynomial { .. }) => None,
            Err(CollectError::OutOfBudget(stop)) => {
                return Ok(Err(DeriveError::OutOfBudget { stop, place: constraint.place }));
            }
        };
        let linear = collected.as_ref().is_some_and(|collected| {
            collected.keys().all(|monomial| monomial.iter().map(|power| power.1).sum::<u32>() <= 1)
        });
        match (linear, collected) {
            (true, Some(collected)) => {
                let mut row = Vec::new();
                let mut offset = ExprId::ZERO;
                for (monomial, coefficient) in collected {
                    match monomial.first() {
                        Some(&(k, _)) => row.push((by_velocity[k as usize].0, coefficient)),
                        None => offset = coefficient,
                    }
                }
                if row.is_empty() {
                    return Ok(Err(empty()));
                }
                row.sort_unstable_by_key(|entry| entry.0);
                let written = if offset.is_zero() { Written::Linear } else { Written::Affine };
                self.push_row(pool, symbols, written, row, offset);
            }
            _ if constraint.chetaev => {
                self.written.push(Written::Chetaev);
                self.matrix.push(by_velocity);
                self.offset.push(ExprId::ZERO);
                self.velocity_level.push(phi);
            }
            _ => {
                return Ok(Err(DeriveError::NonlinearConstraint {
                    name: constraint.name.clone(),
                    place: constraint.place,
                }));
            }
        }
        Ok(Ok(()))
    }

    fn push_row(
        &mut self,
        pool: &mut Pool,
        symbols: &Symbols,
        written: Written,
        row: Vec<(u32, ExprId)>,
        offset: ExprId,
    ) {
        let mut level: Vec<ExprId> =
            row.iter().map(|&(k, a)| pool.mul(a, symbols.velocity[k as usize])).collect();
        level.push(offset);
        self.velocity_level.push(pool.sum(&level));
        self.written.push(written);
        self.matrix.push(row);
        self.offset.push(offset);
    }
}
