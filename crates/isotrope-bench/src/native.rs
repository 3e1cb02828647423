//! Compiled steps on this machine.

use isotrope_tape::Program;
use isotrope_tape::interpret::End;
use isotrope_tape::x86::{self, InstructionSet, Target};

use super::BenchError;

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

/// Lanes of the C programs with vectors, and the flag that allows them.
pub(super) fn c_lanes() -> (u32, &'static str) {
    match InstructionSet::detect() {
        Some(InstructionSet::Avx512) => (8, "-mprefer-vector-width=512"),
        _ => (4, "-mno-avx512f"),
    }
}
