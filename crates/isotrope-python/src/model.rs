//! Models, and the studies of what is derived from them.

use std::sync::{Mutex, PoisonError};

use isotrope::{Format, Host, Overrides, System, request};
use pyo3::prelude::*;

use crate::errors;
use crate::run::Steps;
use crate::task::{self, Watch};

/// A model that was read. What was derived from it is kept for the next question.
#[pyclass(frozen, module = "isotrope._isotrope")]
pub struct Model {
    pub(crate) model: isotrope::Model,
    derived: Mutex<Option<System>>,
}

impl Model {
    /// Does something with the derived system. Two threads that ask at once derive it twice: neither waits.
    pub(crate) fn with<T>(
        &self,
        host: &Host,
        work: impl FnOnce(&mut System) -> Result<T, isotrope::Failure>,
    ) -> Result<T, isotrope::Failure> {
        let slot = || self.derived.lock().unwrap_or_else(PoisonError::into_inner);
        let known = slot().take();
        let mut system = match known {
            Some(system) => system,
            None => self.model.derive(host)?,
        };
        system.surround(host);
        let answer = work(&mut system)?;
        *slot() = Some(system);
        Ok(answer)
    }
}

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (name, text, set = vec![], initial = vec![]))]
    fn new(
        py: Python<'_>,
        name: String,
        text: Vec<u8>,
        set: Vec<String>,
        initial: Vec<String>,
    ) -> PyResult<Self> {
        let watch = Watch { progress: None, keeps_part: false };
        let overrides = Overrides { set, initial };
        let model = task::run(py, watch, |_| isotrope::Model::parse(&name, &text, &overrides))?;
        Ok(Self { model, derived: Mutex::new(None) })
    }

    /// Reads a file.
    #[staticmethod]
    fn read(py: Python<'_>, path: String) -> PyResult<Vec<u8>> {
        let watch = Watch { progress: None, keeps_part: false };
        task::run(py, watch, |host| Ok(host.files().read(&path)?))
    }

    /// The name that the model gives itself.
    #[getter]
    fn name(&self) -> &str {
        self.model.name()
    }

    /// Coordinates, parameters, and whether it is one of first order, on a group, or by momenta.
    #[getter]
    fn names(&self) -> (Vec<String>, Vec<String>) {
        let parsed = self.model.parsed();
        let coordinates = parsed.coordinates.iter().map(|own| own.name.clone()).collect();
        let parameters = parsed.parameters.iter().map(|own| own.name.clone()).collect();
        (coordinates, parameters)
    }

    /// Answers a study: the JSON of the command, and whether the answer is "no".
    #[pyo3(signature = (study, asked, progress = None))]
    fn ask(
        &self,
        py: Python<'_>,
        study: String,
        asked: String,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<(String, bool, String)> {
        let watch = Watch { progress, keeps_part: false };
        task::run(py, watch, |host| {
            self.model.examine(host, &study, &asked)?;
            let reply = match study.as_str() {
                // A parameter stays a symbol there, so the equations are derived again.
                "stability" => {
                    isotrope::Reply::of(&mut self.model.stability(host, &request(&asked)?)?)
                }
                _ => self.with(host, |system| system.ask(&study, &asked))?,
            };
            Ok((reply.json.to_string(), reply.negative, reply.text))
        })
    }

    /// Everything that is derived, as a document: text, latex or html.
    fn report(&self, py: Python<'_>, format: String, discrete: Option<String>) -> PyResult<String> {
        let watch = Watch { progress: None, keeps_part: false };
        let format = match format.as_str() {
            "latex" => Format::Latex,
            "html" => Format::Html,
            _ => Format::Text { width: 100 },
        };
        task::run(py, watch, |host| {
            self.with(host, |system| match &discrete {
                Some(name) => system.clone().discretisation(name)?.report(format),
                None => system.report(format),
            })
        })
    }

    /// A port-Hamiltonian form as the text of a model.
    fn port_form(&self, py: Python<'_>, asked: String, number: usize) -> PyResult<String> {
        let watch = Watch { progress: None, keeps_part: false };
        task::run(py, watch, |host| {
            let asked = request(&asked)?;
            self.with(host, |system| system.port_form(&asked, number))
        })
    }

    /// Derives and compiles the steps of a method: the steps, or the report that says why it does not apply.
    #[pyo3(signature = (asked, progress = None))]
    fn prepare(
        &self,
        py: Python<'_>,
        asked: String,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<(Option<Steps>, String)> {
        let watch = Watch { progress, keeps_part: false };
        task::run(py, watch, |host| {
            self.model.examine(host, "run", &asked)?;
            self.with(host, |system| Steps::of(system, &asked))
        })
    }
}

/// A failure of the facade as an exception.
pub(crate) fn raised(py: Python<'_>, failure: isotrope::Failure) -> PyErr {
    errors::refused(py, &failure)
}
