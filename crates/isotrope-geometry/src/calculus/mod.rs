//! Exterior and multivector calculus in coordinates.
//!
//! A [`Chart`] has `n` coordinates `x^i` and as many odd ones. Forms are functions of `x` and
//! `dx` (the shifted tangent bundle), multivectors functions of `x` and `d/dx` (the shifted
//! cotangent bundle); both live in the same graded algebra, and the types keep them apart. The
//! exterior derivative, interior products and Lie derivatives are graded vector fields there,
//! so that Cartan's calculus is a calculus of commutators:
//!
//! `L_v = [i_v, d]`, `[L_v, L_w] = L_[v,w]`, `[L_v, i_w] = i_[v,w]`, `[i_v, i_w] = 0`.
//!
//! Conventions: `(i_v w)_j = v^i W_ij` for `w = 1/2 W_ij dx^i dx^j`; the Schouten bracket of a
//! vector field with a function is its derivative, of two vector fields their Lie bracket.
//!
//! ```
//! use isotrope_algebra::Budget;
//! use isotrope_geometry::calculus::Chart;
//! use isotrope_geometry::graded::Polynomials;
//!
//! let names = ["x", "y", "z"].map(str::to_owned);
//! let mut chart = Chart::new(&names, Polynomials, Budget::new(100_000))?;
//! let (x, dy, dz) = (chart.coordinate(0)?, chart.differential(1)?, chart.differential(2)?);
//! let x_dy = chart.wedge(&x, &dy)?;
//! let contact = chart.subtract(&dz, &x_dy)?;
//! // dz - x dy is a contact form: it is not closed, and alpha ^ d alpha is a volume.
//! let slope = chart.d(&contact)?;
//! assert!(!slope.is_zero() && !chart.wedge(&contact, &slope)?.is_zero());
//! assert!(chart.d(&slope)?.is_zero());
//! # Ok::<(), isotrope_geometry::graded::GradedError>(())
//! ```

mod chart;
mod frolicher_nijenhuis;
mod hodge;
mod multivector;
mod pullback;

pub use chart::{Chart, Form, Vector};
pub use frolicher_nijenhuis::VectorForm;
pub use hodge::Metric;
pub use multivector::Multivector;
