//! From a program to a function in machine code.

use super::executable::Executable;
use super::machine;
use crate::compiled::{Outcome, RunError, check_lengths, conclude};
use crate::{Program, ProgramError};
use cranelift_codegen::CodegenError;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_module::ModuleError;

/// Why there is no code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// The program has no meaning.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// Cranelift does not know the machine.
    #[error("Cranelift makes no code for this machine: {reason}")]
    Machine {
        /// What it says.
        reason: &'static str,
    },
    /// Values that are needed at the same time do not fit on the stack.
    #[error("a frame of {bytes} bytes does not fit on the stack")]
    Frame {
        /// Bytes of the frame.
        bytes: u32,
    },
    /// Code, state or parameters are longer than Cranelift can manage.
    #[error("code or state are too long for Cranelift")]
    Length,
    /// The system gave no executable memory.
    #[error("no executable memory: {message}")]
    Memory {
        /// What the system says.
        message: String,
    },
    /// Cranelift takes our function to be wrong: a mistake in this crate or in Cranelift.
    #[error("Cranelift refuses the function: {message}")]
    Refused {
        /// What it says.
        message: String,
    },
}

impl From<ModuleError> for CompileError {
    fn from(error: ModuleError) -> Self {
        match error {
            ModuleError::Compilation(
                CodegenError::ImplLimitExceeded | CodegenError::CodeTooLarge,
            ) => Self::Length,
            ModuleError::Allocation { .. } | ModuleError::Backend(_) => {
                Self::Memory { message: error.to_string() }
            }
            _ => Self::Refused { message: error.to_string() },
        }
    }
}

/// A compiled program.
#[derive(Debug)]
pub struct Code {
    executable: Executable,
    program: Program,
}

/// Compiles a program for the machine that this program runs on.
///
/// The code does what [`interpret::run`](crate::interpret::run) does, with the same bits.
/// Rounding must be to nearest and subnormal numbers must not be flushed, as Rust always has it.
///
/// ```
/// # #[cfg(not(all(target_arch = "x86_64", unix)))] {
/// use isotrope_tape::cranelift::compile;
/// use isotrope_tape::math::Arithmetic;
/// use isotrope_tape::Builder;
/// // x <- x / 2, a hundred times.
/// let mut builder = Builder::new(1, 0);
/// let x = builder.state(0);
/// let half = builder.constant(0.5);
/// let next = builder.mul(half, x);
/// builder.store(0, next);
/// let code = compile(&builder.finish()?)?;
/// let mut state = [1.0];
/// let outcome = code.run(&mut state, &[], 100)?;
/// assert_eq!(outcome.steps, 100);
/// assert_eq!(state[0], 0.5f64.powi(100));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compile(program: &Program) -> Result<Code, CompileError> {
    compile_for(program, machine::native(program)?)
}

/// Compiles a program for a machine that must not have more than this one.
pub(super) fn compile_for(program: &Program, isa: OwnedTargetIsa) -> Result<Code, CompileError> {
    program.validate()?;
    // An offset reaches every number.
    let numbers = (program.state.max(program.parameters) as usize).max(program.variables.len());
    if numbers > i32::MAX as usize / 8 {
        return Err(CompileError::Length);
    }
    let executable = Executable::new(program, isa)?;
    Ok(Code { executable, program: program.clone() })
}

impl Code {
    /// Makes up to `steps` steps; ends at the first that fails. The state is then as it was before
    /// that step.
    pub fn run(
        &self,
        state: &mut [f64],
        parameters: &[f64],
        steps: u64,
    ) -> Result<Outcome, RunError> {
        check_lengths(&self.program, 1, state, parameters)?;
        let too_short = RunError::Length { what: "a vector", found: 0, expected: 0 };
        let ended = self.executable.run(steps, state, parameters).ok_or(too_short)?;
        Ok(conclude(&self.program, 1, (state, parameters), ended))
    }

    /// The bytes of code and constants.
    #[must_use]
    pub fn length(&self) -> usize {
        self.executable.length()
    }
}
