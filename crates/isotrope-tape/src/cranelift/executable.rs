//! Executable memory: the only unsafe code of this back end.
//!
//! # Why this is sound
//! - *The memory* belongs to cranelift-jit, which maps it writable, fills it, and then makes it
//!   executable and read-only: it is never writable and executable at once. It is freed when its
//!   owner is dropped; calls borrow the owner, so no code runs in memory that is freed.
//! - *The code* is made by Cranelift from a function of the type [`StepFunction`], with the calling
//!   convention of the machine, which is Rust's `extern "C"`. Its frame is probed page by page.
//! - *Its reads and writes.* The function reads `state` and `parameters`, writes `state` and
//!   `report`, and has no other address. It uses `state` and `parameters` only at places that the
//!   program names; [`Executable::run`] takes slices that are as long as the program says, and
//!   checks that.
//! - *The machine.* The code uses instructions that [`machine`](super::machine) has found here.
//! - *Functions that it calls* are `extern "C"` functions of this crate with as many arguments as
//!   declared, without unwinding (a panic in them would abort).
#![expect(unsafe_code, reason = "machine code can be called in no other way")]

use super::CompileError;
use super::calls::Calls;
use super::function::define;
use crate::Program;
use crate::compiled::Report;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::default_libcall_names;

/// Compiled code: steps, state, parameters, report; the status is 0 if all steps were made.
type StepFunction = unsafe extern "C" fn(u64, *mut f64, *const f64, *mut Report) -> u64;

/// Code in memory, and how long the slices must be that it works on.
pub(super) struct Executable {
    /// Owns the memory; there until the end.
    module: Option<JITModule>,
    function: *const u8,
    length: usize,
    state: usize,
    parameters: usize,
}

// SAFETY: the module may be sent, and the pointer is into the memory that it owns.
unsafe impl Send for Executable {}
// SAFETY: the memory is not changed after construction, code in it keeps nothing between calls,
// and nothing else of the module is used before it is dropped.
unsafe impl Sync for Executable {}

impl Executable {
    /// Compiles a valid program for this machine.
    pub(super) fn new(program: &Program, isa: OwnedTargetIsa) -> Result<Self, CompileError> {
        let calls = Calls::of(program, &isa);
        let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
        calls.register(&mut builder);
        // From here on the memory is freed on every way out.
        let mut executable = Self {
            module: None,
            function: std::ptr::null(),
            length: 0,
            state: program.state as usize,
            parameters: program.parameters as usize,
        };
        let module = executable.module.insert(JITModule::new(builder));
        let (function, length) = define(module, program, &calls)?;
        module.finalize_definitions()?;
        executable.function = module.get_finalized_function(function);
        executable.length = length;
        Ok(executable)
    }

    /// Makes steps. `None` if a slice is too short; otherwise the status and the report.
    pub(super) fn run(
        &self,
        steps: u64,
        state: &mut [f64],
        parameters: &[f64],
    ) -> Option<(u64, Report)> {
        if state.len() < self.state || parameters.len() < self.parameters {
            return None;
        }
        let mut report = Report::default();
        // SAFETY: the pointer is to a function of this type (see the head of the module), and a
        // function pointer is as large as a pointer.
        let function: StepFunction = unsafe { std::mem::transmute(self.function) };
        // SAFETY: the slices are as long as the code says, `report` is alive, and all are
        // borrowed for the call.
        let status =
            unsafe { function(steps, state.as_mut_ptr(), parameters.as_ptr(), &raw mut report) };
        Some((status, report))
    }

    /// The bytes of code and constants.
    pub(super) fn length(&self) -> usize {
        self.length
    }
}

impl std::fmt::Debug for Executable {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Executable").field("length", &self.length).finish_non_exhaustive()
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: nothing borrows the owner of the code any more, so none of it is running,
            // and the pointer to it ends here.
            unsafe { module.free_memory() };
        }
    }
}
