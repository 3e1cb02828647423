//! Steps on a machine without code of our own: the interpreter, one lane.

use std::cell::RefCell;

use isotrope_tape::Program;
use isotrope_tape::interpret::{End, Scratch, run};

use super::BenchError;

/// A program to be interpreted.
#[derive(Debug)]
pub(super) struct Code {
    program: Program,
}

impl Code {
    /// One lane.
    pub(super) fn scalar(program: &Program) -> Result<Self, BenchError> {
        Ok(Self { program: program.clone() })
    }

    /// As many lanes as there are: one.
    pub(super) fn packed(program: &Program) -> Result<Self, BenchError> {
        Self::scalar(program)
    }

    /// Lanes side by side.
    pub(super) fn lanes(&self) -> usize {
        1
    }

    /// Makes steps.
    pub(super) fn run(
        &self,
        state: &mut [f64],
        parameters: &[f64],
        steps: u64,
    ) -> Result<(), BenchError> {
        thread_local! {
            static SCRATCH: RefCell<Scratch> = RefCell::default();
        }
        let outcome = SCRATCH
            .with_borrow_mut(|scratch| run(&self.program, state, parameters, steps, scratch));
        match outcome.end {
            End::Completed => Ok(()),
            end => Err(BenchError::Ended(end)),
        }
    }
}

/// The C programs with vectors are written for x86-64.
pub(super) fn c_lanes() -> (u32, &'static str) {
    (4, "-mavx2")
}
