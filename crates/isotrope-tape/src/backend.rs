//! How programs are executed.

use std::sync::OnceLock;

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

/// How long to look for good machine code. It has the same bits either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// As long as it gets better.
    Full,
    /// The first that is found: for programs that are done before a search pays.
    Little,
}

impl Effort {
    /// Steps from which on a search pays: it makes a step a few per cent faster, and takes as long as some
    /// thousand steps.
    const WORTH: u64 = 100_000;

    /// For a program that makes this many steps.
    #[must_use]
    pub fn for_steps(steps: u64) -> Self {
        if steps < Self::WORTH { Self::Little } else { Self::Full }
    }
}

/// Machine code of this machine: our own for x86-64, Cranelift's elsewhere.
#[cfg(all(target_arch = "x86_64", unix))]
mod native {
    use super::Effort;
    use crate::Program;
    pub(super) use crate::x86::{Code, CompileError};
    use crate::x86::{Target, compile_with_effort};

    /// `None` on processors without AVX2 and FMA.
    pub(super) fn compile(program: &Program, effort: Effort) -> Result<Option<Code>, CompileError> {
        Target::scalar().map(|target| compile_with_effort(program, target, effort)).transpose()
    }
}

#[cfg(not(any(all(target_arch = "x86_64", unix), target_family = "wasm")))]
mod native {
    use super::Effort;
    use crate::Program;
    use crate::cranelift::compile as compile_here;
    pub(super) use crate::cranelift::{Code, CompileError};

    /// `None` on processors that Cranelift does not know.
    pub(super) fn compile(program: &Program, _: Effort) -> Result<Option<Code>, CompileError> {
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
    use super::Effort;
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

    pub(super) fn compile(_: &Program, _: Effort) -> Result<Option<Code>, CompileError> {
        Ok(None)
    }
}

/// A program ready to run.
#[derive(Debug)]
pub struct Machine {
    program: Program,
    /// Machine code, if there is some; not made yet where it may never be needed.
    compiled: OnceLock<Option<Compiled>>,
}

#[derive(Debug)]
struct Compiled {
    code: native::Code,
    /// May a failed step leave numbers behind?
    careless: bool,
}

impl Compiled {
    fn new(program: &Program, effort: Effort) -> Result<Option<Self>, native::CompileError> {
        let code = native::compile(program, effort)?;
        Ok(code.map(|code| Self { code, careless: program.writes_unread_numbers() }))
    }
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
        Self::with_effort(program, backend, Effort::Full)
    }

    /// Makes a program ready without more effort than its use is worth.
    pub fn with_effort(
        program: &Program,
        backend: Backend,
        effort: Effort,
    ) -> Result<Self, MachineError> {
        program.validate()?;
        let compiled = match backend {
            Backend::Native => Compiled::new(program, effort)?,
            Backend::Interpreter => None,
        };
        Ok(Self { program: program.clone(), compiled: OnceLock::from(compiled) })
    }

    /// A program that may never run: it is compiled when it first does.
    pub fn when_needed(program: &Program, backend: Backend) -> Result<Self, MachineError> {
        match backend {
            Backend::Interpreter => Self::new(program, backend),
            Backend::Native => {
                program.validate()?;
                Ok(Self { program: program.clone(), compiled: OnceLock::new() })
            }
        }
    }

    /// The machine code; where it cannot be made any more there is the interpreter.
    fn compiled(&self) -> Option<&Compiled> {
        let make = || Compiled::new(&self.program, Effort::Little).ok().flatten();
        self.compiled.get_or_init(make).as_ref()
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Is it executed as machine code?
    #[must_use]
    pub fn is_compiled(&self) -> bool {
        self.compiled().is_some()
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
        if let Some(Compiled { code, careless }) = self.compiled() {
            let saved = scratch.saved();
            if *careless {
                saved.clear();
                saved.extend_from_slice(state);
            }
            if let Ok(outcome) = code.run(state, parameters, steps) {
                if *careless && outcome.end != interpret::End::Completed {
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
