//! Random programs on all targets, those that are not at hand on an emulator.

use super::emulator::emulate;
use crate::backend::Effort;
use crate::compiled::tests::Case;
use crate::x86::compile::{assemble, compile_with};
use crate::x86::frame::ON_STACK;
use crate::x86::{InstructionSet, Target};

/// Compiled code does what the interpreter does, lane by lane, on every target.
pub(crate) fn check(case: &Case) {
    for set in [InstructionSet::Avx2, InstructionSet::Avx512] {
        for target in Target::all(set) {
            if set.is_available() {
                execute_on_machine(case, target);
            }
            // The emulator is slower; the machine's own code is enough for most programs.
            if !set.is_available() || case.seed.is_multiple_of(16) {
                execute_on_emulator(case, target);
            }
        }
    }
}

/// One program in three keeps nothing on the stack.
fn on_stack(case: &Case) -> u32 {
    if case.seed.is_multiple_of(3) { 0 } else { ON_STACK }
}

/// Every other program is laid out once only.
fn effort(case: &Case) -> Effort {
    if case.seed.is_multiple_of(2) { Effort::Little } else { Effort::Full }
}

fn execute_on_machine(case: &Case, target: Target) {
    let (lanes, name) = (0..target.lanes as usize, format!("{target:?}"));
    let (mut state, parameters) = case.input(lanes.clone());
    let code = compile_with(&case.program, target, on_stack(case), effort(case));
    let code = code.expect("the program is valid");
    let found = code.run(&mut state, &parameters, case.steps).expect("lengths fit");
    assert_eq!(found, case.outcome(lanes.clone()), "seed {} for {name}", case.seed);
    case.check_state(lanes, &state, true, &name);
}

fn execute_on_emulator(case: &Case, target: Target) {
    let (lanes, name) = (0..target.lanes as usize, format!("{target:?}, emulated"));
    let (mut state, parameters) = case.input(lanes.clone());
    let code = assemble(&case.program, target, on_stack(case), effort(case));
    let code = code.expect("the program is valid");
    let (status, steps, iterations) =
        emulate(target.set, &code, &mut state, &parameters, case.steps);
    let expected = case.outcome(lanes.clone());
    assert_eq!(
        (status != 0, steps, iterations),
        (expected.failed != 0, expected.steps, expected.iterations),
        "seed {} for {name}",
        case.seed
    );
    case.check_state(lanes, &state, true, &name);
}
