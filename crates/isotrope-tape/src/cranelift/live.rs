//! Operations that something depends on: others need no code, and above all no calls.

use crate::{Program, ValueId};

/// For each operation: does a store or the iteration depend on it?
pub(super) fn live(program: &Program) -> Vec<bool> {
    let mut live = vec![false; program.ops.len()];
    let mut mark = |id: ValueId| live[id.0 as usize] = true;
    for &(_, id) in &program.stores {
        mark(id);
    }
    for variable in &program.variables {
        mark(variable.start);
        mark(variable.next);
    }
    if let Some((residual, tolerance)) = program.residual {
        mark(residual);
        mark(tolerance);
    }
    // Operands come before what uses them.
    for at in (0..program.ops.len()).rev() {
        if live[at] {
            for &operand in program.ops[at].operands().iter() {
                live[operand.0 as usize] = true;
            }
        }
    }
    live
}
