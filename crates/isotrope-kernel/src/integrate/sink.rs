//! Where the rows of a trajectory go.

/// Takes the rows of a trajectory one after the other, in the order of time.
pub trait Sink {
    /// Takes one row; it has as many entries as there are columns. After an error no more rows
    /// are given.
    fn row(&mut self, row: &[f64]) -> Result<(), SinkError>;

    /// What was measured since the row before; told right before each row.
    fn measured(&mut self, measures: Measures) {
        let _ = measures;
    }
}

/// What is measured between two rows of a trajectory, where errors of the scheme belong.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Measures {
    /// |E − E₀ − work| at the last step.
    pub energy: f64,
    /// The largest |φ| of all steps.
    pub position: f64,
    /// The largest |A v + b| of all steps.
    pub velocity: f64,
}

/// Why a sink takes no more rows. What it is depends on the sink: a full disk, a closed pipe.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct SinkError(Box<dyn std::error::Error + Send + Sync>);

impl SinkError {
    /// Wraps the error of a particular sink.
    pub fn new(source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self(Box::new(source))
    }

    /// The error of the sink, to be asked for its type.
    pub fn inner(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
        self.0.as_ref()
    }
}
