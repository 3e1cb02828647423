//! What a step depends on.

use crate::{Op, Program, ValueId};

/// Which operations need rates, if those of these values are wanted: the expansion of a function does
/// not where the function itself has a derivative.
pub(super) fn wanted(program: &Program, results: impl Iterator<Item = ValueId>) -> Vec<bool> {
    let mut wanted = vec![false; program.ops.len()];
    results.for_each(|id| wanted[id.0 as usize] = true);
    // Unknowns of the iteration are needed as soon as something reads them; a second pass is enough
    // for what they need, a third for unknowns that only these read, and so on.
    loop {
        backwards(program, &mut wanted);
        let mut more = false;
        for (at, op) in program.ops.iter().enumerate() {
            let (Op::Variable(k) | Op::Final(k)) = *op else { continue };
            if !wanted[at] {
                continue;
            }
            let variable = program.variables[k as usize];
            // Rates of a solution do not depend on those of the guess.
            let start = program.residual.is_none().then_some(variable.start);
            for id in [Some(variable.next), start].into_iter().flatten() {
                more |= !std::mem::replace(&mut wanted[id.0 as usize], true);
            }
        }
        if !more {
            return wanted;
        }
    }
}

fn backwards(program: &Program, wanted: &mut [bool]) {
    for at in (0..program.ops.len()).rev() {
        if !wanted[at] {
            continue;
        }
        for id in program.ops[at].moving_operands().iter() {
            wanted[id.0 as usize] = true;
        }
    }
}

/// The slots of the state whose rates have to be carried along for those of `results`, if at the
/// start the rates of `moving` are given: those that a step needs, without those that never move.
/// Sorted.
#[must_use]
pub fn carried_slots(
    start: &Program,
    step: &Program,
    moving: &[u32],
    parameters: bool,
    results: &[u32],
) -> Vec<u32> {
    let mut needed: Vec<u32> = results.to_vec();
    loop {
        let stores = step.stores.iter().filter(|(slot, _)| needed.contains(slot));
        let wanted = wanted(step, stores.map(|&(_, id)| id));
        let before = needed.len();
        for (op, wanted) in step.ops.iter().zip(&wanted) {
            if let Op::State(slot) = *op
                && *wanted
                && !needed.contains(&slot)
            {
                needed.push(slot);
            }
        }
        if needed.len() == before {
            break;
        }
    }
    let mut active = moving.to_vec();
    reach(start, &mut active, parameters);
    while reach(step, &mut active, parameters) {}
    needed.retain(|slot| active.contains(slot));
    needed.sort_unstable();
    needed
}

/// Adds the slots into which a program carries what moves; was there a new one?
fn reach(program: &Program, active: &mut Vec<u32>, parameters: bool) -> bool {
    let mut moves = vec![false; program.ops.len()];
    let mut unknowns = vec![false; program.variables.len()];
    loop {
        for (at, &op) in program.ops.iter().enumerate() {
            moves[at] = match op {
                Op::State(slot) => active.contains(&slot),
                Op::Parameter(_) => parameters,
                Op::Variable(k) | Op::Final(k) => unknowns[k as usize],
                _ => op.operands().iter().any(|operand| moves[operand.0 as usize]),
            };
        }
        let mut more = false;
        for (known, variable) in unknowns.iter_mut().zip(&program.variables) {
            if moves[variable.next.0 as usize] && !*known {
                *known = true;
                more = true;
            }
        }
        if !more {
            break;
        }
    }
    let before = active.len();
    for &(slot, id) in &program.stores {
        if moves[id.0 as usize] && !active.contains(&slot) {
            active.push(slot);
        }
    }
    active.len() > before
}
