//! Single steps for control loops.

use std::sync::Arc;

use isotrope::codes::RequestCode;
use isotrope::rooms::kernel::integrate::Failure as Stuck;
use isotrope::{Failure, Stepping};
use numpy::{
    IntoPyArray as _, PyArray1, PyArray2, PyArray3, PyArrayMethods as _, PyReadonlyArray1,
    PyReadonlyArray2,
};
use pyo3::prelude::*;

use crate::errors;
use crate::model::{Model, raised};
use crate::run::Steps;
use crate::task::{self, Watch, guarded};

/// Steps as a function of the state and of inputs. Threads may share it.
#[pyclass(frozen, module = "isotrope._isotrope")]
pub struct Stepper {
    stepping: Stepping,
    /// The values that the inputs have in the model.
    usual: Vec<f64>,
}

/// Steps that are made without releasing the lock of the interpreter.
const FEW: u64 = 100;

/// Ends of motions, and their derivatives.
type Linearised<'py> =
    (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray3<f64>>, Bound<'py, PyArray3<f64>>);

fn misfit(message: String) -> Failure {
    Failure::plain(RequestCode::Array, message, RequestCode::Array.hint())
}

impl Stepper {
    fn fits(&self, state: usize, inputs: Option<usize>) -> Result<(), Failure> {
        let (size, count) = (self.stepping.size(), self.stepping.inputs());
        if state != size {
            return Err(misfit(format!("a state has {size} numbers, not {state}")));
        }
        match inputs {
            Some(given) if given != count => {
                Err(misfit(format!("there are {count} inputs, not {given}")))
            }
            _ => Ok(()),
        }
    }

    fn inputs(&self, given: Option<&PyReadonlyArray1<'_, f64>>) -> Vec<f64> {
        given.map_or_else(|| self.usual.clone(), |u| u.as_array().iter().copied().collect())
    }

    /// States, or what motions begin with, of this size, each with its inputs.
    fn members(
        &self,
        py: Python<'_>,
        size: usize,
        states: &PyReadonlyArray2<'_, f64>,
        u: Option<&PyReadonlyArray2<'_, f64>>,
    ) -> PyResult<Vec<(Vec<f64>, Vec<f64>)>> {
        let (states, u) = (states.as_array(), u.map(PyReadonlyArray2::as_array));
        let wrong = match u {
            _ if states.ncols() != size => {
                Some(format!("a row has {size} numbers, not {}", states.ncols()))
            }
            Some(u) if u.ncols() != self.stepping.inputs() => {
                Some(format!("there are {} inputs, not {}", self.stepping.inputs(), u.ncols()))
            }
            Some(u) if u.nrows() != states.nrows() => {
                Some(format!("{} states and {} inputs", states.nrows(), u.nrows()))
            }
            _ => None,
        };
        if let Some(wrong) = wrong {
            return Err(raised(py, misfit(wrong)));
        }
        let member = |k: usize| {
            let inputs = u.map_or_else(|| self.usual.clone(), |u| u.row(k).to_vec());
            (states.row(k).to_vec(), inputs)
        };
        Ok((0..states.nrows()).map(member).collect())
    }

    fn step(&self, py: Python<'_>, state: Vec<f64>, u: &[f64], n: u64) -> PyResult<Vec<f64>> {
        self.fits(state.len(), Some(u.len())).map_err(|failure| raised(py, failure))?;
        if n <= FEW {
            return guarded(py, || {
                self.stepping.advanced(state, u, n).map_err(|stuck| errors::stuck(py, &stuck))
            });
        }
        let watch = Watch { progress: None, keeps_part: false };
        let made = task::run(py, watch, |host| self.patiently(host, state, u, n))?;
        made.map_err(|stuck| errors::stuck(py, &stuck))
    }

    /// Many steps, in portions between which a flag is looked at.
    fn patiently(
        &self,
        host: &isotrope::Host,
        mut state: Vec<f64>,
        u: &[f64],
        n: u64,
    ) -> Result<Result<Vec<f64>, Stuck>, Failure> {
        const PORTION: u64 = 10_000;
        let mut done = 0;
        while done < n {
            if host.is_stopped() {
                return Err(Failure::Interrupted { doing: "making steps".to_owned() });
            }
            let portion = PORTION.min(n - done);
            state = match self.stepping.advanced(state, u, portion) {
                Ok(state) => state,
                Err(stuck) => return Ok(Err(stuck)),
            };
            done += portion;
        }
        Ok(Ok(state))
    }
}

#[pymethods]
impl Stepper {
    #[new]
    fn new(py: Python<'_>, model: &Model, steps: &Steps, inputs: Vec<String>) -> PyResult<Self> {
        let watch = Watch { progress: None, keeps_part: false };
        let shared = Arc::clone(&steps.steps);
        let all = steps.steps.stepper().parameters.clone();
        let stepping = task::run(py, watch, |host| {
            let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
            model.with(host, |system| system.stepping(shared, &inputs))
        })?;
        let usual = stepping.input_numbers().iter().map(|&k| all[k]).collect();
        Ok(Self { stepping, usual })
    }

    /// How many numbers a state has, how many a motion begins with, how many inputs there are.
    #[getter]
    fn sizes(&self) -> (usize, usize, usize) {
        (self.stepping.size(), self.stepping.moving(), self.stepping.inputs())
    }

    /// The values that the inputs have in the model.
    #[getter]
    fn usual<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.usual)
    }

    /// Where a state has its time, and its energy.
    #[getter]
    fn places(&self) -> (usize, usize) {
        let layout = self.stepping.layout();
        (layout.time() as usize, layout.energy() as usize)
    }

    /// The state in which the model begins, or the one with these positions and velocities.
    #[pyo3(signature = (moving = None, u = None))]
    fn initial<'py>(
        &self,
        py: Python<'py>,
        moving: Option<PyReadonlyArray1<'py, f64>>,
        u: Option<PyReadonlyArray1<'py, f64>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let inputs = self.inputs(u.as_ref());
        let fits = self.fits(self.stepping.size(), Some(inputs.len()));
        fits.map_err(|failure| raised(py, failure))?;
        let given: Option<Vec<f64>> = moving.map(|x| x.as_array().iter().copied().collect());
        if let Some(given) = &given
            && given.len() != self.stepping.moving()
        {
            let (wanted, got) = (self.stepping.moving(), given.len());
            let message = format!("a motion begins with {wanted} numbers, not {got}");
            return Err(raised(py, misfit(message)));
        }
        let state = guarded(py, || {
            let begun = self.stepping.initial(given.as_deref(), &inputs);
            begun.map_err(|stuck| errors::stuck(py, &stuck))
        })?;
        Ok(state.into_pyarray(py))
    }

    /// The state after some steps.
    #[pyo3(signature = (state, u = None, n = 1))]
    fn advance<'py>(
        &self,
        py: Python<'py>,
        state: PyReadonlyArray1<'py, f64>,
        u: Option<PyReadonlyArray1<'py, f64>>,
        n: u64,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let state = state.as_array().iter().copied().collect();
        Ok(self.step(py, state, &self.inputs(u.as_ref()), n)?.into_pyarray(py))
    }

    /// The same in place; nobody else may hold the array meanwhile.
    #[pyo3(signature = (state, u = None, n = 1))]
    fn into(
        &self,
        py: Python<'_>,
        state: &Bound<'_, PyArray1<f64>>,
        u: Option<PyReadonlyArray1<'_, f64>>,
        n: u64,
    ) -> PyResult<()> {
        let refused = |error: numpy::BorrowError| raised(py, misfit(error.to_string()));
        let mut place = state.try_readwrite().map_err(refused)?;
        let from = place.as_array().iter().copied().collect();
        let after = self.step(py, from, &self.inputs(u.as_ref()), n)?;
        place.as_array_mut().iter_mut().zip(after).for_each(|(place, number)| *place = number);
        Ok(())
    }

    /// Many states side by side, in threads; the same bits as one by one.
    #[pyo3(signature = (states, u = None, n = 1, threads = 0))]
    fn batch<'py>(
        &self,
        py: Python<'py>,
        states: PyReadonlyArray2<'py, f64>,
        u: Option<PyReadonlyArray2<'py, f64>>,
        n: u64,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let members = self.members(py, self.stepping.size(), &states, u.as_ref())?;
        let (count, size) = (members.len(), self.stepping.size());
        let watch = Watch { progress: None, keeps_part: false };
        let ends =
            task::run(py, watch, |host| self.stepping.side_by_side(host, members, n, threads))?;
        let mut numbers = Vec::with_capacity(count * size);
        for end in ends {
            numbers.extend(end.map_err(|stuck| errors::stuck(py, &stuck))?);
        }
        numbers.into_pyarray(py).reshape([count, size])
    }

    /// Where motions lead after some steps, and the exact derivatives of that: with respect to what they begin with, and
    /// to the inputs.
    #[pyo3(signature = (moving, u = None, n = 1))]
    fn derivatives<'py>(
        &self,
        py: Python<'py>,
        moving: PyReadonlyArray2<'py, f64>,
        u: Option<PyReadonlyArray2<'py, f64>>,
        n: u64,
    ) -> PyResult<Linearised<'py>> {
        let size = self.stepping.moving();
        let members = self.members(py, size, &moving, u.as_ref())?;
        let watch = Watch { progress: None, keeps_part: false };
        let ends = task::run(py, watch, |host| self.stepping.derivatives(host, &members, n))?;
        let (count, inputs) = (ends.len(), self.stepping.inputs());
        let (mut at, mut a, mut b) = (Vec::new(), Vec::new(), Vec::new());
        for end in ends {
            at.extend(end.moving);
            a.extend(end.by_state);
            b.extend(end.by_inputs);
        }
        let at = at.into_pyarray(py).reshape([count, size])?;
        let a = a.into_pyarray(py).reshape([count, size, size])?;
        Ok((at, a, b.into_pyarray(py).reshape([count, size, inputs])?))
    }

    /// The exact derivatives of a step, row by row: with respect to what a motion begins with, and to the inputs.
    #[pyo3(signature = (state, u = None))]
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        state: PyReadonlyArray1<'py, f64>,
        u: Option<PyReadonlyArray1<'py, f64>>,
    ) -> PyResult<[Bound<'py, PyArray2<f64>>; 2]> {
        let state: Vec<f64> = state.as_array().iter().copied().collect();
        let inputs = self.inputs(u.as_ref());
        let fits = self.fits(state.len(), Some(inputs.len()));
        fits.map_err(|failure| raised(py, failure))?;
        let watch = Watch { progress: None, keeps_part: false };
        let [a, b] = task::run(py, watch, |_| self.stepping.jacobian(&state, &inputs))?;
        let (moving, count) = (self.stepping.moving(), self.stepping.inputs());
        let a = a.into_pyarray(py).reshape([moving, moving])?;
        Ok([a, b.into_pyarray(py).reshape([moving, count])?])
    }
}
