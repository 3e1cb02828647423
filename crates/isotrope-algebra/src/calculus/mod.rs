//! Calculus on expressions: derivatives, substitution, power series, collection.

mod collect;
mod derivative;
mod series;
mod substitute;

pub use collect::{CollectError, Collected, Power, collect};
pub use derivative::{SparseRows, derivative, directional_derivative, gradient, jacobian};
pub(crate) use series::{Expander, SeriesResult};
pub use series::{SeriesError, series};
pub use substitute::{Substitution, substitute};
