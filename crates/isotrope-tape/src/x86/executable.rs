//! Executable memory: the only unsafe code of the crate.
//!
//! # Why this is sound
//! - *The memory.* It is mapped writable, filled, and then made executable and read-only; it is
//!   never writable and executable at once, and nothing writes to it afterwards. It is unmapped
//!   when its owner is dropped; calls borrow the owner, so no code runs in unmapped memory.
//! - *The code.* [`Executable::new`] is reached only from [`compile`](super::compile()), with
//!   bytes that this crate's encoder has written: a function of the type [`StepFunction`] with
//!   the calling convention `sysv64`. It saves the registers that the convention says, and its
//!   frame is probed page by page.
//! - *Its reads and writes.* The code reads its own table of constants, its frame, lent memory,
//!   `state`, `parameters`, and writes its frame, lent memory, `state` and `report`. It addresses
//!   `state` and `parameters` only at places that the program names; [`Executable::run`] is given
//!   slices that are at least as long as these places say, and checks that. Lent memory is as long
//!   as the compiler says; it belongs to one call alone while that runs, and is aligned as vectors
//!   want it.
//! - *The machine.* The code uses AVX2 and FMA, or AVX-512; `compile` makes no code for
//!   instructions that the machine does not have.
//! - *Functions that it calls* are `extern "C"` functions of this crate, which on unix is the same
//!   convention, without unwinding (a panic in them would abort).
#![expect(unsafe_code, reason = "machine code can be mapped and called in no other way")]

use super::CompileError;
use super::compile::Function;
use crate::compiled::Report;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Mutex;

/// Compiled code: steps, state, parameters, report, lent memory; the status is 0 if all steps were
/// made.
type StepFunction =
    unsafe extern "sysv64" fn(u64, *mut f64, *const f64, *mut Report, *mut Line) -> u64;

/// A piece of lent memory.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(64))]
struct Line([u64; 8]);

/// Code in memory, and how long the slices must be that it works on.
#[derive(Debug)]
pub(super) struct Executable {
    memory: NonNull<c_void>,
    length: usize,
    state: usize,
    parameters: usize,
    /// Lines of memory that a call is lent.
    lent: usize,
    /// Memory of calls that have ended, for the next ones: runs allocate only once.
    spare: Mutex<Vec<Vec<Line>>>,
}

// SAFETY: the memory is not changed after construction; code in it keeps nothing between calls.
unsafe impl Send for Executable {}
// SAFETY: as above; a call works only on what its caller lends it.
unsafe impl Sync for Executable {}

impl Executable {
    /// Maps code that works on `state` and `parameters` numbers.
    pub(super) fn new(
        function: &Function,
        state: usize,
        parameters: usize,
    ) -> Result<Self, CompileError> {
        let code = &function.bytes;
        let length = code.len().max(1);
        let lent = function.lent.div_ceil(size_of::<Line>());
        let failed = |error: rustix::io::Errno| CompileError::Memory { code: error.raw_os_error() };
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new private mapping at an address of the system's choice touches nothing that
        // exists.
        let memory =
            unsafe { mmap_anonymous(std::ptr::null_mut(), length, access, MapFlags::PRIVATE) };
        let memory =
            NonNull::new(memory.map_err(failed)?).ok_or(CompileError::Memory { code: 0 })?;
        // From here on the mapping is unmapped on every way out.
        let spare = Mutex::new(Vec::new());
        let executable = Self { memory, length, state, parameters, lent, spare };
        // SAFETY: the mapping has `length >= code.len()` bytes, is writable, and nobody else
        // knows it.
        unsafe {
            std::ptr::copy_nonoverlapping(code.as_ptr(), memory.as_ptr().cast(), code.len());
        }
        // SAFETY: the mapping is ours; no reference to its content exists.
        unsafe {
            mprotect(memory.as_ptr(), length, MprotectFlags::READ | MprotectFlags::EXEC)
                .map_err(failed)?;
        }
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
        let mut lent = self.borrow();
        // SAFETY: the memory holds a function of this type (see the head of the module), and a
        // function pointer is as large as a pointer.
        let function: StepFunction = unsafe { std::mem::transmute(self.memory.as_ptr()) };
        let (numbers, memory) = (state.as_mut_ptr(), lent.as_mut_ptr());
        // SAFETY: the slices and the lent memory are as long as the code says, `report` is alive,
        // and all are borrowed for the call.
        let status =
            unsafe { function(steps, numbers, parameters.as_ptr(), &raw mut report, memory) };
        self.give_back(lent);
        Some((status, report))
    }

    /// Memory for a call.
    fn borrow(&self) -> Vec<Line> {
        if self.lent == 0 {
            return Vec::new();
        }
        let spare = self.spare.lock().ok().and_then(|mut spare| spare.pop());
        spare.unwrap_or_else(|| vec![Line::default(); self.lent])
    }

    fn give_back(&self, lent: Vec<Line>) {
        if self.lent > 0
            && let Ok(mut spare) = self.spare.lock()
        {
            spare.push(lent);
        }
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and nothing borrows its owner any more. That unmapping
        // fails would mean that the arguments are wrong; there is nothing to be done then.
        let _ = unsafe { munmap(self.memory.as_ptr(), self.length) };
    }
}
