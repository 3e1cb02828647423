//! Budgets: whatever can blow up counts its work and stops in time.

use crate::{Internal, Stop};

/// A count of elementary operations that an exact computation may spend.
///
/// It counts operations, not seconds, so a computation that stops does so at the
/// same place on every machine.
///
/// ```
/// use isotrope_algebra::Budget;
/// let mut budget = Budget::new(10);
/// assert!(budget.spend(9, "expanding").is_ok());
/// let stop = budget.spend(5, "expanding").unwrap_err();
/// assert_eq!(stop.to_string(), "stopped after 10 operations while expanding");
/// ```
#[derive(Debug, Clone)]
pub struct Budget {
    limit: u64,
    spent: u64,
    stop: Option<Stop>,
}

/// A computation ran out of its [`Budget`], or could not go on for an [`Internal`] error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.told())]
pub struct OutOfBudget {
    /// The budget that was given.
    pub limit: u64,
    /// What was being computed.
    pub doing: &'static str,
    /// Was it a [`Stop`] that ended it?
    pub interrupted: bool,
    /// Was it a violated invariant? Most of the algebra fails for want of operations only, so that one
    /// travels the same way.
    #[source]
    pub internal: Option<Internal>,
}

impl OutOfBudget {
    /// All operations were spent.
    #[must_use]
    pub fn spent(limit: u64, doing: &'static str) -> Self {
        Self { limit, doing, interrupted: false, internal: None }
    }

    /// A stop was requested.
    #[must_use]
    pub fn interrupted(limit: u64, doing: &'static str) -> Self {
        Self { limit, doing, interrupted: true, internal: None }
    }

    fn told(&self) -> String {
        let Self { limit, doing, interrupted, internal } = self;
        match (internal, interrupted) {
            (Some(internal), _) => internal.to_string(),
            (None, true) => format!("interrupted while {doing}"),
            (None, false) => format!("stopped after {limit} operations while {doing}"),
        }
    }
}

impl From<Internal> for OutOfBudget {
    fn from(internal: Internal) -> Self {
        Self { limit: 0, doing: internal.what, interrupted: false, internal: Some(internal) }
    }
}

impl Budget {
    /// A budget of `limit` elementary operations, under the [`Stop`] of this thread.
    pub fn new(limit: u64) -> Self {
        Self { limit, spent: 0, stop: Stop::current() }
    }

    /// No limit; for inputs whose size is bounded elsewhere.
    pub fn unlimited() -> Self {
        Self::new(u64::MAX)
    }

    /// Spends `operations`, or says what was being done when nothing was left.
    pub fn spend(&mut self, operations: u64, doing: &'static str) -> Result<(), OutOfBudget> {
        self.spent = self.spent.saturating_add(operations);
        let interrupted = self.stop.as_ref().is_some_and(Stop::is_set);
        if self.spent > self.limit || interrupted {
            return Err(OutOfBudget { limit: self.limit, doing, interrupted, internal: None });
        }
        Ok(())
    }

    /// Operations spent so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Operations left.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.spent)
    }
}
