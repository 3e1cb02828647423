//! The linearisation exactly: for equilibria that are known exactly and do not move with the
//! parameter.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::double::linear::DenseMatrix;
use isotrope_algebra::linear::{Matrix, nullspace, solve};
use isotrope_algebra::normal::{Zero, is_zero, simplify};
use isotrope_algebra::{Budget, ExprId, Pool, Rational};

use super::equilibrium::Rest;
use super::linearise::{Linearisation, from_entries, numbers_of};
use super::recognise::recognise;
use super::reduce::Reduced;
use super::weights::Weights;

/// M y'' + D y' + K y = 0 with entries that are functions of the parameter.
#[derive(Debug, Clone)]
pub(super) struct Exact {
    pub pool: Pool,
    pub parameter: ExprId,
    /// The equilibrium.
    pub position: Vec<ExprId>,
    pub multiplier: Vec<ExprId>,
    pub mass: Matrix,
    pub damping: Matrix,
    pub stiffness: Matrix,
    /// y is the displacement of these coordinates.
    pub free: Vec<usize>,
}

/// Operations for one zero test or one simplification.
const SIMPLIFY: u64 = 2_000_000;

/// Recognises the equilibrium, proves that it is one for every value of the parameter, and
/// restricts the linearisation exactly. `None` where one of these fails.
pub(super) fn exact(
    equations: &Linearisation,
    (rest, parameter): (&Rest, f64),
    budget: &mut Budget,
) -> Option<Exact> {
    let values = equations.values(&rest.q, &rest.lambda, parameter).ok()?;
    let weights = Weights::at(&values);
    let sizes = weights.length(&rest.q).max(weights.length(&rest.guess));
    let known = known_numbers(equations);
    let mut pool = equations.pool.clone();
    let position = rest.q.iter().enumerate().map(|(i, &x)| {
        let size = sizes / weights.get(i);
        recognise(&mut pool, x, size, &known)
    });
    let position: Vec<Option<ExprId>> = position.collect();
    // What began at zero and was hardly moved may be there still: dust has no size of its own.
    let still: Vec<Option<ExprId>> = position
        .iter()
        .zip(&rest.guess)
        .map(|(found, guess)| if *guess == 0.0 { Some(ExprId::ZERO) } else { *found })
        .collect();
    let tries = if still == position { vec![position] } else { vec![position, still] };
    tries.into_iter().find_map(|position| {
        let position: Vec<ExprId> = position.into_iter().collect::<Option<_>>()?;
        proved(equations, pool.clone(), position, budget)
    })
}

/// Numbers other than small integers in what must vanish at rest.
fn known_numbers(equations: &Linearisation) -> Vec<Rational> {
    let roots: Vec<ExprId> =
        equations.constraints.iter().chain(&equations.unconstrained).copied().collect();
    let pool = &equations.pool;
    let numbers = pool.reachable(&roots).into_iter().filter_map(|id| pool.as_number(id));
    let mut list: Vec<Rational> =
        numbers.map(Rational::abs).filter(|x| x.as_integer().is_none_or(|x| x > 12)).collect();
    list.sort();
    list.dedup();
    list
}

