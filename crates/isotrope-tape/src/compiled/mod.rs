//! What all compiled code has in common: how a run ends, and the functions that it calls.

mod functions;
mod outcome;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use functions::Called;
#[cfg(any(test, not(all(target_arch = "x86_64", unix))))]
pub(crate) use functions::fused_address;
pub use outcome::{Outcome, RunError};
pub(crate) use outcome::{check_lengths, conclude};

/// What compiled code reports besides its status.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub(crate) struct Report {
    /// Steps made.
    pub(crate) steps: u64,
    /// Rounds of iterations.
    pub(crate) iterations: u64,
}

/// The status that compiled code returns.
pub(crate) mod status {
    /// All steps were made.
    pub(crate) const COMPLETED: u32 = 0;
    /// The iteration of the next step did not converge.
    pub(crate) const NOT_CONVERGED: u32 = 1;
    /// The next step gave a number that is not finite.
    pub(crate) const NON_FINITE: u32 = 2;
}
