//! How an integration ends.

/// How an integration ended. Only one of them is a success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All steps were made.
    Completed,
    /// The equations of a step were not solved.
    NewtonStalled,
    /// A step led to an infinity or to something that is not a number.
    NonFinite,
    /// A linear system of a step, or the field itself, has no solution.
    Singular,
    /// More steps than allowed.
    StepLimit,
    /// The user ended it.
    Interrupted,
    /// The method makes no sense for the model.
    NotApplicable,
    /// A step did not keep what its method promises to keep.
    PromiseBroken,
}

impl Outcome {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Completed,
        Self::NewtonStalled,
        Self::NonFinite,
        Self::Singular,
        Self::StepLimit,
        Self::Interrupted,
        Self::NotApplicable,
        Self::PromiseBroken,
    ];

    /// Only a completed run is a success.
    #[must_use]
    pub fn is_success(self) -> bool {
        self == Self::Completed
    }

    /// Its name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::NewtonStalled => "newton-stalled",
            Self::NonFinite => "non-finite",
            Self::Singular => "singular",
            Self::StepLimit => "step-limit",
            Self::Interrupted => "interrupted",
            Self::NotApplicable => "not-applicable",
            Self::PromiseBroken => "promise-broken",
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A step that was not made.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// Which outcome it is.
    pub outcome: Outcome,
    /// How many steps were made before it.
    pub step: u64,
    /// The time at its beginning.
    pub time: f64,
    /// The size of what should vanish, where an iteration tried to make it so, or a method promised it.
    pub residual: Option<f64>,
    /// In words.
    pub reason: String,
}
