//! Tables of ensemble members: `run --ensemble FILE.csv`.
//!
//! ```csv
//! g, theta, theta'
//! 9.81, 0.1, 0
//! 9.81, 0.2, 0
//! ```
//!
//! The header names parameters, positions (`theta`) and velocities (`theta'`, `v_theta` as in
//! written trajectories, or `dot(theta)`; for a Hamiltonian momenta, `p_theta`). Every line after it
//! is one member; what is not a column has the value of the model. Values are decimals, commas
//! separate them, and names and values may stand in double quotes.

mod error;
mod header;
mod lines;
mod read;

pub use error::{EnsembleError, EnsembleLabel};
pub use header::{Column, Names, Rates};
pub use isotrope_model::codes::EnsembleCode;
pub use read::{ensemble_of, read_ensemble};

/// The members of an ensemble.
#[derive(Debug, Clone, PartialEq)]
pub struct Ensemble {
    columns: Vec<Column>,
    /// Row by row.
    values: Vec<f64>,
}

impl Ensemble {
    /// What the entries of a row are.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// How many members there are; at least one.
    pub fn members(&self) -> usize {
        self.values.len() / self.columns.len().max(1)
    }

    /// The rows, one a member, each as long as [`Self::columns`]. All numbers are finite.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.columns.len().max(1))
    }
}
