//! What commands answer: as JSON through `serde`, and as text.

mod number;
mod quantities;
mod run;
mod text;

<<<<<<< HEAD
pub(crate) use number::significant;

=======
>>>>>>> ba0d4a0 (Equation schemes in the registry with computed certificates; published claims as data)
pub use isotrope_kernel::integrate::Outcome;
pub(crate) use number::significant;
pub use quantities::Quantities;
pub use run::{Cost, Errors, Failure, FinalState, RunReport};
