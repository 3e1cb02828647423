//! Expressions: written, compared, evaluated over arrays.

use isotrope::Failure;
use numpy::{IntoPyArray as _, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::model::raised;
use crate::task::{self, Watch};

/// An expression in symbols.
#[pyclass(frozen, module = "isotrope._isotrope")]
pub struct Expression {
    expression: isotrope::Expression,
}

/// An expression as machine code.
#[pyclass(frozen, module = "isotrope._isotrope")]
pub struct Formula {
    formula: isotrope::Formula,
}

#[pymethods]
impl Expression {
    #[new]
    fn new(py: Python<'_>, text: String) -> PyResult<Self> {
        let watch = Watch { progress: None, keeps_part: false };
        let expression = task::run(py, watch, |_| isotrope::Expression::parse(&text))?;
        Ok(Self { expression })
    }

    /// As text that reads back.
    #[getter]
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        self.written(py, isotrope::Expression::text)
    }

    /// In LaTeX.
    #[getter]
    fn latex(&self, py: Python<'_>) -> PyResult<String> {
        self.written(py, isotrope::Expression::latex)
    }

    /// In MathML.
    #[getter]
    fn mathml(&self, py: Python<'_>) -> PyResult<String> {
        self.written(py, isotrope::Expression::mathml)
    }

    /// The names that occur in it.
    #[getter]
    fn symbols(&self) -> Vec<String> {
        self.expression.symbols()
    }

    /// Is it equal to another one? Proved, either way, or `None`.
    fn equals(&self, py: Python<'_>, other: &Self) -> PyResult<Option<bool>> {
        let watch = Watch { progress: None, keeps_part: false };
        task::run(py, watch, |host| self.expression.equals(&other.expression, host))
    }

    /// As machine code in these names.
    fn formula(&self, py: Python<'_>, names: Vec<String>) -> PyResult<Formula> {
        let watch = Watch { progress: None, keeps_part: false };
        let formula = task::run(py, watch, |_| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            self.expression.formula(&names)
        })?;
        Ok(Formula { formula })
    }
}

impl Expression {
    fn written(
        &self,
        py: Python<'_>,
        write: impl FnOnce(&isotrope::Expression) -> Result<String, Failure>,
    ) -> PyResult<String> {
        task::guarded(py, || write(&self.expression).map_err(|failure| raised(py, failure)))
    }
}

#[pymethods]
impl Formula {
    /// The values for lists of inputs, each of the same length or of length one.
    fn values<'py>(
        &self,
        py: Python<'py>,
        inputs: Vec<PyReadonlyArray1<'py, f64>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let lists: Vec<Vec<f64>> =
            inputs.iter().map(|list| list.as_array().iter().copied().collect()).collect();
        let watch = Watch { progress: None, keeps_part: false };
        let values = task::run(py, watch, |_| {
            let lists: Vec<&[f64]> = lists.iter().map(Vec::as_slice).collect();
            self.formula.values(&lists)
        })?;
        Ok(values.into_pyarray(py))
    }
}
