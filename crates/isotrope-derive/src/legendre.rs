//! The Legendre map and its inverse: Lagrangian to Hamiltonian and back.

use isotrope_algebra::calculus::{Substitution, jacobian, substitute};
use isotrope_algebra::linear::{Matrix, solve};
use isotrope_algebra::normal::{simplify, size};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use super::multipliers::inverse_mass;
use super::{Dynamics, Symbols};

/// The Hamiltonian, or why there is no formula for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hamiltonian {
    /// `H(q, p, t)`.
    Explicit(ExprId),
    /// The momenta are not affine in the velocities.
    NotQuadratic,
    /// The mass matrix is singular.
    Singular,
    /// The inverse of the mass matrix is too large for a formula.
    TooLarge,
}

impl Hamiltonian {
    /// The formula, if there is one.
    pub fn expression(self) -> Option<ExprId> {
        match self {
            Self::Explicit(expression) => Some(expression),
            _ => None,
        }
    }

    /// Why there is none.
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Self::Explicit(_) => None,
            Self::NotQuadratic => Some("the Legendre map is not affine in the velocities"),
            Self::Singular => Some("the mass matrix is singular"),
            Self::TooLarge => Some("the inverse mass matrix is too large for a formula"),
        }
    }
}

/// `H = E(q, v(q, p))` where the Legendre map inverts by formulas.
pub(super) fn hamiltonian(
    pool: &mut Pool,
    symbols: &Symbols,
    dynamics: &Dynamics,
    budget: &mut Budget,
) -> Result<Hamiltonian, OutOfBudget> {
    if !dynamics.mass_is_velocity_free(pool, symbols) {
        return Ok(Hamiltonian::NotQuadratic);
    }
    if dynamics.mass.iter().any(Vec::is_empty) {
        return Ok(Hamiltonian::Singular);
    }
    let Some(inverse) = inverse_mass(pool, &dynamics.mass) else {
        return Ok(Hamiltonian::TooLarge);
    };
    let rest: Substitution = symbols.velocity.iter().map(|&v| (v, ExprId::ZERO)).collect();
    let offset = substitute(pool, &dynamics.momenta, &rest, budget)?;
    let difference: Vec<_> =
        symbols.momentum.iter().zip(&offset).map(|(&p, &b)| pool.sub(p, b)).collect();
    let potential = dynamics.potential(pool, symbols, budget)?;
    let potential = simplify(pool, potential, &mut Budget::new(100_000));
    let Some(kinetic) = dynamics.quadratic(pool, symbols, &inverse.rows, &difference) else {
        return Ok(Hamiltonian::NotQuadratic);
    };
    let kinetic = if size(pool, kinetic) < 5_000 {
        simplify(pool, kinetic, &mut Budget::new(1_000_000))
    } else {
        kinetic
    };
    Ok(Hamiltonian::Explicit(pool.add(kinetic, potential)))
}

/// `L = p.v - H` where `v = H_p` inverts by formulas (H quadratic in the momenta).
pub(super) fn lagrangian(
    pool: &mut Pool,
    symbols: &Symbols,
    hamiltonian: ExprId,
    budget: &mut Budget,
) -> Result<Option<ExprId>, OutOfBudget> {
    let n = symbols.dimension();
    let row = jacobian(pool, &[hamiltonian], &symbols.momentum, budget)?.swap_remove(0);
    let mut rates = vec![ExprId::ZERO; n];
    for (column, value) in row {
        rates[column as usize] = value;
    }
    let hessian = jacobian(pool, &rates, &symbols.momentum, budget)?;
    let entries: Vec<ExprId> = hessian.iter().flatten().map(|entry| entry.1).collect();
    let below = pool.reachable(&entries);
    if symbols.momentum.iter().any(|p| below.binary_search(p).is_ok()) || n > 6 {
        return Ok(None);
    }
    let rest: Substitution = symbols.momentum.iter().map(|&p| (p, ExprId::ZERO)).collect();
    let offset = substitute(pool, &rates, &rest, budget)?;
    let mut matrix = Matrix::zero(n, n);
    for (i, row) in hessian.iter().enumerate() {
        for &(j, value) in row {
            matrix.set(i, j as usize, value);
        }
    }
    let right: Vec<_> =
        symbols.velocity.iter().zip(&offset).map(|(&v, &b)| pool.sub(v, b)).collect();
    let Ok(solved) = solve(pool, &matrix, &right, budget) else { return Ok(None) };
    let map: Substitution =
        symbols.momentum.iter().copied().zip(solved.solution.iter().copied()).collect();
    let value = substitute(pool, &[hamiltonian], &map, budget)?[0];
    let mut terms: Vec<_> =
        solved.solution.iter().zip(&symbols.velocity).map(|(&p, &v)| pool.mul(p, v)).collect();
    terms.push(pool.neg(value));
    let value = pool.sum(&terms);
    Ok(Some(simplify(pool, value, &mut Budget::new(1_000_000))))
}
