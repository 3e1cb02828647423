//! The equations at rest and their derivatives, as expressions.

use isotrope_algebra::calculus::{SparseRows, Substitution, jacobian, substitute};
use isotrope_algebra::double::linear::DenseMatrix;
use isotrope_algebra::evaluate::evaluate_balls;
use isotrope_algebra::linear::Matrix;
use isotrope_algebra::{Ball, Budget, ExprId, OrInternal, Pool, Precision};
use isotrope_derive::{LagrangianMechanics, System, Written};
use rustc_hash::FxHashMap;

use super::error::StabilityError;

/// r(q, q', q'', λ) = M q'' − k(q, q') − A(q)ᵀ λ and its derivatives where q' = q'' = 0.
///
/// Without a Lagrangian it is Hamilton's equations, Ω x' + ∇H(x) − F(x) = 0 with x = (q, p): no masses, and Ω, which
/// is skew, in the place of D.
#[derive(Debug, Clone)]
pub(super) struct Linearisation {
    pub pool: Pool,
    /// The names of the positions.
    pub names: Vec<String>,
    /// The symbols of the positions, or of positions and momenta.
    pub position: Vec<ExprId>,
    /// The symbols of the multipliers.
    pub multiplier: Vec<ExprId>,
    /// The symbol of the parameter.
    pub parameter: ExprId,
    /// r at rest, with λ = 0: −k(q, 0).
    pub unconstrained: Vec<ExprId>,
    /// r at rest.
    pub residual: Vec<ExprId>,
    /// φ(q).
    pub constraints: Vec<ExprId>,
    /// A = φ_q.
    pub rows: Matrix,
    /// M = r_q''.
    pub mass: Matrix,
    /// D = r_q'.
    pub damping: Matrix,
    /// r_q: the second variation of the constraints, −(Aᵀλ)_q, is in it.
    pub stiffness: Matrix,
}

/// Numbers of everything at a point.
#[derive(Debug, Clone)]
pub(super) struct Values {
    pub residual: Vec<f64>,
    pub constraints: Vec<f64>,
    pub rows: DenseMatrix,
    pub mass: DenseMatrix,
    pub damping: DenseMatrix,
    pub stiffness: DenseMatrix,
}

impl Linearisation {
    /// Of a derived system with one parameter left.
    pub fn new(
        system: &System,
        parameter: ExprId,
        budget: &mut Budget,
    ) -> Result<Self, StabilityError> {
        let Some(LagrangianMechanics { dynamics, rows, multiplier_symbols, .. }) =
            system.mechanics.lagrangian()
        else {
            return match system.in_phase_space(budget)? {
                Some(phase) => Self::in_phase_space(&phase, parameter, budget),
                None => Err(StabilityError::Hamiltonian),
            };
        };
        if let Some(k) = rows.written.iter().position(|w| *w != Written::Position) {
            return Err(StabilityError::VelocityConstraint { name: rows.names[k].clone() });
        }
        let mut pool = system.model.pool.clone();
        let symbols = &system.symbols;
        let n = symbols.dimension();
        let mut all = dynamics.impressed.clone();
        all.extend(dynamics.mass.iter().flatten().map(|entry| entry.1));
        all.extend(&rows.expressions);
        if all.iter().any(|&expression| pool.depends_on(expression, &[symbols.time])) {
            return Err(StabilityError::TimeDependent);
        }
        let a = dense(&rows.matrix, n);
        let reactions = a.transposed().apply(&mut pool, multiplier_symbols);
        let free: Vec<ExprId> = dynamics.impressed.iter().map(|&k| pool.neg(k)).collect();
        let residual: Vec<ExprId> =
            free.iter().zip(&reactions).map(|(&k, &reaction)| pool.sub(k, reaction)).collect();
        let by_velocity = dense(&jacobian(&mut pool, &free, &symbols.velocity, budget)?, n);
        let rest: Substitution = symbols.velocity.iter().map(|&v| (v, ExprId::ZERO)).collect();
        let mut at_rest = |pool: &mut Pool, matrix: &Matrix| -> Result<Matrix, StabilityError> {
            let entries = substitute(pool, matrix.entries(), &rest, budget)?;
            Ok(from_entries(matrix.rows(), matrix.columns(), &entries))
        };
        let column = |list: &[ExprId]| from_entries(list.len(), 1, list);
        let unconstrained = at_rest(&mut pool, &column(&free))?.entries().to_vec();
        let residual = at_rest(&mut pool, &column(&residual))?.entries().to_vec();
        let damping = at_rest(&mut pool, &by_velocity)?;
        let mass = at_rest(&mut pool, &dense(&dynamics.mass, n))?;
        let stiffness = dense(&jacobian(&mut pool, &residual, &symbols.position, budget)?, n);
        Ok(Self {
            pool,
            names: symbols.names.clone(),
            position: symbols.position.clone(),
            multiplier: multiplier_symbols.clone(),
            parameter,
            unconstrained,
            residual,
            constraints: rows.expressions.clone(),
            rows: a,
            mass,
            damping,
            stiffness,
        })
    }

