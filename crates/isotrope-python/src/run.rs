//! Compiled steps: trajectories and ensembles as arrays.

use std::sync::Arc;

use isotrope::codes::RequestCode;
use isotrope::rooms::kernel::integrate::{Sink, SinkError};
use isotrope::rooms::kernel::stepper::Polynomial;
use isotrope::{Answer as _, Failure, Ready, RunRequest, System, request};
use numpy::{IntoPyArray as _, PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray2};
use pyo3::prelude::*;
use serde_json::json;

use crate::model::Model;
use crate::task::{self, Watch};

/// The steps of a method on a model, ready to run. Threads may share them.
#[pyclass(frozen, module = "isotrope._isotrope")]
pub struct Steps {
    pub(crate) steps: Arc<isotrope::Steps>,
}

/// Rows, one after the other.
#[derive(Default)]
struct Rows {
    numbers: Vec<f64>,
}

impl Sink for Rows {
    fn row(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.numbers.extend_from_slice(row);
        Ok(())
    }
}

/// Room for all rows, so that they are written where they stay.
fn room(rows: u64, width: usize) -> Result<Vec<f64>, Failure> {
    let mut numbers = Vec::new();
    let wanted = usize::try_from(rows).ok().and_then(|rows| rows.checked_mul(width));
    let reserved = wanted.is_some_and(|wanted| numbers.try_reserve_exact(wanted).is_ok());
    if reserved {
        return Ok(numbers);
    }
    let code = RequestCode::Memory;
    let message = format!("{rows} rows of {width} numbers do not fit into memory");
    Err(Failure::plain(code, message, code.hint()))
}

impl Steps {
    /// The steps of a request, or the report that says why there are none.
    pub(crate) fn of(system: &mut System, asked: &str) -> Result<(Option<Self>, String), Failure> {
        let asked: RunRequest = request(asked)?;
        Ok(match system.prepare(&asked)? {
            Ready::Steps(steps) => (Some(Self { steps: Arc::new(steps) }), String::new()),
            Ready::NotApplicable(mut report) => (None, report.json().to_string()),
        })
    }
}

/// A trajectory as an array, and the JSON of its report.
type Ran<'py> = (Bound<'py, PyArray2<f64>>, String);

/// Writes rows to a file, in the format that its name ends in.
#[pyfunction]
pub fn save_rows(
    py: Python<'_>,
    path: String,
    columns: Vec<String>,
    rows: PyReadonlyArray2<'_, f64>,
) -> PyResult<u64> {
    let rows = rows.as_array();
    let rows: Vec<Vec<f64>> = rows.rows().into_iter().map(|row| row.to_vec()).collect();
    task::run(py, Watch { progress: None, keeps_part: false }, |_| {
        isotrope::save_rows(path.as_ref(), &columns, rows.iter().map(Vec::as_slice))
    })
}

#[pymethods]
impl Steps {
    /// The names of the numbers of a row.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.steps.columns()
    }

    /// How the numbers of a row are grouped, as JSON.
    #[getter]
    fn layout(&self) -> String {
        let stepper = self.steps.stepper();
        let layout = stepper.layout;
        json!({
            "names": stepper.names, "dimension": layout.dimension, "rates": layout.rates,
            "momenta": stepper.has_momenta, "constraints": stepper.constraint_names,
            "energy": stepper.has_energy, "first_order": stepper.is_first_order(),
            "in_momenta": layout.in_momenta, "group": !stepper.rotations.is_empty(),
            "inside": stepper.inside.map(|polynomial| match polynomial {
                Polynomial::Collocation { .. } => ("collocation", polynomial.degree()),
                Polynomial::Hermite => ("hermite", polynomial.degree()),
            }),
            "outputs": stepper.output_names, "step": stepper.step, "count": self.steps.count(),
        })
        .to_string()
    }

    /// Runs from the initial values of the model; without a stride no rows are kept.
    #[pyo3(signature = (stride, rows_a_step = 1, progress = None, keeps_part = false))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        stride: Option<u64>,
        rows_a_step: u64,
        progress: Option<Bound<'py, PyAny>>,
        keeps_part: bool,
    ) -> PyResult<Ran<'py>> {
        let (steps, width) = (&self.steps, self.steps.columns().len());
        let (numbers, report) = task::run(py, Watch { progress, keeps_part }, |host| {
            let rows = stride.map_or(0, |stride| (steps.count() / stride.max(1)).saturating_add(2));
            let mut rows = Rows { numbers: room(rows.saturating_mul(rows_a_step), width)? };
            let mut answer = steps.run_in(host, stride, &mut rows);
            Ok((rows.numbers, answer.report.json().to_string()))
        })?;
        let length = numbers.len() / width.max(1);
        Ok((numbers.into_pyarray(py).reshape([length, width])?, report))
    }

    /// Runs members: a row of values for each. Their last rows, their reports, and the report of all.
    #[pyo3(signature = (model, names, values, threads = 0, progress = None))]
    fn ensemble<'py>(
        &self,
        py: Python<'py>,
        model: &Model,
        names: Vec<String>,
        values: PyReadonlyArray2<'py, f64>,
        threads: usize,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyArray2<f64>>, Vec<String>, String)> {
        let steps = &self.steps;
        let width = isotrope::EnsembleAnswer::columns(steps).len();
        let values: Vec<f64> = values.as_array().iter().copied().collect();
        let watch = Watch { progress, keeps_part: false };
        let (numbers, members, report) = task::run(py, watch, |host| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let members = model.with(host, |system| system.members_of(steps, &names, values))?;
            let (mut rows, mut reports) = (Vec::new(), Vec::new());
            let (answer, _) = steps.run_members_in(host, &members, threads, &mut |member, row| {
                rows.extend_from_slice(row);
                reports.push(isotrope::value(member).to_string());
                Ok(())
            });
            if host.is_stopped() {
                return Err(Failure::Interrupted { doing: "running members".to_owned() });
            }
            let report = isotrope::value(&answer.summary.report).to_string();
            Ok((rows, reports, report))
        })?;
        let length = numbers.len() / width.max(1);
        Ok((numbers.into_pyarray(py).reshape([length, width])?, members, report))
    }

    /// The values of the parameters.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.steps.stepper().parameters)
    }
}
