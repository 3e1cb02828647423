//! Functions that the code calls.

use super::CompileError;
use super::machine::has_fused;
use crate::compiled::{self, Called};
use crate::{Op, Program};
use cranelift_codegen::ir::{self, AbiParam, FuncRef, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module};

/// What a program calls.
pub(super) struct Calls {
    functions: Vec<Called>,
    /// Is `a b + c` a call, because the machine has no instruction for it?
    fused: bool,
}

/// What the code refers to.
pub(super) struct Callees {
    functions: Vec<(Called, FuncRef)>,
    /// `a b + c`, if it is called.
    pub(super) fused: Option<FuncRef>,
}

/// The symbol of [`compiled::fused_address`].
const FUSED: &str = "Fused";

/// The symbol of a function.
fn name(function: Called) -> String {
    match function {
        Called::One(function) => function.to_string(),
        Called::Two(function) => function.to_string(),
    }
}

impl Calls {
    /// What a program calls on a machine.
    pub(super) fn of(program: &Program, isa: &OwnedTargetIsa) -> Self {
        let mut functions: Vec<Called> = program
            .ops
            .iter()
            .filter_map(|op| match *op {
                Op::Call(function, _) | Op::Guarded { function, .. } => Some(Called::One(function)),
                Op::Call2(function, ..) => Some(Called::Two(function)),
                _ => None,
            })
            .collect();
        functions.sort_unstable();
        functions.dedup();
        let fuses = |op: &Op| matches!(op, Op::Fma(..) | Op::Fms(..) | Op::Fnma(..));
        Self { functions, fused: !has_fused(isa) && program.ops.iter().any(fuses) }
    }

    /// Tells the addresses.
    pub(super) fn register(&self, builder: &mut JITBuilder) {
        let pointer = |address: u64| address as usize as *const u8;
        for &function in &self.functions {
            builder.symbol(name(function), pointer(function.address()));
        }
        if self.fused {
            builder.symbol(FUSED, pointer(compiled::fused_address()));
        }
    }

    /// Declares the functions to the one that calls them.
    pub(super) fn declare(
        &self,
        module: &mut JITModule,
        caller: &mut ir::Function,
    ) -> Result<Callees, CompileError> {
        let mut declare = |name: &str, arguments: usize| -> Result<FuncRef, CompileError> {
            let mut signature = module.make_signature();
            signature.params = vec![AbiParam::new(types::F64); arguments];
            signature.returns = vec![AbiParam::new(types::F64)];
            let id = module.declare_function(name, Linkage::Import, &signature)?;
            Ok(module.declare_func_in_func(id, caller))
        };
        let mut functions = Vec::new();
        for &function in &self.functions {
            functions.push((function, declare(&name(function), function.arguments())?));
        }
        let fused = if self.fused { Some(declare(FUSED, 3)?) } else { None };
        Ok(Callees { functions, fused })
    }
}

impl Callees {
    /// How the code refers to a function; `None` if the program does not call it.
    pub(super) fn get(&self, function: Called) -> Option<FuncRef> {
        let at = self.functions.binary_search_by_key(&function, |entry| entry.0).ok()?;
        Some(self.functions[at].1)
    }
}
