//! Graded manifolds: functions, vector fields and brackets with exact coefficients.
//!
//! A function is a sum of monomials in coordinates of integer degrees, which commute up to
//! Koszul's sign. Polynomials over Q keep all coordinates in packed monomials
//! ([`Polynomials`]); rational functions and expressions keep those of degree 0 in the
//! coefficients ([`RationalFunctions`], [`Expressions`]). Conventions: left derivatives,
//! `X = X^c d/dc`, `[X,Y] = XY - (-1)^{|X||Y|} YX`, and one bracket of degree `-n`
//! ([`DarbouxBracket`]) for multivectors, Courant algebroids and the BV formalism.
//!
//! Exterior derivative and brackets are squares and commutators here: `Q^2 = 0` says that a
//! bracket satisfies the Jacobi identity.
//!
//! A function is a sorted list of monomials, each a mask of odd coordinates and packed exponents of
//! even ones, with coefficients of one of three kinds: numbers (everything polynomial is in the
//! monomials), rational functions, or expressions of the coordinates of degree 0. Products go by
//! blocks of equal odd parts, one Koszul sign each. Text is read into the algebra directly
//! (`read.rs`), since the pool commutes factors.
//!
//! ```
//! use isotrope_algebra::{Budget, Rational};
//! use isotrope_geometry::graded::{GradedAlgebra, Polynomials, chevalley_eilenberg};
//!
//! // so(3): [e1,e2] = e3 and cyclic.
//! let mut algebra = GradedAlgebra::new(
//!     ["a", "b", "c"].map(|name| (name.to_owned(), 1)), Polynomials, Budget::new(10_000))?;
//! let mut constants = vec![vec![vec![Rational::ZERO; 3]; 3]; 3];
//! for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
//!     constants[i][j][k] = Rational::ONE;
//!     constants[j][i][k] = Rational::integer(-1);
//! }
//! let q = chevalley_eilenberg(&mut algebra, &constants)?;
//! assert!(algebra.square(&q)?.components().iter().all(|component| component.is_empty()));
//! # Ok::<(), isotrope_geometry::graded::GradedError>(())
//! ```

mod algebra;
mod bracket;
mod builders;
mod coefficients;
mod coordinates;
mod error;
mod exponents;
mod field;
mod product;
mod read;

pub use algebra::{Element, GradedAlgebra, SignedProduct};
pub use bracket::DarbouxBracket;
pub use builders::*;
pub use coefficients::{Coefficients, Expressions, Polynomials, RationalFunctions};
pub use coordinates::{Coordinates, Monomial, Slot, koszul_sign};
pub use error::GradedError;
pub use exponents::Exponents;
pub use field::GradedField;
pub use read::{Meaning, ReadCoefficients, ReadGradedError, ReadGradedReason};
