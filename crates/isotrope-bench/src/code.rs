//! From the text of a model to its stepper.

use isotrope_algebra::{Budget, Rational};
use isotrope_derive::derive;
use isotrope_kernel::stepper::{Field, Options, Stepper, stepper};
use isotrope_model::{ModelText, parse_model};
use isotrope_scheme::Method;
use isotrope_tape::interpret::{End, Scratch, step};

use super::BenchError;

const BUDGET: u64 = 1_000_000_000;

/// A model with a method.
#[derive(Debug, Clone)]
pub(super) struct Case<'a> {
    pub(super) model: &'a str,
    pub(super) set: &'a [&'a str],
    pub(super) initial: &'a [&'a str],
    pub(super) method: &'a str,
    /// The step, a fraction.
    pub(super) step: (u32, u32),
    /// The iteration ends when accelerations, summed and times the step, change by less.
    pub(super) tolerance: f64,
}

impl Case<'_> {
    /// The stepper with its state ready for the first step.
    pub(super) fn stepper(&self) -> Result<Stepper, BenchError> {
        let (set, initial) = (self.set.to_vec(), self.initial.to_vec());
        let text = ModelText { set, initial, ..ModelText::new("model", self.model.as_bytes()) };
        let mut model = parse_model(&text).map_err(|_| BenchError::Model)?;
        let budget = &mut Budget::new(BUDGET);
        // As in the C programs, parameters are numbers.
        model.specialise(budget)?;
        let system = derive(model, budget).map_err(|_| BenchError::Model)?;
        let method = Method::named(self.method, budget)?.ok_or(BenchError::Model)?;
        let (above, below) = self.step;
        let step = Rational::new(above.into(), below.into()).ok_or(BenchError::Model)?;
        let options = Options { tolerance: self.tolerance, monitors: false, ..Options::new(step) };
        let field = Field::new(&system, &[])?;
        let mut stepper = stepper(&method, &system, &field, &options, budget)?;
        start(&stepper, &mut stepper.initial.clone())?.clone_into(&mut stepper.initial);
        Ok(stepper)
    }
}

/// Fills what a state must remember before its first step.
pub(super) fn start<'s>(
    stepper: &Stepper,
    state: &'s mut [f64],
) -> Result<&'s mut [f64], BenchError> {
    stepper.scaling.fill(state, &stepper.parameters);
    let program = &stepper.start;
    let made = step(program, state, &stepper.parameters, &mut Scratch::new(program));
    if made.is_complete() { Ok(state) } else { Err(BenchError::Ended(End::NotConverged)) }
}
