//! Who executes a program.

use crate::interpret::{self, RunOutcome, Scratch};
use crate::tape::{Program, ProgramError};

/// A choice of who executes programs. All give the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Backend {
    /// Machine code where there is some for this machine, otherwise the interpreter.
    #[default]
    Native,
    /// The reference: one operation after the other.
    Interpreter,
}

/// A program ready to run.
#[derive(Debug)]
pub struct Machine {
    program: Program,
    #[cfg(all(target_arch = "x86_64", unix))]
    code: Option<crate::x86::Code>,
    #[cfg(all(target_arch = "x86_64", unix))]
    careless: bool,
}

/// Why a program is not ready to run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MachineError {
    /// The program has no meaning; never seen.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// No machine code.
    #[cfg(all(target_arch = "x86_64", unix))]
    #[error(transparent)]
    Compile(#[from] crate::x86::CompileError),
}

impl Machine {
    /// Makes a program ready.
    pub fn new(program: &Program, backend: Backend) -> Result<Self, MachineError> {
        program.validate()?;
        #[cfg(all(target_arch = "x86_64", unix))]
        let code = match (backend, crate::x86::Target::scalar()) {
            (Backend::Native, Some(target)) => Some(crate::x86::compile(program, target)?),
            _ => None,
        };
        #[cfg(not(all(target_arch = "x86_64", unix)))]
        let _ = backend;
        Ok(Self {
            program: program.clone(),
            #[cfg(all(target_arch = "x86_64", unix))]
            careless: code.is_some() && program.writes_unread_numbers(),
            #[cfg(all(target_arch = "x86_64", unix))]
            code,
        })
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Is it executed as machine code?
    #[must_use]
    pub fn is_compiled(&self) -> bool {
        #[cfg(all(target_arch = "x86_64", unix))]
        {
            self.code.is_some()
        }
        #[cfg(not(all(target_arch = "x86_64", unix)))]
        {
            false
        }
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
        #[cfg(all(target_arch = "x86_64", unix))]
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
