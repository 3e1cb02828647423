//! From a scheme and a system to programs.
//!
//! A family of schemes says how its unknowns are guessed, what they satisfy and what a step leaves
//! behind (`scheme`); `assemble` turns that into programs: a step by fixed-point iteration or by
//! Newton's method with its elimination written out, with everything that is measured on the way.
//!
//! A family answers five questions: how the unknowns of a step are guessed, their next values in a
//! fixed-point iteration if there is one, residual and Jacobian, what the step leaves behind, and
//! how much a change of each unknown counts. Runge–Kutta tables answer on the tape directly, with
//! coefficients h·a and h²·a·ā rounded once from the exact table; the others are *equations*, exact
//! expressions in which linear unknowns are already eliminated. Intermediate results are
//! definitions: symbols of their own, so that sums stay apart, with the chain rule for the
//! Jacobian. What is measured is recorded on the same tape and shares its work.

mod assemble;
mod bracket;
mod coefficients;
mod constraint_matrix;
mod dense;
mod dop853;
mod equations;
mod field;
mod group_field;
mod hermite;
mod layout;
mod method;
mod monitors;
mod pace;
mod programs;
mod runge_kutta;
mod scales;
mod scheme;
mod stages;
mod switches;
mod trivialisation;
mod watched;

pub(crate) use assemble::threshold;
pub use coefficients::{CoefficientsError, StepCoefficients};
pub use constraint_matrix::MatrixProgram;
pub use dop853::{AdaptiveSlots, dop853};
pub use equations::equations;
pub use field::{Field, FieldError, Rotation};
pub use layout::{Layout, Measured};
pub use method::{stepper, tolerance};
pub use pace::{HoldSlots, PaceSlots};
pub use programs::{
    AdaptiveLengths, AdaptiveOptions, AdaptivePrograms, Balanced, NewtonPrograms, Options,
    Polynomial, Stepper, StepperError,
};
pub use runge_kutta::{composition, runge_kutta};
pub use scales::{Scales, Scaling};
pub use scheme::{SizedNumber, Weight};
pub use switches::Switches;
pub use trivialisation::Trivialisation;
