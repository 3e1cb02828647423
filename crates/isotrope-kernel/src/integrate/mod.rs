//! Steppers at work: from an initial value to a trajectory that says how it ended.
//!
//! An integration holds a state and a ladder of programs: the fast one, Newton's method written out
//! with the pivots of the first Jacobian, and Newton's method with new pivots in each round. A program
//! that fails leaves the state as it was, so the next one can try. All that is kept from step to
//! step is in the state, even the guesses: a step is a function of the state, and a run can be
//! continued anywhere. Ensembles use this to take a lane that fails out of its vector.

mod adaptive;
mod compiled;
mod consistency;
mod dependent;
mod dip;
mod ensemble;
mod integration;
mod measures;
mod newton;
mod outcome;
mod packed;
mod project;
mod promise;
mod sink;
mod sizes;
mod switching;
mod tangent;
mod trajectory;

pub use adaptive::Effort;
pub use compiled::Compiled;
pub use consistency::Residuals;
pub use dependent::Dependence;
pub use ensemble::{Crew, Member, MemberEnd, Runner, SideBySide, Watch, run_ensemble};
pub use integration::Integration;
pub use outcome::{Failure, Outcome};
pub use project::{NotProjected, project};
pub use promise::Kept;
pub use sink::{Measures, Sink, SinkError};
pub use sizes::MeasuredSizes;
pub use tangent::{Change, Order, Tangent, VariationError, Variations};
pub use trajectory::{End, Flow, Plan, integrate, row};
