//! Evaluation of expressions: over a prime field at random points, and in balls of reals.

mod ball;
mod gaussian;
mod prime_field;
mod program;

pub use ball::{EvaluateError, evaluate_ball, evaluate_balls};
pub use gaussian::{Gaussian, GaussianField};
pub use prime_field::{Fidelity, FieldPlan, NotExact};
pub use program::BallProgram;
