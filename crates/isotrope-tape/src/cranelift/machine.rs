//! The machine that code is made for.

use super::CompileError;
use crate::Program;
use cranelift_codegen::isa::{Builder, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable, SetError};

/// Programs with more operations get registers in a single pass: the time of Cranelift's better
/// allocator grows with the square of their number, to seconds for ten thousand.
const LARGE: usize = 2000;

/// The machine that this program runs on.
pub(super) fn native(program: &Program) -> Result<OwnedTargetIsa, CompileError> {
    let builder = cranelift_native::builder().map_err(|reason| CompileError::Machine { reason })?;
    finish(builder, program.ops.len() > LARGE)
}

/// A machine with settings for large programs or for others.
pub(super) fn finish(builder: Builder, large: bool) -> Result<OwnedTargetIsa, CompileError> {
    let refused = |error: SetError| CompileError::Refused { message: error.to_string() };
    let flags = flags(large).map_err(refused)?;
    builder.finish(flags).map_err(|error| CompileError::Refused { message: error.to_string() })
}

fn flags(large: bool) -> Result<settings::Flags, SetError> {
    let mut flags = settings::builder();
    flags.set("opt_level", "speed")?;
    flags.set("regalloc_algorithm", if large { "single_pass" } else { "backtracking" })?;
    // What cranelift-jit asks for.
    flags.set("is_pic", "false")?;
    flags.set("use_colocated_libcalls", "false")?;
    // Every page of the frame is touched on the way down, so that the guard page cannot be missed.
    flags.set("enable_probestack", "true")?;
    flags.set("probestack_strategy", "inline")?;
    // Called functions do not unwind.
    flags.set("unwind_info", "false")?;
    flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" })?;
    Ok(settings::Flags::new(flags))
}

/// Does the machine have an instruction for `a b + c`, rounded once? Only x86-64 may not: there
/// Cranelift would call the system's `fma`.
pub(super) fn has_fused(isa: &OwnedTargetIsa) -> bool {
    let flags = isa.isa_flags();
    let flag = flags.iter().find(|flag| flag.name == "has_fma");
    flag.is_none_or(|flag| flag.as_bool() == Some(true))
}
