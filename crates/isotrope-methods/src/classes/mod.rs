//! Classes of mechanical systems, sampled over a field.
//!
//! A *class* ([`Class`]) fixes how much is known of a system: mass matrix constant or not,
//! constraints bilinear, quadratic or arbitrary. A method that preserves the structure functions
//!
//! - ψ = p − ∂L/∂v, the Legendre map,
//! - φ_v = A(q) v, the constraints on velocities,
//! - φ_q = φ(q), the constraints on positions (holonomic classes),
//!
//! or the 2-form dq ∧ dp pulled back to {φ = 0, A v = 0, p = ∂L/∂v}, to some order in the step
//! size does so for a whole class, never for one system. Two questions are answered here:
//!
//! - [`measure`]: one step of a given table on random problems of a class, as a power series in
//!   the step size h; the first nonzero coefficient of every defect;
//! - [`conditions`]: the polynomials in the tree weights w(t) that must vanish for the defects of
//!   *all* methods to vanish to a given order.
//!
//! Scalars come from a [`Scalars`] context: a prime field ([`PrimeField`], a nonzero answer is a
//! proof, a zero is wrong with the probability of [`vanishing_probability`]), or balls of reals
//! ([`Enclosures`]).
//!
//! ```
//! use isotrope_algebra::{Rational, modular::Random};
//! use isotrope_methods::classes::{Class, Defect, PrimeField, measure};
//! use isotrope_methods::table::Coefficients;
//! let field = PrimeField::new(isotrope_algebra::modular::PRIME).unwrap();
//! let half = Rational::new(1, 2).unwrap();
//! let midpoint = Coefficients::one_table_over(&field, &[vec![half]], &[Rational::from(1)]).unwrap();
//! let defects = measure(&field, &midpoint, Class::Sphere, 6, 2, &mut Random::new(1)).unwrap();
//! assert_eq!(defects.phi_v, Defect::None);         // A v = 0 is kept exactly,
//! assert_eq!(defects.phi_q, Defect::Order(3));     // φ = 0 and
//! assert_eq!(defects.form, Defect::Order(3));      // the 2-form only to h³,
//! assert_eq!(defects.solution, Defect::Order(3));  // as the solution.
//! ```

mod algebra;
mod class;
pub mod conditions;
mod constraint;
mod defects;
mod dirac;
mod enclosures;
mod error;
mod evaluate;
mod jets;
mod nilpotents;
mod prime_field;
mod problem;
mod scalars;
mod step;
#[cfg(test)]
mod tests;

pub use algebra::Algebra;
pub use class::{Class, Part, UnknownClass};
pub use conditions::{
    Condition, Conditions, Forest, Sampling, Structure, conditions, conditions_of_sizes,
};
pub use defects::{Defect, Defects, measure, measure_one, vanishing_probability};
pub use dirac::{DiracDefects, DiracScheme};
pub use enclosures::{Enclosure, Enclosures};
pub use error::ClassError;
pub use jets::Jets;
pub use nilpotents::Nilpotents;
pub use prime_field::{PrimeField, Residue};
pub use problem::{Dimensions, Problem};
pub use scalars::{Scalars, Vanishing};
pub use step::{State, flow, run};
