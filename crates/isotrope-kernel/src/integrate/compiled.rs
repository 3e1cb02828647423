//! A stepper made ready to run.

use super::adaptive::Adaptive;
use super::newton::Careful;
use super::promise::Kept;
use crate::stepper::Stepper;
use isotrope_tape::backend::{Backend, Effort, Machine, MachineError};

/// A stepper with its programs ready to run; shared by all integrations that use it.
#[derive(Debug)]
pub struct Compiled {
    /// The programs it was made of.
    pub stepper: Stepper,
    /// What the method promises to keep; nothing unless set.
    pub promises: Vec<Kept>,
    pub(super) start: Machine,
    pub(super) program: Machine,
    pub(super) newton: Option<Machine>,
    pub(super) careful: Option<Careful>,
    pub(super) adaptive: Option<Adaptive>,
    pub(super) row: Machine,
    pub(super) dense: Vec<Machine>,
}

impl Compiled {
    /// Compiles all programs of a stepper.
    pub fn new(stepper: Stepper, backend: Backend) -> Result<Self, MachineError> {
        Self::with_effort(stepper, backend, Effort::Full)
    }

    /// The same, without more effort than its use is worth.
    pub fn with_effort(
        stepper: Stepper,
        backend: Backend,
        effort: Effort,
    ) -> Result<Self, MachineError> {
        let careful = match &stepper.careful {
            // Straight-line code is worth its compilation when it runs often; this one does not.
            Some(programs) => Some(Careful::new(programs, Backend::Interpreter)?),
            None => None,
        };
        // Newton's method is for steps that the simple iteration does not solve.
        let newton = stepper.newton.as_ref();
        let newton = newton.map(|program| Machine::when_needed(program, backend));
        let adaptive = stepper.adaptive.as_ref();
        let adaptive = adaptive.map(|programs| Adaptive::new(programs, stepper.step, backend));
        Ok(Self {
            // Once, or once a row.
            start: Machine::new(&stepper.start, Backend::Interpreter)?,
            program: Machine::with_effort(&stepper.program, backend, effort)?,
            newton: newton.transpose()?,
            careful,
            adaptive: adaptive.transpose()?,
            row: Machine::when_needed(&stepper.row, backend)?,
            dense: stepper
                .dense
                .iter()
                .map(|program| Machine::when_needed(program, backend))
                .collect::<Result<_, _>>()?,
            stepper,
            promises: Vec::new(),
        })
    }

    /// The program of a step, ready to run.
    #[must_use]
    pub fn step(&self) -> &Machine {
        &self.program
    }
}
