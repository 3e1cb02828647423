//! Does a table keep dq ∧ dp of every Hamiltonian system, run in (q, p)?
//!
//! Of q' = H_p(q, p, t), p' = −H_q(q, p, t) it does where b = b̄ and b_i ā_ij + b̄_j a_ji = b_i b̄_j (E. Hairer,
//! C. Lubich, G. Wanner, Geometric Numerical Integration, VI.4.1 and VI.4.6). In (q, v) the same table keeps it
//! where the mass matrix is constant, and in general not elsewhere: that is the class `symplectic` of a
//! certificate.

use isotrope_methods::stages::{Operator, Stages, Weights};
use isotrope_scheme::{Method, Steps};

/// Is it proved that steps of the method in (q, p) keep dq ∧ dp for every H(q, p, t)? Of compositions it is
/// where it is of their base. `None` for methods that do not run in (q, p).
#[must_use]
pub fn keeps_canonical_form(method: &Method) -> Option<bool> {
    let table = match method.steps() {
        Steps::Table(table) => table.as_ref(),
        Steps::Composition(composed) => &composed.base,
        Steps::Equations(scheme) => scheme.canonical_table()?,
        Steps::Adaptive => return None,
    };
    // Rational tables are taken as they are used there.
    let rational = table.coefficients().try_map(|entry, _| {
        table.element(entry).and_then(|element| element.as_rational()).cloned().ok_or(())
    });
    Some(match rational {
        Ok(numbers) if table.is_pointwise() => numbers.in_momenta().is_symplectic_in_momenta(),
        _ => is_canonically_symplectic(table),
    })
}

/// The conditions, with functions x and y on the stages in the place of indices:
/// b(x · ā y) + b̄(y · a x) = b(x) b̄(y) and b(x) = b̄(x).
fn is_canonically_symplectic<S: Stages>(table: &S) -> bool {
    let functions = table.basis();
    let (q, p) = (Weights::Position, Weights::Velocity);
    let same = functions.iter().all(|x| table.pair(q, x) == table.pair(p, x));
    let mixed = |x: &[S::Scalar], y: &[S::Scalar]| {
        let one = table.pair(q, &table.multiply(x, &table.apply(Operator::Velocity, y)));
        let other = table.pair(p, &table.multiply(y, &table.apply(Operator::Position, x)));
        table.add(&one, &other) == table.mul(&table.pair(q, x), &table.pair(p, y))
    };
    same && functions.iter().all(|x| functions.iter().all(|y| mixed(x, y)))
}
