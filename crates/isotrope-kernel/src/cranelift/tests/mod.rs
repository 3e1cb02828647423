//! Compiled code and interpreter: two roads, the same bits.

mod code;
mod functions;

use super::compile::{Code, compile_for};
use super::{compile, machine};
use crate::compiled::tests::{Case, LANES};
use crate::tape::Program;

/// Code for the plainest machine of this architecture: on x86-64 without fused instructions.
fn compile_plain(program: &Program) -> Code {
    let builder = cranelift_native::builder_with_options(false).expect("the machine is known");
    compile_for(program, machine::finish(builder).expect("our settings")).expect("compiles")
}

/// Compiled code does what the interpreter does.
pub(crate) fn check(case: &Case) {
    let code = compile(&case.program).expect("the program is valid");
    execute(case, &code, "Cranelift");
    if case.seed.is_multiple_of(8) {
        execute(case, &compile_plain(&case.program), "Cranelift, plain");
    }
}

fn execute(case: &Case, code: &Code, name: &str) {
    for lane in 0..LANES {
        let lane = lane..lane + 1;
        let (mut state, parameters) = case.input(lane.clone());
        let found = code.run(&mut state, &parameters, case.steps).expect("lengths fit");
        assert_eq!(found, case.outcome(lane.clone()), "seed {} for {name}", case.seed);
        case.check_state(lane, &state, false, name);
    }
}
