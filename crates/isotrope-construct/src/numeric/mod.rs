//! Real solutions of polynomial systems: found in doubles, moved to simple coordinates,
//! recognised and proved.
//!
//! Systems of conditions are overdetermined and their solutions come in families; a basis of the
//! ideal is often out of reach where a solution is found in milliseconds. What is found is only a
//! guess: a solution is [`Standing::Proved`] when every polynomial vanishes at a point of a number
//! field by exact arithmetic.
//!
//! ```
//! use isotrope_algebra::{Budget, polynomial::Polynomial};
//! use isotrope_construct::numeric::{Options, Standing, solve};
//! let budget = &mut Budget::new(10_000_000);
//! let x = Polynomial::variable(0);
//! let square = x.mul(&x, budget)?;
//! let equation = square.sub(&Polynomial::integer(2), budget)?;
//! let search = solve(&[equation], 1, &Options::default(), budget, &mut |_| {});
//! let found = |sign: f64| search.solutions.iter().find(|s| s.values[0] * sign > 0.0).unwrap();
//! assert!((found(1.0).values[0] - 2.0_f64.sqrt()).abs() < 1e-15);
//! let Standing::Proved(point) = &found(-1.0).standing else { panic!("not proved") };
//! let root = point.field.to_algebraic(&point.coordinates[0], budget)?;
//! assert_eq!(root.to_string(), "-sqrt(2)");
//! # Ok::<(), isotrope_algebra::OutOfBudget>(())
//! ```

mod compiled;
mod descent;
mod exact;
mod fixed;
mod lattice;
mod minimise;
mod polish;
mod recognise;
mod search;
mod snap;

pub use exact::Unproved;
pub use minimise::{Minimum, minimise};
pub use search::{NumericSolution, Options, Progress, Search, Standing, solve, solve_from};
