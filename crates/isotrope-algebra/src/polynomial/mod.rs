//! Sparse multivariate polynomials and rational functions, exactly.
//!
//! Variables are indices `0, 1, 2, ...`; what they stand for is the caller's business.
//! [`Polynomial`] has rational coefficients, [`RationalFunction`] is a reduced quotient of
//! two of them, and [`PolynomialOver`]`<RationalFunction>` has coefficients in a field of
//! parameters. Whatever can grow takes a [`Budget`](crate::Budget).
//!
//! ```
//! use isotrope_algebra::Budget;
//! use isotrope_algebra::polynomial::{Polynomial, gcd};
//! let budget = &mut Budget::new(10_000);
//! let (x, y) = (Polynomial::variable(0), Polynomial::variable(1));
//! let sum = x.add(&y, budget)?;
//! let difference = x.sub(&y, budget)?;
//! let product = sum.mul(&difference, budget)?;
//! assert_eq!(product.to_string(), "x0^2 - x1^2");
//! assert_eq!(gcd(&product, &sum.powi(3, budget)?, budget)?, sum);
//! # Ok::<(), isotrope_algebra::OutOfBudget>(())
//! ```

mod calculus;
mod content;
mod display;
mod divide;
mod field;
mod gcd;
mod key;
mod monomial;
mod multiply;
mod over_parameters;
mod rational_function;
mod reduce;
mod resultant;
mod sparse;
mod square_free;
#[cfg(test)]
mod strategies;

pub use field::Field;
pub use gcd::{Cofactors, gcd, gcd_of_all, gcd_with_cofactors};
pub use monomial::{Monomial, MonomialOrder};
pub use rational_function::RationalFunction;
pub use reduce::PowerRule;
pub use sparse::{Polynomial, PolynomialOver};
pub use square_free::SquareFree;
