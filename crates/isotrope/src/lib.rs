//! From a Lagrangian to its exact equations, their geometry and what they conserve.
//!
//! This crate is the command `isotrope` and the one library to depend on: it re-exports the
//! phases (algebra, geometry, model, scheme), each a pure function from one value to the next.
//!
//! ```text
//! text ─parse_model▶ Model ─derive▶ System ─analyse▶ Analysis ─report▶ text, JSON, LaTeX, HTML
//! ```
//!
//! The multiplier of the pendulum, that is the force in its rod:
//!
//! ```
//! use isotrope::algebra::{Budget, print};
//! use isotrope::model::{ModelText, parse_model};
//! use isotrope::scheme::derive::{Mechanics, derive};
//!
//! let file = r#"
//!     coordinates = ["x", "y"]
//!     parameters = { m = 1, l = 1, g = 9.81 }
//!     lagrangian.L = "m/2*(x'^2 + y'^2) - m*g*y"
//!     constraints.rod = "x^2 + y^2 = l^2"
//!     initial.position = { x = "l", y = 0 }
//!     initial.velocity = { x = 0, y = 0 }
//! "#;
//! let model = parse_model(&ModelText::new("pendulum.toml", file.as_bytes())).unwrap();
//! let system = derive(model, &mut Budget::new(1_000_000)).unwrap();
//!
//! let Mechanics::Lagrangian { eliminated, .. } = &system.mechanics else { unreachable!() };
//! let pool = &system.model.pool;
//! let lambda = print::to_text(pool, eliminated.multipliers[0], &mut Budget::new(10_000));
//! assert_eq!(lambda.unwrap(), "m*(g*y - x'^2 - y'^2)/(2*(x^2 + y^2))");
//! ```
#![warn(missing_docs)]

pub mod bench;
pub mod check;
pub mod cli;
pub mod commands;
pub mod conditions;
pub mod construct;
pub mod diagnostics;
pub mod exit;
pub mod methods;
pub mod modified;
pub mod port;
mod progress;
pub mod report;
mod run;
pub mod structure;
pub mod trees;

pub use isotrope_algebra as algebra;
pub use isotrope_geometry as geometry;
pub use isotrope_kernel as kernel;
pub use isotrope_model as model;
pub use isotrope_scheme as scheme;
pub use isotrope_study as study;