    /// Of Hamilton's equations p' + H_q − F = 0, −q' + H_p = 0.
    fn in_phase_space(
        phase: &System,
        parameter: ExprId,
        budget: &mut Budget,
    ) -> Result<Self, StabilityError> {
        let mut pool = phase.model.pool.clone();
        let symbols = &phase.symbols;
        let n = symbols.dimension() / 2;
        let rates =
            phase.mechanics.first_order().or_noticed("Hamilton's equations are of first order");
        if rates.iter().any(|&rate| pool.depends_on(rate, &[symbols.time])) {
            return Err(StabilityError::TimeDependent);
        }
        let mut damping = Matrix::zero(2 * n, 2 * n);
        for i in 0..n {
            damping.set(i, n + i, ExprId::ONE);
            damping.set(n + i, i, ExprId::MINUS_ONE);
        }
        // r(x, 0) = −Ω f(x).
        let turned = damping.apply(&mut pool, rates);
        let residual: Vec<ExprId> = turned.into_iter().map(|x| pool.neg(x)).collect();
        let stiffness = dense(&jacobian(&mut pool, &residual, &symbols.position, budget)?, 2 * n);
        Ok(Self {
            pool,
            names: symbols.names.clone(),
            position: symbols.position.clone(),
            multiplier: Vec::new(),
            parameter,
            unconstrained: residual.clone(),
            residual,
            constraints: Vec::new(),
            rows: Matrix::zero(0, 2 * n),
            mass: Matrix::zero(2 * n, 2 * n),
            damping,
            stiffness,
        })
    }

    /// Everything at a point.
    pub fn values(&self, q: &[f64], lambda: &[f64], parameter: f64) -> Result<Values, String> {
        let (n, m) = (self.position.len(), self.multiplier.len());
        let mut list = self.residual.clone();
        list.extend(&self.constraints);
        for matrix in [&self.rows, &self.mass, &self.damping, &self.stiffness] {
            list.extend(matrix.entries());
        }
        let symbols = self.position.iter().chain(&self.multiplier).copied();
        let numbers = q.iter().chain(lambda).copied();
        let mut known: Vec<(ExprId, f64)> = symbols.zip(numbers).collect();
        known.push((self.parameter, parameter));
        let numbers = numbers_of(&self.pool, &list, &known)?;
        let mut left = numbers.as_slice();
        let mut take = |count: usize| {
            let (first, rest) = left.split_at(count.min(left.len()));
            left = rest;
            first
        };
        Ok(Values {
            residual: take(n).to_vec(),
            constraints: take(m).to_vec(),
            rows: DenseMatrix::from_rows(m, n, take(m * n)),
            mass: DenseMatrix::from_rows(n, n, take(n * n)),
            damping: DenseMatrix::from_rows(n, n, take(n * n)),
            stiffness: DenseMatrix::from_rows(n, n, take(n * n)),
        })
    }
}

/// Bits that leave fifty-three after all usual cancellation.
const PRECISION: u32 = 160;

/// Numbers of expressions, where symbols have numbers.
pub(super) fn numbers_of(
    pool: &Pool,
    expressions: &[ExprId],
    known: &[(ExprId, f64)],
) -> Result<Vec<f64>, String> {
    let precision = Precision::new(PRECISION);
    let mut values: FxHashMap<ExprId, Ball> = FxHashMap::default();
    for &(symbol, number) in known {
        let ball = Ball::from_f64(number, precision).ok_or("a number is not finite")?;
        values.insert(symbol, ball);
    }
    let balls =
        evaluate_balls(pool, expressions, &values, precision).map_err(|error| error.to_string())?;
    let numbers: Vec<f64> = balls.iter().map(Ball::to_f64).collect();
    match numbers.iter().all(|number| number.is_finite()) {
        true => Ok(numbers),
        false => Err("a value is not finite".to_owned()),
    }
}

/// A sparse matrix with its zeros.
fn dense(rows: &SparseRows, columns: usize) -> Matrix {
    let mut matrix = Matrix::zero(rows.len(), columns);
    for (i, row) in rows.iter().enumerate() {
        for &(j, value) in row {
            matrix.set(i, j as usize, value);
        }
    }
    matrix
}

/// A matrix from its entries, row by row.
pub(super) fn from_entries(rows: usize, columns: usize, entries: &[ExprId]) -> Matrix {
    let mut matrix = Matrix::zero(rows, columns);
    for (k, &entry) in entries.iter().take(rows * columns).enumerate() {
        matrix.set(k / columns, k % columns, entry);
    }
    matrix
}
