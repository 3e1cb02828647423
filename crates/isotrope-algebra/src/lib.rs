//! Exact algebra: the ground isotrope stands on.
//!
//! - [`number`]: rationals of any size, real algebraic numbers, rigorous real enclosures;
//! - [`Pool`]: hash-consed expressions in canonical form, a graph without recursion;
//! - [`Function`]: the table of functions; [`double`]: their values in double precision;
//! - [`calculus`]: derivatives, substitution, Taylor series, collection;
//! - [`polynomial`], [`univariate`]: sparse multivariate and dense univariate polynomials;
//! - [`ideal`]: bases of ideals, dimension, components, real points;
//! - [`normal`]: normal forms, simplification, and the zero test with three answers;
//! - [`linear`]: linear algebra over expressions with its side conditions;
//! - [`evaluate`]: values over a prime field and in balls of reals;
//! - [`syntax`], [`print`]: text in, and text, LaTeX and MathML out.
//!
//! Nothing here touches files, clocks, environment, threads or the terminal. Whatever can
//! grow takes a [`Budget`] that counts operations.
//!
//! ```
//! use isotrope_algebra::{Budget, Pool, calculus, normal, print, syntax};
//! let mut pool = Pool::new();
//! let budget = &mut Budget::new(100_000);
//! let energy = syntax::parse_expression(&mut pool, "m*(x'^2 + y'^2)/2 + m*g*y").unwrap();
//! let velocity = pool.symbol("x'");
//! let momentum = calculus::derivative(&mut pool, energy, velocity, budget).unwrap();
//! assert_eq!(print::to_text(&pool, momentum, budget).unwrap(), "m*x'");
//! let identity = syntax::parse_expression(&mut pool, "sin(2*x) - 2*sin(x)*cos(x)").unwrap();
//! assert_eq!(normal::is_zero(&mut pool, identity, budget), normal::Zero::Yes);
//! ```
#![warn(missing_docs)]

mod angles;
mod budget;
pub mod calculus;
pub mod double;
pub mod evaluate;
mod functions;
pub mod ideal;
mod internal;
pub mod linear;
pub mod modular;
pub mod normal;
pub mod number;
pub mod polynomial;
mod pool;
pub mod print;
mod stop;
pub mod syntax;
#[cfg(test)]
mod testing;
pub mod univariate;

pub use budget::{Budget, OutOfBudget};
pub use functions::{BinaryFunction, Function, Smoothness};
pub use internal::{Internal, OrInternal};
pub use number::{AlgebraicNumber, Ball, EvaluationError, Precision, Rational};
pub use polynomial::{Monomial, MonomialOrder, Polynomial, PolynomialOver, RationalFunction};
pub use pool::{ExprId, Node, Pairs, Pool, SymbolId, System};
pub use stop::Stop;
