//! What is seen of a run on its way.

use isotrope_kernel::integrate::Integration;
use isotrope_kernel::stepper::Measured;

/// What is seen at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The time.
    pub time: f64,
    /// Positions, then velocities.
    pub state: Vec<f64>,
    /// |E − E₀ − work| where the scheme measures it.
    pub energy: f64,
    /// |φ| and |A v + b|.
    pub constraints: [f64; 2],
    /// The distance to the reference solution.
    pub distance: Option<f64>,
}

/// Samples of a run, not more than a picture can show.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    every: u64,
    /// The samples in order.
    pub samples: Vec<Sample>,
}

impl Track {
    /// Keeps one in this many looks.
    #[must_use]
    pub fn new(every: u64) -> Self {
        Self { every, samples: Vec::new() }
    }

    /// Takes a sample if it is time for one.
    pub fn look(&mut self, index: usize, integration: &mut Integration<'_>, distance: Option<f64>) {
        if !(index as u64).is_multiple_of(self.every) {
            return;
        }
        let layout = integration.layout();
        let constraints = integration.violations();
        self.samples.push(Sample {
            time: integration.time(),
            state: [0..layout.dimension, layout.velocities()]
                .map(|part| &integration.state()[part])
                .concat(),
            energy: integration.number(layout.energy_error(Measured::Own)),
            constraints,
            distance,
        });
    }
}
