//! The modified Hamiltonian of a model.

use isotrope_algebra::calculus::{Substitution, gradient, substitute};
use isotrope_algebra::{Budget, ExprId, OrInternal, Pool, Rational};

use super::ModifiedError;
use super::differentials::shortened;
use super::elementary::alternates;
use super::field::{ModifiedField, VELOCITY};
use isotrope_derive::{Dynamics, Hamiltonian, LagrangianMechanics, Symbols, System};

/// Why a model has no modified Hamiltonian here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoHamiltonian {
    /// The method is not symplectic.
    #[error("the method is not symplectic")]
    NotSymplectic,
    /// Constraints, or a Hamiltonian without a Lagrangian.
    #[error("the system has constraints")]
    Constraints,
    /// Forces without a potential.
    #[error("the system has forces that its Lagrangian does not contain")]
    Forces,
    /// The Lagrangian depends on the time.
    #[error("the Lagrangian depends on the time")]
    Time,
    /// The mass matrix is not constant.
    #[error("the mass matrix is not constant, so the 2-form is not constant in (q, v)")]
    Mass,
    /// Terms linear in the velocities.
    #[error("terms linear in the velocities make the 2-form depend on q in (q, v)")]
    Gyroscopic,
    /// No formula for the velocities by the momenta.
    #[error("there is no formula for the velocities in terms of the momenta")]
    Legendre,
}

/// The coefficients of h⁰, h¹, … of the modified Hamiltonian, functions of positions and momenta.
///
/// With H = pᵀM⁻¹p/2 + U(q), M constant, vertices v and q of a tree alternate, or its
/// differential is zero. Let H(t) = U^(k)(F(t₁), …, F(t_k)) for a tree with root v and branches
/// t₁, …, t_k of colour q. A root moved to a neighbouring vertex changes H(t) by its sign only, so
/// up to signs H(t) belongs to the tree without a root; and the field of H(t) is the sum, over all
/// its vertices as roots, of ± the differentials. If the modified field is Hamiltonian, its
/// Hamiltonian is therefore the sum over trees without a root of β(t) H(t) / (number of their
/// symmetries), with any of its vertices as root of t; or, the same with all vertices v as roots,
///
/// ```text
/// T + Σ h^(|t|-1) β(t)/σ(t) H(t) / (number of vertices v of t)
/// ```
///
/// over all trees with root v. (Elementary Hamiltonians: Hairer, Lubich, Wanner, IX.9.3, IX.10.)
/// Vertices q are not roots here, since their weights with two branches are not those of a
/// differential, M⁻¹p being linear: a method can be symplectic whatever they are.
pub fn modified_hamiltonian(
    system: &mut System,
    field: &mut ModifiedField<'_>,
    order: usize,
    budget: &mut Budget,
) -> Result<Result<Vec<ExprId>, NoHamiltonian>, ModifiedError> {
    let hamiltonian = isotrope_derive::hamiltonian(system, budget);
    let Some(LagrangianMechanics { dynamics, rows, .. }) = system.mechanics.lagrangian() else {
        return Ok(Err(NoHamiltonian::Constraints));
    };
    if !rows.is_empty() {
        return Ok(Err(NoHamiltonian::Constraints));
    }
    let pool = &mut system.model.pool;
    let symbols = &system.symbols;
    if let Some(reason) = not_natural(pool, symbols, dynamics, budget)? {
        return Ok(Err(reason));
    }
    let Some(hamiltonian) = hamiltonian.and_then(Hamiltonian::expression) else {
        return Ok(Err(NoHamiltonian::Legendre));
    };
    let rest: Substitution = symbols.velocity.iter().map(|&v| (v, ExprId::ZERO)).collect();
    let potential = substitute(pool, &[dynamics.energy], &rest, budget)?;
    let velocities = gradient(pool, hamiltonian, &symbols.momentum, budget)?;
    let by_momenta: Substitution = symbols.velocity.iter().copied().zip(velocities).collect();
    let mut powers = vec![hamiltonian];
    let trees = field.trees;
    for size in 2..=order {
        let mut terms = Vec::new();
        for tree in trees.of_order_and_colour(size, VELOCITY) {
            let coefficient = field.coefficients[tree.index()];
            if coefficient.is_zero() || !alternates(trees, tree) {
                continue;
            }
            let around = trees.rerooted(tree);
            let roots = around.iter().filter(|other| trees.colour(other.tree) == VELOCITY).count();
            let function = (OWN, potential.as_slice());
            let children = trees.children(tree);
            let value = field.differentials.derivative(pool, function, children, budget)?;
            let share =
                Rational::new(1, roots as i64).or_noticed("a tree is among its own rerootings");
            let coefficient = pool.scale(&share, coefficient);
            terms.extend(value.iter().map(|&part| pool.mul(coefficient, part)));
        }
        let sum = pool.sum(&terms);
        let sum = shortened(pool, sum, budget)?;
        let sum = substitute(pool, &[sum], &by_momenta, budget)?[0];
        powers.push(shortened(pool, sum, budget)?);
    }
    Ok(Ok(powers))
}

/// The number of the potential among functions that are differentiated, beside the colours.
const OWN: usize = usize::MAX;

/// What keeps L from being vᵀMv/2 − U(q) with constant M.
fn not_natural(
    pool: &mut Pool,
    symbols: &Symbols,
    dynamics: &Dynamics,
    budget: &mut Budget,
) -> Result<Option<NoHamiltonian>, ModifiedError> {
    if dynamics.forces.iter().any(|force| !force.is_zero()) {
        return Ok(Some(NoHamiltonian::Forces));
    }
    if !dynamics.explicit_time.is_zero() {
        return Ok(Some(NoHamiltonian::Time));
    }
    let entries: Vec<ExprId> = dynamics.mass.iter().flatten().map(|entry| entry.1).collect();
    let below = pool.symbols_in(&entries);
    let moves = |x: &ExprId| symbols.position.contains(x) || symbols.velocity.contains(x);
    if below.iter().any(moves) {
        return Ok(Some(NoHamiltonian::Mass));
    }
    let rest: Substitution = symbols.velocity.iter().map(|&v| (v, ExprId::ZERO)).collect();
    let offset = substitute(pool, &dynamics.momenta, &rest, budget)?;
    if offset.iter().any(|part| !part.is_zero()) {
        return Ok(Some(NoHamiltonian::Gyroscopic));
    }
    Ok(None)
}
