//! Polynomials in one variable with integer coefficients: gcd, factors, real roots.
//!
//! ```
//! use isotrope_algebra::Budget;
//! use isotrope_algebra::univariate::IntegerPolynomial;
//! let mut budget = Budget::new(1_000_000);
//! let p = IntegerPolynomial::from_integers(&[-2, 2, 1, -1]); // -(x - 1)(x^2 - 2)
//! let factors = p.factor(&mut budget).unwrap();
//! assert_eq!(factors.to_string(), "-(x - 1)*(x^2 - 2)");
//! assert_eq!(p.real_roots(&mut budget).unwrap().len(), 3);
//! ```

mod composed;
mod factor;
mod gcd;
mod hensel;
mod modular_roots;
mod polynomial;
mod prime_factor;
mod prime_field;
mod roots;
mod transform;

pub use factor::Factorization;
pub use modular_roots::ModularRoots;
pub use polynomial::IntegerPolynomial;
pub use roots::RealRoot;
