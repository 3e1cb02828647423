//! From a program to a function in machine code.

use super::allocate::allocate;
use super::emit::Emitter;
use super::encode::Width;
use super::executable::Executable;
use super::frame::{Frame, ON_STACK};
use super::masks::keep_masks;
use super::operation::Operation;
use super::place::Machine;
use super::plan::{Layout, Plan};
use super::target::{InstructionSet, Target};
use crate::backend::Effort;
use crate::compiled::{Outcome, RunError, check_lengths, conclude};
use crate::{Program, ProgramError};

/// Why there is no code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// The program has no meaning.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The machine lacks the instructions.
    #[error("this machine does not have the instructions of {set:?}")]
    Unavailable {
        /// Which ones.
        set: InstructionSet,
    },
    /// There is no code for this number of lanes.
    #[error("no code is made for {lanes} lanes")]
    Lanes {
        /// How many.
        lanes: u32,
    },
    /// More values are needed at the same time than displacements can reach.
    #[error("{values} values at the same time are more than two gigabytes")]
    Frame {
        /// How many.
        values: u32,
    },
    /// Code, state or parameters are longer than displacements can reach.
    #[error("code or state are longer than two gigabytes")]
    Length,
    /// The system gave no executable memory.
    #[error("no executable memory (error {code} of the system)")]
    Memory {
        /// The error number.
        code: i32,
    },
}

/// A compiled program.
///
/// Number `i` of the state of lane `l` is at `i · lanes + l`, and likewise for the parameters.
#[derive(Debug)]
pub struct Code {
    executable: Executable,
    program: Program,
    target: Target,
    length: usize,
}

/// Compiles a program for a target that this machine has.
///
/// The code does what [`interpret::run`](crate::interpret::run) does, with the same bits in every
/// lane. Only numbers of the state that the program writes and never reads may have changed after
/// a step that failed. Rounding must be to nearest and subnormal numbers must not be flushed, as
/// Rust always has it.
///
/// ```
/// use isotrope_tape::math::Arithmetic;
/// use isotrope_tape::Builder;
/// use isotrope_tape::x86::{Target, compile};
/// // x <- x / 2, a hundred times.
/// let mut builder = Builder::new(1, 0);
/// let x = builder.state(0);
/// let half = builder.constant(0.5);
/// let next = builder.mul(half, x);
/// builder.store(0, next);
/// let program = builder.finish()?;
/// if let Some(target) = Target::scalar() {
///     let code = compile(&program, target)?;
///     let mut state = [1.0];
///     let outcome = code.run(&mut state, &[], 100)?;
///     assert_eq!(outcome.steps, 100);
///     assert_eq!(state[0], 0.5f64.powi(100));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compile(program: &Program, target: Target) -> Result<Code, CompileError> {
    compile_with_effort(program, target, Effort::Full)
}

/// Compiles without more effort than the use of the program is worth.
pub fn compile_with_effort(
    program: &Program,
    target: Target,
    effort: Effort,
) -> Result<Code, CompileError> {
    compile_with(program, target, ON_STACK, effort)
}

/// Compiles with at most that many bytes of values on the stack.
pub(super) fn compile_with(
    program: &Program,
    target: Target,
    on_stack: u32,
    effort: Effort,
) -> Result<Code, CompileError> {
    if !target.set.is_available() {
        return Err(CompileError::Unavailable { set: target.set });
    }
    let function = assemble(program, target, on_stack, effort)?;
    let lanes = target.lanes as usize;
    let (state, parameters) = (program.state as usize, program.parameters as usize);
    let executable = Executable::new(&function, state * lanes, parameters * lanes)?;
    let length = function.bytes.len();
    Ok(Code { executable, program: program.clone(), target, length })
}

/// A compiled function.
#[derive(Debug)]
pub(super) struct Function {
    /// Code and constants.
    pub(super) bytes: Vec<u8>,
    /// Bytes of memory that it must be lent.
    pub(super) lent: usize,
}

/// Makes the function, for a machine that may be another one.
pub(super) fn assemble(
    program: &Program,
    target: Target,
    on_stack: u32,
    effort: Effort,
) -> Result<Function, CompileError> {
    program.validate()?;
    let (width, copies) = target.shape()?;
    // A displacement reaches every number of the state and of the parameters.
    let numbers = u64::from(program.state.max(program.parameters));
    if numbers * u64::from(copies * width.bytes()) > i32::MAX as u64 {
        return Err(CompileError::Length);
    }
    let evex = target.set == InstructionSet::Avx512;
    let packed = width != Width::One;
    let machine = Machine { registers: if evex { 31 } else { 15 }, evex, packed };
    let mut plan = Plan::new(program, Layout { copies, packed });
    if evex {
        keep_masks(&mut plan);
    }
    let allocation = allocate(&plan, machine, effort);
    let calls = plan
        .items
        .iter()
        .any(|item| matches!(item.operation, Operation::Call(_) | Operation::Guarded { .. }));
    let saved = if calls { u32::from(machine.registers) } else { 0 };
    let frame = Frame::new(width.bytes(), saved, allocation.slots, on_stack)
        .ok_or(CompileError::Frame { values: allocation.slots })?;
    let emitter = Emitter::new(&plan, machine, width, frame, program.max_iterations);
    let assembler = emitter.function(&allocation);
    let copies = if packed && !evex { width.lanes() as usize } else { 1 };
    let bytes = assembler.finish(&plan.constants, copies).ok_or(CompileError::Length)?;
    Ok(Function { bytes, lent: frame.lent() })
}

impl Code {
    /// Makes up to `steps` steps; ends at the first that fails in some lane. All lanes are then
    /// as they were before that step, but for numbers that the program writes and never reads.
    pub fn run(
        &self,
        state: &mut [f64],
        parameters: &[f64],
        steps: u64,
    ) -> Result<Outcome, RunError> {
        let lanes = self.target.lanes as usize;
        check_lengths(&self.program, lanes, state, parameters)?;
        let too_short = RunError::Length { what: "a vector", found: 0, expected: 0 };
        let ended = self.executable.run(steps, state, parameters).ok_or(too_short)?;
        Ok(conclude(&self.program, lanes, (state, parameters), ended))
    }

    /// What the code was made for.
    #[must_use]
    pub fn target(&self) -> Target {
        self.target
    }

    /// The bytes of code and constants.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }
}
