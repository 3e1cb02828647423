//! From a model to its equations and, from there, to discrete schemes.
//!
//! [`derive`](derive::derive) turns a parsed model into a [`System`](derive::System):
//! momenta, mass matrix, energy, multipliers, the field with the multipliers eliminated,
//! the geometry of the constraints, conserved quantities and reduced equations, all exact.
//!
//! ```
//! use isotrope_algebra::{Budget, print};
//! use isotrope_model::{ModelText, parse_model};
//! use isotrope_scheme::derive::{Mechanics, derive};
//! let file = r#"
//!     coordinates = ["x", "y"]
//!     parameters = { m = 1, g = 9.81, l = 1 }
//!     lagrangian.L = "m/2*(x'^2 + y'^2) - m*g*y"
//!     constraints.rod = "x^2 + y^2 = l^2"
//!     initial.position = { x = "l", y = 0 }
//!     initial.velocity = { x = 0, y = 0 }
//! "#;
//! let model = parse_model(&ModelText::new("pendulum.toml", file.as_bytes())).unwrap();
//! let system = derive(model, &mut Budget::new(1_000_000)).unwrap();
//! let Mechanics::Lagrangian { eliminated, .. } = &system.mechanics else { unreachable!() };
//! let lambda = print::to_text(&system.model.pool, eliminated.multipliers[0], &mut Budget::new(1000));
//! assert_eq!(lambda.unwrap(), "m*(g*y - x'^2 - y'^2)/(2*(x^2 + y^2))");
//! ```

pub mod certify;
pub mod connect;
pub mod construct;
pub mod derive;
pub mod discretise;
mod files;
pub mod geometry;
pub mod methods;
pub mod modified;
pub mod port;
