//! What commands answer: as JSON through `serde`, and as text.
//!
//! The text has nothing that differs between two equal runs; times are a line of their own.

mod named;
mod number;
mod quantities;
mod run;
mod table;
mod text;
mod wrap;

pub use isotrope_kernel::integrate::Outcome;
pub use named::Named;
pub use number::shortest;
pub(crate) use number::significant;
pub use quantities::Quantities;
pub use run::{
    Cost, Durations, Errors, Failure, FinalState, InitialResiduals, Ports, RunReport, Scales,
    Singular,
};
pub use table::{Align, Table, columns, underlined};
pub use wrap::wrap;
