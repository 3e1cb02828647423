//! Programs that several tests use.

use crate::tape::{Function, Op, Program, ValueId, Variable};

/// x <- sqrt(p) by Heron's rule, from x.
pub fn heron(max_iterations: u32) -> Program {
    let v = ValueId;
    Program {
        ops: vec![
            Op::State(0),
            Op::Parameter(0),
            Op::Constant(0.5f64.to_bits()),
            Op::Constant(1e-15f64.to_bits()),
            Op::Variable(0),
            Op::Div(v(1), v(4)),
            Op::Add(v(4), v(5)),
            Op::Mul(v(2), v(6)),
            Op::Sub(v(7), v(4)),
            Op::Abs(v(8)),
            Op::Final(0),
        ],
        before: 4,
        iterate: 10,
        state: 1,
        parameters: 1,
        variables: vec![Variable { start: v(0), next: v(7) }],
        residual: Some((v(9), v(3))),
        max_iterations,
        stores: vec![(0, v(10))],
    }
}

/// Adds up `count` values, all of which are alive at the same time.
pub fn wide(count: u32) -> Program {
    let mut program = Program { state: 2, ..Program::default() };
    program.ops.push(Op::State(0));
    for k in 1..=count {
        program.ops.push(Op::Constant(f64::from(k).to_bits()));
        program.ops.push(Op::Mul(ValueId(0), ValueId(2 * k - 1)));
    }
    let mut sum = ValueId(0);
    for k in 1..=count {
        program.ops.push(Op::Add(sum, ValueId(2 * k)));
        sum = ValueId(program.ops.len() as u32 - 1);
    }
    program.before = program.ops.len() as u32;
    program.iterate = program.before;
    program.stores = vec![(1, sum)];
    program
}

/// More values than registers are alive across calls, on both ways of a guard.
pub fn many_calls() -> Program {
    let mut program = Program { state: 41, ..Program::default() };
    for k in 0..40 {
        program.ops.push(Op::State(k));
    }
    let v = ValueId;
    for k in 0..40 {
        program.ops.push(Op::Sqrt(v(k)));
    }
    program.ops.push(Op::Call(Function::Atan, v(41)));
    let bound = 3f64.to_bits();
    let guarded = Op::Guarded { function: Function::Sin, argument: v(42), fast: v(80), bound };
    program.ops.push(guarded);
    program.ops.push(Op::Call2(Function::Atan2, v(43), v(81)));
    let mut sum = v(82);
    for k in 40..80 {
        program.ops.push(Op::Fma(sum, v(k), v(k)));
        sum = v(program.ops.len() as u32 - 1);
    }
    program.ops.push(Op::Call(Function::Exp, v(40)));
    let last = v(program.ops.len() as u32 - 1);
    program.ops.push(Op::Div(sum, last));
    program.before = program.ops.len() as u32;
    program.iterate = program.before;
    program.stores = vec![(40, v(program.before - 1))];
    program
}
