//! Runs and what is learnt from them: one file per request.

mod adaptive;
mod compare;
mod convergence;
mod drift;
mod flow;
mod observed;
mod run;
pub(crate) mod settings;
mod stability;
mod stepping;

pub use adaptive::AdaptiveRequest;
pub use compare::CompareRequest;
pub use convergence::ConvergenceRequest;
pub use drift::DriftRequest;
pub use flow::{FlowAnswer, FlowCheck, FlowRequest};
pub use observed::Observed;
pub use run::{EnsembleAnswer, Members, Ready, RunAnswer, RunRequest, Steps, Told, Watch};
pub use settings::Backend;
pub use stability::StabilityRequest;
pub use stepping::{Derivatives, Stepping};

pub(crate) use settings::{Course, refuse_steps};

use isotrope_kernel::integrate::Residuals;

use crate::failure::Failure;
use crate::host::Host;
use crate::model::Model;

/// A request that can be refused before anything is derived.
pub trait Asked {
    /// Reads what is asked of a model: refuses at once what would be refused after a long
    /// derivation.
    fn examine(&self, host: &Host, model: &Model) -> Result<(), Failure>;
}

/// Warns if the initial values violate the constraints.
pub(crate) fn warn_inconsistent(host: &Host, residuals: Residuals) {
    let found = [residuals.position, residuals.velocity].into_iter().zip(residuals.large);
    for ((size, large), level) in found.zip(["positions", "velocities"]) {
        if let (Some(size), true) = (size, large) {
            host.note(&format!(
                "warning: the initial values violate a constraint on {level} by {size:.1e}; \
                 `isotrope check MODEL --project` repairs them, `run --project` starts from repaired ones"
            ));
        }
    }
}

/// The largest residuals of both kinds of constraints.
pub(crate) fn residuals_in_words(position: Option<f64>, velocity: Option<f64>) -> String {
    let part = |size: Option<f64>, level: &str| size.map(|size| format!("{size:.1e} on {level}"));
    let parts = [part(position, "positions"), part(velocity, "velocities")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