/// The linearisation at a place, if it is an equilibrium for every value of the parameter.
fn proved(
    equations: &Linearisation,
    mut pool: Pool,
    position: Vec<ExprId>,
    budget: &mut Budget,
) -> Option<Exact> {
    let mut here: Substitution =
        equations.position.iter().copied().zip(position.iter().copied()).collect();
    let mut at = |pool: &mut Pool, list: &[ExprId], here: &Substitution| {
        let images = substitute(pool, list, here, budget).ok()?;
        Some(images.into_iter().map(|id| simplify(pool, id, &mut Budget::new(SIMPLIFY))).collect())
    };
    let vanishes =
        |pool: &mut Pool, id: ExprId| is_zero(pool, id, &mut Budget::new(SIMPLIFY)) == Zero::Yes;
    let constraints: Vec<ExprId> = at(&mut pool, &equations.constraints, &here)?;
    if !constraints.iter().all(|&phi| vanishes(&mut pool, phi)) {
        return None;
    }
    let (n, m) = (equations.position.len(), equations.multiplier.len());
    let rows: Vec<ExprId> = at(&mut pool, equations.rows.entries(), &here)?;
    let rows = from_entries(m, n, &rows);
    let (basis, free) = tangent(&mut pool, &rows)?;
    let onto = basis.transposed();
    let forces: Vec<ExprId> = at(&mut pool, &equations.unconstrained, &here)?;
    if !onto.apply(&mut pool, &forces).into_iter().all(|force| vanishes(&mut pool, force)) {
        return None;
    }
    let mut multiplier = Vec::new();
    if m > 0 {
        let gram = rows.times(&mut pool, &rows.transposed());
        let right = rows.apply(&mut pool, &forces);
        multiplier = solve(&mut pool, &gram, &right, &mut Budget::new(SIMPLIFY)).ok()?.solution;
    }
    here.extend(equations.multiplier.iter().copied().zip(multiplier.iter().copied()));
    let mut restricted = |matrix: &Matrix| -> Option<Matrix> {
        let entries: Vec<ExprId> = at(&mut pool, matrix.entries(), &here)?;
        let product = onto.times(&mut pool, &from_entries(n, n, &entries));
        let product = product.times(&mut pool, &basis);
        let entries: Vec<ExprId> = at(&mut pool, product.entries(), &here)?;
        // Nothing but the parameter may be left.
        let left = pool.symbols_in(&entries);
        left.iter().all(|&symbol| symbol == equations.parameter).then_some(())?;
        Some(from_entries(free.len(), free.len(), &entries))
    };
    let (mass, damping, stiffness) = (
        restricted(&equations.mass)?,
        restricted(&equations.damping)?,
        restricted(&equations.stiffness)?,
    );
    let parameter = equations.parameter;
    Some(Exact { pool, parameter, position, multiplier, mass, damping, stiffness, free })
}

/// A basis of ker A as columns, each with a 1 at a coordinate where all others vanish.
fn tangent(pool: &mut Pool, rows: &Matrix) -> Option<(Matrix, Vec<usize>)> {
    let n = rows.columns();
    if rows.rows() == 0 {
        let mut identity = Matrix::zero(n, n);
        (0..n).for_each(|i| identity.set(i, i, ExprId::ONE));
        return Some((identity, (0..n).collect()));
    }
    let vectors = nullspace(pool, rows, &mut Budget::new(SIMPLIFY)).ok()?.basis;
    let mut basis = Matrix::zero(n, vectors.len());
    let mut free = Vec::new();
    for (k, vector) in vectors.iter().enumerate() {
        let alone = |i: &usize| {
            !vector[*i].is_zero()
                && vectors.iter().enumerate().all(|(other, v)| other == k || v[*i].is_zero())
        };
        let column = (0..n).find(alone)?;
        for (i, &entry) in vector.iter().enumerate() {
            let entry = pool.div(entry, vector[column]);
            basis.set(i, k, simplify(pool, entry, &mut Budget::new(SIMPLIFY)));
        }
        free.push(column);
    }
    Some((basis, free))
}

impl Exact {
    /// (S + Sᵀ)/2 or (S − Sᵀ)/2.
    pub fn part(&mut self, matrix: &Matrix, sign: i64) -> Matrix {
        let pool = &mut self.pool;
        let half = pool.ratio(1, 2);
        let sign = pool.integer(sign);
        let mut result = Matrix::zero(matrix.rows(), matrix.columns());
        for i in 0..matrix.rows() {
            for j in 0..matrix.columns() {
                let other = pool.mul(sign, matrix.get(j, i));
                let sum = pool.add(matrix.get(i, j), other);
                let entry = pool.mul(half, sum);
                result.set(i, j, simplify(pool, entry, &mut Budget::new(SIMPLIFY)));
            }
        }
        result
    }

    /// Numbers for a value of the parameter.
    pub fn reduced(&self, parameter: f64) -> Option<Reduced> {
        let size = self.free.len();
        let numbers = |matrix: &Matrix| {
            let known = [(self.parameter, parameter)];
            let entries = numbers_of(&self.pool, matrix.entries(), &known).ok()?;
            Some(DenseMatrix::from_rows(size, size, &entries))
        };
        Some(Reduced {
            mass: numbers(&self.mass)?,
            damping: numbers(&self.damping)?,
            stiffness: numbers(&self.stiffness)?,
        })
    }
}
