//! Steppers: the program of one step of a method on a system.
//!
//! The scheme is reduced before it is compiled: of a Runge–Kutta method only the stage
//! accelerations are unknowns, and of those only the ones that need each other.

mod coefficients;
mod field;
mod runge_kutta;

pub use coefficients::{CoefficientsError, StepCoefficients};
pub use field::{Field, FieldError};
pub use runge_kutta::{Options, Stepper, StepperError, runge_kutta};
