//! Compiled code and interpreter: two roads, the same bits.

mod code;
mod functions;

use super::compile::{Code, compile_for};
use super::{compile, machine};
use crate::Program;
use crate::compiled::tests::{Case, LANES};

/// Code for the plainest machine of this architecture: on x86-64 without fused instructions.
fn compile_plain(program: &Program) -> Code {
    let builder = cranelift_native::builder_with_options(false).expect("the machine is known");
    compile_for(program, machine::finish(builder, false).expect("our settings")).expect("compiles")
}

/// Code as for a large program.
fn compile_as_large(program: &Program) -> Code {
    let builder = cranelift_native::builder().expect("the machine is known");
    compile_for(program, machine::finish(builder, true).expect("our settings")).expect("compiles")
}

/// Compiled code does what the interpreter does.
pub(crate) fn check(case: &Case) {
    execute(case, &compile(&case.program).expect("the program is valid"), "Cranelift");
    match case.seed % 8 {
        0 => execute(case, &compile_plain(&case.program), "Cranelift, plain"),
        4 => execute(case, &compile_as_large(&case.program), "Cranelift, large"),
        _ => {}
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
