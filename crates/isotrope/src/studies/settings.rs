//! Steps, times and tolerances, as requests write them.

use isotrope_algebra::{ExprId, Rational};
use isotrope_model::codes::RunCode;
use isotrope_scheme::Method;
use isotrope_study::run::{self, LengthError, PrepareError, Request};
use serde::{Deserialize, Serialize};

use crate::constant::constant;
use crate::failure::Failure;
use crate::host::Host;
use crate::methods::Methods;
use crate::model::Model;
use crate::system::System;

/// How the steps are executed. All ways give the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// Machine code, where there is some for this machine.
    #[default]
    Native,
    /// The reference: one operation after the other.
    Interpreter,
}

impl From<Backend> for isotrope_tape::backend::Backend {
    fn from(backend: Backend) -> Self {
        match backend {
            Backend::Native => Self::Native,
            Backend::Interpreter => Self::Interpreter,
        }
    }
}

/// The step, if it is given, or that of the model.
pub(crate) fn step(model: &Model, given: Option<&str>) -> Result<Rational, Failure> {
    exact(model, given, model.parsed().run.step, "step")
}

/// The time, if it is given, or that of the model.
pub(crate) fn time(model: &Model, given: Option<&str>) -> Result<Rational, Failure> {
    exact(model, given, model.parsed().run.time, "time")
}

fn exact(
    model: &Model,
    given: Option<&str>,
    default: Option<ExprId>,
    what: &str,
) -> Result<Rational, Failure> {
    constant(given, default, &model.parsed().pool).map_err(|reason| {
        let hint = format!("give --{what} as a decimal or an exact constant, such as 1/100");
        Failure::plain(RunCode::StepOrTime, format!("the {what} {reason}"), hint)
    })
}

/// A time in steps.
pub(crate) fn count(time: &Rational, step: &Rational) -> Result<u64, Failure> {
    run::steps(time, step).map_err(|error| refuse_length(&error))
}

/// A time that is not a whole number of steps.
pub(crate) fn refuse_length(error: &LengthError) -> Failure {
    let hint = "choose a time that is a whole number of steps, with the same sign";
    Failure::hinted(RunCode::NotWholeSteps, error, hint)
}

/// Refuses tolerances that mean nothing.
pub(crate) fn usable_tolerance(tolerance: Option<f64>) -> Result<(), Failure> {
    match tolerance {
        Some(tolerance) if !(tolerance > 0.0 && tolerance < 1.0) => {
            let message = format!("the tolerance {tolerance} is not between 0 and 1");
            Err(Failure::hinted(RunCode::Tolerance, message, "give a small number, such as 1e-13"))
        }
        _ => Ok(()),
    }
}

/// Steps that cannot be made, although the method applies.
pub(crate) fn refuse_steps(method: &Method, error: &PrepareError) -> Failure {
    match error {
        PrepareError::OutsideTable { .. } => {
            let hint = "shorten the run, or add rows to the table of the input";
            Failure::hinted(RunCode::NotPrepared, error, hint)
        }
        _ => {
            let message = format!("the steps of `{}` cannot be made: {error}", method.name());
            let hint = "take a smaller system or another method".to_owned();
            Failure::because(error, (RunCode::NotPrepared, message, hint))
        }
    }
}

/// One method for a whole time.
#[derive(Debug, Clone)]
pub(crate) struct Course {
    method: Method,
    step: Rational,
    time: Rational,
    steps: u64,
}

impl Course {
    /// Reads what is asked for; what is not given is as the model says.
    pub(crate) fn read(
        host: &Host,
        model: &Model,
        name: &str,
        step: Option<&str>,
        time: Option<&str>,
    ) -> Result<Self, Failure> {
        let (step, time) = (self::step(model, step)?, self::time(model, time)?);
        let steps = count(&time, &step)?;
        Ok(Self { method: Methods::named(host, name)?, step, time, steps })
    }

    /// A method that was read before.
    pub(crate) fn new(method: Method, step: Rational, time: &Rational) -> Result<Self, Failure> {
        let steps = count(time, &step)?;
        Ok(Self { method, step, time: time.clone(), steps })
    }

    /// The method.
    pub(crate) fn method(&self) -> &Method {
        &self.method
    }

    /// The method as it is usually run on a system.
    pub(crate) fn request(self, system: &System) -> Request {
        let request = Request::new(&system.derived, self.method, self.step, &self.time, self.steps);
        Request { operations: system.host.limits.prepare, ..request }
    }
}
