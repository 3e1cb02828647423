//! The extension module behind the Python package `isotrope`.
//!
//! Nothing is computed here: requests and answers are JSON, trajectories are arrays, and what people see is written in
//! Python (`python/isotrope`). Every call that can take long runs in a thread of its own, without the lock of the
//! interpreter; see [`task`].
#![warn(missing_docs)]

mod errors;
mod expression;
mod model;
mod run;
mod stepper;
mod studies;
mod task;

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command `isotrope` with these arguments; `program` are the words that start it again. The exit code.
#[pyfunction]
fn command(py: Python<'_>, program: Vec<OsString>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| isotrope_cli::cli::hosted(program, arguments).code())
}

#[pymodule]
mod _isotrope {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::command;
    #[pymodule_export]
    use super::expression::{Expression, Formula};
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::run::{Steps, save_rows};
    #[pymodule_export]
    use super::stepper::Stepper;
    #[pymodule_export]
    use super::studies::{answer_schema, ask, connected, method_names};

    /// The version is that of the workspace.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
