//! Steppers at work: from an initial value to a trajectory that says how it ended.

mod adaptive;
mod compiled;
mod ensemble;
mod integration;
mod measures;
mod newton;
mod outcome;
mod packed;
mod sink;
mod tangent;
mod trajectory;

pub use adaptive::Effort;
pub use compiled::Compiled;
pub use ensemble::{Crew, Member, MemberEnd, run_ensemble};
pub use integration::Integration;
pub use outcome::{Failure, Outcome};
pub use sink::{Measures, Sink, SinkError};
pub use tangent::{Change, Order, Tangent, VariationError, Variations};
pub use trajectory::{End, Flow, Plan, integrate, row};
