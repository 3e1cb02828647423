//! From the text of a model to compiled steps.

use isotrope_algebra::{Budget, Rational};
use isotrope_kernel::interpret::{End, Scratch, step};
use isotrope_kernel::stepper::{Field, Method, Options, Stepper};
use isotrope_kernel::tape::Program;
use isotrope_kernel::x86::{self, Target};
use isotrope_model::{ModelText, parse_model};
use isotrope_scheme::derive::derive;

use super::BenchError;

const BUDGET: u64 = 1_000_000_000;

/// A model with a method.
#[derive(Debug, Clone)]
pub(super) struct Case<'a> {
    pub(super) model: &'a str,
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
        let initial = self.initial.to_vec();
        let text = ModelText { initial, ..ModelText::new("model", self.model.as_bytes()) };
        let model = parse_model(&text).map_err(|_| BenchError::Model)?;
        let budget = &mut Budget::new(BUDGET);
        let system = derive(model, budget).map_err(|_| BenchError::Model)?;
        let method = Method::named(self.method, budget)?.ok_or(BenchError::Model)?;
        let (above, below) = self.step;
        let step = Rational::new(above.into(), below.into()).ok_or(BenchError::Model)?;
        let options = Options { tolerance: self.tolerance, monitors: false, ..Options::new(step) };
        let field = Field::new(&system, &[])?;
        let mut stepper = method.stepper(&system, &field, &options, budget)?;
        start(&stepper, &mut stepper.initial.clone())?.clone_into(&mut stepper.initial);
        Ok(stepper)
    }
}

/// Fills what a state must remember before its first step.
pub(super) fn start<'s>(
    stepper: &Stepper,
    state: &'s mut [f64],
) -> Result<&'s mut [f64], BenchError> {
    let program = &stepper.start;
    let made = step(program, state, &stepper.parameters, &mut Scratch::new(program));
    if made.is_complete() { Ok(state) } else { Err(BenchError::Ended(End::NotConverged)) }
}

/// Compiled steps of one model, or of several side by side.
#[derive(Debug)]
pub(super) struct Code {
    code: x86::Code,
}

impl Code {
    /// One lane.
    pub(super) fn scalar(program: &Program) -> Result<Self, BenchError> {
        Self::new(program, Target::scalar())
    }

    /// As many lanes as give the most steps.
    pub(super) fn packed(program: &Program) -> Result<Self, BenchError> {
        Self::new(program, Target::packed())
    }

    fn new(program: &Program, target: Option<Target>) -> Result<Self, BenchError> {
        let target = target.ok_or_else(|| BenchError::Code("it lacks AVX2 or FMA".to_owned()))?;
        let code = x86::compile(program, target);
        Ok(Self { code: code.map_err(|error| BenchError::Code(error.to_string()))? })
    }

    /// Lanes side by side.
    pub(super) fn lanes(&self) -> usize {
        self.code.target().lanes as usize
    }

    /// Makes steps.
    pub(super) fn run(
        &self,
        state: &mut [f64],
        parameters: &[f64],
        steps: u64,
    ) -> Result<(), BenchError> {
        let outcome = self.code.run(state, parameters, steps);
        match outcome.map_err(|error| BenchError::Code(error.to_string()))?.end {
            End::Completed => Ok(()),
            end => Err(BenchError::Ended(end)),
        }
    }
}
