//! From a scheme to steps at the speed of hand-written C.
//!
//! ```text
//! Scheme, System ─stepper▶ Stepper ─Compiled▶ Integration ─integrate▶ rows, Outcome
//! ```
//!
//! [`stepper`] writes the programs of a step, [`integrate`] executes them: one trajectory, an
//! ensemble in the lanes of vectors, or a flow with its derivatives.
#![warn(missing_docs)]

pub mod integrate;
pub mod stepper;
