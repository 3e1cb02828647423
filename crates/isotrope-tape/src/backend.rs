//! How programs are executed.

use crate::interpret::{self, RunOutcome, Scratch};
use crate::{Program, ProgramError};

/// How programs are executed. All ways give the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Backend {
    /// Machine code where there is some for this machine, otherwise the interpreter.
    #[default]
    Native,
    /// The reference: one operation after the other.
    Interpreter,
}

/// Machine code of this machine: our own for x86-64, Cranelift's elsewhere.
#[cfg(all(target_arch = "x86_64", unix))]
mod native {
    use crate::Program;
    pub(super) use crate::x86::{Code, CompileError};
    use crate::x86::{Target, compile as compile_for};

    /// `None` on processors without AVX2 and FMA.
    pub(super) fn compile(program: &Program) -> Result<Option<Code>, CompileError> {
        Target::scalar().map(|target| compile_for(program, target)).transpose()
    }
}

#[cfg(not(any(all(target_arch = "x86_64", unix), target_family = "wasm")))]
mod native {
    use crate::Program;
    use crate::cranelift::compile as compile_here;
    pub(super) use crate::cranelift::{Code, CompileError};

    /// `None` on processors that Cranelift does not know.
    pub(super) fn compile(program: &Program) -> Result<Option<Code>, CompileError> {
        match compile_here(program) {
            Ok(code) => Ok(Some(code)),
            Err(CompileError::Machine { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// In a page there is no machine code.
#[cfg(target_family = "wasm")]
mod native {
    use crate::Program;
    use crate::interpret::RunOutcome;

    /// Never made.
    #[derive(Debug)]
    pub(super) enum Code {}

    /// Never returned.
    #[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
    #[error("there is no machine code in a page")]
    pub struct CompileError;

    impl Code {
        pub(super) fn run(
            &self,
            _: &mut [f64],
            _: &[f64],
            _: u64,
        ) -> Result<RunOutcome, CompileError> {
            match *self {}
        }
    }

    pub(super) fn compile(_: &Program) -> Result<Option<Code>, CompileError> {
        Ok(None)
    }
}

/// A program ready to run.
#[derive(Debug)]
pub struct Machine {
    program: Program,
    code: Option<native::Code>,
    /// May a failed step leave numbers behind?
    careless: bool,
}

/// Why a program is not ready to run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MachineError {
    /// The program has no meaning; never seen.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// No machine code.
    #[error(transparent)]
    Compile(#[from] native::CompileError),
}

impl Machine {
    /// Makes a program ready.
    pub fn new(program: &Program, backend: Backend) -> Result<Self, MachineError> {
        program.validate()?;
        let code = match backend {
            Backend::Native => native::compile(program)?,
            Backend::Interpreter => None,
        };
        let careless = code.is_some() && program.writes_unread_numbers();
        Ok(Self { program: program.clone(), code, careless })
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Is it executed as machine code?
    #[must_use]
    pub fn is_compiled(&self) -> bool {
        self.code.is_some()
    }

    /// Makes up to `steps` steps; ends at the first that is not complete. State and parameters
    /// are as long as the program says.
    pub fn run(
        &self,
        state: &mut [f64],
        parameters: &[f64],
        steps: u64,
        scratch: &mut Scratch,
    ) -> RunOutcome {
        if let Some(code) = &self.code {
            let saved = scratch.saved();
            if self.careless {
                saved.clear();
                saved.extend_from_slice(state);
            }
            if let Ok(outcome) = code.run(state, parameters, steps) {
                if self.careless && outcome.end != interpret::End::Completed {
                    // The failed step may have written numbers that it does not read: the good
                    // steps are made once more.
                    state.copy_from_slice(saved);
                    let _ = code.run(state, parameters, outcome.steps);
                }
                let (steps, iterations, end) = (outcome.steps, outcome.iterations, outcome.end);
                return RunOutcome { steps, iterations, end };
            }
        }
        interpret::run(&self.program, state, parameters, steps, scratch)
    }
}
