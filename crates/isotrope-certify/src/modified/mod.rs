//! Backward error analysis: the differential equation that a method solves exactly.
//!
//! A step of a Runge–Kutta method is a series in elementary differentials, and so is the
//! *modified field* whose flow for the time h is that step, as formal power series in h:
//!
//! ```text
//! x+ = x + Σ h^|t| w(t)/σ(t) F(t) = flow for the time h of  x' = Σ h^(|t|-1) β(t)/σ(t) F(t)
//! ```
//!
//! [`modified_coefficients`] computes β from the weights w, exactly; [`ModifiedField`] writes the
//! field out for a model. If the method is symplectic the modified field is Hamiltonian, and
//! [`modified_hamiltonian`] is its Hamiltonian; [`energy_rate`] and [`constraint_rates`] are how fast
//! energy and constraints drift. [`modified_defect`] measures, in long numbers, how far a step is from the flow of the
//! truncated equation.
//!
//! (Hairer, Lubich, Wanner, *Geometric Numerical Integration*, chapter IX; Hairer 1994; Calvo,
//! Murua, Sanz-Serna 1994.)

mod coefficients;
mod differentials;
mod elementary;
mod exact;
mod field;
mod hamiltonian;
mod manifold;
mod rates;

pub use coefficients::modified_coefficients;
pub use elementary::{ElementaryHamiltonian, elementary_hamiltonians};
pub use exact::{Numbers, exact_table};
pub use field::{ModifiedEquation, ModifiedField};
pub use hamiltonian::{NoHamiltonian, modified_hamiltonian};
pub use rates::{ConstraintRate, constraint_rates, energy_rate};

pub use crate::{ModifiedDefect, modified_defect};

use isotrope_algebra::OutOfBudget;

/// Why there is no modified equation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModifiedError {
    /// The system has no field in positions and velocities.
    #[error("the system is given by a Hamiltonian without a Lagrangian")]
    NoLagrangian,
    /// The budget ran out.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}
