//! Runs and what is learnt from them: one file a request.

mod adaptive;
mod compare;
mod convergence;
mod drift;
mod flow;
mod run;
pub(crate) mod settings;
mod stability;

pub use adaptive::AdaptiveRequest;
pub use compare::CompareRequest;
pub use convergence::ConvergenceRequest;
pub use drift::DriftRequest;
pub use flow::{FlowAnswer, FlowCheck, FlowRequest};
pub use run::{EnsembleAnswer, Ready, RunAnswer, RunRequest, Steps};
pub use settings::Backend;
pub use stability::StabilityRequest;

pub(crate) use settings::{Course, refuse_steps};

use crate::failure::Failure;
use crate::host::Host;
use crate::model::Model;

/// A request that can be refused before anything is derived.
pub trait Asked {
    /// Reads what is asked of a model: refuses at once what would be refused after a long
    /// derivation.
    fn examine(&self, host: &Host, model: &Model) -> Result<(), Failure>;
}

/// Tells if the initial values are off the constraints.
pub(crate) fn warn_inconsistent(host: &Host, violations: Option<[f64; 2]>) {
    for (size, level) in violations.into_iter().flatten().zip(["positions", "velocities"]) {
        // Initial values in decimals are consistent to rounding only.
        if size > 1e-8 {
            host.note(&format!(
                "warning: the initial values violate a constraint on {level} by {size:.1e}; \
                 `isotrope check MODEL --project` repairs them"
            ));
        }
    }
}
